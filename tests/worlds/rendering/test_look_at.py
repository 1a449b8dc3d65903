"""Cameras that look at a point: upright, right-handed, also straight down."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from pentathlon.worlds.rendering.look_at import agent_camera, look_at_quaternion, look_at_rotation


@pytest.mark.parametrize("target", [(1.0, 2.0, 0.5), (0.0, 0.0, -3.0), (0.0, 0.0, 3.0)])
def test_the_target_is_straight_ahead(target: tuple[float, float, float]) -> None:
    rotation = look_at_rotation((0.0, 0.0, 0.0), target)
    np.testing.assert_allclose(rotation.T @ rotation, np.eye(3), atol=1e-12)
    assert np.linalg.det(rotation) == pytest.approx(1.0)
    np.testing.assert_allclose(-rotation[:, 2], np.array(target) / np.linalg.norm(target), atol=1e-12)
    assert rotation[2, 0] == 0.0, "the horizon is level"
    back = np.empty(9)
    mujoco.mju_quat2Mat(back, look_at_quaternion((0.0, 0.0, 0.0), target))
    np.testing.assert_allclose(back.reshape(3, 3), rotation, atol=1e-12)


def test_an_agent_looks_along_its_yaw_and_down_by_its_pitch() -> None:
    camera = agent_camera(1.0, 2.0, 90.0, 1.5, pitch_deg=30.0)
    np.testing.assert_allclose(camera.position_m, (1.0, 2.0, 1.5))
    ahead = -np.asarray(camera.camera_to_world)[:, 2]
    np.testing.assert_allclose(ahead, (0.0, np.cos(np.pi / 6), -0.5), atol=1e-12)
