"""Finding the place of a picture in houses on a GPU: the worlds as PPO plays them, and encoders of what is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from pentathlon.learning.reinforcement.ppo_policy import Encoder, Observations
from pentathlon.worlds.houses.gpu.houses import HouseSet
from pentathlon.worlds.houses.gpu.team import OUT_OF_STEPS, STOPPED, SUCCEEDED, Team, TeamRules
from pentathlon.worlds.rendering.gpu.batch import Pictures

Features = Callable[[Tensor], Tensor]
_DEPTH_SCALE = 0.1  # metres to about one
SENSES = 4


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
        found = self.team.look_at_goals().rgb
        assert found is not None
        self.goal_pictures = found if features is None else features(found)

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


def _beside(seen: Tensor, goals: Tensor, observations: Observations) -> Tensor:
    """Joins features of what is seen, of the goal, and what is sensed otherwise."""
    parts = [seen, goals[observations["goal_row"].long()]]
    if "senses" in observations:
        parts.append(observations["senses"])
    return torch.cat([part.to(seen.dtype) for part in parts], dim=-1)


class ConvEye(nn.Module):
    """Three convolutions and a layer, on pictures whose channels come last in memory."""

    def __init__(self, channels: int, size_px: tuple[int, int], width: int) -> None:
        super().__init__()
        layers = [nn.Conv2d(channels, 32, 8, 4), nn.ReLU(), nn.Conv2d(32, 64, 4, 2), nn.ReLU()]
        body = nn.Sequential(*layers, nn.Conv2d(64, 64, 3, 2), nn.ReLU(), nn.Flatten())
        with torch.no_grad():
            flat = body(torch.zeros(1, channels, size_px[1], size_px[0])).shape[1]
        body.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # as the pictures lie already
        self.layers = nn.Sequential(body, nn.Linear(flat, width), nn.ReLU())

    def forward(self, rgb: Tensor, depth_m: Tensor | None) -> Tensor:
        """Features of pictures uint8 [N, H, W, 3] and depths [N, H, W]."""
        kind = torch.bfloat16 if torch.is_autocast_enabled(rgb.device.type) else torch.float32
        pixels = rgb.to(kind) * (1 / 255)
        if depth_m is not None:
            pixels = torch.cat([pixels, _DEPTH_SCALE * depth_m.to(kind)[..., None]], dim=-1)
        found: Tensor = self.layers(pixels.permute(0, 3, 1, 2))
        return found


class ConvImageGoal(Encoder):
    """Sees with convolutions that are trained along: one eye for the present picture and one for the goal's."""

    def __init__(
        self,
        goal_pictures: Tensor,
        size_px: tuple[int, int],
        *,
        depth: bool = False,
        senses: bool = False,
        width: int = 512,
    ) -> None:
        super().__init__(2 * width + SENSES * senses)
        self._goals = goal_pictures
        self.eye, self.goal_eye = ConvEye(4 if depth else 3, size_px, width), ConvEye(3, size_px, width)

    def watch(self, goal_pictures: Tensor) -> None:
        """Takes the goals of other houses."""
        self._goals = goal_pictures

    def prepare(self) -> Tensor:
        """Codes of all goal pictures."""
        found: Tensor = self.goal_eye(self._goals, None)
        return found

    def forward(self, observations: Observations, prepared: Tensor) -> Tensor:
        """Features of what is seen beside those of the goal."""
        seen = self.eye(observations["rgb"], observations.get("depth_m"))
        return _beside(seen, prepared, observations)


class FrozenImageGoal(Encoder):
    """Joins a frozen encoder's features of what is seen and of the goal; only layers behind them are trained."""

    def __init__(self, goal_features: Tensor, *, senses: bool = False, width: int = 512) -> None:
        super().__init__(2 * width + SENSES * senses)
        self._goals = goal_features
        size = goal_features.shape[1]
        self.seen, self.goal = (nn.Sequential(nn.LayerNorm(size), nn.Linear(size, width), nn.ReLU()) for _ in range(2))

    def watch(self, goal_features: Tensor) -> None:
        """Takes the goals of other houses."""
        self._goals = goal_features

    def prepare(self) -> Tensor:
        """Codes of all goals."""
        found: Tensor = self.goal(self._goals.float())
        return found

    def forward(self, observations: Observations, prepared: Tensor) -> Tensor:
        """Features of what is seen beside those of the goal."""
        seen = self.seen(observations["features"].float())
        return _beside(seen, prepared, observations)
