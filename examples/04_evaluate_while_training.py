"""Trains a small policy and evaluates it as it goes, without leaving Python.

Usage:
    pip install -e examples/01_cartpole
    python examples/04_evaluate_while_training.py

A linear policy for the pole of examples/01_cartpole is trained by the cross-entropy method (Rubinstein 1999). After
every generation it is evaluated on the benchmark's own episodes, which it never trains on; nothing is written and no
process is started. The last one is recorded under ``runs``, where ``pentathlon standings`` and ``compare`` find it.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from pentathlon_cartpole import ACTIONS, SPEC

import pentathlon
from pentathlon.core import Briefing

TASK = "example/cartpole-v1"
GENERATIONS, POPULATION, ELITE, HORIZON_STEPS = 6, 24, 6, 500

Weights = npt.NDArray[np.float64]


class LinearAgent:
    """Pushes to the side that a weighted sum of the state names."""

    spec = SPEC

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    @property
    def fingerprint(self) -> str:
        """Names the weights, so that each agent has a record of its own."""
        return hashlib.sha256(self.weights.tobytes()).hexdigest()[:16]

    def reset(self, briefing: Briefing) -> None:
        """Keeps nothing between episodes."""

    def act(self, observation: Any) -> str:
        """Chooses a side."""
        return ACTIONS[int(self.weights @ observation["state"] > 0)]


def train(rng: np.random.Generator) -> Iterator[LinearAgent]:
    """Yields the mean policy of each generation."""
    environment = gymnasium.make("CartPole-v1")
    mean, spread = np.zeros(4), np.ones(4)
    for _ in range(GENERATIONS):
        population = rng.normal(mean, spread, (POPULATION, 4))
        steps = [balance(environment, weights, int(rng.integers(2**31))) for weights in population]
        best = population[np.argsort(steps)[-ELITE:]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.05
        yield LinearAgent(mean)
    environment.close()


def balance(environment: gymnasium.Env[Any, Any], weights: Weights, seed: int) -> int:
    """Counts the steps until the pole falls."""
    state, _ = environment.reset(seed=seed)
    for step in range(HORIZON_STEPS):
        state, _, fell, _, _ = environment.step(int(weights @ state > 0))
        if fell:
            return step
    return HORIZON_STEPS


def main(out: str = "runs") -> None:
    """Trains, evaluates each generation, and records the last."""
    agents = list[LinearAgent]()
    for generation, agent in enumerate(train(np.random.default_rng(0))):
        evaluation = pentathlon.evaluate(TASK, agent)
        print(f"generation {generation}: {evaluation.score}")
        agents.append(agent)
    recorded = pentathlon.evaluate(TASK, agents[-1], out=out, name="linear-cem")
    print(f"{recorded}\nrecorded in {recorded.folder}")
    falls = [row["trial"] for row in recorded.rows if row["metric.success"] == 0]
    print(f"episodes in which the pole fell: {', '.join(falls) or 'none'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
