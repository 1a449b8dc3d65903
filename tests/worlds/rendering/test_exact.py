"""Depth against analytic intersections and colour against shading computed by hand."""

from __future__ import annotations

import mujoco
import numpy as np
import numpy.typing as npt
import pytest

from pentathlon.worlds.rendering.frame import Frame
from pentathlon.worlds.rendering.raycaster import Raycaster

SIZE = (65, 49)
TAN = np.tan(np.radians(45) / 2)
DISTANCE_M = 2.0
Floats = npt.NDArray[np.float64]


def look(worldbody: str, *, light: str = "", asset: str = "", visual: str = "", size: tuple[int, int] = SIZE) -> Frame:
    """Renders from (0, 0, 2) straight down, 45 degrees high."""
    model = mujoco.MjModel.from_xml_string(f"""<mujoco>
      <visual><map znear=".01" zfar="50"/>{visual or '<headlight active="0"/>'}</visual><statistic extent="1"/>
      <asset>{asset}</asset>
      <worldbody><camera name="down" pos="0 0 {DISTANCE_M}"/>{light}{worldbody}</worldbody></mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with Raycaster(model) as eyes:
        return eyes.render(data, "down", size)


def rays(size: tuple[int, int] = SIZE) -> Floats:
    """Directions through the pixels' centres, with z = -1."""
    x = ((np.arange(size[0]) + 0.5) / size[0] * 2 - 1) * TAN * size[0] / size[1]
    y = -((np.arange(size[1]) + 0.5) / size[1] * 2 - 1) * TAN
    grid_x, grid_y = np.meshgrid(x, y)
    return np.stack([grid_x, grid_y, np.full_like(grid_x, -1.0)], axis=-1)


def sphere_depth(radius: float, centre: Floats, axes: Floats) -> Floats:
    """Returns depth of an ellipsoid with these relative axes, NaN where the ray misses."""
    origin = (np.array([0, 0, DISTANCE_M]) - centre) / axes
    direction = rays() / axes
    a = (direction**2).sum(-1)
    b = (direction * origin).sum(-1)
    root = b**2 - a * ((origin**2).sum() - radius**2)
    with np.errstate(invalid="ignore"):
        return np.asarray((-b - np.sqrt(root)) / a)


def assert_depth(frame: Frame, expected: Floats) -> None:
    sure = np.isfinite(expected)
    assert sure.sum() > 50
    np.testing.assert_allclose(frame.depth_m[sure], expected[sure], atol=1e-4)
    assert (frame.depth_m[~sure] == 0).all()
    assert (frame.geom_id[~sure] == -1).all()


def test_sphere_depth_is_exact_up_to_the_silhouette() -> None:
    frame = look('<geom type="sphere" size=".3" pos=".1 -.2 .1"/>')
    assert_depth(frame, sphere_depth(0.3, np.array([0.1, -0.2, 0.1]), np.ones(3)))


def test_ellipsoid_depth_is_exact() -> None:
    frame = look('<geom type="ellipsoid" size=".5 .2 .3" pos="-.1 .1 0"/>')
    assert_depth(frame, sphere_depth(1.0, np.array([-0.1, 0.1, 0]), np.array([0.5, 0.2, 0.3])))


def test_plane_depth_is_exact() -> None:
    frame = look('<geom type="plane" size="0 0 .1" euler="10 0 0"/>')
    normal = np.array([0, -np.sin(np.radians(10)), np.cos(np.radians(10))])
    expected = -(np.array([0, 0, DISTANCE_M]) @ normal) / (rays() @ normal)
    np.testing.assert_allclose(frame.depth_m, expected, atol=1e-4)


@pytest.mark.parametrize("kind", ["box", "plane"])
def test_flat_top_depth_and_outline(kind: str) -> None:
    size, height = (".3 .2 .1", 0.1) if kind == "box" else (".3 .2 .1", 0.0)
    frame = look(f'<geom type="{kind}" size="{size}"/>')
    at = rays() * (DISTANCE_M - height)
    inside = (np.abs(at[..., 0]) < 0.299) & (np.abs(at[..., 1]) < 0.199)
    outside = (np.abs(at[..., 0]) > 0.301) | (np.abs(at[..., 1]) > 0.201)
    np.testing.assert_allclose(frame.depth_m[inside], DISTANCE_M - height, atol=1e-4)
    assert (frame.geom_id[outside] == -1).all()


def test_capsule_and_cylinder_lying_down() -> None:
    for kind in ("capsule", "cylinder"):
        frame = look(f'<geom type="{kind}" size=".2 .4" euler="0 90 0"/>', size=(65, 65))
        middle = frame.depth_m[32, 32]
        assert middle == pytest.approx(DISTANCE_M - 0.2, abs=1e-4)
        beyond_tube = frame.geom_id[32, 32 + 18]  # x = 0.45 at the tube's height: only a cap reaches there
        assert beyond_tube == (0 if kind == "capsule" else -1)


LAMP = '<light type="directional" dir="0 0 -1" ambient=".1 .1 .1" diffuse=".5 .4 .3" specular="0 0 0"/>'


def colour(frame: Frame) -> Floats:
    return np.asarray(frame.rgb[SIZE[1] // 2, SIZE[0] // 2], np.float64)


def near(value: list[float]) -> object:
    return pytest.approx(np.array(value) * 255, abs=1.0)


def test_directional_light_adds_ambient_and_diffuse() -> None:
    frame = look('<geom type="plane" size="1 1 .1" rgba=".5 .6 .7 1" euler="60 0 0"/>', light=LAMP)
    expected = [c * (0.1 + 0.5 * d) for c, d in ((0.5, 0.5), (0.6, 0.4), (0.7, 0.3))]  # cos 60 degrees is 0.5
    assert colour(frame) == near(expected)


def test_light_is_clamped_before_the_texture() -> None:
    asset = '<texture name="t" type="2d" builtin="flat" rgb1=".5 .5 .5" width="4" height="4"/>'
    asset += '<material name="m" texture="t" emission="3" specular="0"/>'
    frame = look('<geom type="plane" size="1 1 .1" material="m"/>', asset=asset, light=LAMP)
    assert colour(frame) == near([128 / 255] * 3)


def test_specular_highlight_and_shininess() -> None:
    lamp = '<light type="directional" dir="0 -.5 -1" diffuse="0 0 0" ambient="0 0 0" specular=".8 .8 .8"/>'
    asset = '<material name="m" specular=".5" shininess=".1" rgba="1 1 1 1"/>'
    frame = look('<geom type="plane" size="1 1 .1" material="m"/>', asset=asset, light=lamp)
    to_light = np.array([0, 0.5, 1]) / np.sqrt(1.25)
    half = to_light + np.array([0, 0, 1])
    lobe = (half / np.linalg.norm(half))[2] ** 12.8
    assert colour(frame) == near([0.5 * 0.8 * lobe] * 3)


def test_spot_light_with_attenuation_exponent_and_cutoff() -> None:
    lamp = '<light type="spot" pos="0 .5 1" dir="0 0 -1" cutoff="{}" exponent="2" attenuation="1 .5 .25"'
    lamp += ' diffuse="1 1 1" specular="0 0 0" ambient=".2 .2 .2"/>'
    floor = '<geom type="plane" size="2 2 .1" rgba=".8 .8 .8 1"/>'
    squared = 1.25
    cosine = 1 / np.sqrt(squared)
    fade = 1 / (1 + 0.5 * np.sqrt(squared) + 0.25 * squared)
    expected = 0.8 * fade * cosine**2 * (0.2 + cosine)
    assert colour(look(floor, light=lamp.format(45))) == near([expected] * 3)
    assert colour(look(floor, light=lamp.format(20))) == near([0.0] * 3)  # 26.6 degrees off the axis


def test_headlight_shines_along_the_view() -> None:
    visual = '<headlight ambient=".1 .1 .1" diffuse=".4 .4 .4" specular="0 0 0"/>'
    frame = look('<geom type="plane" size="1 1 .1" rgba="1 .5 0 1" euler="30 0 0"/>', visual=visual)
    light = 0.1 + 0.4 * np.cos(np.radians(30))
    assert colour(frame) == near([light, light / 2, 0.0])


def test_without_lamps_there_is_some_ambient_light() -> None:
    frame = look('<geom type="plane" size="1 1 .1" rgba="1 .5 0 1"/>')
    assert colour(frame) == near([0.3, 0.15, 0.0])


def test_transparent_layers_are_drawn_twice_as_in_mujoco() -> None:
    red, blue = (
        f'<geom type="box" size=".5 .5 .01" pos="0 0 {z}" rgba="{rgba}"/>'
        for z, rgba in ((0.5, "1 0 0 .3"), (0.3, "0 0 1 .6"))
    )
    floor = '<geom type="plane" size="1 1 .1" rgba="0 1 0 1"/>'
    frame = look(red + blue + floor)
    layers = [(0.3, np.array([0.3, 0, 0])), (0.6, np.array([0, 0, 0.3]))]  # near to far
    value = np.array([0, 0.3, 0])
    for alpha, lit in [*layers, *reversed(layers)]:
        value = alpha * lit + (1 - alpha) * value
    assert colour(frame) == near(list(value))
    assert frame.geom_id[SIZE[1] // 2, SIZE[0] // 2] == 0
    assert frame.depth_m[SIZE[1] // 2, SIZE[0] // 2] == pytest.approx(DISTANCE_M - 0.51, abs=1e-4)


def test_back_faces_are_not_seen() -> None:
    frame = look('<geom type="box" size="3 3 3"/><geom type="sphere" size=".3"/>')
    assert frame.geom_id[SIZE[1] // 2, SIZE[0] // 2] == 1
    assert frame.geom_id[0, 0] == -1
