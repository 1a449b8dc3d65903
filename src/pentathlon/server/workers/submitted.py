"""Opens what was submitted: an uploaded folder in the sandbox, or what its owner serves over its WebSocket."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pentathlon.core.entrants import Floats, Observation, Policy
from pentathlon.core.errors import EntrantError, SpecMismatchError
from pentathlon.core.specs import InteractionSpec
from pentathlon.core.task import Task
from pentathlon.core.tiers import public_id
from pentathlon.events.act.trial import for_seed
from pentathlon.server.queue.tables import RemoteSource, Submission
from pentathlon.server.sandbox.bubblewrap import upload_problem
from pentathlon.server.sandbox.limits import SandboxError
from pentathlon.server.sandbox.remotes import find_addresses
from pentathlon.server.settings import ServerSettings

if TYPE_CHECKING:
    from pentathlon.models.remote.remote_entrants import Remote

SERVERS: dict[RemoteSource, str] = {
    "remote": "a server of serve_entrant",
    "openpi": "a server of openpi",
    "vla-eval": "a model server of vla-eval",
}


@contextmanager
def open_entrant(
    settings: ServerSettings,
    submission: Submission,
    task: Task,
    training_seed: int,
    folder: Path,
    log: Path,
    interrupted: Callable[[], None] = lambda: None,
    *,
    kept_bytes: int | None = None,
) -> Iterator[Any]:
    """Opens the entrant of one training seed; whatever it does wrong is a ``PentathlonError``.

    Args:
        settings: of the server.
        submission: what to open.
        task: says what kind it tests, and what it offers and takes.
        training_seed: which of a policy's trained versions.
        folder: as unpacked, where one was uploaded.
        log: takes what an uploaded entrant prints.
        interrupted: is called now and then while the entrant is asked; raises to break off.
        kept_bytes: of what an uploaded entrant prints while it is asked; everything when not given.
    """
    if submission.source == "upload":
        from pentathlon.server.sandbox import open_sandboxed

        check_uploads(settings)
        with open_sandboxed(
            task.kind,
            folder,
            limits=settings.limits,
            log=log,
            spec=task.spec,
            training_seed=training_seed,
            fingerprint=f"upload-{submission.sha256}",
            interrupted=interrupted,
            kept_bytes=kept_bytes,
        ) as sandboxed:
            yield sandboxed
    else:
        with _open_remote(settings, submission, submission.source, task, interrupted) as entrant:
            yield for_seed(entrant, training_seed)


def check_uploads(settings: ServerSettings) -> None:
    """Refuses to run uploads where nothing would hold them.

    Raises:
        SandboxError: saying why.
    """
    if (problem := upload_problem(settings.uploads_without_control_groups)) is not None:
        raise SandboxError("refused", problem)


@contextmanager
def _open_remote(
    settings: ServerSettings, submission: Submission, source: RemoteSource, task: Task, interrupted: Callable[[], None]
) -> Iterator[Any]:
    addresses = find_addresses(submission.url, settings.remote_hosts)
    with ExitStack() as stack:
        try:
            entrant = stack.enter_context(
                _connect_foreign(settings, submission, source, addresses)
                if source != "remote"
                else _connect(settings, submission, task, addresses, interrupted)
            )
        except EntrantError as error:
            raise EntrantError(f"Expected {SERVERS[source]}. {error}") from error
        except SpecMismatchError as error:
            # What it declares instead is what a stranger's host answered.
            raise EntrantError(
                f"The server at {submission.url} declares something that does not fit {task.id}; compare the two with: "
                f"pentathlon run {public_id(task.id)} --entrant {source}@ADDRESS."
            ) from error
        yield entrant


def _connect(
    settings: ServerSettings,
    submission: Submission,
    task: Task,
    addresses: Sequence[str],
    interrupted: Callable[[], None],
) -> AbstractContextManager[Remote]:
    from pentathlon.models.remote.connection import Terms
    from pentathlon.models.remote.remote_entrants import connect

    terms = Terms(addresses, total_limit_s=settings.limits.total_s, interrupted=interrupted, quoting=False)
    return connect(submission.url, task.kind, task.spec, submission.remote_token, terms)


@contextmanager
def _connect_foreign(
    settings: ServerSettings, submission: Submission, source: RemoteSource, addresses: Sequence[str]
) -> Iterator[Policy]:
    from pentathlon.events.act.policies.foreign import OpenpiPolicy, VlaEvalPolicy

    url, token = submission.url, submission.remote_token
    foreign: OpenpiPolicy | VlaEvalPolicy
    foreign = (
        OpenpiPolicy(url, token, addresses=addresses, quoting=False)
        if source == "openpi"
        else VlaEvalPolicy(url, addresses=addresses, quoting=False)
    )
    with closing(foreign):
        yield TimedPolicy(foreign, settings.limits.total_s)


class TimedPolicy:
    """A policy whose calls together may take so long only, for protocols that do not count it themselves."""

    def __init__(self, policy: Policy, total_limit_s: float) -> None:
        self._policy = policy
        self._total_limit_s, self._spent_s = total_limit_s, 0.0

    @property
    def spec(self) -> InteractionSpec:
        """That of the policy."""
        return self._policy.spec

    def reset(self) -> None:
        """Begins an episode."""
        with self._counted():
            self._policy.reset()

    def predict(self, observation: Observation) -> Floats:
        """Returns the policy's action or chunk."""
        with self._counted():
            return self._policy.predict(observation)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        if self._spent_s >= self._total_limit_s:
            raise EntrantError(f"The policy took more than {self._total_limit_s:g} s for all its answers.")
        started_s = time.monotonic()
        try:
            yield
        finally:
            self._spent_s += time.monotonic() - started_s
