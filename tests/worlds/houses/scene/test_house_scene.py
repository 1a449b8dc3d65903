from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from pentathlon.worlds.houses.house import Box, FloorFinish, House, PlacedObject, Room, WallFinish
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import CEILING_GROUP, HouseScene, compile_house
from pentathlon.worlds.houses.scene.structure import OUTSIDE_GLOW, build_shell
from pentathlon.worlds.modelling.vistas import VIEW_KINDS, window_view
from pentathlon.worlds.rendering import Raycaster
from pentathlon.worlds.rendering.look_at import agent_camera, look_at


def test_objects_are_where_the_file_says(small_scene: HouseScene) -> None:
    data = small_scene.new_data()
    for item in small_scene.house.objects:
        assert data.xpos[small_scene.body_id(item.id)] == pytest.approx(item.position_m)


def test_pickupable_things_are_free_and_furniture_is_fixed(small_scene: HouseScene) -> None:
    assert small_scene.placed["left mug"].free_joint
    assert not small_scene.placed["table"].free_joint


def test_doors_stand_as_open_as_the_file_says(small_scene: HouseScene) -> None:
    data = small_scene.new_data()
    angles = {
        name: float(data.qpos[small_scene.model.joint(leaf.joints["leaf"]).qposadr[0]])
        for name, leaf in small_scene.leaves.items()
    }
    assert angles == pytest.approx({"inner": math.pi / 2, "front": 0.0})


def test_an_open_door_swings_into_its_first_room(small_scene: HouseScene) -> None:
    data = small_scene.new_data()
    leaf = small_scene.model.body(small_scene.leaves["inner"].joints["leaf"]).id
    # The door lies at x = 4 and the bedroom beyond it; the leaf's mass must be there.
    assert data.xipos[leaf][0] > 4.2


def test_a_free_thing_falls_to_the_floor_and_stays_in_the_house(small_scene: HouseScene) -> None:
    data = small_scene.new_data()
    joint = small_scene.model.joint(small_scene.placed["lost mug"].free_joint)
    data.qpos[joint.qposadr[0] + 2] = 0.5
    mujoco.mj_step(small_scene.model, data, nstep=300)
    height = float(data.xpos[small_scene.body_id("lost mug")][2])
    assert -0.01 < height < 0.1


def test_a_house_that_cannot_be_switched_looks_the_same_with_fewer_meshes(generated_house: House) -> None:
    scenes = [compile_house(generated_house, switchable=switchable) for switchable in (True, False)]
    assert scenes[1].model.nmesh < 0.9 * scenes[0].model.nmesh
    bounds = [ObjectGeometry(scene).bounds(scene.new_data()) for scene in scenes]
    assert np.array_equal(*bounds)
    assert generated_house.start is not None
    x, y = generated_house.start.position_m
    camera = agent_camera(x, y, generated_house.start.yaw_deg, 0.9, 20.0, 80.0)
    pictures = []
    for scene in scenes:
        with Raycaster(scene.model, "fast") as eyes:
            pictures.append(eyes.render(scene.new_data(), camera, (64, 48)))
    assert np.abs(pictures[0].rgb.astype(int) - pictures[1].rgb).mean() < 0.1


def test_every_geom_knows_its_object(small_scene: HouseScene) -> None:
    table = small_scene.object_of_geom
    names = [item.id for item in small_scene.house.objects]
    for index, name in enumerate(names):
        geoms = np.flatnonzero(table == index)
        assert len(geoms) >= 2
        roots = {small_scene.model.body(small_scene.model.geom_bodyid[geom]).name.split("/")[0] for geom in geoms}
        assert roots == {name}
    assert (table == -1).any()


def test_ceilings_are_a_group_of_their_own(small_scene: HouseScene) -> None:
    model = small_scene.model
    names = {model.body(model.geom_bodyid[geom]).name for geom in np.flatnonzero(model.geom_group == CEILING_GROUP)}
    assert names == {"ceiling"}


def test_rooms_have_lamps_and_windows_let_daylight_in(small_scene: HouseScene) -> None:
    names = {small_scene.model.light(i).name for i in range(small_scene.model.nlight)}
    assert {"kitchen/lamp_0", "bedroom/lamp_0", "view/daylight"} <= names


def test_windows_look_out_on_many_things() -> None:
    parts = [part for seed in range(8) for part in build_shell(House.generate(seed, 4)).parts]
    views = {part.look.texture.digest for part in parts if part.look.emission == OUTSIDE_GLOW and part.look.texture}
    assert len(views) > 8
    assert len({window_view(np.random.default_rng(0), kind).digest for kind in VIEW_KINDS}) >= 6


def test_objects_without_an_asset_become_boxes(small_house: House) -> None:
    box = Box((0.4, 0.3, 0.5), 2.0, "red", pickupable=True)
    house = House(
        name="boxed",
        rooms=small_house.rooms,
        objects=(PlacedObject("thing", "Gizmo", "kitchen", (1.0, 1.0, 0.0), box=box),),
    )
    scene = compile_house(house)
    asset = scene.placed["thing"].asset
    assert asset.size_m == pytest.approx((0.4, 0.3, 0.5), abs=1e-6)
    assert scene.model.body("thing").mass[0] == pytest.approx(2.0)
    assert scene.placed["thing"].free_joint


def test_lamps_do_not_shine_through_walls(small_house: House) -> None:
    scene = compile_house(small_house)
    data = scene.new_data()
    views = {
        "kitchen": look_at((1.0, 1.0, 1.4), (2.0, 3.9, 1.0), 60.0),
        "bedroom": look_at((5.0, 1.0, 1.4), (5.5, 3.9, 1.0), 60.0),
    }
    with Raycaster(scene.model, "fast") as eyes:
        lit = {room: eyes.render(data, view, (48, 48)).rgb.astype(int) for room, view in views.items()}
        scene.model.light_active[scene.model.light("kitchen/lamp_0").id] = 0
        dark = {room: eyes.render(data, view, (48, 48)).rgb.astype(int) for room, view in views.items()}
    assert np.array_equal(lit["bedroom"], dark["bedroom"])
    assert (lit["kitchen"] - dark["kitchen"]).mean() > 10


def test_every_mirror_shows_what_is_before_it() -> None:
    outline = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    hall = Room("hall", "Hallway", outline, FloorFinish("planks", "brown"), WallFinish("plaster", "cream"))
    red, green = (Box((1.0, 1.0, 1.6), 20.0, colour) for colour in ("red", "green"))
    mirrors = (
        PlacedObject("north", "Mirror", "hall", (2.0, 3.938, 1.4)),
        PlacedObject("south", "Mirror", "hall", (2.0, 0.062, 1.4), yaw_deg=180.0),
    )
    for y_look in (3.9, 0.1):
        pictures = []
        for box in (red, green):
            block = PlacedObject(
                "block", "Crate", "hall", (2.0, 4.0 - y_look + (0.6 if y_look > 2 else -0.6), 0.0), box=box
            )
            scene = compile_house(House(name="mirrors", rooms=(hall,), objects=(*mirrors, block)))
            with Raycaster(scene.model, "fine") as eyes:
                camera = look_at((2.0, 2.0, 1.4), (2.0, y_look, 1.4), 40.0)
                pictures.append(eyes.render(scene.new_data(), camera, (64, 64)).rgb[24:40, 24:40].astype(int).copy())
        redder = (pictures[0][..., 0] - pictures[0][..., 1]) - (pictures[1][..., 0] - pictures[1][..., 1])
        assert redder.mean() > 30
