"""Cameras: MuJoCo's kinds, poses of one's own, and what is refused."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.rendering.cameras import CameraPose, camera_row, pose_row
from pentathlon.worlds.rendering.raycaster import Raycaster

SIZE = (40, 30)
XML = """<mujoco>
  <worldbody>
    <camera name="plain" pos="1 2 3" fovy="60"/>
    <camera name="flat" pos="0 0 5" projection="orthographic" fovy="4"/>
    <body name="thing" pos="1 0 0"><freejoint/><geom type="sphere" size=".2"/>
      <camera name="riding" pos="0 0 1"/></body>
  </worldbody></mujoco>"""


@pytest.fixture(name="world")
def make_world() -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


World = tuple[mujoco.MjModel, mujoco.MjData]


def test_name_id_and_fixed_mjv_camera_agree(world: World) -> None:
    fixed = mujoco.MjvCamera()
    fixed.type, fixed.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, 0
    rows = [camera_row(*world, camera, SIZE) for camera in ("plain", 0, fixed)]
    np.testing.assert_array_equal(rows[0], rows[1])
    np.testing.assert_array_equal(rows[0], rows[2])
    np.testing.assert_allclose(rows[0][:3], (1, 2, 3))
    top = np.tan(np.radians(30))
    np.testing.assert_allclose(rows[0][12:16], (-top * 4 / 3, top * 8 / 3 / 40, top, -2 * top / 30), rtol=1e-6)


@pytest.mark.parametrize("kind", [mujoco.mjtCamera.mjCAMERA_FREE, mujoco.mjtCamera.mjCAMERA_TRACKING])
def test_free_and_tracking_cameras_match_mujoco(world: World, kind: mujoco.mjtCamera) -> None:
    model, data = world
    cameras = []
    for _ in range(2):
        camera = mujoco.MjvCamera()
        camera.type, camera.trackbodyid = kind, 1
        camera.lookat[:] = 0.1, 0.2, 0.3
        camera.distance, camera.azimuth, camera.elevation = 3.0, 40.0, -25.0
        cameras.append(camera)
    scene = mujoco.MjvScene(model, 100)
    mujoco.mjv_updateCamera(model, data, cameras[0], scene)
    row = camera_row(model, data, cameras[1], SIZE)
    seen = scene.camera[0]
    middle = (np.array(seen.pos) + np.array(scene.camera[1].pos)) / 2
    np.testing.assert_allclose(row[:3], middle, atol=1e-5)
    np.testing.assert_allclose(-row[9:12], seen.forward, atol=1e-6)
    np.testing.assert_allclose(row[6:9], seen.up, atol=1e-6)
    np.testing.assert_allclose(cameras[0].lookat, cameras[1].lookat)


def test_a_camera_on_a_body_moves_with_it(world: World) -> None:
    model, data = world
    data.qpos[0] = -7
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(camera_row(model, data, "riding", SIZE)[:3], (-7, 0, 1))


def test_orthographic_camera_sees_parallel(world: World) -> None:
    model, data = world
    with Raycaster(model) as eyes:
        frame = eyes.render(data, "flat", (80, 80))
    rows, columns = np.nonzero(frame.geom_id == 0)
    assert np.ptp(columns) + 1 == pytest.approx(0.4 / 4 * 80, abs=1)  # 0.4 m of a picture 4 m high, at any distance
    assert columns.mean() == pytest.approx((1 / 4 + 0.5) * 80 - 0.5, abs=0.6)
    assert frame.depth_m[rows, columns].min() == pytest.approx(4.8, abs=0.01)


def test_unknown_name_names_the_nearest(world: World) -> None:
    with pytest.raises(UnknownIdError, match="plain"):
        camera_row(*world, "plane", SIZE)


@pytest.mark.parametrize("number", [-2, 3, 99])
def test_unknown_id_is_refused(world: World, number: int) -> None:
    with pytest.raises(UsageError, match="camera id"):
        camera_row(*world, number, SIZE)


@pytest.mark.parametrize("fovy_deg", [0.0, -10.0, 180.0, 1e9, float("nan")])
def test_absurd_field_of_view_is_refused(fovy_deg: float) -> None:
    with pytest.raises(UsageError, match="field of view"):
        pose_row((0, 0, 0), np.eye(3), SIZE, fovy_deg)


@pytest.mark.parametrize("rotation", [np.zeros((3, 3)), np.full((3, 3), np.nan), 2 * np.eye(3)])
def test_a_matrix_that_does_not_rotate_is_refused(rotation: object) -> None:
    with pytest.raises(UsageError):
        pose_row((0, 0, 0), rotation, SIZE, 45)  # type: ignore[arg-type]


def test_bad_positions_heights_and_kinds_are_refused(world: World) -> None:
    user = mujoco.MjvCamera()
    user.type = mujoco.mjtCamera.mjCAMERA_USER
    bad = [CameraPose((0, np.inf, 0), np.eye(3)), CameraPose((0, 0, 0), np.eye(3), height_m=0), user]
    for camera in bad:
        with pytest.raises(UsageError):
            camera_row(*world, camera, SIZE)
