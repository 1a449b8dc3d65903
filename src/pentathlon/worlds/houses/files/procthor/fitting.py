"""Which of our assets stands for one of ProcTHOR's, and at what size."""

from __future__ import annotations

import math
import zlib
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.files.procthor.document import ProcthorAsset, Wanted
from pentathlon.worlds.houses.furnishing.footprint import (
    VARIANTS_PER_TYPE,
    Footprint,
    footprint,
    footprint_of,
    resized,
)
from pentathlon.worlds.houses.furnishing.placing import Pose
from pentathlon.worlds.houses.house import Box, PlacedObject, State, Support
from pentathlon.worlds.houses.scene.house_scene import asset_of

BOX_DENSITY_KG_M3 = 150.0
SCALES = (0.6, 1.4)
STRETCHES = (0.55, 1.8)
# Turning an asset a quarter must gain this much, in the sum of the logarithms of its misfits.
TURN_COST = 0.4
Triple = tuple[float, float, float]
PLAIN: Triple = (1.0, 1.0, 1.0)


class Fit(NamedTuple):
    """One of our assets made to the measures of another.

    Attributes:
        turn_deg: what its yaw has to be turned by to lie as theirs does.
        view: its footprint at that size.
        box: for types that the catalogue lacks.
    """

    type: str
    variant: int
    scale: float
    stretch: Triple
    turn_deg: float
    view: Footprint
    box: Box | None = None

    @property
    def hangs(self) -> bool:
        """Whether it belongs on a wall."""
        return self.box is None and self.view.placement == "on_wall"

    @property
    def hangs_from_ceiling(self) -> bool:
        """Whether it belongs under the ceiling."""
        return self.box is None and self.view.placement == "ceiling"

    def smaller(self, factor: float) -> Fit:
        """Returns the same at a smaller scale."""
        return self._replace(scale=round(self.scale * factor, 3), view=resized(self.view, (factor,) * 3))

    def placed(self, object_id: str, room: str, pose: Pose, state: State, support: Support | None) -> PlacedObject:
        """Returns the record of this asset at a place."""
        x, y, z, yaw_deg = pose
        return PlacedObject(
            object_id,
            self.type,
            room,
            (round(x, 4), round(y, 4), round(max(0.0, z), 4)),
            round(yaw_deg % 360.0, 2),
            self.variant,
            self.scale,
            self.stretch,
            support=support,
            state=State() if self.box is not None else state,
            box=self.box,
        )


def fit(wanted: Wanted) -> Fit:
    """Chooses the asset for an object."""
    if wanted.asset.type not in catalogue():
        return _boxed(wanted.asset)
    return fit_size(wanted.asset.type, wanted.asset.size_m, zlib.crc32(wanted.asset_id.encode()))


@cache
def fit_size(type_name: str, size_m: Triple, number: int = 0) -> Fit:
    """Chooses the variant most like a size and makes it so large: things by scale alone, furniture to measure."""
    if not any(size_m):
        variant = number % VARIANTS_PER_TYPE
        return Fit(type_name, variant, 1.0, PLAIN, 0.0, footprint(type_name, variant))
    turned_m = (size_m[1], size_m[0], size_m[2])
    choices = [
        (_misfit(footprint(type_name, seed), wanted_m) + (TURN_COST if turn_deg else 0.0), turn_deg, seed, wanted_m)
        for seed in range(VARIANTS_PER_TYPE)
        for turn_deg, wanted_m in ((0.0, size_m), (90.0, turned_m))
    ]
    _, turn_deg, seed, wanted_m = min(choices)
    view = footprint(type_name, seed)
    scale, stretch = (_scale(view, wanted_m), PLAIN) if view.pickupable else (1.0, _stretch(view, wanted_m))
    x, y, z = (scale * factor for factor in stretch)
    return Fit(type_name, seed, scale, stretch, turn_deg, resized(view, (x, y, z)))


def _boxed(asset: ProcthorAsset) -> Fit:
    mass_kg = round(float(np.clip(math.prod(asset.size_m) * BOX_DENSITY_KG_M3, 0.01, 200.0)), 3)
    box = Box(asset.size_m, mass_kg, pickupable=asset.pickupable and mass_kg < 5.0)
    shown = asset_of(PlacedObject("box", asset.type, "room", (0.0, 0.0, 0.0), box=box))
    return Fit(asset.type, 0, 1.0, PLAIN, 0.0, footprint_of(shown), box)


def _extents(view: Footprint) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.array(view.high_m) - np.array(view.low_m)
    return found


def _misfit(view: Footprint, wanted_m: Triple) -> float:
    return float(np.abs(np.log(_extents(view) / np.array(wanted_m))).sum())


def _scale(view: Footprint, wanted_m: Triple) -> float:
    """As long as theirs, whichever way it lies: a closed laptop is flat beside an open one."""
    return round(float(np.clip(max(wanted_m) / _extents(view).max(), *SCALES)), 3)


def _stretch(view: Footprint, wanted_m: Triple) -> Triple:
    x, y, z = (round(float(value), 3) for value in np.clip(np.array(wanted_m) / _extents(view), *STRETCHES))
    return x, y, z
