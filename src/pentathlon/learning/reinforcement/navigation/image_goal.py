"""Finding the place of a picture in houses on a GPU: the worlds as PPO plays them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from pentathlon.learning.reinforcement.ppo_policy import Observations
from pentathlon.worlds.houses.bodies.navigator import ACTIONS
from pentathlon.worlds.houses.gpu.houses import HouseSet
from pentathlon.worlds.houses.gpu.teacher import Teacher
from pentathlon.worlds.houses.gpu.team import OUT_OF_STEPS, STOPPED, SUCCEEDED, Team, TeamRules
from pentathlon.worlds.rendering.gpu.batch import Pictures

Features = Callable[[Tensor], Tensor]
_DEPTH_SCALE = 0.1  # metres to about one
_STOP = ACTIONS.index("Stop")
_LED_OF = 16


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
        taught: whether a teacher goes along; `advice`, `known` and `led` are then observed, too.

    Attributes:
        false_stop_cost: of reward.
        corner_reward: for each corner that is looked into before the goal is seen.
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
        taught: bool = False,
    ) -> None:
        self.team, self.num_envs = Team(houses, count, rules), count
        self._depth, self._senses, self._features = depth, senses, features
        self.false_stop_cost, self.corner_reward = 0.0, 0.0
        self._teacher = Teacher(self.team) if taught else None
        self._led = torch.zeros(count, device=houses.device)
        self._pictures = Pictures.empty(count, rules.settings.size_px, houses.device)
        self.goal_pictures = self._look_at_goals()

    def take_in(self) -> None:
        """Spreads the agents over houses that have come since, and sees their goals; `reset` must follow."""
        self.team.spread()
        self.goal_pictures = self._look_at_goals()

    def reset(self, *, seed: int | None = None) -> tuple[Observations, dict[str, Any]]:
        """Begins new episodes for all."""
        self.team.begin(seed)
        if self._teacher is not None:
            self._teacher.forget()
        return self._observe(), {}

    def step(self, actions: Tensor) -> tuple[Observations, Tensor, Tensor, Tensor, dict[str, Any]]:
        """Carries out an action of each."""
        team, before = self.team, None if self._teacher is None else self._teacher.known.clone()
        if self._teacher is not None:
            self._teacher.heed(actions)
        team.act(actions)
        stopped, success = (team.ends & STOPPED) != 0, (team.ends & SUCCEEDED) != 0
        reward = team.reward - self.false_stop_cost * ((actions == _STOP) & ~success)
        observations = self._observe()
        if self._teacher is not None and before is not None:
            more = (self._teacher.known[:, 6] - before[:, 6]).clamp(0.0)  # a new episode has looked into fewer
            reward = reward + self.corner_reward * more * (before[:, 3] == 0)
        return observations, reward, stopped, (team.ends & OUT_OF_STEPS) != 0, {"success": success}

    def lead(self, share: float) -> None:
        """Lets the teacher itself act for a share of the agents, in all houses alike."""
        self._led.copy_((torch.arange(self.num_envs) % _LED_OF < round(_LED_OF * share)).float())

    def led(self, actions: Tensor) -> Tensor:
        """Returns actions with the teacher's own where it leads."""
        return actions if self._teacher is None else torch.where(self._led > 0, self._teacher.actions, actions)

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
        if self._teacher is not None:
            seen |= {"advice": self._teacher.advise(), "known": self._teacher.known, "led": self._led}
        return {**seen, "goal_row": self.team.goal_rows}
