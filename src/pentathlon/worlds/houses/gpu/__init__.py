"""Houses on a GPU: thousands of navigators in many houses, seen and moved without touching the host."""

from __future__ import annotations

from pentathlon.worlds.houses.gpu.houses import HouseSet
from pentathlon.worlds.houses.gpu.packed import PackedHouse, pack_house
from pentathlon.worlds.houses.gpu.team import Team, TeamRules
from pentathlon.worlds.houses.gpu.vector_env import HouseVectorEnv

__all__ = ["HouseSet", "HouseVectorEnv", "PackedHouse", "Team", "TeamRules", "pack_house"]
