"""Opens what was submitted as a policy: an uploaded folder in the sandbox, or a remote policy over its WebSocket."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import numpy as np

from pentathlon.core.entrants import Floats, Observation, Policy
from pentathlon.core.errors import EntrantError
from pentathlon.core.specs import InteractionSpec
from pentathlon.events.act.trial import for_seed
from pentathlon.server.queue.tables import RemoteSource, Submission
from pentathlon.server.sandbox.remotes import find_addresses
from pentathlon.server.settings import ServerSettings
from pentathlon.worlds.tabletop.arm.robot import TOTO_START_RAD

SERVERS: dict[RemoteSource, str] = {
    "remote": "a server of serve_policy",
    "openpi": "a server of openpi",
    "vla-eval": "a model server of vla-eval",
}


@contextmanager
def open_entrant(
    settings: ServerSettings, submission: Submission, spec: InteractionSpec, training_seed: int, folder: Path, log: Path
) -> Iterator[Policy]:
    """Opens the policy of one training seed; whatever it does wrong is a ``PentathlonError``.

    Args:
        settings: of the server.
        submission: what to open.
        spec: what the robot offers and takes.
        training_seed: which of the trained versions.
        folder: of the unpacked agent, where it was uploaded.
        log: takes what an uploaded agent prints.
    """
    if submission.source == "upload":
        from pentathlon.server.sandbox import open_policy

        limits = settings.limits
        with open_policy(folder, limits=limits, log=log, spec=spec, training_seed=training_seed) as sandboxed:
            yield sandboxed
    else:
        addresses = find_addresses(submission.url, settings.remote_hosts)
        with ExitStack() as stack:
            try:
                policy = stack.enter_context(_connect(settings, submission, submission.source, spec, addresses))
            except EntrantError as error:
                raise EntrantError(f"Expected {SERVERS[submission.source]}. {error}") from error
            yield for_seed(policy, training_seed)


@contextmanager
def _connect(
    settings: ServerSettings,
    submission: Submission,
    source: RemoteSource,
    spec: InteractionSpec,
    addresses: Sequence[str],
) -> Iterator[Policy]:
    from pentathlon.events.act.policies.foreign import OpenpiPolicy, VlaEvalPolicy
    from pentathlon.events.act.policies.remote import connect

    url, token, total_s = submission.url, submission.remote_token, settings.limits.total_s
    if source == "remote":
        with connect(url, spec, token, addresses=addresses, total_limit_s=total_s) as policy:
            yield policy
        return
    foreign: OpenpiPolicy | VlaEvalPolicy
    foreign = (
        OpenpiPolicy(url, token, addresses=addresses) if source == "openpi" else VlaEvalPolicy(url, addresses=addresses)
    )
    with closing(foreign):
        yield TimedPolicy(foreign, total_s)


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


def try_out(policy: Policy, spec: InteractionSpec) -> None:
    """Asks a policy for one action on a blank picture, so that what cannot work never waits for a robot.

    Only a robot can tell whether the action is a sensible one, so its size is not looked at.
    """
    policy.reset()
    blank = {array.name: np.ones([length or 1 for length in array.shape], array.dtype) for array in spec.observations}
    policy.predict({**blank, "joints": np.array(TOTO_START_RAD, np.float32)})
