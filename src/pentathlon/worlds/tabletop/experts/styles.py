"""How one person does it this time: what differs between demonstrations of the same setup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np


@dataclass(frozen=True)
class Style:
    """A manner of working.

    Attributes:
        side: +1 works from the right towards the left, -1 the other way: the dominant hand.
        pace: seconds are multiplied by it.
        clearance_m: added to the height at which the tool travels and works.
        bow_m: how far strokes through the air bend sideways.
        rise_m: how far they bend upwards.
        lean_rad: added to the tool's deepest tilt.
        heading_rad: added to the tool's heading.
        miss_m: how far off (x, y) the middle of the container is taken to be.
        shy_m: how far the spoon stays above the floor of the bowl.
        pause_s: how long the tool rests between strokes.
        tremor: size of the wobble, 1 is usual.
    """

    side: Literal[-1, 1]
    pace: float
    clearance_m: float
    bow_m: float
    rise_m: float
    lean_rad: float
    heading_rad: float
    miss_m: tuple[float, float]
    shy_m: float
    pause_s: float
    tremor: float


def draw_style(generator: np.random.Generator) -> Style:
    """Draws a manner of working."""
    return Style(
        side=1 if generator.random() < 0.5 else -1,
        pace=float(np.clip(generator.lognormal(0.0, 0.16), 0.7, 1.5)),
        clearance_m=float(generator.uniform(0.0, 0.03)),
        bow_m=float(generator.normal(0.0, 0.02)),
        rise_m=float(generator.uniform(0.0, 0.03)),
        lean_rad=float(generator.normal(0.0, 0.05)),
        heading_rad=float(generator.normal(0.0, 0.12)),
        miss_m=(float(generator.normal(0.0, 0.004)), float(generator.normal(0.0, 0.004))),
        shy_m=float(abs(generator.normal(0.0, 0.006))),
        pause_s=float(generator.uniform(0.05, 0.5)),
        tremor=float(generator.uniform(0.4, 1.6)),
    )
