"""A teacher of ImageNav on a device: what one who knows the house would do at every step, and what it knows."""

from __future__ import annotations

from typing import Final

import numpy as np
import torch

from pentathlon.core.errors import UsageError
from pentathlon.worlds.houses.gpu.team import Team
from pentathlon.worlds.rendering.gpu.code import Argument

GUIDE: Final = np.dtype([("checked", "<u8"), *((name, "<i4") for name in ("episode", "target", "closer", "plan"))])
MOST_GOALS: Final = 64  # of a house, one bit each
KNOWN: Final = 7
_BLOCK: Final = 32


class Teacher:
    """Looks into every corner of a house, nearest first, until it has seen the goal's place; then goes there and stops.

    The corners are the places of the house's goals. The teacher remembers for each agent where it has looked in the
    present episode, whoever chose the actions.

    Args:
        team: whom it teaches.

    Attributes:
        actions: int64 [N], what it would do.
        known: float32 [N, KNOWN]: metres from the agent to the goal, ahead and left; walking distance; 1 if the goal
            has been seen; cosine and sine of the turn to the goal's view; how many corners have been looked into.
    """

    def __init__(self, team: Team) -> None:
        if team.houses.kinds:
            raise UsageError(
                "Expected houses whose goals are places, got kinds of things, which this teacher cannot find."
            )
        if team.houses.goals_per_house > MOST_GOALS:
            raise UsageError(f"Expected at most {MOST_GOALS} goals in a house, got {team.houses.goals_per_house}.")
        self._team, device, count = team, team.houses.device, len(team)
        guides = np.zeros(count, GUIDE)
        guides["episode"] = -1
        self._guides = torch.from_numpy(guides.view(np.uint8).reshape(count, -1).copy()).to(device)
        self.actions = torch.zeros(count, dtype=torch.int64, device=device)
        self.known = torch.zeros(count, KNOWN, device=device)
        self._strayed = torch.zeros(count, dtype=torch.uint8, device=device)

    def heed(self, actions: torch.Tensor) -> None:
        """Notes what was done, of which the next advice takes account where it is not what was said."""
        self._strayed.copy_(actions != self.actions)

    def advise(self) -> torch.Tensor:
        """Looks with the agents and returns what they should do; call it once after every step, and after `begin`."""
        team, count = self._team, len(self._team)
        told: list[Argument] = [team.houses.floors, team.agents, count, team.rules_row, team.sines]
        told += [self._guides, self.actions, self.known, self._strayed]
        team.houses.code.launch("teach", (-(-count // _BLOCK),), _BLOCK, told)
        return self.actions

    def forget(self) -> None:
        """Begins anew with all agents, as after `Team.begin`."""
        episode = GUIDE.fields["episode"][1] if GUIDE.fields is not None else 8
        self._guides[:, episode : episode + 4] = 255
        self._strayed.zero_()
