"""Lights that a model keeps inside a box: dark outside, as bright as ever within."""

from __future__ import annotations

import mujoco
import numpy as np
import numpy.typing as npt
import pytest

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.rendering import CameraPose, Raycaster
from pentathlon.worlds.rendering.kernels.arrays import LIGHT_CUTOFF_COS
from pentathlon.worlds.rendering.model import lights
from pentathlon.worlds.rendering.settings import FAST

DOWN = CameraPose((0.0, 0.0, 4.0), np.eye(3), 60.0)
BOUNDS = '<numeric name="light_bounds/lamp" data="-5 -5 -1 0 5 9"/>'
LAMP = '<light name="lamp" pos="-1 0 2" type="point" diffuse=".6 .6 .6" specular="0 0 0" attenuation="1 0 .1"/>'


def picture(lamp: str = LAMP, bounds: str = BOUNDS, setting: str = "fast") -> npt.NDArray[np.uint8]:
    """A white floor from above with x to the right, the middle column at x = 0."""
    model = mujoco.MjModel.from_xml_string(f"""<mujoco>
      <visual><headlight ambient=".2 .2 .2" diffuse="0 0 0" specular="0 0 0"/></visual>
      <custom>{bounds}</custom>
      <worldbody>{lamp}<geom type="box" size="3 3 .1" rgba="1 1 1 1"/></worldbody></mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with Raycaster(model, setting) as eyes:
        return eyes.render(data, DOWN, (64, 64)).rgb.copy()


def test_shines_only_within_its_bounds() -> None:
    bounded, endless, dark = picture(), picture(bounds=""), picture(lamp="", bounds="")
    assert np.array_equal(bounded[:, :32], endless[:, :32])
    assert np.array_equal(bounded[:, 32:], dark[:, 32:])
    assert (endless[:, 32:36] > dark[:, 32:36]).all()


def test_shines_in_all_of_several_boxes_and_nowhere_twice() -> None:
    endless, dark = picture(bounds=""), picture(lamp="", bounds="")
    corner = picture(bounds='<numeric name="light_bounds/lamp" data="-5 -5 -1 0 5 9 0 0 -1 5 5 9"/>')
    assert np.array_equal(corner[:, :32], endless[:, :32])
    assert np.array_equal(corner[:32], endless[:32])
    assert np.array_equal(corner[32:, 32:], dark[32:, 32:])


def test_a_lamp_outside_of_several_boxes_shines_once() -> None:
    away = '<numeric name="light_bounds/lamp" data="2 2 -1 3 3 9 3 2 -1 4 3 9"/>'
    assert np.array_equal(picture(bounds=away), picture(bounds=""))


def test_outside_of_its_bounds_it_shines_everywhere() -> None:
    moved = LAMP.replace("-1 0 2", "1 0 2")
    assert np.array_equal(picture(moved), picture(moved, bounds=""))


def test_shadows_make_bounds_needless() -> None:
    assert np.array_equal(picture(setting="fine"), picture(bounds="", setting="fine"))
    without = LAMP.replace("<light", '<light castshadow="false"')
    assert not np.array_equal(picture(without, setting="fine"), picture(without, bounds="", setting="fine"))


def test_bounds_of_no_light_or_of_no_box_are_refused() -> None:
    with pytest.raises(UnknownIdError, match="lump"):
        picture(bounds=BOUNDS.replace("lamp", "lump"))
    with pytest.raises(UsageError, match="six numbers"):
        picture(bounds='<numeric name="light_bounds/lamp" data="1 2 3"/>')


def test_a_spot_ends_where_it_is_too_weak_to_show(monkeypatch: pytest.MonkeyPatch) -> None:
    spot = '<light name="lamp" pos="0 0 .5" dir="0 0 -1" type="spot" cutoff="85" exponent="{}" diffuse=".6 .6 .6"/>'
    for exponent in (10, 25):
        shown = picture(spot.format(exponent), bounds="").astype(int)
        with monkeypatch.context() as context:
            context.setattr(lights, "_UNSEEN", 1e-30)
            whole = picture(spot.format(exponent), bounds="").astype(int)
        assert np.abs(shown - whole).max() <= 1
        assert shown[32, 32, 0] > shown[0, 0, 0] + 50
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{spot.format(10)}</worldbody></mujoco>")
    table = lights.LightTable(model, FAST)
    table.update(mujoco.MjData(model))
    least = table.rows[-1, LIGHT_CUTOFF_COS]
    assert least > 0.4 > np.cos(np.radians(85))  # what is lit less than 1/4096 is not asked for
    assert least**10 * 0.6 < 1 / 2048
