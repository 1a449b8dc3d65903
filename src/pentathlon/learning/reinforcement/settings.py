"""Settings of learning by trying, each a command of ``pentathlon train``.

Free of torch, so that a command line can show them at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pentathlon.core.registry import resolve
from pentathlon.core.runs import Place, Runs

_FOLDER = "pentathlon.learning.reinforcement"


@dataclass(frozen=True, kw_only=True)
class Training:
    """Calls its trainer with itself.

    Attributes:
        trainer: ``module:function``.
        out: where what was trained goes.
    """

    trainer: ClassVar[str]
    out: Path
    seed: int = 0

    def run(self, runs: Runs) -> int:
        """Trains and names the file."""
        resolve(self.trainer)(self)
        print(f"Wrote {self.out}.")
        return 0


@dataclass(frozen=True, kw_only=True)
class ActorCriticSettings:
    """Numbers that all learners with an actor and critics share.

    Attributes:
        discount: of rewards, for each step.
    """

    learning_rate: float = 3e-4
    discount: float = 0.99


@dataclass(frozen=True, kw_only=True)
class PpoSettings(ActorCriticSettings):
    """Proximal policy optimisation's numbers (Schulman et al. 2017), which every learner of it shares.

    Attributes:
        epochs: passes over what was played.
        trace: lambda of the generalised advantages.
        clip: how far the policy may move from the one that acted, as a ratio of chances.
        value_weight: of the critic's loss.
        entropy: weight of the bonus for undecided policies.
        largest_gradient: norm to which gradients are clipped.
    """

    epochs: int = 4
    trace: float = 0.95
    clip: float = 0.2
    value_weight: float = 0.5
    entropy: float = 0.01
    largest_gradient: float = 0.5


@dataclass(frozen=True, kw_only=True)
class DmcontrolExpertSettings(Training):
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

    trainer: ClassVar[str] = f"{_FOLDER}.train_dmcontrol:train_expert"
    task: str
    models: Path | None = None
    prior: Path | None = None
    start: Path | None = None
    episodes: int = 20
    minutes: float = 8.0
    test_every_s: float = 60.0


@dataclass(frozen=True, kw_only=True)
class HousesTraining(Training):
    """PPO by many agents at once in generated houses on a GPU.

    Attributes:
        houses: of the train split.
        first_houses: with which training begins; the others join as they become ready.
        tested_houses: of the validation split, which no training sees.
        agents: at once.
        start: weights to begin with, as this training writes them.
        minutes: of training.
        step_limit: of an episode in training.
        packing_minutes: after which training begins with the houses that are ready.
        workers: processes that pack houses.
        device: `cuda`, or `cpu` to see that it runs.
    """

    houses: int = 256
    first_houses: int
    tested_houses: int
    agents: int = 2048
    start: Path | None = None
    minutes: float
    step_limit: int
    packing_minutes: float = 10.0
    workers: int = 2
    device: str = "cuda"


@dataclass(frozen=True, kw_only=True)
class ImageNavSettings(HousesTraining):
    """PPO with a teacher for ImageNav in generated houses on a GPU; tested in houses that it never saw.

    A teacher that knows the house says at every step what it would do: look into every corner until it has seen the
    goal's place, go there, face as the picture does, stop. Its weight falls while the learner's own trying goes on. A
    false Stop costs; at first it does not end the episode, since who may stop before knowing anything learns to stop
    at once.

    Attributes:
        out: folder of the policy, its curve and its result; the same command goes on from what is there.
        encoder: `conv`, trained along on both pictures at once, `apart`, trained along on each by itself, or a frozen
            encoder such as `mae-tiny`.
        side_px: of the square pictures; 128 as CortexBench's, as is
        fovy_deg: their angle.
        depth: whether depth is seen; not with a frozen encoder.
        senses: whether the place and the turn since the start are known.
        goals_per_house: places whose pictures are looked for, and corners that the teacher looks into.
        led: share of the agents whom the teacher leads at first; none from a fifth of the training on.
        teaching: weight of doing as the teacher would, until half of the training; it falls from there.
        last_teaching: its weight at the end.
        patient: share of the training in which a false Stop does not end the episode.
        false_stop_cost: of reward.
        corner_reward: for each corner that is looked into before the goal is seen.
        facing: weight of the reward for looking where the goal's picture was taken.
        first_longest_m: the longest ways at first; they grow to the longest there are in `growing` of the training.
        within_minutes: in which the whole command ends, packing and testing, too; it trains for what is left, and no
            longer than `minutes`.
        learning_rate: at first; it falls to a tenth in the last two fifths.
        steps: of each agent between updates.
        batches: of the agents, for an update each.
        epochs: passes over what was played.
        compiled: whether the frozen encoder is compiled on a GPU, which needs a C compiler.
        tested_steps: the limit in validation houses, as CortexBench's.
        gpus: processes that learn as one, each with a GPU, `agents` and a share of the houses of its own; with `device`
            `cpu`, a CPU each.
        on: `ray` where they are several; `out` must then be a folder that all machines share.
        address: of the Ray cluster; none starts a local one.
    """

    trainer: ClassVar[str] = f"{_FOLDER}.navigation.train_imagenav:train_policy"
    encoder: str = "mae-tiny"
    side_px: int = 128
    fovy_deg: float = 90.0
    depth: bool = False
    senses: bool = False
    first_houses: int = 48
    tested_houses: int = 16
    goals_per_house: int = 64
    minutes: float = 15.0
    within_minutes: float | None = None
    led: float = 0.5
    teaching: float = 1.0
    last_teaching: float = 0.1
    patient: float = 0.6
    false_stop_cost: float = 1.0
    corner_reward: float = 0.05
    facing: float = 1.0
    first_longest_m: float = 6.0
    growing: float = 0.3
    learning_rate: float = 5e-4
    steps: int = 48
    batches: int = 8
    epochs: int = 1
    compiled: bool = True
    step_limit: int = 400
    tested_steps: int = 1000
    gpus: int = 1
    on: Place = "local"
    address: str | None = None


@dataclass(frozen=True, kw_only=True)
class ExplorerSettings(HousesTraining):
    """PPO with memory for exploring generated houses on a GPU, by CoW's count-based reward; an explorer of `find`.

    The reward is 0.1 for every place of 12.5 cm that an episode has not been to, and -0.01 a step.

    Attributes:
        out: folder of explorer.safetensors, its curve and its result.
        fovy_deg: of the camera; that of `find`.
    """

    trainer: ClassVar[str] = f"{_FOLDER}.navigation.train_explorer:train_explorer"
    first_houses: int = 32
    tested_houses: int = 16
    minutes: float = 5.0
    step_limit: int = 500
    fovy_deg: float = 90.0


@dataclass(frozen=True, kw_only=True)
class PenExpertSettings(PpoSettings, Training):
    """PPO (Schulman et al. 2017) for Adroit's pen; one iteration is as many whole episodes as there are hands.

    Attributes:
        out: where the policy's .npz goes.
        model: an exported .mjb file, with which mujoco, numpy and torch are enough.
        start: a policy's .npz to go on from.
        first_log_std: logarithm of the noise's standard deviation at the start.
        timestep_factor: how much coarser the physics is than the task's.
        target_kl: divergence at which an iteration ends early.
    """

    trainer: ClassVar[str] = f"{_FOLDER}.train_pen:train_expert"
    model: Path | None = None
    start: Path | None = None
    threads: int = 1
    hands: int = 256
    iterations: int = 300
    epochs: int = 8
    minibatch: int = 3200
    learning_rate: float = 5e-4
    entropy: float = 0.0
    first_log_std: float = -1.0
    timestep_factor: float = 1.0
    target_kl: float = 0.03


@dataclass(frozen=True, kw_only=True)
class RelocateExpertSettings(Training):
    """The cross-entropy method for the grasp of Adroit relocate's script.

    Attributes:
        out: where the grasp's .json goes.
        samples: grasps tried in an iteration.
        episodes: in which each is tried, new ones in every iteration.
    """

    trainer: ClassVar[str] = f"{_FOLDER}.tune_relocate:tune"
    iterations: int = 28
    samples: int = 20
    episodes: int = 5
