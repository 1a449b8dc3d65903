"""Serves a policy of your own to an evaluation elsewhere.

On the machine with the model:

    python examples/02_serve_a_policy.py --port 8765

On the machine with the robot, real or simulated:

    pentathlon run act/pour-lite-v1 --entrant remote@ws://127.0.0.1:8765

To serve to other machines give a token, here and there as PENTATHLON_REMOTE_TOKEN:

    PENTATHLON_REMOTE_TOKEN=... python examples/02_serve_a_policy.py --host 0.0.0.0
"""

import os
from dataclasses import dataclass

import numpy as np
import tyro

from pentathlon.core import ArraySpec, InteractionSpec
from pentathlon.core.entrants import Floats, Observation
from pentathlon.models.remote.serving import serve_entrant


class Nodding:
    """Nods with the last joint for a second at a time, as a chunk of 30 actions."""

    # Only what is declared here is sent. None stands for any size, so every tier of the task fits.
    spec = InteractionSpec(
        observations=(ArraySpec("joints", (7,), "float32", "rad"), ArraySpec("image", (None, None, 3), "uint8")),
        action=ArraySpec("joint_targets", (7,), "float32", "rad"),
    )

    def reset(self) -> None:
        """Forgets the episode so far."""

    def predict(self, observation: Observation) -> Floats:
        """Returns a chunk of absolute joint targets, one per thirtieth of a second."""
        chunk = np.repeat(observation["joints"][None], 30, axis=0)
        chunk[:, 6] += 0.05 * np.sin(np.linspace(0, 2 * np.pi, 30))
        return chunk.astype(np.float32)


@dataclass(frozen=True)
class Arguments:
    """Where to listen."""

    host: str = "127.0.0.1"
    port: int = 8765


if __name__ == "__main__":
    arguments = tyro.cli(Arguments)
    # The class rather than an object of it: every worker of a run gets a policy of its own.
    serve_entrant(Nodding, arguments.host, arguments.port, token=os.environ.get("PENTATHLON_REMOTE_TOKEN", ""))
