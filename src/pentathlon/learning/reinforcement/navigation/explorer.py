"""Exploring houses by what was not visited yet: worlds with CoW's count-based reward, and a policy that sees depth."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from pentathlon.learning.reinforcement.ppo_policy import Encoder, Observations, RecurrentPolicy
from pentathlon.worlds.houses.bodies.navigator import ACTIONS
from pentathlon.worlds.houses.gpu.houses import HouseSet
from pentathlon.worlds.houses.gpu.team import Team, TeamRules
from pentathlon.worlds.rendering.gpu.batch import Pictures

SIDE_PX = 64
VOXEL_M = 0.125
NEW_PLACE_REWARD, STEP_COST = 0.1, 0.01
_ACROSS = 256  # voxels of the square around the start, 32 m; a place beyond it counts as one on its other side
_SCALE = 0.1  # metres to about one
_FARTHEST_M = 10.0
MEMORY = 256
SENSES = 4
UNUSED = ("Stop", "LookUp", "LookDown")


class ExplorerWorlds:
    """A team that is rewarded for places it has not been to in this episode (Gadre et al. 2023, appendix B).

    Observations: `depth_m` [N, H, W], and `senses`, metres ahead and left of the start and the turn since.

    Args:
        houses: where they walk.
        count: of agents.
        rules: how they move and end.
    """

    def __init__(self, houses: HouseSet, count: int, rules: TeamRules) -> None:
        self.team, self.num_envs = Team(houses, count, rules), count
        pictures = Pictures.empty(count, rules.settings.size_px, houses.device, rgb=False)
        self._pictures = pictures
        self._visited = torch.zeros(count, _ACROSS * _ACROSS, dtype=torch.bool, device=houses.device)
        self.places = torch.zeros(count, device=houses.device)

    def take_in(self) -> None:
        """Spreads the agents over houses that have come since; `reset` must follow."""
        self.team.spread()

    def reset(self, *, seed: int | None = None) -> tuple[Observations, dict[str, Any]]:
        """Begins new episodes for all."""
        self.team.begin(seed)
        self._visited.zero_()
        self._visit()
        self.places.fill_(1.0)
        return self._observe(), {}

    def step(self, actions: Tensor) -> tuple[Observations, Tensor, Tensor, Tensor, dict[str, Any]]:
        """Carries out an action of each; `info` has how many places those have seen whose episode ends."""
        self.team.act(actions)
        over = self.team.ends != 0
        new = self._visit(~over).float()
        reward = NEW_PLACE_REWARD * new - STEP_COST
        places = self.places + new
        self._visited.mul_(~over[:, None])  # the next episode has begun, at its start
        self._visit()
        self.places = torch.where(over, 1.0, places)
        return self._observe(), reward, torch.zeros_like(over), over, {"places": places}

    def _visit(self, alive: Tensor | None = None) -> Tensor:
        """Marks where the agents are and returns for whom, of those that are alive, that is new."""
        voxels = torch.round(self.team.senses[:, :2] / VOXEL_M).long() + _ACROSS // 2
        at = (voxels[:, :1] % _ACROSS) * _ACROSS + voxels[:, 1:] % _ACROSS
        before = self._visited.gather(1, at)[:, 0]
        if alive is not None:
            self._visited.scatter_(1, at, (before | alive)[:, None])
            return alive & ~before
        self._visited.scatter_(1, at, torch.ones_like(at, dtype=torch.bool))
        return ~before

    def _observe(self) -> Observations:
        depth_m = self.team.look(self._pictures).depth_m
        assert depth_m is not None
        return {"depth_m": depth_m, "senses": scaled_senses(self.team.senses[:, :2], self.team.senses[:, 2:3])}


def scaled_senses(gps_m: Tensor, turn_rad: Tensor) -> Tensor:
    """Returns [N, SENSES]: metres ahead and left of the start, and the turn since, each about one."""
    return torch.cat([_SCALE * gps_m, torch.cos(turn_rad), torch.sin(turn_rad)], dim=1)


class DepthEncoder(Encoder):
    """Three convolutions on depth, beside the senses."""

    def __init__(self, width: int = MEMORY) -> None:
        super().__init__(width + SENSES)
        layers = [
            nn.Conv2d(1, 16, 8, 4),
            nn.ReLU(),
            nn.Conv2d(16, 32, 4, 2),
            nn.ReLU(),
            nn.Conv2d(32, 32, 3),
            nn.ReLU(),
        ]
        self.layers = nn.Sequential(*layers, nn.Flatten(), nn.Linear(32 * 4 * 4, width), nn.ReLU())

    def forward(self, observations: Observations, prepared: Any) -> Tensor:
        """Features of a batch."""
        depth_m = observations["depth_m"]
        near = torch.where(depth_m > 0, depth_m, _FARTHEST_M).clamp(max=_FARTHEST_M)  # nothing is seen as far away
        found = self.layers(_SCALE * near[:, None])
        return torch.cat([found, observations["senses"].to(found.dtype)], dim=1)


def make_explorer() -> RecurrentPolicy:
    """Returns a new explorer, which moves and turns and never stops."""
    policy = RecurrentPolicy(DepthEncoder(), len(ACTIONS), MEMORY)
    for name in UNUSED:
        policy.forbid(ACTIONS.index(name))
    return policy
