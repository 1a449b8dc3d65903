"""Conformance of every object type: what builds is closed, weighed, repeatable, and compiles and moves in MuJoCo."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.houses.assets.asset import PLAIN, Asset, Collider, Part
from pentathlon.worlds.houses.assets.catalogue import catalogue, object_type_named, variant
from pentathlon.worlds.houses.assets.to_mujoco import VISUAL_GROUP, AssetWriter, Placed, set_opening, set_state
from pentathlon.worlds.houses.house import State
from pentathlon.worlds.modelling.colours import COLOURS
from pentathlon.worlds.modelling.materials import MATERIALS, look
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.shapes import box

NAMES = tuple(catalogue())
MAX_TRIANGLES = 5000
MAX_PICKUPABLE_KG = 5.0


def _content(asset: Asset) -> list[object]:
    return [
        *((part.mesh.digest, part.look.colour, part.look.texture and part.look.texture.digest) for part in asset.parts),
        asset.joints,
        asset.receptacles,
        asset.mass_kg,
    ]


def _compiled(asset: Asset) -> tuple[mujoco.MjModel, mujoco.MjData, Placed]:
    spec = mujoco.MjSpec()
    placed = AssetWriter(spec).add(asset, "thing", free="pickupable" in asset.abilities)
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data, placed


@pytest.mark.parametrize("name", NAMES)
def test_type_builds_the_same_for_the_same_seed_and_differs_otherwise(name: str) -> None:
    kind = object_type_named(name)
    first, again, other = (kind.build(np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert _content(first) == _content(again)
    assert _content(first) != _content(other)
    assert kind.description
    assert kind.rooms


@pytest.mark.parametrize("name", NAMES)
def test_variants_of_other_splits_and_beyond_all_build(name: str) -> None:
    sizes = [object_type_named(name).build(np.random.default_rng([0, seed])).size_m for seed in (12, 18, 24, 100)]
    assert (np.array(sizes) > 0.001).all()


def test_every_toy_car_has_room_for_its_bevels() -> None:
    cars = [variant("ToyCar", seed) for seed in range(40)]
    assert all(part.mesh.is_closed() for car in cars for part in car.parts)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [0, 1])
def test_asset_is_sound(name: str, seed: int) -> None:
    asset = variant(name, seed)
    low, high = asset.bounds_m
    assert (asset.size_m > 0.001).all()
    assert 0 < asset.mass_kg < 300
    if "pickupable" in asset.abilities:
        assert asset.mass_kg < MAX_PICKUPABLE_KG
    if object_type_named(name).placement in ("small", "free", "against_wall"):
        assert low[2] == pytest.approx(0.0, abs=0.001), "things stand on z = 0"
    assert asset.colours
    assert set(asset.colours) <= set(COLOURS)
    assert asset.materials
    assert set(asset.materials) <= set(MATERIALS)
    assert sum(len(part.mesh.faces) for part in asset.parts if PLAIN.shows(part.when)) < MAX_TRIANGLES
    for receptacle in asset.receptacles:
        x, y, z = receptacle.centre_m
        half = np.array(receptacle.size_m) / 2
        assert (half > 0).all()
        assert receptacle.clearance_m > 0
        assert (np.array([x, y]) - half >= low[:2] - 0.001).all()
        assert (np.array([x, y]) + half <= high[:2] + 0.001).all()
        assert low[2] <= z <= high[2] + 0.001


@pytest.mark.parametrize("name", NAMES)
def test_parts_are_closed_and_textured_sanely(name: str) -> None:
    asset = variant(name, 0)
    for part in asset.parts:
        assert np.isfinite(part.mesh.vertices_m).all()
        assert np.isfinite(part.mesh.uvs).all()
        if part.when != "sliced":
            assert part.mesh.is_closed()
            assert part.mesh.volume_m3 > 0
    cut = [part.mesh for part in asset.parts if part.when == "sliced"]
    if cut:
        assert merge(cut).is_closed()
        assert asset.piece is not None


@pytest.mark.parametrize("name", NAMES)
def test_asset_compiles_and_each_joint_moves_its_own_parts_out(name: str) -> None:
    asset = variant(name, 1)
    model, data, placed = _compiled(asset)
    assert model.body_mass.sum() == pytest.approx(asset.mass_kg)
    closed = data.geom_xpos.copy()
    for joint in asset.joints:
        mujoco.mj_resetData(model, data)
        set_opening(model, data, placed, joint.name, 1.0)
        mujoco.mj_forward(model, data)
        moved_m = np.linalg.norm(data.geom_xpos - closed, axis=1)
        others = model.geom_bodyid != model.body(placed.joints[joint.name]).id
        assert (moved_m[others] < 1e-9).all()
        handle = data.site(f"thing/{joint.name}/handle").xpos
        travel = handle - np.array(joint.handle_m)
        assert np.linalg.norm(travel) > 0.02
        assert travel[1] < 0 or travel[2] > 0, "doors and drawers open to the front, lids upwards"


@pytest.mark.parametrize("name", NAMES)
def test_states_show_and_hide_parts_and_lights(name: str) -> None:
    asset = variant(name, 0)
    model, _, placed = _compiled(asset)
    for state in (PLAIN, State(on=True), State(sliced=True, dirty=True, hot=True, filled=True)):
        set_state(model, placed, state)
        assert all((model.geom(geom).rgba[3] > 0) == state.shows(when) for geom, when in placed.switched)
        shown = (model.geom_group == VISUAL_GROUP) & (model.geom_rgba[:, 3] > 0)
        assert shown.sum() == sum(state.shows(part.when) for part in asset.parts)
        assert all(bool(model.light_active[model.light(light).id]) == state.on for light in placed.lights)


def test_equal_assets_share_meshes_textures_and_materials() -> None:
    spec = mujoco.MjSpec()
    writer = AssetWriter(spec)
    writer.add(variant("Mug", 0), "one")
    single = len(spec.meshes), len(spec.textures), len(spec.materials)
    writer.add(variant("Mug", 0), "two", (1, 0, 0))
    assert (len(spec.meshes), len(spec.textures), len(spec.materials)) == single
    assert spec.compile().nbody == 3


def test_the_catalogue_has_the_types_of_ai2thor_that_homes_need() -> None:
    missing = {
        "AluminumFoil", "CD", "Desktop", "Footstool", "GarbageBag", "HandTowelHolder", "ShowerCurtain", "ShowerHead",
    } - set(NAMES)  # fmt: skip
    assert not missing


@pytest.mark.parametrize(
    ("name", "noun"), [("TVStand", "tv stand"), ("AlarmClock", "alarm clock"), ("CD", "CD"), ("Mug", "mug")]
)
def test_types_are_called_by_their_words(name: str, noun: str) -> None:
    assert object_type_named(name).noun == noun


@pytest.mark.parametrize("seed", range(4))
def test_hand_towels_have_bands_and_bath_mats_say_what_they_are(seed: int) -> None:
    assert len(variant("HandTowel", seed).colours) == 2
    field = max(variant("BathMat", seed).parts, key=lambda part: float(part.mesh.bounds_m[1][2]))
    assert field.look.texture is not None
    height, width, _ = field.look.texture.pixels.shape
    assert width > 2 * height  # a line of letters, no pattern
    shades = field.look.texture.pixels.astype(int).reshape(-1, 3)
    inked = np.abs(shades - np.median(shades, axis=0)).max(axis=1) > 40
    assert 0.03 < inked.mean() < 0.5


def test_a_mirrors_own_colour_leaves_room_for_what_it_shows() -> None:
    """The reflection is added to the pane: a bright pane was white whatever stood before it."""
    pane = next(part.look for part in variant("Mirror", 0).parts if part.look.material.name == "mirror")
    assert max(pane.colour.rgb) + pane.material.reflectance < 1.1


@pytest.mark.parametrize("seed", [0, 7])
def test_no_washbasin_lets_one_look_in_between_its_doors_and_its_top(seed: int) -> None:
    asset = variant("BathroomSink", seed)
    model, data, _ = _compiled(asset)
    (_, front, _), (side, _, top) = (
        asset.bounds_m[0],
        next(part.mesh.bounds_m[1] for part in asset.parts if part.look.material.name == "ceramic"),
    )
    shown, geom = np.eye(6, dtype=np.uint8)[VISUAL_GROUP], np.zeros(1, np.int32)
    for x in (-0.5 * side, 0.1, 0.5 * side):
        for below_m in np.linspace(0.048, 0.08, 9):
            start = np.array([x, front - 0.5, top - below_m])
            assert mujoco.mj_ray(model, data, start, np.array([0.0, 1.0, 0.0]), shown, True, -1, geom) < 0.5 + 0.06


def test_glass_and_china_break_and_food_and_cloths_get_dirty() -> None:
    for name in ("Mug", "Plate", "WineGlass", "Vase"):
        asset = variant(name, 0)
        assert "breakable" in asset.abilities
        assert [part.when for part in asset.parts if State(broken=True).shows(part.when)] == ["broken"]
    for name in ("Apple", "SoapBar", "ToothBrush"):
        assert "breakable" not in variant(name, 0).abilities
    for name in ("Apple", "Potato", "Cloth", "HandTowel"):
        assert "dirtyable" in variant(name, 0).abilities
    assert {"heatable", "dirtyable"} <= variant("AppleSliced", 0).abilities


def test_things_that_start_cold_are_frosted_from_the_first_picture() -> None:
    spec = mujoco.MjSpec()
    AssetWriter(spec).add(variant("Apple", 0), "apple", state=State(cold=True))
    model = spec.compile()
    at_first = model.geom_rgba.copy()
    placed = AssetWriter(mujoco.MjSpec()).add(variant("Apple", 0), "apple")
    set_state(model, placed, PLAIN)
    assert not np.allclose(model.geom_rgba, at_first)
    set_state(model, placed, State(cold=True))
    assert np.allclose(model.geom_rgba, at_first, atol=1e-6)


def test_assets_written_in_sections_give_the_same_model_as_written_at_once() -> None:
    names = ("Mug", "Laptop", "Mug", "FloorLamp")

    def written(sections: int) -> mujoco.MjModel:
        spec = mujoco.MjSpec()
        writer = AssetWriter(spec)
        parts = [writer.section() for _ in range(sections)] or [writer]
        for i, name in enumerate(names):
            parts[i * len(parts) // len(names)].add(variant(name, 0), f"{name}|{i}", (i, 0, 0))
        for part in parts[: sections or 0]:
            writer.join(part)
        return spec.compile()

    whole, joined = written(0), written(2)
    assert (joined.nmesh, joined.nmat, joined.ntex) == (whole.nmesh, whole.nmat, whole.ntex)
    for field in ("body_pos", "body_mass", "body_inertia", "geom_rgba", "jnt_range", "light_pos", "geom_group"):
        assert np.allclose(getattr(joined, field), getattr(whole, field)), field
    assert [joined.body(i).name for i in range(joined.nbody)] == [whole.body(i).name for i in range(whole.nbody)]


def test_free_object_rests_where_it_is_put() -> None:
    spec = mujoco.MjSpec()
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1])
    writer = AssetWriter(spec)
    names = [name for name in NAMES if "pickupable" in variant(name, 0).abilities]
    for i, name in enumerate(names):
        writer.add(variant(name, 0), name, (i * 1.0, 0, 0.001), free=True)
    model = spec.compile()
    data = mujoco.MjData(model)
    while data.time < 1.0:
        mujoco.mj_step(model, data)
    for i, name in enumerate(names):
        assert np.linalg.norm(data.body(name).xpos - (i, 0, 0.001)) < 0.02, name


def test_hinge_reach_is_the_same_in_specs_of_degrees_and_radians() -> None:
    ranges = []
    for degree in (True, False):
        spec = mujoco.MjSpec()
        spec.compiler.degree = degree
        AssetWriter(spec).add(variant("Laptop", 0), "thing")
        ranges.append(spec.compile().joint("thing/lid").range[1])
    assert ranges == pytest.approx([variant("Laptop", 0).joint("lid").reach] * 2)


def test_scaled_asset_shrinks_in_every_respect() -> None:
    for name in NAMES:
        asset, small = variant(name, 0), variant(name, 0).scaled(0.8)
        assert small.size_m == pytest.approx(0.8 * asset.size_m)
        assert small.mass_kg == pytest.approx(0.512 * asset.mass_kg)
        for before, after in zip(asset.receptacles, small.receptacles, strict=True):
            assert after.centre_m == pytest.approx(0.8 * np.array(before.centre_m))
    assert variant("Mug", 0).with_mass(0.7).mass_kg == 0.7


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(UnknownIdError, match="'Mug'"):
        object_type_named("Mugg")
    with pytest.raises(UnknownIdError, match="'colour'"):
        object_type_named("Mug").build(np.random.default_rng(0), color="red")
    with pytest.raises(UnknownIdError, match="'red'"):
        object_type_named("Mug").build(np.random.default_rng(0), colour="redd")
    block = Part(box((1, 1, 1)), look("wood", "brown"), joint="door")
    with pytest.raises(UsageError, match=r"unknown joints \['door'\]"):
        Asset((block,), (Collider("box", size_m=(1, 1, 1)),))


def test_parameters_are_obeyed() -> None:
    rng = np.random.default_rng(0)
    assert object_type_named("Mug").build(rng, colour="purple").colours[0] == "purple"
    assert "leather" in object_type_named("Sofa").build(rng, material="leather").materials
    assert len(object_type_named("Dresser").build(rng, rows=2, columns=3).joints) == 6
