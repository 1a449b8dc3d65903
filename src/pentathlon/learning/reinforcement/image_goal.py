"""Finding the place of a picture in houses on a GPU: the worlds as PPO plays them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from pentathlon.learning.reinforcement.ppo_policy import Observations
from pentathlon.worlds.houses.gpu.houses import HouseSet
from pentathlon.worlds.houses.gpu.team import OUT_OF_STEPS, STOPPED, SUCCEEDED, Team, TeamRules
from pentathlon.worlds.rendering.gpu.batch import Pictures

Features = Callable[[Tensor], Tensor]
_DEPTH_SCALE = 0.1  # metres to about one


class ImageGoalWorlds:
    """A team that looks for the places of pictures.

    Observations: `rgb` uint8 [N, H, W, 3], or `features` where a frozen encoder gives them; `depth_m` where wanted;
    `senses`, metres ahead and left of the start and the turn since, where wanted; and `goal_row`, the goal among
    `goal_pictures`, which are seen once, not at every step.

    Args:
        houses: where they walk.
        count: of agents.
        rules: how they move, see and end.
        depth: whether depth is observed.
        senses: whether the place and the turn since the start are.
        features: a frozen encoder of pictures [N, H, W, 3]; pictures themselves are then not kept.
    """

    def __init__(
        self,
        houses: HouseSet,
        count: int,
        rules: TeamRules,
        *,
        depth: bool = False,
        senses: bool = False,
        features: Features | None = None,
    ) -> None:
        self.team, self.num_envs = Team(houses, count, rules), count
        self._depth, self._senses, self._features = depth, senses, features
        self.false_stop_cost = 0.0
        self._pictures = Pictures.empty(count, rules.settings.size_px, houses.device)
        self.goal_pictures = self._look_at_goals()

    def take_in(self) -> None:
        """Spreads the agents over houses that have come since, and sees their goals; `reset` must follow."""
        self.team.spread()
        self.goal_pictures = self._look_at_goals()

    def reset(self, *, seed: int | None = None) -> tuple[Observations, dict[str, Any]]:
        """Begins new episodes for all."""
        self.team.begin(seed)
        return self._observe(), {}

    def step(self, actions: Tensor) -> tuple[Observations, Tensor, Tensor, Tensor, dict[str, Any]]:
        """Carries out an action of each."""
        team = self.team
        team.act(actions)
        stopped, success = (team.ends & STOPPED) != 0, (team.ends & SUCCEEDED) != 0
        reward = team.reward - self.false_stop_cost * (stopped & ~success)
        return self._observe(), reward, stopped, (team.ends & OUT_OF_STEPS) != 0, {"success": success}

    def _look_at_goals(self) -> Tensor:
        found = self.team.look_at_goals().rgb
        assert found is not None
        return found if self._features is None else self._features(found)

    def _observe(self) -> Observations:
        pictures = self.team.look(self._pictures)
        assert pictures.rgb is not None
        assert pictures.depth_m is not None
        seen = {"rgb": pictures.rgb} if self._features is None else {"features": self._features(pictures.rgb)}
        if self._depth:
            seen["depth_m"] = pictures.depth_m
        if self._senses:
            gps_m, turn = self.team.senses[:, :2], self.team.senses[:, 2:3]
            seen["senses"] = torch.cat([_DEPTH_SCALE * gps_m, torch.cos(turn), torch.sin(turn)], dim=1)
        return {**seen, "goal_row": self.team.goal_rows}
