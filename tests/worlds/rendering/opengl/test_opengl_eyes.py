"""MuJoCo's renderer behind the common interface gives the same pictures, and metric depth and ids."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.rendering.cameras import CameraPose
from pentathlon.worlds.rendering.opengl.eyes import OpenGLEyes, OpenGLSetting

pytestmark = pytest.mark.opengl
SIZE = (64, 48)


def test_colour_is_mujocos_own(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    with OpenGLEyes(model) as eyes:
        frame = eyes.render(data, "front", SIZE)
    with mujoco.Renderer(model, SIZE[1], SIZE[0]) as renderer:
        renderer.update_scene(data, "front")
        np.testing.assert_array_equal(frame.rgb, renderer.render())


def test_depth_and_ids_of_known_things(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    with OpenGLEyes(model) as eyes:
        frame = eyes.render(data, "front", (65, 49))
    assert frame.geom_id[24, 32] == model.geom("ball").id
    assert frame.depth_m[24, 32] == pytest.approx(1.7, abs=1e-3)
    assert frame.geom_id[0, 0] == -1
    assert frame.depth_m[0, 0] == 0
    assert model.ngeom + model.site("mark").id in frame.geom_id


def test_poses_see_what_the_models_cameras_see(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    with OpenGLEyes(model, "fast") as eyes:
        poses = [CameraPose(*where) for where in zip(data.cam_xpos, data.cam_xmat.reshape(-1, 3, 3), strict=True)]
        batch = eyes.render_poses(data, poses, SIZE)
        singles = [eyes.render(data, camera, SIZE) for camera in ("front", "above")]
    np.testing.assert_array_equal(batch.rgb, [frame.rgb for frame in singles])
    np.testing.assert_allclose(batch.depth_m, [frame.depth_m for frame in singles], atol=1e-4)


def test_a_pose_of_one_s_own_sees_what_that_camera_sees(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    front = model.camera("front").id
    pose = CameraPose(data.cam_xpos[front], data.cam_xmat[front].reshape(3, 3), 45.0)
    with OpenGLEyes(model, "fast") as eyes:
        seen, expected = eyes.render(data, pose, SIZE), eyes.render(data, "front", SIZE)
        with pytest.raises(UsageError, match="orthographic"):
            eyes.render(data, replace(pose, height_m=1.0), SIZE)
    np.testing.assert_array_equal(seen.rgb, expected.rgb)
    np.testing.assert_allclose(seen.depth_m, expected.depth_m, atol=1e-4)


def test_settings_change_the_picture_but_not_the_model(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    samples = model.vis.quality.offsamples
    pictures = []
    for setting in (OpenGLSetting("smooth", samples_per_pixel=4), OpenGLSetting("jagged", samples_per_pixel=0)):
        with OpenGLEyes(model, setting) as eyes:
            pictures.append(eyes.render(data, "front", SIZE).rgb)
    assert (pictures[0] != pictures[1]).any()
    assert model.vis.quality.offsamples == samples


def test_pictures_may_be_larger_than_the_models_framebuffer(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    with OpenGLEyes(model) as eyes:
        assert eyes.render(data, "front", (800, 600)).rgb.shape == (600, 800, 3)


def test_wrong_use_is_refused(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    eyes = OpenGLEyes(model)
    with pytest.raises(UnknownIdError, match="front"):
        eyes.render(data, "frontt", SIZE)
    with pytest.raises(UsageError, match="0x5"):
        eyes.render(data, "front", (0, 5))
    eyes.close()
    with pytest.raises(UsageError, match="closed"):
        eyes.render(data, "front", SIZE)
    with pytest.raises(UnknownIdError, match="fine"):
        OpenGLEyes(model, "fin")
