"""Settings of the training of experts, free of torch so that a command line can show them at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class DmcontrolExpertSettings:
    """Soft actor-critic for a DMControl task, starting from its planner's episodes.

    Attributes:
        task: name of the task, such as dmcontrol-walker-walk.
        out: where the policy's .npz goes.
        models: folder of exported models, with which mujoco, numpy and torch are enough.
        prior: the planner's episodes; they are recorded there if it is missing.
        start: a policy's .npz to go on from.
        episodes: of the planner.
        minutes: of training; the best policy of all tests is kept.
        test_every_s: seconds between tests.
    """

    task: str
    out: Path
    models: Path | None = None
    prior: Path | None = None
    start: Path | None = None
    episodes: int = 20
    minutes: float = 8.0
    test_every_s: float = 60.0
    seed: int = 0


@dataclass(frozen=True)
class PenExpertSettings:
    """PPO (Schulman et al. 2017) for Adroit's pen; one iteration is as many whole episodes as there are hands.

    Attributes:
        out: where the policy's .npz goes.
        model: an exported .mjb file, with which mujoco, numpy and torch are enough.
        start: a policy's .npz to go on from.
        first_log_std: logarithm of the noise's standard deviation at the start.
        timestep_factor: how much coarser the physics is than the task's.
        target_kl: divergence at which an iteration ends early.
    """

    out: Path
    model: Path | None = None
    start: Path | None = None
    threads: int = 1
    seed: int = 0
    hands: int = 256
    iterations: int = 300
    epochs: int = 8
    minibatch: int = 3200
    learning_rate: float = 5e-4
    clip: float = 0.2
    discount: float = 0.99
    trace: float = 0.95
    first_log_std: float = -1.0
    timestep_factor: float = 1.0
    target_kl: float = 0.03
