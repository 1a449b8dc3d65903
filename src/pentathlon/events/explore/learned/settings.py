"""Settings of the training of explore's agents, free of torch so that a command line can show them at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pentathlon.learning.reinforcement.settings import PpoSettings
from pentathlon.learning.timed import TimedSettings

Signal = Literal["qa", "novelty", "novelty-qa"]


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """What is trained, and for how long.

    Attributes:
        signal: which rewards: answers that became right (eq. 3), new things and floor (eq. 4), or both.
        encoder: entrant that turns pictures into features.
        reader: T5 by folder or hub id, or the built-in small one; it stays frozen.
        houses: how many of the training split, one after the other.
        episodes: in each house, from other places.
        episode_steps: of free exploration in each episode.
        return_steps: at most so many of a return that knows the questions.
        size_px: width and height of the pictures.
        belief: entries of the belief.
        hidden: width of the heads.
        learning_rate: of Adam.
        seed: of everything drawn.
    """

    signal: Signal = "novelty-qa"
    encoder: str = "mae-tiny"
    reader: str = "builtin"
    houses: int = 1000
    episodes: int = 4
    episode_steps: int = 500
    return_steps: int = 250
    size_px: int = 224
    belief: int = 512
    hidden: int = 256
    learning_rate: float = 3e-4
    seed: int = 0


@dataclass(frozen=True)
class Learning:
    """How an agent learns from its steps.

    Attributes:
        stretch: steps between two updates.
        shortest: what is left of an episode is learnt from if it has so many steps.
        questions: asked about each house; as many answers are scored at every stretch.
        answer_every: steps between two answers for eq. 3, since beam search costs more than a step.
        step_cost: of a step of the return, so that there is a reason for Done; the paper tells none.
    """

    ppo: PpoSettings
    stretch: int = 128
    shortest: int = 8
    questions: int = 10
    answer_every: int = 32
    step_cost: float = 0.001


LEARNING = Learning(PpoSettings(clip=0.1, value_weight=0.25))


@dataclass(frozen=True, kw_only=True)
class ReaderSettings(TimedSettings):
    """A small text-to-text model that answers questions of houses.

    Attributes:
        to: folder for the model and its curve.
        lessons: folder for the questions of each house; what is there stays.
        houses: of the training split.
        tested_houses: the last of them, which are not learnt but measured on.
        questions: about each house.
        width: of a token.
        layers: of the encoder, and of the decoder.
        heads: of the attention.
    """

    to: Path
    lessons: Path
    houses: int = 160
    tested_houses: int = 4
    questions: int = 150
    width: int = 128
    layers: int = 2
    heads: int = 4
    minutes: float = 30.0
    batch_size: int = 16
    peak_lr: float = 1e-3
