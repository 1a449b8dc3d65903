"""Shapes as triangles and quadrics: closed, outward, and where MuJoCo has them."""

from __future__ import annotations

import mujoco
import numpy as np
import numpy.typing as npt
import pytest

from pentathlon.worlds.rendering.cameras import CameraPose
from pentathlon.worlds.rendering.model.shapes import MeshTriangles, Triangles, box_triangles, hfield_triangles
from pentathlon.worlds.rendering.raycaster import Raycaster

DOWN = np.eye(3)
TETRAHEDRON = 'vertex="0 0 0  1 0 0  0 1 0  0 0 1"'


def volume(triangles: Triangles) -> float:
    """Signed volume: positive when every face is counter-clockwise from outside."""
    a, b, c = triangles.points[:, 0], triangles.points[:, 1], triangles.points[:, 2]
    return float((a * np.cross(b, c)).sum() / 6)


def test_box_is_closed_and_outward() -> None:
    assert volume(box_triangles(np.array([0.1, 0.2, 0.3]))) == pytest.approx(8 * 0.1 * 0.2 * 0.3)


def hfield_model() -> mujoco.MjModel:
    model = mujoco.MjModel.from_xml_string("""<mujoco>
      <asset><hfield name="h" nrow="9" ncol="13" size="1 .7 .4 .1"/></asset>
      <worldbody><geom type="hfield" hfield="h"/></worldbody></mujoco>""")
    model.hfield_data[:] = np.random.default_rng(3).random(9 * 13)
    return model


def test_height_field_is_closed_and_outward() -> None:
    model = hfield_model()
    triangles = hfield_triangles(model, 0)
    heights = 0.4 * model.hfield_data.reshape(9, 13).astype(float)
    low_left, low_right, up_left, up_right = heights[:-1, :-1], heights[:-1, 1:], heights[1:, :-1], heights[1:, 1:]
    cell_area = (2 / 12) * (1.4 / 8)
    above = (low_left + low_left + low_right + up_left + up_right + up_right).sum() / 6 * cell_area
    assert volume(triangles) == pytest.approx(2 * 1.4 * 0.1 + above, rel=1e-5)


def test_height_field_depth_agrees_with_mujocos_own_rays() -> None:
    model = hfield_model()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    size = (24, 20)
    with Raycaster(model) as eyes:
        frame = eyes.render(data, CameraPose([0, 0, 3], DOWN, height_m=1.2), size)
    assert_depth_as_mj_ray(model, data, frame.depth_m, height_m=1.2, size=size)


def assert_depth_as_mj_ray(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    depth_m: npt.NDArray[np.float32],
    *,
    height_m: float,
    size: tuple[int, int],
) -> None:
    geom = np.zeros((1, 1), np.int32)
    step = height_m / size[1]
    for row in range(size[1]):
        for column in range(size[0]):
            start = np.array([(column + 0.5 - size[0] / 2) * step, (size[1] / 2 - row - 0.5) * step, 3.0])
            expected = mujoco.mj_ray(model, data, start, np.array([0.0, 0, -1]), None, 1, -1, geom)
            if expected >= 0:
                assert depth_m[row, column] == pytest.approx(expected, abs=1e-4)


def test_every_primitive_agrees_with_mujocos_own_rays() -> None:
    generator = np.random.default_rng(5)
    kinds = {"sphere": ".2", "capsule": ".1 .2", "ellipsoid": ".3 .1 .2", "cylinder": ".15 .2", "box": ".1 .2 .15"}
    geoms = "".join(
        f'<body pos="{x} {y} 0"><joint/><geom type="{kind}" size="{kinds[kind]}" '
        f'euler="{" ".join(map(str, generator.uniform(-180, 180, 3)))}"/></body>'
        for (x, y), kind in zip(((-0.5, 0.4), (0.1, 0.4), (0.6, 0.3), (-0.4, -0.4), (0.4, -0.4)), kinds, strict=True)
    )
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    data.qpos[:] = generator.uniform(-1, 1, model.nq)
    mujoco.mj_forward(model, data)
    size = (60, 48)
    with Raycaster(model) as eyes:
        frame = eyes.render(data, CameraPose([0, 0, 3], DOWN, height_m=2.0), size)
    assert_depth_as_mj_ray(model, data, frame.depth_m, height_m=2.0, size=size)
    assert set(np.unique(frame.geom_id)) == {-1, 0, 1, 2, 3, 4}


def test_mesh_normals_are_flat_across_sharp_edges() -> None:
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><asset><mesh name="t" {TETRAHEDRON}/></asset>'
        '<worldbody><geom type="mesh" mesh="t"/></worldbody></mujoco>'
    )
    triangles = MeshTriangles(model)[0]
    assert volume(triangles) == pytest.approx(1 / 6, rel=1e-5)
    assert triangles.corners is not None
    normals = triangles.corners[:, :9].reshape(-1, 3, 3)
    flat = np.cross(triangles.points[:, 1] - triangles.points[:, 0], triangles.points[:, 2] - triangles.points[:, 0])
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    assert ((normals * flat[:, None]).sum(-1) >= 0.79).all()


def test_half_endless_plane_ends_on_its_finite_side() -> None:
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><statistic extent="1"/><worldbody><geom type="plane" size=".5 0 .1"/></worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    with Raycaster(model) as eyes:
        frame = eyes.render(data, CameraPose([0, 5, 3], DOWN, height_m=4.0), (40, 40))
    assert (frame.geom_id[:, 16:24] == 0).all()
    assert (frame.geom_id[:, :14] == -1).all()
