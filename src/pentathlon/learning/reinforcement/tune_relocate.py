"""Finds the grasp of relocate's scripted expert by the cross-entropy method (Rubinstein 1999)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pentathlon.learning.reinforcement.settings import RelocateExpertSettings
from pentathlon.worlds.control.adroit import Relocate, make_physics
from pentathlon.worlds.control.experts.relocate import FIRST_GUESS, Grasp, RelocateExpert, write_grasp
from pentathlon.worlds.control.physics import Array

HORIZON = 200
LIFTED_M = 0.07
ELITE = 5
MIXING = 0.7
LEAST_SPREAD = 0.15
"""Share of the first spread below which no number's spread falls."""

SPREAD = Grasp(
    offset_m=(0.01, 0.015, 0.012),
    hover_m=0.02,
    roll_rad=0.2,
    wrist_rad=(0.1, 0.2),
    bend_rad=(0.25, 0.3, 0.3),
    thumb_rad=(0.4, 0.3, 0.1, 0.2, 0.4),
    open_thumb_rad=(0.4, 0.3),
    spread_rad=0.1,
)
"""Standard deviations that the search begins with."""


class Played(NamedTuple):
    """How an episode went: steps at the goal, steps in the air, and where the ball ended."""

    steps_at_goal: int
    steps_lifted: int
    from_goal_m: float
    from_palm_m: float

    @property
    def merit(self) -> float:
        """What is maximised: long at the goal, and on the way to it lifted, near the goal, and in the hand."""
        held = min(self.steps_at_goal, 80) / 80 + 0.3 * min(self.steps_lifted, 60) / 60
        return held - 0.3 * min(self.from_goal_m, 0.5) - 0.5 * min(self.from_palm_m, 0.3)


def play(physics: Relocate, grasp: Grasp, seed: int) -> Played:
    """Plays one episode."""
    physics.reset(np.random.default_rng(seed))
    expert = RelocateExpert(physics, grasp)
    at_goal = lifted = 0
    for _ in range(HORIZON):
        physics.step(expert.act())
        at_goal += physics.achieved()
        lifted += bool(physics.sensor("object")[2] > LIFTED_M)
    ball, goal, palm = (physics.sensor(name) for name in ("object", "goal", "palm"))
    return Played(at_goal, lifted, float(np.linalg.norm(ball - goal)), float(np.linalg.norm(ball - palm)))


def tune(settings: RelocateExpertSettings) -> None:
    """Samples grasps around the best ones so far, in new episodes each time, and writes the middle of the last."""
    physics = make_physics("relocate")
    assert isinstance(physics, Relocate)
    generator = np.random.default_rng(settings.seed)
    middle, spread = FIRST_GUESS.to_array(), SPREAD.to_array()
    for iteration in range(settings.iterations):
        samples = middle + spread * generator.standard_normal((settings.samples, len(middle)))
        samples[0] = middle
        seeds = generator.integers(1 << 30, size=settings.episodes)
        merits = np.array([_merit(physics, sample, seeds.tolist()) for sample in samples])
        elite = samples[np.argsort(-merits)[:ELITE]]
        middle = MIXING * elite.mean(0) + (1 - MIXING) * middle
        spread = MIXING * np.maximum(elite.std(0), LEAST_SPREAD * SPREAD.to_array()) + (1 - MIXING) * spread
        write_grasp(settings.out, Grasp.from_array(middle))
        print(f"iteration {iteration}: best {merits.max():.2f}, mean {merits.mean():.2f}", flush=True)


def _merit(physics: Relocate, numbers: Array, seeds: Sequence[int]) -> float:
    grasp = Grasp.from_array(numbers)
    return float(np.mean([play(physics, grasp, seed).merit for seed in seeds]))
