"""Chests of drawers."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Collider, Joint, Part, Receptacle
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.materials import Look, look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box
from pentathlon.worlds.modelling.sweeps import handle

BOARD_M = 0.018


def tray(width: float, depth: float, height: float, board: float = 0.010) -> Mesh:
    """An open-topped box standing on z = 0, centred."""
    return merge(
        [
            box((width, depth, board)).moved(z=board / 2),
            box((width, board, height - board)).moved(0, depth / 2 - board / 2, (height + board) / 2),
            box((width, board, height - board)).moved(0, -depth / 2 + board / 2, (height + board) / 2),
            *(
                box((board, depth - 2 * board, height - board)).moved(s * (width - board) / 2, 0, (height + board) / 2)
                for s in (-1, 1)
            ),
        ]
    )


def _pull(rng: np.random.Generator, style: str, width: float) -> Mesh:
    if style == "knob":
        knob = lathe(
            [(0, 0), (0.007, 0), (0.006, 0.012), (0.016, 0.020), (0.014, 0.028), (0, 0.031)], 16, crease_deg=50
        )
        knob = knob.turned("x", 90)
        return merge([knob.moved(-width * 0.25), knob.moved(width * 0.25)])
    return handle(min(0.16, width * 0.3), 0.028, 0.005)


@object_type("Dresser", "furniture", "a chest of drawers", "against_wall", ("Bedroom",), noun="chest of drawers")
def dresser(
    rng: np.random.Generator, *, colour: str | None = None, rows: int | None = None, columns: int | None = None
) -> Asset:
    """A chest of two to four rows of drawers that slide out."""
    down = rows if rows is not None else int(rng.integers(3, 5))
    along = columns if columns is not None else int(rng.integers(1, 3))
    width, depth = along * rng.uniform(0.46, 0.56) + 0.1, rng.uniform(0.42, 0.50)
    leg, drawer_h = rng.uniform(0.06, 0.14), rng.uniform(0.18, 0.22)
    height = leg + down * drawer_h + 2 * BOARD_M
    case: Look = wood(rng) if colour is None else look("wood", pick_colour(rng, colour), rng)
    metal = look("metal", pick_colour(rng, None, "silver", "gold", "black", "bronze"), rng)
    inner_w = width - 2 * BOARD_M
    boards = [
        rounded_box((width + 0.02, depth + 0.015, 0.024), 0.006).moved(0, -0.005, height - 0.012),
        box((inner_w, depth, BOARD_M)).moved(z=leg + BOARD_M / 2),
        box((inner_w, 0.008, height - leg - 0.03)).moved(0, depth / 2 - 0.004, (height + leg) / 2 - 0.008),
        *(
            box((BOARD_M, depth, height - leg - 0.024)).moved(s * (width - BOARD_M) / 2, 0, (height + leg - 0.024) / 2)
            for s in (-1, 1)
        ),
    ]
    legs = [
        cylinder(0.016, leg + 0.01, top_radius_m=0.024, segments=12).moved(
            x * (width / 2 - 0.05), y * (depth / 2 - 0.05), (leg + 0.01) / 2
        )
        for x in (-1, 1)
        for y in (-1, 1)
    ]
    style = ("knob", "bar")[int(rng.integers(2))]
    cell_w, cell_h = inner_w / along, (height - leg - 0.024 - BOARD_M) / down
    parts = [Part(merge(boards), case), Part(merge(legs), case)]
    colliders = [
        Collider("box", (0, 0, height - 0.012), (width + 0.02, depth + 0.015, 0.024)),
        Collider("box", (0, 0, leg / 2 + 0.01), (width, depth, leg)),
        Collider("box", (0, depth / 2 - 0.004, (height + leg) / 2), (width, 0.008, height - leg)),
        *(
            Collider("box", (s * (width - BOARD_M) / 2, 0, (height + leg) / 2), (BOARD_M, depth, height - leg))
            for s in (-1, 1)
        ),
    ]
    joints, receptacles = [], [Receptacle("top", "on", (0, 0, height), (width - 0.06, depth - 0.06), 0.6)]
    inside = look("wood", "cream", texture="wood")
    for i in range(down * along):
        name = f"drawer_{i}"
        x = (i % along - (along - 1) / 2) * cell_w
        z = leg + BOARD_M + (down - 1 - i // along + 0.5) * cell_h
        front_y = -depth / 2
        face = rounded_box((cell_w - 0.006, 0.018, cell_h - 0.006), 0.004, 1).moved(x, front_y + 0.002, z)
        body_w, body_d, body_h = cell_w - 0.03, depth - 0.06, cell_h * 0.66
        body_y, base_z = front_y + 0.011 + body_d / 2, z - cell_h / 2 + 0.012
        parts += [
            Part(face, case, joint=name),
            Part(tray(body_w, body_d, body_h).moved(x, body_y, base_z), inside, joint=name),
            Part(_pull(rng, style, cell_w).moved(x, front_y - 0.006, z), metal, joint=name),
        ]
        colliders += [
            Collider("box", (x, front_y + 0.002, z), (cell_w - 0.008, 0.018, cell_h - 0.008), joint=name),
            Collider("box", (x, body_y, base_z + 0.005), (body_w, body_d, 0.010), joint=name),
        ]
        joints.append(Joint(name, "slide", (0, -1, 0), (x, front_y, z), body_d * 0.8, (x, front_y - 0.03, z)))
        receptacles.append(
            Receptacle(
                name,
                "in",
                (x, body_y, base_z + 0.010),
                (body_w - 0.05, body_d - 0.05),
                body_h - 0.02,
                door=name,
                joint=name,
            )
        )
    return Asset(tuple(parts), tuple(colliders), tuple(joints), tuple(receptacles))
