"""Lights that cast shadows add up as in MuJoCo: each in a pass of its own, clamped before the texture modulates it."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import pytest

from pentathlon.worlds.rendering.opengl.eyes import OpenGLEyes, OpenGLSetting
from pentathlon.worlds.rendering.raycaster import Raycaster

TEXTURE = 127 / 255
FLOOR = '<geom type="plane" size="3 3 .1" material="m"/>'
ROOF = '<geom type="box" size="1 1 .01" pos="0 0 3" rgba="1 1 1 1"/>'
BOARD = '<geom type="plane" size="3 3 .1" rgba="0 0 0 1"/><geom type="box" size="1 1 .01" pos="0 0 .5" material="m"/>'


def lamp(diffuse: float, *, ambient: float = 0.0, casts: bool = True, direction: str = "0 0 -1") -> str:
    height = 5 if direction.endswith("-1") else 0.1
    return (
        f'<light type="directional" pos="0 0 {height}" dir="{direction}" castshadow="{str(casts).lower()}" '
        f'ambient="{ambient} {ambient} {ambient}" diffuse="{diffuse} {diffuse} {diffuse}" specular="0 0 0"/>'
    )


UP = "0 0 1"


@dataclass(frozen=True)
class Case:
    """A scene seen from above, and the brightness at its centre."""

    name: str
    world: str
    expected: float
    material: str = 'rgba="1 1 1 1"'


CASES = [
    Case("alone", FLOOR + lamp(0.5, ambient=0.1), TEXTURE * 0.6),
    Case("a single light is clamped", FLOOR + lamp(2), TEXTURE),
    Case("two of them add up beyond one", FLOOR + 2 * lamp(0.7), TEXTURE * 1.4),
    Case("added to lights that saturate", FLOOR + lamp(1.5, casts=False) + lamp(0.4), TEXTURE * 1.4),
    Case("added to emission that saturates", FLOOR + lamp(0.4), TEXTURE * 1.4, 'rgba="1 1 1 1" emission="2"'),
    Case("emission counts once", FLOOR + 2 * lamp(0.2), TEXTURE * 0.7, 'rgba="1 1 1 1" emission=".3"'),
    Case("the picture is clamped", FLOOR + 3 * lamp(1), 1.0),
    Case("blocked with its ambient part", FLOOR + ROOF + lamp(0.4, ambient=0.1), 0.0),
    Case(
        "on glass all lights are clamped together, and drawn twice",
        BOARD + lamp(0.8, casts=False) + lamp(0.8),
        TEXTURE * 0.75,
        'rgba="1 1 1 .5"',
    ),
    Case("glass is not shaded", BOARD + ROOF + lamp(0.4, ambient=0.1), TEXTURE * 0.75 * 0.5, 'rgba="1 1 1 .5"'),
    Case(
        "nor is what a mirror shows, clamped after the mirror",
        FLOOR + ROOF + lamp(0.7, casts=False, direction=UP) + lamp(0.7, direction=UP),
        0.5 * 1.4,
        'rgba="0 0 0 1" reflectance=".5"',
    ),
]


def build(case: Case) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mujoco.MjModel.from_xml_string(f"""<mujoco>
      <visual><headlight active="0"/><quality shadowsize="2048" offsamples="0"/></visual><statistic extent="3"/>
      <asset><texture name="t" type="2d" builtin="flat" rgb1=".5 .5 .5" width="4" height="4"/>
        <material name="m" texture="t" specular="0" {case.material}/></asset>
      <worldbody><camera name="down" pos="0 0 2"/>{case.world}</worldbody></mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_light_adds_up(case: Case) -> None:
    model, data = build(case)
    with Raycaster(model, "fine") as eyes:
        centre = eyes.render(data, "down", (32, 32)).rgb[16, 16]
    assert centre / 255 == pytest.approx(case.expected, abs=1.01 / 255)


@pytest.mark.opengl
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_so_does_opengl(case: Case) -> None:
    model, data = build(case)
    with OpenGLEyes(model, OpenGLSetting("shadows", haze=False)) as eyes:
        centre = eyes.render(data, "down", (32, 32)).rgb[16, 16]
    assert centre / 255 == pytest.approx(case.expected, abs=2.01 / 255)
