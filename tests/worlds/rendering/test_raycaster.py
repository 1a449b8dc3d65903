"""The ray caster as its users meet it: what it notices, what it refuses, what it gives back."""

from __future__ import annotations

import gc
import subprocess
import sys

import mujoco
import numpy as np
import psutil
import pytest

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.rendering.cameras import CameraPose
from pentathlon.worlds.rendering.frame import Frame
from pentathlon.worlds.rendering.gallery.models import exhibit
from pentathlon.worlds.rendering.model import built
from pentathlon.worlds.rendering.raycaster import Raycaster
from pentathlon.worlds.rendering.rays import RayOptions
from pentathlon.worlds.rendering.settings import FAST, FINE, RenderSetting, find_setting

XML = """<mujoco>
  <visual><headlight ambient=".3 .3 .3" diffuse=".3 .3 .3" specular="0 0 0"/></visual><statistic extent="1"/>
  <asset><material name="red" rgba="1 0 0 1"/><material name="green" rgba="0 1 0 1"/>
    <mesh name="small" vertex="-.1 -.1 0  .1 -.1 0  0 .1 0  0 0 .1"/>
    <mesh name="large" vertex="-.3 -.3 0  .3 -.3 0  0 .3 0  0 0 .1"/></asset>
  <worldbody>
    <light name="lamp" type="directional" pos="0 0 3" dir=".5 0 -1" diffuse=".5 .5 .5" castshadow="true"/>
    <camera name="down" pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 .1" rgba=".5 .5 .5 1"/>
    <body name="shelf" pos="0 .7 .3"><geom name="board" type="box" size=".2 .1 .05"/></body>
    <body name="ball" pos="0 0 .5"><freejoint/><geom name="ball" type="sphere" size=".2" material="red"/></body>
    <body name="gem" pos=".7 0 .2"><joint type="slide"/><geom name="gem" type="mesh" mesh="small" mass="1"/></body>
    <geom name="hidden" type="sphere" size=".2" pos="-.7 0 .2" group="4"/>
    <site name="mark" type="box" size=".1 .1 .01" pos="0 -.7 .1" rgba="1 1 0 1"/>
  </worldbody></mujoco>"""
SIZE = (60, 60)
World = tuple[mujoco.MjModel, mujoco.MjData]


@pytest.fixture(name="world")
def make_world() -> World:
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def pixels(frame: Frame, model: mujoco.MjModel, name: str) -> int:
    return int((frame.geom_id == model.geom(name).id).sum())


