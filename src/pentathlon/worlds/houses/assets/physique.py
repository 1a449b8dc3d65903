"""Gives bodies in a MuJoCo model their lights and their share of an asset's mass."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import mujoco
import numpy as np

from pentathlon.worlds.houses.assets.asset import PLAIN, Asset, Emitter, Part
from pentathlon.worlds.houses.house import State
from pentathlon.worlds.modelling.mesh import Floats


def add_light(body: mujoco.MjsBody, origin_m: Floats, item: Emitter, name: str, state: State) -> str:
    """Add a light to a body and return its name; it shines while the object is on."""
    full_name = f"{name}/{item.name}"
    all_around = item.cutoff_deg >= 180.0
    body.add_light(
        name=full_name,
        type=mujoco.mjtLightType.mjLIGHT_POINT if all_around else mujoco.mjtLightType.mjLIGHT_SPOT,
        pos=list(np.array(item.position_m) - origin_m),
        dir=list(item.direction),
        diffuse=list(item.rgb),
        ambient=[0.0] * 3,
        specular=[0.3 * channel for channel in item.rgb],
        attenuation=list(item.attenuation),
        cutoff=min(item.cutoff_deg, 90.0),
        exponent=1.0,
        castshadow=False,
        active=state.on,
    )
    return full_name


def set_inertias(bodies: Mapping[str, mujoco.MjsBody], origins_m: Mapping[str, Floats], asset: Asset) -> None:
    """Give each body, by the name of its joint, its share of the mass, spread over its parts' bounds like a block's."""
    plain = [PLAIN.shows(part.when) for part in asset.parts]
    masses = [part.mass_kg for part in asset.parts]
    density = asset.mass_kg / sum(itertools.compress(masses, plain))
    for joint, body in bodies.items():
        own = [i for i, part in enumerate(asset.parts) if part.joint == joint]
        own = [i for i in own if plain[i]] or own
        _set_inertia(body, [asset.parts[i] for i in own], [masses[i] for i in own], density, origins_m[joint].tolist())


def _set_inertia(
    body: mujoco.MjsBody, parts: list[Part], masses: list[float], density: float, origin_m: list[float]
) -> None:
    # Plain numbers: for a handful of parts, arrays take several times as long.
    share = sum(masses)
    mass = density * share
    centroids = [part.mesh.measures.centroid_m for part in parts]
    bounds = [(low.tolist(), high.tolist()) for low, high in (part.mesh.bounds_m for part in parts)]
    squares = [(max(high[i] for _, high in bounds) - min(low[i] for low, _ in bounds)) ** 2 for i in range(3)]
    body.explicitinertial = True
    body.mass = mass
    body.ipos = [
        sum(weight * centroid[i] for weight, centroid in zip(masses, centroids, strict=True)) / share - origin_m[i]
        for i in range(3)
    ]
    body.iquat = [1.0, 0.0, 0.0, 0.0]
    body.inertia = [mass / 12.0 * (sum(squares) - square) + 1e-9 for square in squares]
