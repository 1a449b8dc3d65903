"""Houses in a device's memory: what is seen of them, where one can walk, and how far it is to their goals."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from pentathlon.core.errors import UsageError
from pentathlon.worlds.houses.gpu.packed import PackedHouse, PreparedHouse
from pentathlon.worlds.houses.ways.navigation import CELL_M, MOVES
from pentathlon.worlds.rendering.gpu.code import Argument, Code, Source, find_device, open_code
from pentathlon.worlds.rendering.gpu.scenes import Blob, SceneTable

_FILES: Final = tuple(Path(__file__).parent / name for name in ("navigate.cu", "teach.cu"))
NAVIGATE: Final = Source(_FILES, ("act", "link_cells", "walk_fields", "teach"))
FLOOR: Final = np.dtype(
    [
        *((name, "<u8") for name in ("cells", "places", "fields", "goals")),
        *((name, "<f8") for name in ("x0", "y0")),
        *((name, "<i4") for name in ("nx", "ny", "free_count", "place_count", "goal_count", "first_goal")),
    ]
)
_BLOCK: Final = 256
_FIELD_THREADS: Final = 1024


class HouseSet:
    """Houses on a device, by number; houses come and go while others are in use.

    Args:
        device: `cuda`, or `cpu` to test the kernels without a GPU.
        goals_per_house: how many places each house has as goals.
        seed: of the goals that are drawn.

    Attributes:
        table: what is seen of the houses.
        floors: where one can walk, as the kernels read it.
        goal_poses: float64 [numbers * goals_per_house, 3] x, y and yaw in degrees of the goals, on the host.
    """

    def __init__(self, device: str | torch.device = "cuda", *, goals_per_house: int = 64, seed: int = 0) -> None:
        if goals_per_house < 1:
            raise UsageError(f"Expected goals_per_house of at least 1, got {goals_per_house}.")
        self.device = find_device(device)
        self.table = SceneTable(self.device)
        self.code: Code = open_code(NAVIGATE, self.device)
        self.goals_per_house, self._seed = goals_per_house, seed
        self.floors = torch.zeros(0, FLOOR.itemsize, dtype=torch.uint8, device=self.device)
        self.goal_poses = np.zeros((0, 3))
        self._kept: dict[int, tuple[Blob, torch.Tensor]] = {}
        lengths = [math.hypot(*step) * CELL_M for step, _ in MOVES]
        self._lengths = torch.tensor(lengths, dtype=torch.float64, device=self.device)

    @property
    def numbers(self) -> list[int]:
        """Of the houses that are here."""
        return sorted(self._kept)

    @property
    def nbytes(self) -> int:
        """How much of the device's memory the houses take."""
        floors = sum(blob.nbytes + 8 * fields.numel() for blob, fields in self._kept.values())
        return self.table.nbytes + self.floors.numel() + floors

    def add(
        self,
        house: PackedHouse,
        goals: npt.NDArray[np.float64] | None = None,
        *,
        scene: PreparedHouse | None = None,
    ) -> int:
        """Takes a house in and returns its number.

        Args:
            house: the house.
            goals: [goals_per_house, 3] x, y and yaw of its goals; drawn from its main region when not given.
            scene: the house prepared before, as in another thread while training runs.
        """
        places = np.flatnonzero(house.main.ravel()).astype(np.int32)
        if not len(places):
            raise UsageError(f"Expected a house with free floor, got {house.name!r} without.")
        parts, arrays = house.prepared() if scene is None else scene
        number = self.table.add(parts, arrays, headlight=house.headlight)
        chosen = self._draw_goals(house, places, number) if goals is None else np.asarray(goals, np.float64)
        if chosen.shape != (self.goals_per_house, 3):
            raise UsageError(f"Expected goals [{self.goals_per_house}, 3], got {list(chosen.shape)}.")
        cells = np.full(house.free.shape, -1, np.int32)
        count = int(house.free.sum())
        cells[house.free] = np.arange(count, dtype=np.int32)
        blob = Blob({"cells": cells, "places": places, "goals": chosen}, self.device)
        fields = torch.empty(self.goals_per_house, count, dtype=torch.float64, device=self.device)
        self._kept[number] = blob, fields
        row = np.zeros((), FLOOR)
        for name in ("cells", "places", "goals"):
            row[name] = blob[name]
        row["fields"], row["x0"], row["y0"] = fields.data_ptr(), *house.origin_m
        row["nx"], row["ny"], row["free_count"], row["place_count"] = *house.free.shape, count, len(places)
        row["goal_count"], row["first_goal"] = self.goals_per_house, number * self.goals_per_house
        self._put(number, row, chosen)
        self._walk(number, cells.size, count, fields)
        return number

    def remove(self, number: int) -> None:
        """Frees a house; no agent may be in it any more."""
        self.table.remove(number)
        del self._kept[number]

    def field_m(self, number: int, goal: int) -> torch.Tensor:
        """Returns the walking distances from a house's free cells to the place of one of its goals."""
        return self._kept[number][1][goal]

    def _draw_goals(self, house: PackedHouse, places: npt.NDArray[np.int32], number: int) -> npt.NDArray[np.float64]:
        rng = np.random.default_rng((self._seed, number))
        drawn = rng.choice(places, self.goals_per_house)
        i, j = np.divmod(drawn, house.free.shape[1])
        x, y = house.origin_m[0] + i * CELL_M, house.origin_m[1] + j * CELL_M
        return np.stack([x, y, 30.0 * rng.integers(12, size=self.goals_per_house)], axis=1)

    def _put(self, number: int, row: npt.NDArray[np.void], goals: npt.NDArray[np.float64]) -> None:
        missing = number + 1 - len(self.floors)
        if missing > 0:
            more = torch.zeros(missing, FLOOR.itemsize, dtype=torch.uint8, device=self.device)
            self.floors = torch.cat([self.floors, more])
            self.goal_poses = np.concatenate([self.goal_poses, np.zeros((missing * self.goals_per_house, 3))])
        self.floors[number].copy_(torch.from_numpy(np.frombuffer(row.tobytes(), np.uint8).copy()))
        self.goal_poses[number * self.goals_per_house : (number + 1) * self.goals_per_house] = goals

    def _walk(self, number: int, cells: int, free: int, fields: torch.Tensor) -> None:
        """Fills in the distances to a house's goals."""
        neighbours = torch.empty(16, free, dtype=torch.int32, device=self.device)
        self.code.launch("link_cells", (-(-cells // _BLOCK),), _BLOCK, [self.floors, number, neighbours])
        threads = _FIELD_THREADS if self.device.type == "cuda" else 1  # threads of a block work together
        arguments: list[Argument] = [self.floors, number, neighbours, self._lengths, fields]
        self.code.launch("walk_fields", (self.goals_per_house,), threads, arguments)
