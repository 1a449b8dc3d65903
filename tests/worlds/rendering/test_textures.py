"""Textures lie where MuJoCo puts them, and fade to their mean far away."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from pentathlon.worlds.rendering import open_eyes
from pentathlon.worlds.rendering.cameras import CameraPose
from pentathlon.worlds.rendering.frame import Frame
from pentathlon.worlds.rendering.gallery.compare import difference
from pentathlon.worlds.rendering.model.textures import halved_levels
from pentathlon.worlds.rendering.raycaster import Raycaster

DOWN = np.eye(3)


def look(geom: str, texture: str, material: str = "", height_m: float = 2.0, size: tuple[int, int] = (64, 64)) -> Frame:
    """Renders a scene that only emits, from straight above without perspective; returns textures' own colours."""
    model = mujoco.MjModel.from_xml_string(f"""<mujoco>
      <visual><headlight active="0"/><map znear=".001" zfar="50"/></visual><statistic extent="1"/>
      <asset><texture name="t" {texture}/>
        <material name="m" texture="t" emission="1" specular="0" rgba="1 1 1 1" {material}/></asset>
      <worldbody>{geom}</worldbody></mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with Raycaster(model) as eyes:
        return eyes.render(data, CameraPose([0, 0, 3], DOWN, height_m=height_m), size)


CHECKER = 'type="2d" builtin="checker" rgb1="1 1 1" rgb2="0 0 0" width="128" height="128"'


def bright(frame: Frame, x: float, y: float, height_m: float = 2.0) -> bool:
    """Tells whether the picture is bright at a place given in metres."""
    column = int((x / height_m + 0.5) * frame.rgb.shape[1])
    row = int((0.5 - y / height_m) * frame.rgb.shape[0])
    return bool(frame.rgb[row, column, 0] > 128)


def test_a_plane_shows_the_texture_once() -> None:
    frame = look('<geom type="plane" size="1 1 .1" material="m"/>', CHECKER)
    corners = [bright(frame, x, y) for x, y in ((-0.5, 0.5), (0.5, 0.5), (-0.5, -0.5), (0.5, -0.5))]
    assert corners[0] == corners[3] != corners[1] == corners[2]


@pytest.mark.parametrize("size", ["1 1 .1", "2 2 .1", "0 0 .1"])
def test_texuniform_repeats_by_metres(size: str) -> None:
    frame = look(f'<geom type="plane" size="{size}" material="m"/>', CHECKER, 'texuniform="true" texrepeat="2 2"')
    # Two repeats in two metres: squares of a quarter metre, whatever the plane's size.
    assert bright(frame, 0.125, 0.125) != bright(frame, 0.625, 0.125)
    assert bright(frame, 0.125, 0.125) == bright(frame, 0.625, 0.625) == bright(frame, -0.875, 0.125)


def test_texrepeat_repeats_by_object() -> None:
    frame = look('<geom type="plane" size=".5 .5 .1" material="m"/>', CHECKER, 'texrepeat="2 2"')
    assert bright(frame, 0.125, 0.125) != bright(frame, 0.375, 0.125)


def test_mip_maps_fade_to_the_mean() -> None:
    near = look('<geom type="plane" size="0 0 .1" material="m"/>', CHECKER, 'texrepeat="1 1"')
    far = look('<geom type="plane" size="0 0 .1" material="m"/>', CHECKER, 'texrepeat="200 200"')
    assert near.rgb.std() > 100
    assert far.rgb.std() < 10
    assert far.rgb.mean() == pytest.approx(128, abs=3)


def test_a_square_fades_evenly_with_distance() -> None:
    """Two levels of detail are mixed; the nearer one alone would change the colour in one step."""
    plane = '<geom type="plane" size="0 0 .1" pos=".25 .25 0" material="m"/>'
    heights_m = 2.0 * 2.0 ** np.arange(0, 8, 0.125)
    views = [look(plane, CHECKER, 'texuniform="true"', height_m, (65, 65)) for height_m in heights_m]
    middle = np.array([int(view.rgb[32, 32, 0]) for view in views])
    assert middle[0] in (0, 255)
    assert middle[-1] == pytest.approx(128, abs=3)
    assert np.abs(np.diff(middle)).max() < 40


@pytest.mark.opengl
def test_a_fine_checkered_floor_is_opengls() -> None:
    """Gymnasium's floor: sides of 25 texels in its third level."""
    model = mujoco.MjModel.from_xml_string("""<mujoco>
      <asset><texture name="t" type="2d" builtin="checker" rgb1="0 0 0" rgb2=".8 .8 .8" width="100" height="100"/>
        <material name="m" texture="t" texrepeat="60 60"/></asset>
      <worldbody><geom type="plane" size="40 40 40" material="m"/><geom size=".2" pos="0 0 .2"/></worldbody>
      </mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    frames = []
    for renderer in ("raycast", "opengl"):
        with open_eyes(model, renderer, "fast") as eyes:
            frames.append(eyes.render(data, -1, (224, 168)))
    assert difference(*frames).colour_mean_abs < 1.0


def test_cube_texture_colours_the_sides() -> None:
    texture = 'type="cube" builtin="flat" rgb1="1 0 0" rgb2="0 0 1" width="8" height="48" mark="none"'
    frame = look('<geom type="box" size=".4 .4 .4" material="m"/>', texture)
    side = frame.rgb[32, 32]
    assert side.sum() == 255  # one flat colour
    assert side[1] == 0


def test_skybox_is_the_background_and_has_no_depth() -> None:
    model = mujoco.MjModel.from_xml_string("""<mujoco>
      <asset><texture type="skybox" builtin="gradient" rgb1="0 0 1" rgb2="1 0 0" width="64" height="384"/></asset>
      <worldbody><camera name="side" xyaxes="1 0 0 0 0 1" fovy="120"/></worldbody></mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with Raycaster(model) as eyes:
        frame = eyes.render(data, "side", (32, 32))
    assert (frame.depth_m == 0).all()
    assert (frame.geom_id == -1).all()
    top, bottom = frame.rgb[0, 16].astype(int), frame.rgb[-1, 16].astype(int)
    assert top[2] > bottom[2]
    assert top[0] < bottom[0]


def test_two_texels_have_their_mean_rounded_up() -> None:
    first, second = np.meshgrid(np.arange(256), np.arange(256))
    pairs = np.stack([first, second], axis=2).astype(np.uint8).reshape(1, 1, -1, 1)
    level = halved_levels(np.repeat(pairs, 4, axis=3))[1]
    assert np.array_equal(level[0, 0, :, 0], ((first + second + 1) // 2).ravel())
    assert (level == level[..., :1]).all()


def test_levels_halve_down_to_one_texel_and_keep_the_mean() -> None:
    generator = np.random.default_rng(0)
    image = generator.integers(0, 256, (1, 24, 40, 4), np.uint8)
    levels = halved_levels(image)
    assert [level.shape[1:3] for level in levels] == [(24, 40), (12, 20), (6, 10), (3, 5), (1, 2), (1, 1)]
    assert levels[2].mean() == pytest.approx(image.mean(), abs=2)


@pytest.mark.parametrize("side", [500, 129, 127, 63])
def test_a_distant_texture_of_any_size_has_its_mean_colour(side: int) -> None:
    image = np.zeros((1, side, side, 4), np.uint8)
    image[:, side - side // 4 :] = 255  # the last quarter, which lost rows would lose
    for level in halved_levels(image):
        assert level.mean() == pytest.approx(image.mean(), abs=2.5)


def test_edges_of_a_long_odd_side_stay_sharp() -> None:
    """As OpenGL's drivers halve it; the mean over all texels would blur the edge in the middle."""
    image = np.zeros((1, 25, 1, 4), np.uint8)
    image[:, :12], image[:, 12] = 200, 100
    assert halved_levels(image)[1][0, :, 0, 0].tolist() == [200] * 6 + [0] * 6


def test_a_row_at_the_end_of_an_odd_side_counts() -> None:
    image = np.zeros((1, 3, 1, 4), np.uint8)
    image[0, 2] = 240
    assert halved_levels(image)[-1].ravel().tolist() == [80] * 4


def test_new_texture_contents_are_seen_after_refresh() -> None:
    model = mujoco.MjModel.from_xml_string(f"""<mujoco>
      <visual><headlight active="0"/></visual><asset><texture name="t" {CHECKER}/>
        <material name="m" texture="t" emission="1" specular="0" rgba="1 1 1 1"/></asset>
      <worldbody><geom type="plane" size="1 1 .1" material="m"/></worldbody></mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with Raycaster(model) as eyes:
        view = CameraPose([0, 0, 3], DOWN, height_m=1.0)
        assert eyes.render(data, view, (8, 8)).rgb.std() > 0
        model.tex_data[:] = 255
        eyes.refresh()
        assert (eyes.render(data, view, (8, 8)).rgb == 255).all()
