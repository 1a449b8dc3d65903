"""Settings of the training of explore's agents, free of torch so that a command line can show them at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pentathlon.learning.reinforcement.settings import PpoSettings


@dataclass(frozen=True, kw_only=True)
class TrainingSettings:
    """What is trained, and for how long.

    Attributes:
        signal: which rewards: answers that became right (eq. 3), new things and floor (eq. 4), or both.
        houses: how many of the training split, one after the other.
        episode_steps: in each house.
        size_px: width and height of the pictures.
        seed: of everything drawn.
    """

    signal: Literal["qa", "novelty", "novelty-qa"] = "novelty-qa"
    houses: int = 100
    episode_steps: int = 500
    size_px: int = 224
    seed: int = 0


@dataclass(frozen=True)
class Learning:
    """How an agent learns from its steps.

    Attributes:
        stretch: steps between two updates.
        questions: asked about each house; as many answers are scored at every stretch.
        answer_every: steps between two answers for eq. 3, since beam search costs more than a step.
    """

    ppo: PpoSettings
    stretch: int = 128
    questions: int = 10
    answer_every: int = 16


LEARNING = Learning(PpoSettings(clip=0.1, value_weight=0.25))
