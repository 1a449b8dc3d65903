"""The light over the bench, different for every seed: time of day, lamp and their colours."""

from __future__ import annotations

import mujoco
import numpy as np


def set_lights(model: mujoco.MjModel, generator: np.random.Generator) -> None:
    """Draws a lamp above the bench, a window beside it and the light of the room."""
    lamp, window = model.light("lamp"), model.light("window")
    lamp.pos[:] = [generator.uniform(0.3, 1.1), generator.uniform(-0.6, 0.9), generator.uniform(1.5, 2.1)]
    lamp.dir[:] = _towards(lamp.pos, (0.5, 0.0, 0.0))
    lamp.diffuse[:] = generator.uniform(0.35, 0.65) * _tint(generator)
    window.pos[:] = [generator.uniform(-0.2, 1.2), -1.4, generator.uniform(0.8, 1.8)]
    window.dir[:] = _towards(window.pos, (0.5, 0.0, 0.1))
    window.diffuse[:] = generator.uniform(0.0, 0.45) * _tint(generator)
    room = generator.uniform(0.22, 0.40)
    model.vis.headlight.ambient[:] = room * _tint(generator)
    model.vis.headlight.diffuse[:] = 0.15


def _tint(generator: np.random.Generator) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Returns a white between candle and sky."""
    warmth = generator.uniform(-1.0, 1.0)
    return np.array([1.0 + 0.08 * warmth, 1.0, 1.0 - 0.10 * warmth])


def _towards(
    place_m: np.ndarray[tuple[int, ...], np.dtype[np.float64]], target_m: tuple[float, float, float]
) -> list[float]:
    way = np.subtract(target_m, place_m)
    return [float(part) for part in way / np.linalg.norm(way)]
