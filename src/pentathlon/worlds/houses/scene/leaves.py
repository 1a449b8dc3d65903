"""Door leaves that swing: a panelled board with knobs on both sides."""

from __future__ import annotations

import math
from functools import lru_cache

from pentathlon.worlds.houses.assets.asset import Asset, Collider, Joint, Part
from pentathlon.worlds.houses.house import Door, House
from pentathlon.worlds.houses.ways.obstacles import PANEL_THICKNESS_M, panel_frame
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box

LEAF = "leaf"
FLOOR_GAP_M = 0.008
SIDE_GAP_M = 0.006
KNOB_HEIGHT_M = 1.0
DOOR_MASS_KG = 18.0


def build_leaf(door: Door, house: House) -> Asset:
    """Builds a door's leaf in the frame of its hinge: along +x when closed, opening by a positive angle."""
    _, _, swing = panel_frame(house, door)
    return _leaf(door.width_m, door.height_m, 1.0 if swing > 0 else -1.0, door.rooms[1] == "outside")


@lru_cache(maxsize=64)
def _leaf(door_width: float, door_height: float, turn: float, entrance: bool) -> Asset:
    width, height = door_width - 2 * SIDE_GAP_M, door_height - FLOOR_GAP_M - SIDE_GAP_M
    middle = (SIDE_GAP_M + width / 2, 0.0, FLOOR_GAP_M + height / 2)
    knob = (SIDE_GAP_M + width - 0.07, 0.0, KNOB_HEIGHT_M)
    wood = look("wood", "maroon" if entrance else "white", texture="wood" if entrance else "")
    return Asset(
        parts=(
            Part(_hinges(height), look("metal", "silver")),
            Part(_board(width, height).moved(*middle), wood, joint=LEAF),
            Part(_knobs().moved(*knob), look("metal", "silver"), joint=LEAF),
        ),
        colliders=(Collider("box", middle, (width, PANEL_THICKNESS_M, height), joint=LEAF),),
        joints=(Joint(LEAF, "hinge", (0.0, 0.0, turn), (0.0, 0.0, 0.0), math.pi / 2, knob),),
        given_mass_kg=DOOR_MASS_KG,
        type_name="Door",
    )


def leaf_pose(door: Door, house: House) -> tuple[tuple[float, float, float], float]:
    """Returns the hinge's position and the closed leaf's yaw in degrees."""
    hinge, closed, _ = panel_frame(house, door)
    return (*hinge, 0.0), math.degrees(closed)


def _board(width: float, height: float) -> Mesh:
    """A board with two raised fields on each side."""
    fields = []
    for side in (-1, 1):
        for share, low in ((0.36, 0.09), (0.42, 0.51)):
            field = rounded_box((width * 0.66, 0.012, height * share), 0.005, 1)
            fields.append(field.moved(0.0, side * PANEL_THICKNESS_M / 2, height * (low + share / 2 - 0.5)))
    return merge([box((width, PANEL_THICKNESS_M, height)), *fields])


def _hinges(height: float) -> Mesh:
    return merge([cylinder(0.007, 0.08, segments=10).moved(z=height * share) for share in (0.12, 0.5, 0.88)])


def _knobs() -> Mesh:
    knob = lathe(
        [(0, 0), (0.026, 0), (0.024, 0.006), (0.010, 0.012), (0.010, 0.03), (0.026, 0.045), (0.022, 0.06), (0, 0.063)],
        18,
    )
    ahead = knob.turned("x", 90).moved(0.0, -PANEL_THICKNESS_M / 2)
    return merge([ahead, knob.turned("x", -90).moved(0.0, PANEL_THICKNESS_M / 2)])
