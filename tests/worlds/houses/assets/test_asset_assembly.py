"""The furniture workbench: what it builds is closed, opens the right way and moves as one."""

from __future__ import annotations

import numpy as np
import pytest

from pentathlon.worlds.houses.assets.assembly import Assembly, Front, corners, leaf, post, timber
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import rotation

WOOD, METAL = look("wood", "brown"), look("metal", "silver")


@pytest.mark.parametrize("sides", [4, 10])
def test_post_stands_level_and_leans_to_its_top(sides: int) -> None:
    mesh = post((0.3, -0.2), (0.1, 0.0), 0.45, 0.02, 0.03, sides)
    assert mesh.is_closed()
    assert mesh.volume_m3 > 0
    low, high = mesh.bounds_m
    assert (low[2], high[2]) == pytest.approx((0.0, 0.45))
    heights = mesh.vertices_m[:, 2]
    assert mesh.vertices_m[heights > 0.44][:, :2].mean(axis=0) == pytest.approx((0.1, 0.0), abs=0.01)


@pytest.mark.parametrize("front", ["plain", "shaker", "glass", "louvre"])
def test_every_front_is_closed_and_fills_its_opening(front: Front) -> None:
    mesh = leaf(0.5, 0.7, front)
    assert mesh.is_closed()
    assert mesh.size_m[[0, 2]] == pytest.approx((0.5, 0.7), abs=1e-6)


@pytest.mark.parametrize("side", [-1, 1])
def test_door_hangs_on_its_side_and_swings_to_the_front(side: int) -> None:
    work = Assembly()
    work.door("door", (-0.2, 0.2), (0.1, 0.9), -0.25, WOOD, METAL, side=side)
    (joint,) = work.joints
    assert joint.anchor_m[0] == side * 0.2
    assert np.sign(joint.handle_m[0]) == -side
    arm = np.array(joint.handle_m) - joint.anchor_m
    opened = rotation("z", float(np.degrees(joint.reach)) * joint.axis[2]) @ arm
    assert opened[1] < arm[1] - 0.2
    assert {part.joint for part in work.parts} == {collider.joint for collider in work.colliders} == {"door"}


def test_drawer_holds_things_on_its_own_floor_and_slides_to_the_front() -> None:
    work = Assembly()
    work.drawer("drawer", (-0.2, 0.2), (0.4, 0.6), 0.45, -0.25, WOOD, METAL)
    (joint,), (place,) = work.joints, work.receptacles
    assert joint.axis == pytest.approx((0.0, -1.0, 0.0))
    assert 0.2 < joint.reach < 0.45
    assert place.door == place.joint == "drawer"
    tops = [item.centre_m[2] + item.size_m[2] / 2 for item in work.colliders]
    assert any(top == pytest.approx(place.centre_m[2]) for top in tops)


def test_case_without_roof_is_open_above() -> None:
    closed, opened = Assembly(), Assembly()
    closed.case(0.6, 0.4, (0.1, 0.9), WOOD)
    opened.case(0.6, 0.4, (0.1, 0.9), WOOD, roof=False)
    assert len(closed.parts) - len(opened.parts) == 1
    assert max(item.centre_m[2] for item in closed.colliders) > max(item.centre_m[2] for item in opened.colliders)


def test_moving_takes_everything_along() -> None:
    work = Assembly()
    work.block((0.6, 0.4, 0.02), (0, 0, 0.5), WOOD)
    work.drawer("drawer", (-0.2, 0.2), (0.2, 0.4), 0.35, -0.2, WOOD, METAL)
    moved = work.moved(y=-0.2)
    before, after = work.asset(), moved.asset()
    assert after.bounds_m[0] == pytest.approx(before.bounds_m[0] - (0, 0.2, 0))
    assert after.joints[0].handle_m[1] == pytest.approx(before.joints[0].handle_m[1] - 0.2)
    assert after.receptacles[0].centre_m[1] == pytest.approx(before.receptacles[0].centre_m[1] - 0.2)
    assert after.colliders[0].centre_m == (0.0, -0.2, 0.5)


@pytest.mark.parametrize("style", ["square", "round", "tapered", "splayed"])
def test_legs_carry_from_the_floor_to_the_height(style: str) -> None:
    work = Assembly()
    work.legs(1.0, 0.6, 0.7, WOOD, style=style, inset_m=0.02)
    assert len(work.parts) == len(work.colliders) == 4
    for part in work.parts:
        assert part.mesh.bounds_m[0][2] == pytest.approx(0.0)
        assert part.mesh.bounds_m[1][2] == pytest.approx(0.7)


def test_timber_obeys_a_wanted_colour_and_mixes_bare_and_painted_wood() -> None:
    rng = np.random.default_rng(0)
    assert timber(rng, "red").colour.name == "red"
    drawn = {timber(rng, None, "teal").colour.name for _ in range(40)}
    assert "teal" in drawn
    assert drawn - {"teal"}


def test_corners_are_the_four_of_a_rectangle() -> None:
    assert sorted(corners(2.0, 1.0)) == [(-1.0, -0.5), (-1.0, 0.5), (1.0, -0.5), (1.0, 0.5)]