def test_changes_of_colour_size_mesh_and_place_are_noticed(world: World) -> None:
    model, data = world
    with Raycaster(model) as eyes:
        before = eyes.render(data, "down", SIZE)
        middle = (SIZE[1] // 2, SIZE[0] // 2)
        assert before.rgb[middle][0] > 0
        assert before.rgb[middle][1] < 5  # a trace of gloss
        model.geom("ball").matid = model.material("green").id
        model.geom("ball").size[0] = 0.4
        model.geom("gem").dataid = model.mesh("large").id
        data.qpos[model.joint(1).qposadr] = 0.1
        mujoco.mj_forward(model, data)
        after = eyes.render(data, "down", SIZE)
        assert after.rgb[middle][0] < 5
        assert after.rgb[middle][1] > 0
        assert pixels(after, model, "ball") > 3 * pixels(before, model, "ball")
        assert pixels(after, model, "gem") > 3 * pixels(before, model, "gem")
        model.mat_rgba[model.material("green").id] = 0, 0, 1, 1
        assert eyes.render(data, "down", SIZE).rgb[middle][2] > 0


def test_a_static_body_that_is_moved_moves_and_pictures_equal_a_fresh_renderers(world: World) -> None:
    model, data = world
    with Raycaster(model) as eyes:
        eyes.render(data, "down", SIZE)
        model.body("shelf").pos[:] = -0.6, -0.6, 0.4
        data.qpos[:3] = 0.3, 0.3, 0.3
        mujoco.mj_forward(model, data)
        moved = eyes.render(data, "down", SIZE)
    with Raycaster(model) as eyes:
        fresh = eyes.render(data, "down", SIZE)
    for name in ("rgb", "depth_m", "geom_id"):
        np.testing.assert_allclose(getattr(moved, name), getattr(fresh, name), atol=1e-5)
    rows, columns = np.nonzero(moved.geom_id == model.geom("board").id)
    assert rows.mean() > SIZE[1] / 2
    assert columns.mean() < SIZE[0] / 2


def test_alpha_zero_hides_and_shows_again(world: World) -> None:
    model, data = world
    with Raycaster(model) as eyes:
        shown = pixels(eyes.render(data, "down", SIZE), model, "board")
        model.geom("board").rgba[3] = 0
        assert pixels(eyes.render(data, "down", SIZE), model, "board") == 0
        model.geom("board").rgba[3] = 1
        assert pixels(eyes.render(data, "down", SIZE), model, "board") == shown > 0


def test_groups_and_sites(world: World) -> None:
    model, data = world
    mark = model.ngeom + model.site("mark").id
    with Raycaster(model) as eyes:
        frame = eyes.render(data, "down", SIZE)
        assert pixels(frame, model, "hidden") == 0
        assert mark in frame.geom_id
    groups = mujoco.MjvOption()
    groups.geomgroup[4], groups.sitegroup[0] = 1, 0
    with Raycaster(model, geom_groups=groups.geomgroup, site_groups=groups.sitegroup) as eyes:
        frame = eyes.render(data, "down", SIZE)
        assert pixels(frame, model, "hidden") > 0
        assert mark not in frame.geom_id


def test_groups_and_types_changed_at_run_time_are_followed(world: World) -> None:
    model, data = world
    with Raycaster(model) as eyes:
        before = eyes.render(data, "down", SIZE)
        model.geom("hidden").group = 0
        model.geom("board").group = 5
        model.site("mark").group = 4
        swapped = eyes.render(data, "down", SIZE)
        assert pixels(before, model, "board") > 0
        assert pixels(before, model, "hidden") == 0
        assert pixels(swapped, model, "board") == 0
        assert pixels(swapped, model, "hidden") > 0
        assert model.ngeom + model.site("mark").id not in swapped.geom_id
        model.geom("ball").size[:] = 0.2
        eyes.render(data, "down", SIZE)
        model.geom("ball").type = mujoco.mjtGeom.mjGEOM_BOX  # alone: a new size would be noticed for itself
        boxed = eyes.render(data, "down", SIZE)
        assert pixels(boxed, model, "ball") > 1.15 * pixels(swapped, model, "ball")  # 4 / pi, less what a top covers
    with Raycaster(model) as eyes:
        np.testing.assert_array_equal(eyes.render(data, "down", SIZE).rgb, boxed.rgb)


@pytest.mark.parametrize("more", ["", '<body><freejoint/><geom size=".1"/></body>' * 40])
def test_data_of_another_model_is_refused(world: World, more: str) -> None:
    model, data = world
    other = mujoco.MjModel.from_xml_string(f'<mujoco><worldbody><camera name="down"/>{more}</worldbody></mujoco>')
    strange = mujoco.MjData(other)
    mujoco.mj_forward(other, strange)
    with Raycaster(model) as eyes:
        with pytest.raises(UsageError, match="of another model"):
            eyes.render(strange, "down", SIZE)
        with pytest.raises(UsageError, match="of another model"):
            eyes.render_poses(strange, [CameraPose(np.zeros(3), np.eye(3))], SIZE)
        assert eyes.render(data, "down", SIZE).rgb.any()


def test_shadow_falls_beside_the_ball_only_where_asked(world: World) -> None:
    model, data = world
    spot = (SIZE[1] // 2, SIZE[0] // 2 + 10)  # the lamp shines along +x, half a metre to the side at the floor
    lit = Raycaster(model, "fast").render(data, "down", SIZE).rgb[spot][0]
    shadowed = RenderSetting("test", shadows=True)
    assert Raycaster(model, shadowed).render(data, "down", SIZE).rgb[spot][0] < 0.8 * lit
    named = RenderSetting("test", shadows=True, shadow_lights=("lamp",))
    assert Raycaster(model, named).render(data, "down", SIZE).rgb[spot][0] < 0.8 * lit
    nobody = RenderSetting("test", shadows=True, shadow_lights=())
    assert Raycaster(model, nobody).render(data, "down", SIZE).rgb[spot][0] == lit
    with pytest.raises(UnknownIdError, match="lamp"):
        Raycaster(model, RenderSetting("test", shadows=True, shadow_lights=("lump",)))


def test_a_mirror_adds_what_it_reflects() -> None:
    model = mujoco.MjModel.from_xml_string("""<mujoco>
      <visual><headlight active="0"/></visual><statistic extent="1"/>
      <asset><material name="mirror" reflectance=".5" rgba=".1 .1 .1 1"/></asset>
      <worldbody><camera name="down" pos="0 0 1" euler="50 0 0"/>
        <geom type="plane" size="0 0 .1" material="mirror"/>
        <geom type="box" size="2 .1 2" pos="0 2 0" rgba="1 0 0 1"/></worldbody></mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    plain, mirrored = (
        Raycaster(model, RenderSetting("test", reflections=on)).render(data, "down", SIZE).rgb[30, 30]
        for on in (False, True)
    )
    ambient = 0.3 * 255
    assert plain == pytest.approx([0.1 * ambient] * 3, abs=1)
    assert mirrored == pytest.approx([0.1 * ambient + 0.5 * ambient, 0.1 * ambient, 0.1 * ambient], abs=1)


@pytest.mark.parametrize("setting", ["fast", "fine"])
@pytest.mark.parametrize("rays", [RayOptions(16), RayOptions(8)])
def test_what_is_still_stands_apart_and_looks_the_same(
    setting: str, rays: RayOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scene of its own for what does not move spares every ray a step through an instance."""
    shown = exhibit("moving-bodies")
    model = shown.load()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    frames = []
    for least in (0, 10**9):
        monkeypatch.setattr(built, "LEAST_APART", least)
        with Raycaster(model, setting, rays=rays) as eyes:
            frames.append(eyes.render(data, shown.camera, (80, 60)))
            still, moving = eyes._scene.handles
            assert (still != 0, moving != 0) == (least == 0, True)
    for name in ("rgb", "depth_m", "geom_id"):
        np.testing.assert_array_equal(getattr(frames[0], name), getattr(frames[1], name))


@pytest.mark.parametrize("samples", [4, 9])
def test_more_samples_smooth_edges_only(world: World, samples: int) -> None:
    model, data = world
    sharp = Raycaster(model).render(data, "down", SIZE)
    smooth = Raycaster(model, RenderSetting("test", samples_per_pixel=samples)).render(data, "down", SIZE)
    np.testing.assert_array_equal(sharp.geom_id, smooth.geom_id)
    np.testing.assert_array_equal(sharp.depth_m, smooth.depth_m)
    changed = (sharp.rgb != smooth.rgb).any(-1)
    assert 0.01 < changed.mean() < 0.3
    large = Raycaster(model).render(data, "down", (SIZE[0] * 8, SIZE[1] * 8)).rgb.astype(float)
    truth = large.reshape(SIZE[1], 8, SIZE[0], 8, 3).mean((1, 3))
    assert np.abs(smooth.rgb - truth).mean() < 0.5 * np.abs(sharp.rgb - truth).mean()


def test_threads_and_batches_give_the_same_pictures(world: World) -> None:
    model, data = world
    size = (50, 37)
    position = np.array([0.0, 0, 3])
    for setting in (FAST, FINE):
        alone = Raycaster(model, setting).render(data, "down", size)
        with Raycaster(model, setting, threads=3) as eyes:
            together = eyes.render(data, "down", size)
            batch = eyes.render_poses(data, [CameraPose(at, np.eye(3)) for at in (position, position + 1)], size)
        assert batch.rgb.shape == (2, 37, 50, 3)
        for name in ("rgb", "depth_m", "geom_id"):
            np.testing.assert_array_equal(getattr(alone, name), getattr(together, name))
            np.testing.assert_array_equal(getattr(alone, name), getattr(batch, name)[0])
        assert (batch.rgb[0] != batch.rgb[1]).any()


def test_output_buffers_are_reused_and_checked(world: World) -> None:
    model, data = world
    with Raycaster(model) as eyes:
        out = Frame.empty(SIZE)
        assert eyes.render(data, "down", SIZE, out=out) is out
        assert out.rgb.any()
        with pytest.raises(UsageError, match=r"Frame\.empty"):
            eyes.render(data, "down", (20, 20), out=out)
        assert eyes.memory_bytes > 0


@pytest.mark.parametrize("size", [(0, 0), (10, 0), (-1, 5), (10, 10**6), (3,), "ab"])
def test_impossible_sizes_are_refused(world: World, size: object) -> None:
    model, data = world
    with Raycaster(model) as eyes, pytest.raises(UsageError):
        eyes.render(data, "down", size)  # type: ignore[arg-type]


def test_states_without_poses_and_broken_ones_are_refused(world: World) -> None:
    model, data = world
    with Raycaster(model) as eyes:
        with pytest.raises(UsageError, match="mj_forward"):
            eyes.render(mujoco.MjData(model), -1, SIZE)
        data.xpos[model.body("ball").id, 1] = np.nan
        with pytest.raises(UsageError, match="ball"):
            eyes.render(data, "down", SIZE)
        mujoco.mj_forward(model, data)
        assert np.isfinite(eyes.render(data, "down", SIZE).depth_m).all()


def test_closed_eyes_say_so(world: World) -> None:
    model, data = world
    eyes = Raycaster(model)
    eyes.render(data, "down", SIZE)
    eyes.close()
    eyes.close()
    with pytest.raises(UsageError, match="close"):
        eyes.render(data, "down", SIZE)


def test_settings_have_versioned_names() -> None:
    assert (FAST.id, FINE.id) == ("fast-v1", "fine-v1")
    assert find_setting("fine-v1") is find_setting("fine") is FINE
    with pytest.raises(UnknownIdError, match="fast"):
        find_setting("fats")
    with pytest.raises(UsageError, match="samples_per_pixel"):
        RenderSetting("x", samples_per_pixel=2)


def test_memory_stays_constant(world: World) -> None:
    model, data = world
    process = psutil.Process()

    def rounds(count: int) -> int:
        for _ in range(count):
            with Raycaster(model, "fine") as eyes:
                for step in range(3):
                    data.qpos[0] = 0.01 * step
                    model.geom("board").size[0] = 0.2 + 0.01 * step
                    mujoco.mj_forward(model, data)
                    eyes.render(data, "down", (16, 16))
        gc.collect()
        return int(process.memory_info().rss)

    before = rounds(40)
    assert rounds(120) - before < 4e6


def test_import_loads_neither_torch_nor_opengl() -> None:
    code = (
        "import sys, pentathlon.worlds.rendering.raycaster; print([m for m in ('torch', 'OpenGL') if m in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
