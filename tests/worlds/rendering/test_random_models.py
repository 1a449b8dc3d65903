"""Whatever MuJoCo compiles is rendered: no crash, no NaN, no pixel left unwritten."""

from __future__ import annotations

import mujoco
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pentathlon.worlds.rendering import Frame, Raycaster

SIZES_M = st.sampled_from([1e-4, 0.01, 0.1, 0.5, 3.0, 200.0])
UNIT = st.floats(0, 1).map(lambda value: round(value, 3))
PLACE = st.floats(-3, 3).map(lambda value: round(value, 3))
SHAPES = ("plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "hfield")
ASSETS = """
  <texture name="flat" type="2d" builtin="checker" rgb1="0 0 0" rgb2="1 1 1" width="7" height="5"/>
  <texture name="cube" type="cube" builtin="gradient" rgb1="1 0 0" rgb2="0 0 1" width="4" height="4"/>
  <texture name="sky" type="skybox" builtin="gradient" rgb1="1 1 0" rgb2="0 1 1" width="4" height="4"/>
  <mesh name="mesh" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 1 2 3 2 0 3"/>
  <hfield name="field" nrow="3" ncol="4" size="1 1 .5 .1" elevation="0 1 0 1 0 2 0 1 0 3 0 1"/>"""


def words(*values: float) -> str:
    return " ".join(str(value) for value in values)


@st.composite
def materials(draw: st.DrawFn, index: int) -> str:
    texture = draw(st.sampled_from(["", 'texture="flat"', 'texture="cube"']))
    repeat = words(draw(st.sampled_from([1e-3, 1.0, 50.0])), draw(st.sampled_from([1.0, 7.0])))
    shares = {name: draw(UNIT) for name in ("specular", "shininess", "reflectance", "emission")}
    colour = words(*(draw(UNIT) for _ in range(4)))
    attributes = " ".join(f'{name}="{value}"' for name, value in shares.items())
    uniform = draw(st.sampled_from(["true", "false"]))
    mapping = f'{texture} texrepeat="{repeat}" texuniform="{uniform}"'
    return f'<material name="m{index}" {mapping} rgba="{colour}" {attributes}/>'


@st.composite
def geoms(draw: st.DrawFn) -> str:
    shape = draw(st.sampled_from(SHAPES))
    extra = {"mesh": 'mesh="mesh"', "hfield": 'hfield="field"'}.get(shape)
    if extra is None:
        sizes = [draw(st.sampled_from([0.0, 1.0, 5.0])) if shape == "plane" else draw(SIZES_M) for _ in range(2)]
        extra = f'size="{words(*sizes, draw(SIZES_M))}"'
    matter = draw(st.sampled_from(["", *(f'material="m{i}"' for i in range(2))]))
    place, turn = words(*(draw(PLACE) for _ in range(3))), words(*(draw(st.integers(-180, 180)) for _ in range(3)))
    colour = words(*(draw(UNIT) for _ in range(3)), draw(st.sampled_from([0.0, 0.3, 1.0])))
    group = draw(st.integers(0, 5))
    return f'<geom type="{shape}" {extra} {matter} pos="{place}" euler="{turn}" rgba="{colour}" group="{group}"/>'


@st.composite
def lights(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(["spot", "directional", "point"]))
    place = words(*(draw(PLACE) for _ in range(3)))
    aim = words(*(draw(st.floats(0.1, 1)) for _ in range(3)))
    fading = words(draw(st.sampled_from([0.0, 1.0])), draw(UNIT), draw(UNIT))
    shape = f'cutoff="{draw(st.sampled_from([0, 45, 90]))}" exponent="{draw(st.sampled_from([0, 10, 128]))}"'
    shadow = draw(st.sampled_from(["true", "false"]))
    return f'<light type="{kind}" pos="{place}" dir="{aim}" attenuation="{fading}" {shape} castshadow="{shadow}"/>'


@st.composite
def models(draw: st.DrawFn) -> mujoco.MjModel:
    """Static and moving geoms, sites, lights and a camera, all at random."""
    static = "".join(draw(st.lists(geoms().filter(bool), max_size=4)))
    moving = "".join(
        f'<body pos="{words(*(draw(PLACE) for _ in range(3)))}" mocap="true">{geom}</body>'
        for geom in draw(st.lists(geoms(), max_size=3))
    )
    sky = draw(st.booleans())
    assets = ASSETS if sky else "".join(line for line in ASSETS.splitlines() if "skybox" not in line)
    view = draw(st.sampled_from(['fovy="45"', 'fovy="170"', 'fovy=".5"', 'projection="orthographic" fovy="3"']))
    place, turn = words(*(draw(PLACE) for _ in range(3))), words(*(draw(st.integers(-180, 180)) for _ in range(3)))
    return mujoco.MjModel.from_xml_string(
        f"<mujoco><asset>{assets}{draw(materials(0))}{draw(materials(1))}</asset><worldbody>"
        f'<camera pos="{place}" euler="{turn}" {view}/><site type="box" size=".2 .1 .3" rgba="1 0 0 {draw(UNIT)}"/>'
        f"{''.join(draw(st.lists(lights(), max_size=3)))}{static}{moving}</worldbody></mujoco>"
    )


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(model=models(), setting=st.sampled_from(["fast", "fine"]), width=st.integers(1, 37), height=st.integers(1, 37))
def test_every_pixel_is_written(model: mujoco.MjModel, setting: str, width: int, height: int) -> None:
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    frames = [Frame.empty((width, height)) for _ in range(2)]
    with Raycaster(model, setting=setting) as eyes:
        for frame, filling in zip(frames, (0, 255), strict=True):
            frame.rgb[:], frame.depth_m[:], frame.geom_id[:] = filling, np.nan, 10**6
            eyes.render(data, 0, (width, height), out=frame)
    first, second = frames
    np.testing.assert_array_equal(first.rgb, second.rgb)
    assert np.isfinite(first.depth_m).all()
    assert (first.depth_m >= 0).all()
    assert (first.geom_id >= -1).all()
    assert (first.geom_id < model.ngeom + model.nsite).all()
    np.testing.assert_array_equal(first.depth_m == 0, first.geom_id == -1)
