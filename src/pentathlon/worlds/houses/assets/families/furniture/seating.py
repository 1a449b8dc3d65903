"""Seats."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Collider, Part, Receptacle
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.shapes import cushion, cylinder, rounded_box


@object_type("Sofa", "furniture", "a wide padded seat with arms and cushions", "against_wall", ("LivingRoom",))
def sofa(
    rng: np.random.Generator, *, colour: str | None = None, material: str | None = None, seats: int | None = None
) -> Asset:
    """A sofa for two or three, in fabric or leather, with a throw pillow."""
    count = seats if seats is not None else int(rng.integers(2, 4))
    cover = material if material is not None else ("fabric", "fabric", "leather")[int(rng.integers(3))]
    usual = (
        ("brown", "black", "maroon", "cream")
        if cover == "leather"
        else ("grey", "navy", "teal", "beige", "olive", "blue")
    )
    hide = look(cover, pick_colour(rng, colour, *usual), rng)
    seat_w, depth, arm_w = rng.uniform(0.62, 0.72), rng.uniform(0.86, 0.98), rng.uniform(0.16, 0.22)
    seat_z, back_z, leg_z = 0.43, rng.uniform(0.78, 0.88), rng.uniform(0.09, 0.14)
    arm_z = rng.uniform(0.56, 0.64)
    inner = seat_w * count
    width = inner + 2 * arm_w
    back_d = 0.20
    front = -depth / 2
    frame = [
        rounded_box((inner + 0.02, depth - 0.06, seat_z - 0.13 - leg_z), 0.03, 1).moved(z=(leg_z + seat_z - 0.13) / 2),
        rounded_box((inner + 0.04, back_d, back_z - leg_z), 0.06).moved(
            0, depth / 2 - back_d / 2, (back_z + leg_z) / 2
        ),
    ]
    for side in (-1, 1):
        arm = rounded_box((arm_w, depth, arm_z - leg_z), 0.055)
        frame.append(arm.moved(side * (inner + arm_w) / 2, 0, (arm_z + leg_z) / 2))
    soft, plump = [], []
    for i in range(count):
        x = (i - (count - 1) / 2) * seat_w
        seat_d = depth - back_d - 0.02
        soft.append(
            cushion((seat_w - 0.012, seat_d, 0.17), roundness=0.25, steps=5).moved(
                x, front + seat_d / 2 - 0.01, seat_z - 0.055
            )
        )
        rest = cushion((seat_w - 0.03, 0.19, back_z - seat_z + 0.05), roundness=0.35, steps=5).turned("x", -12)
        plump.append(rest.moved(x, depth / 2 - back_d - 0.075, (back_z + seat_z) / 2 + 0.015))
    accent = look("fabric", pick_colour(rng, None, "yellow", "orange", "cream", "maroon", "teal"), rng, texture="knit")
    pillow = cushion((0.44, 0.15, 0.44), roundness=0.72, steps=6).turned("x", -22).turned("z", 14)
    legs = [
        cylinder(0.017, leg_z + 0.02, top_radius_m=0.026, segments=12).moved(
            x * (width / 2 - 0.10), y * (depth / 2 - 0.09), leg_z / 2 + 0.01
        )
        for x in (-1, 1)
        for y in (-1, 1)
    ]
    top_z = seat_z + 0.027  # a little into the cushions, so that things sink in but stay in sight
    seat_front = front + (depth - back_d) / 2
    return Asset(
        parts=(
            Part(merge(frame), hide, fill=0.12),
            Part(merge(soft + plump), hide.tinted(hide.colour.darker(1.06)), fill=0.2),
            Part(pillow.moved(-inner / 2 + 0.20, depth / 2 - back_d - 0.26, seat_z + 0.23), accent, fill=0.2),
            Part(merge(legs), wood(rng)),
        ),
        colliders=(
            Collider("box", (0, 0, (leg_z + top_z) / 2), (inner, depth, top_z - leg_z)),
            Collider(
                "box", (0, depth / 2 - back_d * 0.75, back_z / 2 + leg_z / 2), (inner, back_d * 1.5, back_z - leg_z)
            ),
            *(Collider("box", (s * (inner + arm_w) / 2, 0, arm_z / 2), (arm_w, depth, arm_z)) for s in (-1, 1)),
        ),
        receptacles=(
            Receptacle("seat", "on", (0.12, seat_front - 0.08, top_z), (inner - 0.45, depth - back_d - 0.30), 0.6),
        ),
    )
