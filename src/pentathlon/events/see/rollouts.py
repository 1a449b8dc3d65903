"""Plays all evaluation episodes together: one batched encoder call per step, shared out to a crew of threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from pentathlon.core.entrants import Encoder, Floats, Images
from pentathlon.learning.policies.history import History
from pentathlon.models.encoders.crew import Crew
from pentathlon.worlds.control.env import ControlEnv, Image

FILM_EVERY_STEPS = 4


class Acts(Protocol):
    """Maps a batch of policy inputs to actions."""

    def act(self, inputs: Floats) -> Floats:
        """Returns one action per row."""
        ...


@dataclass(frozen=True)
class Evaluation:
    """How a set of episodes went: scores in percent, and what was seen in the first of them."""

    scores: tuple[float, ...]
    film: Images

    @property
    def mean(self) -> float:
        """Mean score in percent."""
        return float(np.mean(self.scores))


def play(
    environments: Sequence[ControlEnv], seeds: Sequence[int], encoder: Encoder, policy: Acts, crew: Crew
) -> Evaluation:
    """Plays one episode per environment, all in step.

    Args:
        environments: of one task.
        seeds: of the episodes, one per environment.
        encoder: what is under test.
        policy: maps fused features and proprioception to actions.
        crew: draws, encodes and steps; the evaluation does not depend on how many threads it has.
    """
    for environment, seed in zip(environments, seeds, strict=True):
        environment.reset(seed=seed % 2**31)
    first = environments[0]
    history = History(first.task.frame_stack)
    film = []
    for step in range(first.horizon):
        frames = np.stack(draw(environments, crew))
        if step % FILM_EVERY_STEPS == 0:
            film.append(frames[0])
        embeddings = crew.encode(encoder, frames)
        proprio = np.stack([environment.proprio() for environment in environments])
        actions = policy.act(np.concatenate([history.fuse(embeddings), proprio], axis=1))
        crew.each(lambda environment, action: environment.step(action), environments, np.clip(actions, -1.0, 1.0))
    return Evaluation(tuple(environment.success() for environment in environments), np.stack(film))


def draw(environments: Sequence[ControlEnv], crew: Crew) -> list[Image]:
    """What each environment's camera sees now."""
    # An OpenGL context belongs to the thread that made it.
    if environments[0].renderer == "opengl":
        return [environment.frame() for environment in environments]
    return crew.each(lambda environment: environment.frame(), environments)
