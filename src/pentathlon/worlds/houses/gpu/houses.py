"""Houses in a device's memory: what is seen of them, where one can walk, and how far it is to their goals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import torch

from pentathlon.core.errors import UsageError
from pentathlon.worlds.houses.bodies.navigator import NavigatorSettings
from pentathlon.worlds.houses.gpu.packed import PackedHouse, PreparedHouse
from pentathlon.worlds.houses.gpu.sights import Sights
from pentathlon.worlds.houses.tasks.goals import OBJECT_WITHIN_M
from pentathlon.worlds.houses.ways.navigation import CELL_M, MOVES
from pentathlon.worlds.rendering.gpu.code import Argument, Code, Source, find_device, open_code
from pentathlon.worlds.rendering.gpu.scenes import Blob, SceneTable

_FILES: Final = tuple(Path(__file__).parent / name for name in ("navigate.cu", "teach.cu"))
NAVIGATE: Final = Source(_FILES, ("act", "link_cells", "walk_fields", "teach"))
FLOOR: Final = np.dtype(
    [
        *((name, "<u8") for name in ("cells", "places", "fields", "goals", "kinds")),
        *((name, "<f8") for name in ("x0", "y0")),
        *((name, "<i4") for name in ("nx", "ny", "free_count", "place_count", "goal_count", "first_goal")),
    ]
)
FAR: Final = 1e29  # a way of this length is none
_BLOCK: Final = 256
_FIELD_THREADS: Final = 1024


class HouseSet:
    """Houses on a device, by number; houses come and go while others are in use.

    Args:
        device: `cuda`, or `cpu` to test the kernels without a GPU.
        goals_per_house: how many places each house has as goals; with `kinds` it is how many kinds there are.
        seed: of the goals that are drawn.
        kinds: of things, such as `target_types("robothor")`, which are then the goals instead of places.
        camera_height_m: from where things are looked for.

    Attributes:
        table: what is seen of the houses.
        floors: where one can walk, as the kernels read it.
        goal_poses: float64 [numbers * goals_per_house, 3] x, y and yaw in degrees of the goals, on the host; nothing of
            kinds.
        sights: from where things are seen; None where places are the goals.
    """

    def __init__(
        self,
        device: str | torch.device = "cuda",
        *,
        goals_per_house: int = 64,
        seed: int = 0,
        kinds: Sequence[str] = (),
        camera_height_m: float = NavigatorSettings.camera_height_m,
    ) -> None:
        if goals_per_house < 1:
            raise UsageError(f"Expected goals_per_house of at least 1, got {goals_per_house}.")
        self.device = find_device(device)
        self.table = SceneTable(self.device)
        self.code: Code = open_code(NAVIGATE, self.device)
        self.kinds, self._seed = tuple(kinds), seed
        self.goals_per_house = len(self.kinds) or goals_per_house
        self.sights = Sights(self.table, OBJECT_WITHIN_M, camera_height_m) if self.kinds else None
        self.floors = torch.zeros(0, FLOOR.itemsize, dtype=torch.uint8, device=self.device)
        self.goal_poses = np.zeros((0, 3))
        self._kept: dict[int, tuple[Blob, torch.Tensor]] = {}
        self._findable: dict[int, tuple[str, ...]] = {}
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
        return self.table.nbytes + self.floors.numel() + floors + (self.sights.nbytes if self.sights else 0)

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

        Raises:
            UsageError: it has no free floor, or nothing of the kinds that could be found.
        """
        places = np.flatnonzero(house.main.ravel()).astype(np.int32)
        if not len(places):
            raise UsageError(f"Expected a house with free floor, got {house.name!r} without.")
        if self.kinds and goals is not None:
            raise UsageError("Expected no goals where kinds of things are looked for.")
        parts, arrays = house.prepared() if scene is None else scene
        number = self.table.add(parts, arrays, headlight=house.headlight)
        if self.kinds:
            self._seek(number, house, places)
            return number
        chosen = self._draw_goals(house, places, number) if goals is None else np.asarray(goals, np.float64)
        if chosen.shape != (self.goals_per_house, 3):
            raise UsageError(f"Expected goals [{self.goals_per_house}, 3], got {list(chosen.shape)}.")
        self._lay_out(number, house, places, chosen)
        self._walk(number, house, None)
        return number

    def remove(self, number: int) -> None:
        """Frees a house; no agent may be in it any more."""
        self.table.remove(number)
        self._kept.pop(number, None)
        self._findable.pop(number, None)
        if self.sights is not None:
            self.sights.remove(number)

    def found_kinds(self, number: int) -> tuple[str, ...]:
        """Returns which kinds of things can be found in a house, in the order of its goals."""
        return self._findable[number]

    def field_m(self, number: int, goal: int) -> torch.Tensor:
        """Returns the walking distances from a house's free cells to where Stop succeeds for a kind, or to a place."""
        return self._kept[number][1][goal]

    def _draw_goals(self, house: PackedHouse, places: npt.NDArray[np.int32], number: int) -> npt.NDArray[np.float64]:
        rng = np.random.default_rng((self._seed, number))
        drawn = rng.choice(places, self.goals_per_house)
        i, j = np.divmod(drawn, house.free.shape[1])
        x, y = house.origin_m[0] + i * CELL_M, house.origin_m[1] + j * CELL_M
        return np.stack([x, y, 30.0 * rng.integers(12, size=self.goals_per_house)], axis=1)

    def _seek(self, number: int, house: PackedHouse, places: npt.NDArray[np.int32]) -> None:
        """Makes those kinds goals that can be seen from somewhere one can walk to."""
        assert self.sights is not None
        findable: tuple[str, ...] = house.objects.goals(self.kinds)
        before: tuple[str, ...] = ()
        while findable and findable != before:
            before = findable
            self.sights.put(number, house.objects, findable)
            self._lay_out(number, house, places, np.zeros((len(findable), 3)), findable)
            spots = self.sights.spots(self.floors, number, len(findable), house.free.size, int(house.free.sum()))
            self._walk(number, house, spots)
            main = torch.from_numpy(house.main[house.free]).to(self.device)
            near = self._kept[number][1][:, main].amin(dim=1).lt(FAR).tolist()
            findable = tuple(kind for kind, reachable in zip(findable, near, strict=True) if reachable)
        if not findable:
            self.remove(number)
            raise UsageError(
                f"Expected a house with a reachable {' or '.join(self.kinds)}, got {house.name!r} without."
            )
        self._findable[number] = findable

    def _lay_out(
        self,
        number: int,
        house: PackedHouse,
        places: npt.NDArray[np.int32],
        goals: npt.NDArray[np.float64],
        kinds: tuple[str, ...] = (),
    ) -> None:
        """Sends a house's floor and its goals, but for the ways to them."""
        cells = np.full(house.free.shape, -1, np.int32)
        count = int(house.free.sum())
        cells[house.free] = np.arange(count, dtype=np.int32)
        kind_numbers = np.array([self.kinds.index(kind) for kind in kinds], np.int32)
        blob = Blob({"cells": cells, "places": places, "goals": goals, "kinds": kind_numbers}, self.device)
        fields = torch.empty(len(goals), count, dtype=torch.float64, device=self.device)
        self._kept[number] = blob, fields
        row = np.zeros((), FLOOR)
        for name in ("cells", "places", "goals", *(("kinds",) if kinds else ())):
            row[name] = blob[name]
        row["fields"], row["x0"], row["y0"] = fields.data_ptr(), *house.origin_m
        row["nx"], row["ny"], row["free_count"], row["place_count"] = *house.free.shape, count, len(places)
        row["goal_count"], row["first_goal"] = len(goals), number * self.goals_per_house
        missing = number + 1 - len(self.floors)
        if missing > 0:
            more = torch.zeros(missing, FLOOR.itemsize, dtype=torch.uint8, device=self.device)
            self.floors = torch.cat([self.floors, more])
            self.goal_poses = np.concatenate([self.goal_poses, np.zeros((missing * self.goals_per_house, 3))])
        self.floors[number].copy_(torch.from_numpy(np.frombuffer(row.tobytes(), np.uint8).copy()))
        first = number * self.goals_per_house
        self.goal_poses[first : first + len(goals)] = goals

    def _walk(self, number: int, house: PackedHouse, spots: torch.Tensor | None) -> None:
        """Fills in the distances to a house's goals."""
        fields = self._kept[number][1]
        goals, free = fields.shape
        neighbours = torch.empty(16, free, dtype=torch.int32, device=self.device)
        self.code.launch("link_cells", (-(-house.free.size // _BLOCK),), _BLOCK, [self.floors, number, neighbours])
        threads = _FIELD_THREADS if self.device.type == "cuda" else 1  # threads of a block work together
        arguments: list[Argument] = [self.floors, number, neighbours, self._lengths, spots, fields]
        self.code.launch("walk_fields", (goals,), threads, arguments)
