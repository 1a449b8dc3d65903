"""Kinds of things as goals on a device: from where they are seen, and whether an agent sees one of its kind now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch

from pentathlon.core.errors import UsageError
from pentathlon.worlds.houses.gpu.objects import PackedObjects
from pentathlon.worlds.rendering.gpu.code import Argument, Code, Source, open_code
from pentathlon.worlds.rendering.gpu.scenes import Blob, SceneTable

_FOLDER: Final = Path(__file__).parent
_TYPES: Final = Path(__file__).parents[2] / "rendering" / "gpu" / "source" / "types.cu"
_FILES: Final = (_TYPES, _FOLDER / "navigate.cu", _FOLDER / "sights.cu")
SIGHT: Final = Source(_FILES, ("find_sights", "spot_places"), ("FULL=0",))
_NAMES: Final = ("object_of", "points", "objects", "first_point", "first_object")
SOUGHT: Final = np.dtype([(name, "<u8") for name in _NAMES])
_BLOCK: Final = 64


class Sights:
    """What is looked for in the houses of a set, by their numbers.

    Args:
        table: what rays meet.
        within_m: how near, along the floor, a point of a thing must be.
        camera_height_m: from where agents look.

    Attributes:
        rows: as kernels read it.
    """

    def __init__(self, table: SceneTable, within_m: float, camera_height_m: float) -> None:
        self._table, self.within_m, self.camera_height_m = table, within_m, camera_height_m
        self.code: Code = open_code(SIGHT, table.device)
        self.rows = torch.zeros(0, SOUGHT.itemsize, dtype=torch.uint8, device=table.device)
        self._told = torch.tensor([within_m, camera_height_m], dtype=torch.float64, device=table.device)
        self._kept: dict[int, Blob] = {}

    @property
    def nbytes(self) -> int:
        """How much of the device's memory they take."""
        return self.rows.numel() + sum(blob.nbytes for blob in self._kept.values())

    def put(self, number: int, objects: PackedObjects, goals: Sequence[str]) -> None:
        """Says what the goals of a house are."""
        blob = Blob(_arrays_of(objects, goals), self._table.device)
        row = np.zeros((), SOUGHT)
        for name in _NAMES:
            row[name] = blob[name]
        missing = number + 1 - len(self.rows)
        if missing > 0:
            more = torch.zeros(missing, SOUGHT.itemsize, dtype=torch.uint8, device=self._table.device)
            self.rows = torch.cat([self.rows, more])
        self.rows[number].copy_(torch.from_numpy(np.frombuffer(row.tobytes(), np.uint8).copy()))
        self._kept[number] = blob

    def remove(self, number: int) -> None:
        """Forgets a house, if it is known."""
        self._kept.pop(number, None)

    def spots(self, floors: torch.Tensor, number: int, goals: int, cells: int, free: int) -> torch.Tensor:
        """Returns uint8 [goals, free cells], 1 where a thing of a goal's kind can be seen: at every second cell.

        Args:
            floors: of all houses.
            number: of the house.
            goals: how many it has.
            cells: of its map.
            free: cells of it.
        """
        found = torch.zeros(goals, free, dtype=torch.uint8, device=self._table.device)
        told: list[Argument] = [floors, self._table.rows, self.rows, number, self._told, found]
        self.code.launch("spot_places", (-(-cells // _BLOCK), goals), _BLOCK, told)
        return found

    def find(
        self, floors: torch.Tensor, agents: torch.Tensor, actions: torch.Tensor, told: Sequence[torch.Tensor]
    ) -> None:
        """Fills in whether each agent succeeds with its action.

        Args:
            floors: of all houses.
            agents: their state before the action.
            actions: int64 [N].
            told: the rules' row, the table of sines, and uint8 [N] to write to.
        """
        rules, sines, sighted = told
        arguments: list[Argument] = [floors, self._table.rows, self.rows, agents, len(agents), actions]
        self.code.launch("find_sights", (-(-len(agents) // _BLOCK),), _BLOCK, [*arguments, rules, sines, sighted])


def refuse_other_rules(sights: Sights, within_m: float, camera_height_m: float, facing: float) -> None:
    """Refuses rules under which success is elsewhere than the way to it was measured."""
    if (within_m, camera_height_m) != (sights.within_m, sights.camera_height_m):
        raise UsageError(
            f"Expected within_m {sights.within_m} and a camera at {sights.camera_height_m} m, for which the houses' "
            f"places were looked for, got {within_m} and {camera_height_m}. Make a HouseSet for these."
        )
    if facing:
        raise UsageError(f"Expected no reward for facing a picture's view where kinds are looked for, got {facing}.")


def _arrays_of(objects: PackedObjects, goals: Sequence[str]) -> dict[str, np.ndarray]:
    """Returns the objects of the goals, one goal after the other, with their points."""
    chosen = [np.flatnonzero(objects.kinds == kind) for kind in goals]
    places = np.concatenate(chosen).astype(np.int32)
    points = [objects.points_m[objects.first_point[i] : objects.first_point[i + 1]] for i in places]
    return {
        "object_of": objects.object_of,
        "points": np.concatenate(points),
        "objects": places,
        "first_point": np.cumsum([0, *map(len, points)], dtype=np.int32),
        "first_object": np.cumsum([0, *map(len, chosen)], dtype=np.int32),
    }
