"""Measures a turn by what it did to the picture: the distances along the horizon before and after are laid over."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

# RoboTHOR's turns deviate by half a degree; more than five deviations are not looked for.
DEVIATION_DEG = 0.5
CANDIDATES_DEG = np.linspace(-2.5, 2.5, 101)
# What a candidate loses for each squared deviation: a millimetre, so that blank walls leave the turn as intended.
DOUBT_M = 0.001
# Edges jump: beyond this, how far apart two distances are tells nothing more.
MOST_GAP_M = 0.2
FEWEST_BEARINGS = 20


def measured_turn(before_m: Floats, after_m: Floats, turn_rad: float, fovy_deg: float) -> float:
    """Returns the turn to the left, near the intended one, that fits two level depth pictures best.

    A turn about the camera's axis only shifts the horizon, so a thing at bearing ``b`` was at ``b + turn`` before.
    """
    bearings, stretch = _horizon(before_m.shape[1], before_m.shape[0], fovy_deg)
    middle = before_m.shape[0] // 2
    before, after = before_m[middle, ::-1] * stretch, after_m[middle, ::-1] * stretch
    turns = turn_rad + np.radians(CANDIDATES_DEG)
    wanted = bearings[None, :] + turns[:, None]
    inside = (np.abs(wanted) <= bearings[-1]) & np.isfinite(after)[None, :]
    gaps = np.abs(np.interp(wanted, bearings, before) - after[None, :])
    inside &= np.isfinite(gaps)
    counts = inside.sum(axis=1)
    if counts.min() < FEWEST_BEARINGS:
        return turn_rad
    misfit = np.where(inside, np.minimum(gaps, MOST_GAP_M), 0.0).sum(axis=1) / counts
    misfit += DOUBT_M * (CANDIDATES_DEG / DEVIATION_DEG) ** 2
    return float(turns[int(np.argmin(misfit))])


@lru_cache(maxsize=8)
def _horizon(width: int, height: int, fovy_deg: float) -> tuple[Doubles, Doubles]:
    """Bearings of a row's pixels, rising to the left, and how much longer a ray there is than its depth."""
    focal_px = height / 2 / math.tan(math.radians(fovy_deg) / 2)
    right = (np.arange(width) + 0.5 - width / 2) / focal_px
    return np.arctan(right), np.hypot(1.0, right)
