"""Whether things stay where a house file puts them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import mujoco
import numpy as np

from pentathlon.worlds.houses.scene.house_scene import HouseScene

SIMULATED_S = 1.0
DRIFT_LIMIT_M = 0.02


class Drift(NamedTuple):
    """How far one object went from its place, and how much of that was a fall."""

    object: str
    distance_m: float
    fallen_m: float


def settle(scene: HouseScene, data: Any, seconds: float = SIMULATED_S) -> tuple[Drift, ...]:
    """Simulates a while and tells how far every object has moved by then."""
    bodies = [scene.body_id(item.id) for item in scene.house.objects]
    before = data.xpos[bodies].copy()
    mujoco.mj_step(scene.model, data, nstep=round(seconds / scene.model.opt.timestep))
    change = data.xpos[bodies] - before
    distances = np.linalg.norm(change, axis=1)
    return tuple(
        Drift(item.id, float(distance), -float(moved[2]))
        for item, distance, moved in zip(scene.house.objects, distances, change, strict=True)
    )


def restless(scene: HouseScene) -> Iterator[str]:
    """Yields a sentence for every object that does not stay within 2 cm of its place."""
    for drift in settle(scene, scene.new_data()):
        if not drift.distance_m <= DRIFT_LIMIT_M:
            verb = "falls" if drift.fallen_m > drift.distance_m / 2 else "moves"
            yield f"{drift.object} {verb} {100 * drift.distance_m:.1f} cm when let go"
