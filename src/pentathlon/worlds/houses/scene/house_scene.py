"""A house as a MuJoCo world: the model, the names of everything in it, and a fresh state."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import msgspec
import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.asset import Asset, Collider, Part, Receptacle
from pentathlon.worlds.houses.assets.catalogue import variant
from pentathlon.worlds.houses.assets.finishing import shattered
from pentathlon.worlds.houses.assets.seen import SeenMesh
from pentathlon.worlds.houses.assets.stretching import stretched
from pentathlon.worlds.houses.assets.to_mujoco import AssetWriter, Placed, set_opening
from pentathlon.worlds.houses.house import Box, House, PlacedObject, Room, State
from pentathlon.worlds.houses.plan.polygons import contains_point
from pentathlon.worlds.houses.scene.leaves import LEAF, build_leaf, leaf_pose
from pentathlon.worlds.houses.scene.lighting import add_lights, set_daylight
from pentathlon.worlds.houses.scene.structure import build_ceiling, build_shell
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.shapes import rounded_box

CEILING_GROUP = 2
TIMESTEP_S = 0.004
NO_OBJECT = -1
SECTION = 12
BOX_HEADROOM_M = 1.0
Triple = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class HouseScene:
    """A compiled house.

    Attributes:
        placed: handles of the objects, by object id.
        leaves: handles of the door leaves, by door id.
    """

    house: House
    model: mujoco.MjModel
    placed: Mapping[str, Placed]
    leaves: Mapping[str, Placed]

    def new_data(self) -> mujoco.MjData:
        """Returns the state that the house file describes."""
        data = mujoco.MjData(self.model)
        for door in self.house.doors:
            if door.id in self.leaves:
                set_opening(self.model, data, self.leaves[door.id], LEAF, door.opening)
        for item in self.house.objects:
            for joint in self.placed[item.id].joints:
                set_opening(self.model, data, self.placed[item.id], joint, item.state.open)
        mujoco.mj_forward(self.model, data)
        return data

    def body_id(self, object_id: str) -> int:
        """Returns the body of an object."""
        return int(self.model.body(self.placed[object_id].name).id)

    @cached_property
    def object_of_geom(self) -> NDArray[np.int32]:
        """Place of each geom's object in ``house.objects``; -1 for the building."""
        of_body = np.full(self.model.nbody, NO_OBJECT, dtype=np.int32)
        of_body[[self.body_id(item.id) for item in self.house.objects]] = np.arange(len(self.house.objects))
        for body, parent in enumerate(self.model.body_parentid):  # parents come before their children
            if of_body[body] == NO_OBJECT:
                of_body[body] = of_body[parent]
        table: NDArray[np.int32] = of_body[self.model.geom_bodyid]
        return table


@dataclass(frozen=True, eq=False)
class Blueprint:
    """A house written into a spec that others may add to before it is compiled.

    Attributes:
        writer: adds further assets, sharing meshes and textures.
        placed: handles of the objects, by object id.
        leaves: handles of the door leaves, by door id.
    """

    house: House
    spec: mujoco.MjSpec
    writer: AssetWriter
    placed: Mapping[str, Placed]
    leaves: Mapping[str, Placed]

    def compile(self) -> HouseScene:
        """Compiles the model."""
        return HouseScene(self.house, self.spec.compile(), self.placed, self.leaves)


def compile_house(house: House, *, switchable: bool = True) -> HouseScene:
    """Builds the MuJoCo model of a house.

    Args:
        house: what to build.
        switchable: whether objects can get another state than that of the file. Who only walks through needs no dirt
            on clean plates and no slices of whole bread, a fifth of all triangles.
    """
    return draw_blueprint(house, switchable=switchable).compile()


def draw_blueprint(house: House, *, switchable: bool = True, later: dict[str, SeenMesh] | None = None) -> Blueprint:
    """Writes a house into a fresh spec.

    Args:
        house: as for `compile_house`.
        switchable: as for `compile_house`.
        later: filled with the meshes that are only seen; the spec then has boxes in their place.
    """
    spec = _spec()
    writer = AssetWriter(spec, switchable=switchable, later=later)
    writer.add(build_shell(house), "shell")
    ceiling = writer.add(build_ceiling(house), "ceiling")
    spec.body(ceiling.name).geoms[0].group = CEILING_GROUP
    leaves = {door.id: _hang(writer, house, i) for i, door in enumerate(house.doors) if door.panel}
    for handle in leaves.values():
        _exclude_own_contacts(spec, handle)
    placed: dict[str, Placed] = {}
    for first in range(0, len(house.objects), SECTION):
        placed |= _add_section(writer, house.objects[first : first + SECTION])
    for handle in leaves.values():
        spec.add_exclude(bodyname1="shell", bodyname2=handle.joints[LEAF])
    set_daylight(spec)
    add_lights(spec, house, placed)
    return Blueprint(house, spec, writer, placed, leaves)


