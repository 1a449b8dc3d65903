"""An explorer that was trained: CoW's learned exploration, on depth and on where the agent believes to be."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file

from pentathlon.core.entrants import Observation
from pentathlon.learning.reinforcement.navigation.explorer import SIDE_PX, make_explorer, scaled_senses
from pentathlon.models.navigation.walk import Walk
from pentathlon.models.weights import BUILTIN_FOLDER
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Action

WEIGHTS = BUILTIN_FOLDER / "explorer.safetensors"


class LearnedWalk:
    """Asks a recurrent policy for one action after another; actions are drawn, as in its training."""

    def __init__(self) -> None:
        self._policy = make_explorer().eval()
        self._policy.load_state_dict({name: value.float() for name, value in load_file(WEIGHTS).items()})

    def reset(self, seed: int) -> None:
        """Starts an episode, with nothing remembered."""
        self._random = np.random.default_rng(seed)
        self._memory = self._policy.first_memory(1, torch.device("cpu"))
        self._last = torch.tensor([self._policy.actions])

    @torch.inference_mode()
    def explore(self, walk: Walk, observation: Observation) -> list[Action]:
        """Returns one action."""
        pose = walk.pose
        senses = scaled_senses(torch.tensor([[pose.x_m, pose.y_m]]), torch.tensor([[pose.yaw_rad]]))
        seen = {"depth_m": _small(observation["depth_m"]), "senses": senses}
        judged, self._memory = self._policy.step(seen, self._last, self._memory, None)
        shares = torch.softmax(judged.logits[0].double(), dim=0).numpy()
        action = int(self._random.choice(len(ACTIONS), p=shares / shares.sum()))
        self._last = torch.tensor([action])
        return [ACTIONS[action]]


def _small(depth_m: Any) -> torch.Tensor:
    """Returns [1, SIDE_PX, SIDE_PX]: of a square depth picture the pixels nearest to the middles of larger ones."""
    rows = ((np.arange(SIDE_PX) + 0.5) * len(depth_m) / SIDE_PX).astype(np.int64)
    return torch.from_numpy(np.ascontiguousarray(depth_m[np.ix_(rows, rows)], dtype=np.float32))[None]
