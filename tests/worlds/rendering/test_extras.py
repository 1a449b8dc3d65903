"""Tendons, skins, flexes and rangefinders' rays are drawn where MuJoCo has them, and what is not drawn is named."""

from __future__ import annotations

import logging

import mujoco
import numpy as np
import pytest

from pentathlon.worlds.rendering.compat import Renderer
from pentathlon.worlds.rendering.frame import Frame
from pentathlon.worlds.rendering.gallery.models import exhibit
from pentathlon.worlds.rendering.model import undrawn
from pentathlon.worlds.rendering.model.numbering import Numbering
from pentathlon.worlds.rendering.raycaster import Raycaster

SIZE = (80, 60)
OBJECT = mujoco.mjtObj
World = tuple[mujoco.MjModel, mujoco.MjData]


def world(name: str) -> World:
    model = exhibit(name).load()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def pixels(frame: Frame, model: mujoco.MjModel, kind: mujoco.mjtObj, number: int) -> int:
    return int((frame.geom_id == Numbering(model).first[int(kind)] + number).sum())


@pytest.mark.parametrize(
    ("name", "kind", "count"),
    [
        ("tendons", OBJECT.mjOBJ_TENDON, 4),
        ("flexes", OBJECT.mjOBJ_FLEX, 3),
        ("skin", OBJECT.mjOBJ_SKIN, 1),
        ("rangefinders", OBJECT.mjOBJ_SENSOR, 5),
    ],
)
def test_every_one_is_seen_with_an_id_of_its_own(name: str, kind: mujoco.mjtObj, count: int) -> None:
    model, data = world(name)
    with Raycaster(model) as eyes:
        frame = eyes.render(data, "view", SIZE)
    assert all(pixels(frame, model, kind, number) > 5 for number in range(count))
    hit = frame.geom_id >= model.ngeom + model.nsite
    assert (frame.depth_m[hit] > 0).all()


def test_a_straight_tendon_is_as_thick_and_as_far_as_it_says() -> None:
    model = mujoco.MjModel.from_xml_string("""<mujoco><worldbody>
      <camera name="down" pos="0 0 2" projection="orthographic" fovy="2"/>
      <site name="a" pos="-.5 0 0" size=".001"/><site name="b" pos=".5 0 0" size=".001"/></worldbody>
      <tendon><spatial width=".1"><site site="a"/><site site="b"/></spatial></tendon></mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with Raycaster(model) as eyes:
        frame = eyes.render(data, "down", (100, 100))
    assert (frame.geom_id[:, 50] == Numbering(model).first[int(OBJECT.mjOBJ_TENDON)]).sum() == 10
    assert frame.depth_m[49:51, 50] == pytest.approx(1.9, abs=1e-3)


def test_skins_and_flexes_follow_the_state() -> None:
    for name in ("skin", "flexes"):
        model, data = world(name)
        with Raycaster(model) as eyes:
            before = eyes.render(data, "view", SIZE)
            data.qpos[:] += 0.5
            mujoco.mj_forward(model, data)
            after = eyes.render(data, "view", SIZE)
        with Raycaster(model) as eyes:
            fresh = eyes.render(data, "view", SIZE)
        assert (before.geom_id != after.geom_id).sum() > 20
        np.testing.assert_array_equal(after.geom_id, fresh.geom_id)
        np.testing.assert_array_equal(after.rgb, fresh.rgb)


def test_rays_of_rangefinders_are_clear_lines_three_pixels_wide() -> None:
    model = mujoco.MjModel.from_xml_string("""<mujoco><visual><headlight active="0"/></visual><statistic extent="1"/>
      <worldbody><camera name="down" pos="0 0 2"/><geom type="plane" size="2 2 .1" rgba="0 0 0 1"/>
        <geom type="box" size=".02 .3 .3" pos=".6 0 0" rgba="0 0 0 1"/>
        <body pos="-.6 0 .1"><site name="eye" zaxis="1 0 0" size=".001"/></body></worldbody>
      <sensor><rangefinder site="eye"/></sensor></mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with Raycaster(model) as eyes:
        frame = eyes.render(data, "down", (100, 100))
    ray = frame.geom_id == Numbering(model).first[int(OBJECT.mjOBJ_SENSOR)]
    assert ray[:, 50].sum() == 3
    assert frame.depth_m[ray] == pytest.approx(1.9, abs=1e-3)
    alpha, seen = model.vis.rgba.rangefinder[3], frame.rgb[50, 50]
    assert seen == pytest.approx(255 * model.vis.rgba.rangefinder[:3] * (alpha + alpha * (1 - alpha)), abs=1.5)


def test_the_drop_in_renderer_names_them_as_mujoco_does_and_hides_them() -> None:
    model, data = world("tendons")
    hidden = mujoco.MjvOption()
    hidden.flags[mujoco.mjtVisFlag.mjVIS_TENDON] = 0
    with Renderer(model, 60, 80) as renderer:
        renderer.enable_segmentation_rendering()
        renderer.update_scene(data, "view")
        pairs = {tuple(pair) for pair in renderer.render().reshape(-1, 2).tolist()}
        assert {(number, int(OBJECT.mjOBJ_TENDON)) for number in range(4)} <= pairs
        renderer.update_scene(data, "view", hidden)
        assert int(OBJECT.mjOBJ_TENDON) not in renderer.render()[..., 1]


HAZY = """<mujoco><asset><texture type="skybox" builtin="gradient" rgb1="0 0 1" rgb2="1 1 1" width="8" height="8"/>
  </asset><worldbody><geom name="ground" type="plane" size="0 0 1"/></worldbody></mujoco>"""


@pytest.mark.parametrize("open_one", [Raycaster, Renderer])
def test_what_is_not_drawn_is_named_once_when_the_scene_is_opened(
    open_one: type[Raycaster] | type[Renderer], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undrawn, "_said", set())
    model = mujoco.MjModel.from_xml_string(HAZY)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            open_one(model).close()
    assert [record.getMessage() for record in caplog.records] == [
        "The ray caster does not draw: haze at the horizon of geom 'ground'."
    ]


def test_a_scene_drawn_whole_says_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        Raycaster(world("tendons")[0]).close()
    assert not caplog.records


def test_options_that_are_not_followed_are_named() -> None:
    option = mujoco.MjvOption()
    option.flags[mujoco.mjtVisFlag.mjVIS_CONTACTPOINT] = 1
    assert undrawn.undrawn(world("skin")[0], option) == ["option mjVIS_CONTACTPOINT"]
