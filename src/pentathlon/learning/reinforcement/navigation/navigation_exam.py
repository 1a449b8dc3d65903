"""Examines a policy for ImageNav on a device: every agent plays one episode, and success is told house by house."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch

from pentathlon.learning.reinforcement.navigation.image_goal import ImageGoalWorlds
from pentathlon.learning.reinforcement.ppo import choose
from pentathlon.learning.reinforcement.ppo_policy import RecurrentPolicy
from pentathlon.stats.intervals import success_interval
from pentathlon.worlds.houses.gpu.team import SUCCEEDED


class ExamResult(NamedTuple):
    """Success and SPL of one episode of each agent; SPL by the grid's distances, which are up to 2.8 % too long."""

    episodes: int
    houses: int
    success: float
    low: float
    high: float
    spl: float
    steps: float

    def as_json(self) -> dict[str, Any]:
        """As plain numbers."""
        return {name: round(value, 4) for name, value in self._asdict().items()}


@torch.no_grad()
def examine(policy: RecurrentPolicy, worlds: ImageGoalWorlds, seed: int = 0) -> ExamResult:
    """Plays until the first episode of every agent is over; actions are drawn, as in training.

    Args:
        policy: who plays; its encoder must watch the goals of these worlds.
        worlds: with rules whose episodes begin at step 0.
        seed: of episodes.
    """
    team, device = worlds.team, worlds.team.houses.device
    observations, _ = worlds.reset(seed=seed)
    memory = policy.first_memory(len(team), device)
    last = torch.full((len(team),), policy.actions, device=device)
    ends, ended = torch.zeros_like(team.ends), torch.zeros_like(team.finished)
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        prepared = policy.encoder.prepare()
        for _ in range(team.rules.step_limit):
            judged, memory = policy.step(observations, last, memory, prepared)
            last = choose(judged.logits)
            observations, *_ = worlds.step(last)
            first = (ends == 0) & (team.ends != 0)
            ends, ended = torch.where(first, team.ends, ends), torch.where(first[:, None], team.finished, ended)
    return _summed_up(team.read(ended), (ends.cpu().numpy() & SUCCEEDED) != 0)


def _summed_up(state: Any, success: Any) -> ExamResult:
    houses = [str(number) for number in state["floor"]]
    interval = success_interval(success.astype(float), houses)
    spl = success * state["length"] / np.maximum(np.maximum(state["travelled"], state["length"]), 1e-9)
    return ExamResult(
        len(state), len(set(houses)), float(success.mean()), interval.low, interval.high, float(spl.mean()),
        float(state["steps"].mean()),
    )  # fmt: skip
