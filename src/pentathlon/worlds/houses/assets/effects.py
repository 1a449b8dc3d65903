"""What states look like: soil on surfaces, steam, running water."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from pentathlon.worlds.houses.assets.asset import Part, Point
from pentathlon.worlds.modelling.colours import colour
from pentathlon.worlds.modelling.curves import spline
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.pictures import stained
from pentathlon.worlds.modelling.shapes import lathe
from pentathlon.worlds.modelling.sweeps import sweep


def soiled(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Return the parts twice: as they are while clean, and with stains while dirty."""
    clean = tuple(parts)
    dirty = tuple(
        replace(part, look=replace(part.look, colour=colour("white"), texture=stained(part.look.colour)), when="dirty")
        for part in clean
    )
    return (*(replace(part, when="clean") for part in clean), *dirty)


def steam(at_m: Point, height_m: float) -> Part:
    """Wisps that rise from something hot."""
    heights = np.linspace(0.0, 1.0, 5)
    wisps = []
    for turn in range(3):
        phase = turn * 2.1
        sway = height_m * 0.12
        path = np.stack(
            [sway * np.sin(5 * heights + phase), sway * np.cos(4 * heights + phase), heights * height_m], axis=1
        )
        curve = spline(path, 3)
        wisps.append(sweep(curve, height_m * 0.05 * (1.05 - np.linspace(0, 1, len(curve))), sides=6))
    vapour = replace(look("water", "white"), emission=0.3)
    return Part(merge(wisps).moved(*at_m), vapour, when="hot", fill=0.0)


def running_water(from_m: Point, drop_m: float, radius_m: float = 0.006) -> Part:
    """A stream that falls from a spout while it is on, spreading where it lands."""
    profile = [
        (0.0, -drop_m),
        (radius_m * 4.0, -drop_m),
        (radius_m * 2.2, -drop_m + radius_m),
        (radius_m * 0.75, -drop_m * 0.85),
        (radius_m * 0.8, -drop_m * 0.4),
        (radius_m, 0.0),
        (0.0, 0.0),
    ]
    stream = lathe(profile, 14, crease_deg=60.0).moved(*from_m)
    return Part(stream, look("water", "cyan", emission=0.25), when="on", fill=0.0)
