"""Fixtures shared by the renderers' tests."""

from __future__ import annotations

import mujoco
import pytest

from pentathlon.worlds.rendering.opengl.probe import opengl_works

SCENE = """<mujoco>
  <visual><map znear="0.01" zfar="50"/><headlight ambient=".4 .4 .4" diffuse=".4 .4 .4"/>
    <quality numslices="128" numstacks="128"/></visual>
  <statistic extent="1" center="0 0 0"/>
  <worldbody>
    <light pos="0 0 3"/>
    <camera name="front" pos="0 -2 0" xyaxes="1 0 0 0 0 1" fovy="45"/>
    <camera name="above" pos="0 0 2" xyaxes="1 0 0 0 1 0" fovy="45"/>
    <geom name="ball" type="sphere" size=".3" rgba=".8 .2 .2 1"/>
    <geom name="wall" type="box" size=".2 .2 .2" pos=".7 0 0" rgba=".2 .2 .8 1"/>
    <site name="mark" type="sphere" size=".1" pos="-.6 0 0" rgba="0 1 0 1"/>
  </worldbody>
</mujoco>"""


@pytest.fixture
def model() -> mujoco.MjModel:
    """A ball, a box and a site in front of nothing."""
    return mujoco.MjModel.from_xml_string(SCENE)


@pytest.fixture
def data(model: mujoco.MjModel) -> mujoco.MjData:
    """The scene's only state."""
    state = mujoco.MjData(model)
    mujoco.mj_forward(model, state)
    return state


@pytest.fixture(autouse=True)
def _skip_without_opengl(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("opengl") and not opengl_works():
        pytest.skip("OpenGL does not work on this machine")