def asset_of(item: PlacedObject) -> Asset:
    """Returns an object's asset at its size and mass."""
    if item.box is not None:
        return _box_asset(item.type, item.box)
    return _sized(item.type, item.variant, item.scale, item.stretch, item.mass_factor)


def conditions(item: PlacedObject) -> State:
    """Returns how an object looks at first."""
    # Of what is broken only shards show: a thing without any would not be seen at all.
    broken = item.state.broken and "breakable" in asset_of(item).abilities
    return msgspec.structs.replace(item.state, broken=broken)


def room_of_point(house: House, x: float, y: float) -> Room | None:
    """Finds the room around a point."""
    return next((room for room in house.rooms if contains_point(room.outline_m, x, y)), None)


def _spec() -> mujoco.MjSpec:
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.option.timestep = TIMESTEP_S
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.visual.map.znear = 0.002
    spec.memory = 64 * 2**20
    return spec


@lru_cache(maxsize=256)
def _sized(type_name: str, seed: int, scale: float, stretch: Triple, mass_factor: float) -> Asset:
    asset = variant(type_name, seed)
    mass_kg = asset.mass_kg * mass_factor
    if stretch != (1.0, 1.0, 1.0):
        asset = stretched(asset, stretch)
    return (asset if scale == 1.0 else asset.scaled(scale)).with_mass(mass_kg)


@lru_cache(maxsize=256)
def _box_asset(type_name: str, box: Box) -> Asset:
    width, depth, height = box.size_m
    mesh = rounded_box(box.size_m, 0.01, 1).moved(z=height / 2)
    return Asset(
        parts=(Part(mesh, look("plastic", box.colour)),),
        colliders=(Collider("box", (0.0, 0.0, height / 2), (width, depth, height)),),
        receptacles=(Receptacle("top", "on", (0.0, 0.0, height), (width, depth), BOX_HEADROOM_M),),
        declared=frozenset({"pickupable"}) if box.pickupable else frozenset(),
        given_mass_kg=box.mass_kg,
        type_name=type_name,
    )


def _add_section(writer: AssetWriter, items: Sequence[PlacedObject]) -> dict[str, Placed]:
    section = writer.section()
    placed = {item.id: _add_object(section, item) for item in items}
    for handle in placed.values():
        _exclude_own_contacts(section.spec, handle)
    writer.join(section)
    return placed


def shown_asset(item: PlacedObject) -> Asset:
    """Returns an object's asset, in shards if it is broken."""
    return shattered(asset_of(item)) if item.state.broken else asset_of(item)


def _add_object(writer: AssetWriter, item: PlacedObject) -> Placed:
    asset = shown_asset(item)
    free = "pickupable" in asset.abilities
    return writer.add(asset, item.id, item.position_m, _quaternion(item.yaw_deg), free=free, state=conditions(item))


def _hang(writer: AssetWriter, house: House, index: int) -> Placed:
    door = house.doors[index]
    position, yaw_deg = leaf_pose(door, house)
    return writer.add(build_leaf(door, house), door.id, position, _quaternion(yaw_deg))


def _exclude_own_contacts(spec: mujoco.MjSpec, handle: Placed) -> None:
    """Fixed bodies are part of the world, so MuJoCo's parent filter does not spare their doors and drawers."""
    moving = list(handle.joints.values())
    for i, name in enumerate(moving):
        spec.add_exclude(bodyname1=handle.name, bodyname2=name)
        for other in moving[:i]:
            spec.add_exclude(bodyname1=other, bodyname2=name)


def _quaternion(yaw_deg: float) -> tuple[float, float, float, float]:
    half = math.radians(yaw_deg) / 2
    return math.cos(half), 0.0, 0.0, math.sin(half)
