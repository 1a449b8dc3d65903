"""Gives bodies in a MuJoCo model their lights and their share of an asset's mass."""

from __future__ import annotations

import mujoco
import numpy as np

from pentathlon.worlds.houses.assets.asset import PLAIN, Asset, Emitter
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


def set_inertia(body: mujoco.MjsBody, asset: Asset, joint: str, origin_m: Floats) -> None:
    """Give the body its share of the mass, spread over its parts' bounds like a solid block's."""
    plain = [part for part in asset.parts if PLAIN.shows(part.when)]
    own = [part for part in plain if part.joint == joint] or [part for part in asset.parts if part.joint == joint]
    masses = [part.mass_kg for part in own]
    share = sum(masses)
    mass = asset.mass_kg * share / sum(part.mass_kg for part in plain)
    centre = np.array(masses) @ [part.mesh.measures.centroid_m for part in own] / share - origin_m
    bounds = np.array([part.mesh.bounds_m for part in own])
    squares = (bounds[:, 1].max(axis=0) - bounds[:, 0].min(axis=0)) ** 2
    body.explicitinertial = True
    body.mass = mass
    body.ipos = list(centre)
    body.iquat = [1.0, 0.0, 0.0, 0.0]
    body.inertia = list(mass / 12.0 * (squares.sum() - squares) + 1e-9)
