"""Of surfaces in the same place that move together, the one that is drawn later is seen, everywhere."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from pentathlon.worlds.rendering.cameras import CameraPose
from pentathlon.worlds.rendering.frame import Frame
from pentathlon.worlds.rendering.model.coincidence import flat_pairs, in_shared_planes, triangle_flats
from pentathlon.worlds.rendering.model.shapes import box_triangles
from pentathlon.worlds.rendering.raycaster import Raycaster

FLOOR = '<geom type="plane" size="0 0 .1"/>'
BOX = '<geom type="box" size="{0} {0} .2" pos="0 0 .2" rgba="1 0 0 1"/>'
LID = '<geom type="plane" size=".2 .2 .1" pos="0 0 .4" rgba="0 1 0 {}"/>'
CAMERAS = [((0.3, -2.5, 1.4), 62.0), ((0.1, -0.9, 1.2), 45.0), ((0, 0, 9), 0.0)]


def look(worldbody: str, position: tuple[float, float, float], pitch_deg: float, *, moving: bool) -> Frame:
    body = f'<body euler="0 0 27"><freejoint/>{worldbody}</body>' if moving else worldbody
    model = mujoco.MjModel.from_xml_string(f'<mujoco><statistic extent="3"/><worldbody>{body}</worldbody></mujoco>')
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    turn, flat = np.radians(pitch_deg), np.empty(9)
    mujoco.mju_quat2Mat(flat, np.array([np.cos(turn / 2), np.sin(turn / 2), 0, 0]))
    with Raycaster(model) as eyes:
        return eyes.render(data, CameraPose(position, flat.reshape(3, 3), fovy_deg=40), (160, 120))


# Two geoms; surfaces of the second lie in the first one's.
PAIRS = {
    "box in box": (BOX.format(0.3), BOX.format(0.2)),
    "plane on box": (BOX.format(0.3), LID.format(1)),
    "equal boxes": (BOX.format(0.3), BOX.format(0.3)),
    "spheres": ('<geom size=".3"/>', '<geom size=".3" rgba="1 0 0 1"/>'),
    "equal capsules": ('<geom type="capsule" size=".1 .3"/>', '<geom type="capsule" size=".1 .3" rgba="1 0 0 1"/>'),
    "ring on cylinder": ('<geom type="cylinder" size=".2 .3"/>', '<geom type="cylinder" size=".2 .1"/>'),
    "box in cylinder": ('<geom type="cylinder" size=".3 .2"/>', '<geom type="box" size=".1 .1 .2"/>'),
    "cylinder in box": ('<geom type="box" size=".3 .3 .2"/>', '<geom type="cylinder" size=".2 .2"/>'),
    "equal ellipsoids": ('<geom type="ellipsoid" size=".1 .2 .3"/>', '<geom type="ellipsoid" size=".1 .2 .3"/>'),
}


@pytest.mark.parametrize(
    ("name", "moving"), [*((name, False) for name in PAIRS), ("box in box", True), ("spheres", True)]
)
def test_the_later_geom_is_seen_whole(name: str, moving: bool) -> None:
    first, second = PAIRS[name]
    total = 0
    for position, pitch_deg in CAMERAS:
        alone = look(second, position, pitch_deg, moving=moving)
        both = look(first + second, position, pitch_deg, moving=moving)
        bare = look(first, position, pitch_deg, moving=moving)
        inner = (alone.geom_id == 0) & (np.abs(alone.depth_m - bare.depth_m) < 2e-5)  # in the first one's surface
        total += inner.sum()
        assert (both.geom_id[inner] == 1).all(), (position, inner.sum())
        assert (np.abs(both.depth_m - alone.depth_m)[inner] < 5e-4).sum() >= 0.9 * inner.sum()
    assert total > 200


@pytest.mark.parametrize("floor_first", [True, False])
def test_the_rule_holds_for_planes_without_end(floor_first: bool) -> None:
    board = '<geom type="box" size=".5 .5 .1" pos="0 0 -.1" rgba="1 0 0 1"/>'
    worldbody = FLOOR + board if floor_first else board + FLOOR
    for position, pitch_deg in CAMERAS:
        frame = look(worldbody, position, pitch_deg, moving=False)
        board_id = int(floor_first)
        seen = (frame.geom_id == board_id).sum()
        assert (seen > 20) if floor_first else (seen == 0)
        if floor_first:  # a whole quadrilateral, not stripes: every row between its ends is the board's
            for row in frame.geom_id:
                columns = np.flatnonzero(row == board_id)
                assert len(columns) == 0 or np.ptp(columns) + 1 == len(columns)


def test_clear_surfaces_are_drawn_after_opaque_ones_and_again_when_that_changes() -> None:
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><statistic extent="3"/><worldbody>{LID.format(0.5)}{BOX.format(0.3)}</worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    above = CameraPose((0, 0, 3), np.eye(3), height_m=0.3)
    with Raycaster(model) as eyes:
        assert (eyes.render(data, above, (30, 30)).geom_id == 0).all()
        model.geom_rgba[0, 3] = 1
        assert (eyes.render(data, above, (30, 30)).geom_id == 1).all()


def test_the_kernel_finds_every_triangle_of_a_shared_plane() -> None:
    rng = np.random.default_rng(0)
    boxes = [box_triangles(size).points + place for size, place in rng.integers(1, 4, (40, 2, 3)) / 8]
    points = np.concatenate(boxes).astype(np.float32)
    objects = np.repeat(np.arange(40, dtype=np.int32), 12)
    found = in_shared_planes(objects, points, 1e-5)
    _, shared = flat_pairs(triangle_flats(objects, points.astype(np.float64)), 1e-5)
    assert shared.any()
    assert set(np.flatnonzero(shared)) <= set(found)
    apart = points + 0.01 * rng.random((40, 1, 3)).repeat(12, axis=0).astype(np.float32)
    assert len(in_shared_planes(objects, apart, 1e-5)) < len(found) / 4
