"""Computers."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Collider, Emitter, Joint, Part
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import rounded_rectangle
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.pictures import screen
from pentathlon.worlds.modelling.shapes import box, cylinder, rounded_box
from pentathlon.worlds.modelling.sweeps import extrude, panel


def keyboard(width: float, depth: float, key_height: float = 0.0022) -> Mesh:
    """Keys in five rows, the lowest with a space bar, standing on z = 0 and centred."""
    keys = []
    pitch = depth / 5
    for row in range(4):
        count = 13 - row % 2
        step = width / count
        y = depth / 2 - (row + 0.5) * pitch
        keys += [
            box((step * 0.84, pitch * 0.82, key_height)).moved((i + 0.5) * step - width / 2, y, key_height / 2)
            for i in range(count)
        ]
    step = width / 10
    low = [(0.5, 0.84), (1.5, 0.84), (2.5, 0.84), (5.0, 3.84), (7.5, 0.84), (8.5, 0.84), (9.5, 0.84)]
    keys += [
        box((step * w, pitch * 0.82, key_height)).moved(x * step - width / 2, -depth / 2 + pitch / 2, key_height / 2)
        for x, w in low
    ]
    return merge(keys)


@object_type("Desktop", "electronics", "a computer tower", "free", ("Bedroom",), shape="cube", noun="desktop computer")
def desktop(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A computer tower on the floor: drive slots, a grille, sockets and a button that glows while it is on."""
    width, depth, height = rng.uniform(0.18, 0.22), rng.uniform(0.38, 0.46), rng.uniform(0.40, 0.48)
    tint = pick_colour(rng, colour, "black", "black", "grey", "white", "silver")
    shell = look("metal", tint, texture="") if tint.name in ("grey", "silver") else look("plastic", tint)
    trim = look("plastic", tint.darker(0.6) if tint.name != "black" else Colour("grey", (0.22, 0.22, 0.24)))
    front = -depth / 2
    case = box((width, depth - 0.02, height - 0.02)).moved(0, 0.01, height / 2)
    face = rounded_box((width * 0.98, 0.02, height - 0.03), 0.008, 2).moved(0, front + 0.01, height / 2)
    feet = [
        cylinder(0.018, 0.012, segments=14).moved(x * (width / 2 - 0.03), y * (depth / 2 - 0.05), 0.006)
        for x in (-1, 1)
        for y in (-1, 1)
    ]
    drives = [box((width * 0.78, 0.004, 0.038)).moved(0, front - 0.001, height - 0.07 - 0.05 * i) for i in range(2)]
    trays = [box((0.03, 0.003, 0.008)).moved(width * 0.28, front - 0.004, height - 0.07 - 0.05 * i) for i in range(2)]
    grille = [
        box((width * 0.70, 0.003, 0.005)).moved(0, front - 0.0005, 0.06 + 0.014 * i) for i in range(int(height / 0.04))
    ]
    sockets = [box((0.014, 0.003, 0.006)).moved(-0.03 + 0.022 * i, front - 0.001, height * 0.60) for i in range(3)]
    vents = [box((0.002, 0.10, 0.006)).moved(width / 2, 0.06, height * 0.45 + 0.016 * i) for i in range(9)]
    button = cylinder(0.011, 0.004, segments=20).turned("x", 90).moved(width * 0.30, front - 0.001, height * 0.66)
    dark = look("plastic", Colour("black", (0.05, 0.05, 0.06)))
    glow = look("plastic", "cyan", emission=0.9)
    return Asset(
        parts=(
            Part(merge([case, face]), shell, fill=0.06),
            Part(merge([*drives, *vents, *feet]), trim, fill=0.5),
            Part(merge([*grille, *sockets, *trays]), dark),
            Part(button, dark, when="off"),
            Part(button, glow, when="on"),
        ),
        colliders=(Collider("box", (0, 0, height / 2), (width, depth, height)),),
        given_mass_kg=float(rng.uniform(6.0, 10.0)),
        given_colours=(tint.name,),
        given_materials=("metal", "plastic"),
    )


@object_type(
    "Laptop",
    "electronics",
    "a portable computer with a lid that opens",
    rooms=("LivingRoom", "Bedroom", "Kitchen"),
    shape="flat",
)
def laptop(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A laptop: keyboard and trackpad below, a screen in the lid that shows a desktop while on."""
    width = rng.uniform(0.30, 0.36)
    depth = width * rng.uniform(0.66, 0.71)
    base_h, lid_h = 0.012, 0.006
    tint = pick_colour(rng, colour, "silver", "grey", "black", "white", "gold")
    shell = look("metal", tint, texture="") if tint.name != "white" else look("plastic", tint)
    dark = look("plastic", "black")
    outline = rounded_rectangle(width, depth, 0.012, 3)
    base = extrude(outline, base_h, bevel_m=0.002)
    lid = extrude(outline, lid_h, bevel_m=0.0015).moved(z=base_h + 0.001)
    keys = keyboard(width * 0.86, depth * 0.44, 0.0012).moved(0, depth * 0.15, base_h - 0.0004)
    well = box((width * 0.88, depth * 0.46, 0.0008)).moved(0, depth * 0.15, base_h - 0.0003)
    pad = box((width * 0.32, depth * 0.26, 0.0006)).moved(0, -depth * 0.28, base_h)
    barrel = cylinder(0.005, width * 0.7, segments=12).turned("y", 90).moved(0, depth / 2 - 0.004, base_h)
    # The screen lies face down in the closed lid; its top edge is towards the front.
    glass_w, glass_h = width * 0.93, depth * 0.87
    face = panel(glass_w, glass_h, 0.0012).turned("x", 90).moved(0, -0.004, base_h + 0.0007)
    bezel = box((width - 0.006, depth - 0.006, 0.0012)).moved(0, 0, base_h + 0.0016)
    desktop = look("plastic", "white", texture=screen(rng, aspect=glass_w / glass_h), emission=0.75)
    emblem = cylinder(width * 0.045, 0.0006, segments=20).moved(z=base_h + lid_h + 0.001)
    return Asset(
        parts=(
            Part(base, shell, fill=0.12),
            Part(merge([keys, barrel]), dark),
            Part(well, look("plastic", Colour("grey", (0.24, 0.24, 0.26)))),
            Part(pad, shell.tinted(tint.darker(0.85))),
            Part(lid, shell, joint="lid", fill=0.12),
            Part(emblem, shell.tinted(tint.darker(0.75 if tint.name != "black" else 3.0)), joint="lid"),
            Part(bezel, dark, joint="lid"),
            Part(
                face,
                look("glass", "black", texture="").tinted(Colour("black", (0.03, 0.03, 0.04))),
                joint="lid",
                when="off",
            ),
            Part(face, desktop, joint="lid", when="on"),
        ),
        colliders=(
            Collider("box", (0, 0, base_h / 2), (width, depth, base_h)),
            Collider("box", (0, 0, base_h + 0.001 + lid_h / 2), (width, depth, lid_h), joint="lid"),
        ),
        joints=(
            Joint.hinge(
                "lid", (-1, 0, 0), (0, depth / 2 - 0.004, base_h + 0.001), 125, (0, -depth / 2, base_h + 0.004)
            ),
        ),
        emitters=(
            Emitter(
                "screen_glow", (0, 0, base_h - 0.02), (0.10, 0.12, 0.15), (0, 0, -1), 80.0, (1.0, 0.5, 1.0), joint="lid"
            ),
        ),
        declared=frozenset({"pickupable"}),
        given_colours=(tint.name,),
    )
