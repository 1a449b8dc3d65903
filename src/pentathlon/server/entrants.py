"""Opens what was submitted as a policy: an uploaded folder in the sandbox, or a remote policy over its WebSocket."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from pentathlon.core.entrants import Policy
from pentathlon.core.specs import InteractionSpec
from pentathlon.events.act.trial import for_seed
from pentathlon.server.remotes import find_addresses
from pentathlon.server.sandbox.limits import Limits
from pentathlon.server.settings import ServerSettings
from pentathlon.server.tables import Submission
from pentathlon.worlds.tabletop.robot import TOTO_START_RAD


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
    if submission.kind == "upload":
        from pentathlon.server.sandbox import open_policy

        with open_policy(folder, limits=Limits(), log=log, spec=spec, training_seed=training_seed) as sandboxed:
            yield sandboxed
    else:
        from pentathlon.events.act.agents.remote import connect

        addresses = find_addresses(submission.url, settings.remote_hosts)
        limit_s = Limits().total_s
        with connect(
            submission.url, spec, submission.remote_token, addresses=addresses, total_limit_s=limit_s
        ) as remote:
            yield for_seed(remote, training_seed)


def try_out(policy: Policy, spec: InteractionSpec) -> None:
    """Asks a policy for one action on a blank picture, so that what cannot work never waits for a robot.

    Only a robot can tell whether the action is a sensible one, so its size is not looked at.
    """
    policy.reset()
    blank = {array.name: np.ones([length or 1 for length in array.shape], array.dtype) for array in spec.observations}
    policy.predict({**blank, "joints": np.array(TOTO_START_RAD, np.float32)})
