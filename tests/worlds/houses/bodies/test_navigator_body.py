from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.scene.house_scene import HouseScene

SMALL = (48, 36)


@pytest.fixture(scope="module")
def navigator(small_scene: HouseScene) -> Iterator[Navigator]:
    body = Navigator(small_scene, NavigatorSettings(size_px=SMALL, segmentation=True))
    yield body
    body.close()


def test_moves_and_turns_by_the_settings(navigator: Navigator) -> None:
    navigator.place(Pose(1.0, 1.0, 60.0))
    navigator.act("RotateRight")
    navigator.act("MoveAhead")
    assert navigator.pose == pytest.approx((1.0 + 0.25 * math.cos(math.pi / 6), 1.125, 30.0, 0.0))
    assert navigator.travelled_m == pytest.approx(0.25)
    navigator.act("RotateLeft")
    assert navigator.pose.yaw_deg == pytest.approx(60.0)


def test_looks_up_and_down_within_limits(navigator: Navigator) -> None:
    navigator.place(Pose(1.0, 1.0, 0.0))
    for expected, blocked in ((30.0, False), (60.0, False), (60.0, True)):
        navigator.act("LookDown")
        assert (navigator.pose.pitch_deg, navigator.collided) == (expected, blocked)
    navigator.act("LookUp")
    assert navigator.pose.pitch_deg == 30.0


def test_a_wall_stops_and_is_reported(navigator: Navigator) -> None:
    navigator.place(Pose(0.5, 2.0, 180.0))
    for _ in range(4):
        navigator.act("MoveAhead")
    assert navigator.collided
    assert navigator.pose.x_m == pytest.approx(0.25)
    assert navigator.travelled_m == pytest.approx(0.25)
    assert navigator.ways.is_free(navigator.pose.x_m, navigator.pose.y_m)


def test_sliding_follows_the_wall(small_scene: HouseScene) -> None:
    body = Navigator(small_scene, NavigatorSettings(size_px=SMALL, collisions="slide"))
    body.place(Pose(0.3, 1.5, 150.0))
    for _ in range(4):
        body.act("MoveAhead")
    assert body.collided
    assert body.pose.y_m > 1.5 + 4 * 0.25 * math.sin(math.radians(30)) - 0.05
    assert body.ways.is_free(body.pose.x_m, body.pose.y_m)
    body.close()


def test_noise_has_the_stated_spread_and_follows_the_seed(small_scene: HouseScene) -> None:
    body = Navigator(small_scene, NavigatorSettings(size_px=SMALL, noisy=True))

    def turns(seed: int) -> list[float]:
        body.place(Pose(1.0, 1.0, 0.0), seed)
        made = []
        for _ in range(400):
            before = body.pose.yaw_deg
            body.act("RotateLeft")
            made.append(math.remainder(body.pose.yaw_deg - before - 30.0, 360.0))
        return made

    assert turns(1) == turns(1) != turns(2)
    assert np.std(turns(1)) == pytest.approx(0.5, rel=0.15)
    body.close()


def test_gps_and_compass_are_relative_to_the_start(navigator: Navigator) -> None:
    navigator.place(Pose(1.0, 1.0, 90.0))
    assert navigator.gps_m == (0.0, 0.0)
    navigator.act("MoveAhead")
    assert navigator.gps_m == pytest.approx((0.25, 0.0))
    for _ in range(3):
        navigator.act("RotateRight")
    navigator.act("MoveAhead")
    assert navigator.gps_m == pytest.approx((0.25, -0.25))
    assert navigator.compass_rad == pytest.approx(-math.pi / 2)


def test_sees_colour_depth_and_objects(navigator: Navigator) -> None:
    fridge = [item.id for item in navigator.scene.house.objects].index("fridge")
    navigator.place(Pose(3.4, 2.3, 90.0))
    sight = navigator.look()
    assert sight.rgb.shape == (36, 48, 3)
    assert sight.object_index is not None
    middle = 18, 24
    assert sight.object_index[middle] == fridge
    low, _ = navigator.geometry.bounds(navigator.data)
    assert sight.depth_m[middle] == pytest.approx(low[fridge][1] - 2.3, abs=0.1)
    behind = navigator.look(Pose(3.4, 2.3, 270.0)).object_index
    assert behind is not None
    assert fridge not in behind


def test_viewpoint_has_the_pictures_width(navigator: Navigator) -> None:
    assert navigator.viewpoint(Pose(1.0, 1.0, 0.0)).horizontal_fov_deg == pytest.approx(79.0, abs=0.1)


@pytest.mark.parametrize(("x", "y"), [(0.02, 2.0), (2.0, 2.4), (-3.0, 1.0)])
def test_a_start_in_a_wall_or_furniture_or_outdoors_is_refused(navigator: Navigator, x: float, y: float) -> None:
    with pytest.raises(UsageError, match=r"start pose.*0\.18 m"):
        navigator.place(Pose(x, y, 0.0))


def test_unknown_actions_and_settings_are_refused(navigator: Navigator) -> None:
    with pytest.raises(UnknownIdError, match="MoveAhead"):
        navigator.act("MoveAhaed")  # type: ignore[arg-type]
    for wrong in ({"turn_deg": 0.0}, {"step_m": -1.0}, {"most_look_deg": 90.0}, {"fovy_deg": float("nan")}):
        with pytest.raises(UsageError, match=next(iter(wrong))):
            NavigatorSettings(**wrong)
    assert len(ACTIONS) == 6
