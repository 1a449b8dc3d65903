"""Uncommon things, after PASTURE's list: each one of a kind and hard to mistake."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part, Receptacle
from pentathlon.worlds.houses.assets.handheld import thing
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import ellipse, spline
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import Floats, merge
from pentathlon.worlds.modelling.pictures import tie_dye
from pentathlon.worlds.modelling.prints import written_board
from pentathlon.worlds.modelling.shapes import box, cylinder, ellipsoid, lathe, rounded_box, sphere, torus
from pentathlon.worlds.modelling.sweeps import extrude, loft, panel, sweep


@object_type(
    "Surfboard",
    "sport",
    "a surfboard with a tie-dye pattern",
    "against_wall",
    ("LivingRoom", "Bedroom"),
    noun="tie-dye surfboard",
)
def surfboard(rng: np.random.Generator) -> Asset:
    """A tie-dyed surfboard upright in a wooden stand, with a stringer and three fins."""
    length, width, thick = rng.uniform(1.60, 1.85), rng.uniform(0.46, 0.52), 0.055
    sections = []
    for share in np.linspace(0.0, 1.0, 21):
        half = (
            width / 2 * max(math.sin(math.pi * (0.10 + 0.90 * share)) ** 0.62, 0.02) * (1.0 if share < 0.999 else 0.3)
        )
        depth = thick * max(math.sin(math.pi * (0.12 + 0.84 * share)) ** 0.5, 0.12)
        rocker = 0.09 * (share - 0.4) ** 2
        ring = ellipse(2 * half, depth, 20, 2.6)
        sections.append(np.column_stack([ring[:, 0], -ring[:, 1] + rocker, np.full(20, share * length)])[::-1])
    board = loft(sections, crease_deg=60)
    board = (
        (board if board.volume_m3 > 0 else loft([ring[::-1] for ring in sections], crease_deg=60))
        .with_projected_uvs("y")
        .moved(z=0.05)
    )
    stringer = box((0.008, 0.004, length * 0.9)).moved(0, -thick * 0.48, length * 0.47 + 0.05)
    fins = [
        extrude([(0, 0), (0.10, 0.0), (0.03, 0.085), (0.0, 0.09)], 0.007)
        .turned("y", -90)
        .turned("z", 0)
        .moved(x, thick * 0.45, 0.16)
        for x in (-0.09, 0.0, 0.09)
    ]
    base = [rounded_box((0.50, 0.07, 0.05), 0.006).moved(0, y, 0.035) for y in (-0.085, 0.085)] + [
        rounded_box((0.06, 0.30, 0.03), 0.005, 1).moved(x, 0, 0.015) for x in (-0.19, 0.19)
    ]
    dye = look("plastic", "white", texture=tie_dye(rng))
    return thing(
        [
            Part(board, dye, fill=0.08),
            Part(stringer, look("wood", "brown")),
            Part(merge(fins), look("plastic", "black")),
            Part(merge(base), wood(rng, "pine")),
        ],
        touch=[board, *base],
        portable=False,
        mass_kg=float(rng.uniform(6, 8)),
        colours=("red", "yellow", "blue"),
        materials=("plastic",),
    )


@object_type(
    "Whiteboard",
    "stationery",
    "a whiteboard with CVPR written on it",
    "against_wall",
    ("LivingRoom", "Bedroom"),
    noun="whiteboard saying CVPR",
)
def whiteboard(rng: np.random.Generator, *, text: str = "CVPR") -> Asset:
    """A whiteboard on two legs with feet: CVPR in marker, a tray with pens."""
    width, height, low = rng.uniform(0.85, 1.05), rng.uniform(0.60, 0.72), rng.uniform(0.55, 0.70)
    middle = low + height / 2
    ink = ((0.10, 0.10, 0.12), (0.75, 0.10, 0.10), (0.10, 0.22, 0.65))[int(rng.integers(3))]
    face = panel(width - 0.03, height - 0.03, 0.008).moved(0, -0.012, middle)
    back = box((width - 0.02, 0.012, height - 0.02)).moved(z=middle)
    rails = [rounded_box((width, 0.030, 0.024), 0.005, 1).moved(z=middle + s * (height - 0.024) / 2) for s in (-1, 1)]
    rails += [rounded_box((0.024, 0.030, height), 0.005, 1).moved(s * (width - 0.024) / 2, 0, middle) for s in (-1, 1)]
    legs = [
        rounded_box((0.026, 0.026, low + height * 0.5), 0.006, 1).moved(
            s * width * 0.44, 0.020, (low + height * 0.5) / 2
        )
        for s in (-1, 1)
    ]
    feet = [rounded_box((0.035, 0.46, 0.030), 0.008).moved(s * width * 0.44, 0.0, 0.015) for s in (-1, 1)]
    tray = rounded_box((width * 0.6, 0.055, 0.010), 0.003, 1).moved(0, -0.035, low + 0.004)
    pens = [(x, name) for x, name in ((-0.12, "red"), (-0.02, "blue"), (0.08, "green"))]
    metal = look("metal", pick_colour(rng, None, "silver", "grey", "black"), rng)
    markers = [
        Part(
            cylinder(0.008, 0.11, bevel_m=0.002, segments=12).turned("y", 90).moved(x, -0.040, low + 0.017),
            look("plastic", name),
        )
        for x, name in pens
    ]
    eraser = Part(rounded_box((0.09, 0.036, 0.024), 0.004).moved(0.20, -0.038, low + 0.021), look("foam", "navy"))
    return thing(
        [
            Part(merge([*rails, *legs, *feet, tray]), metal, fill=0.12),
            Part(back, look("plastic", "white"), fill=0.4),
            Part(face, look("ceramic", "white", texture=written_board(text, ink)), fill=0.1),
            *markers,
            eraser,
        ],
        touch=[back, *legs, *feet],
        portable=False,
        colours=("white", metal.colour.name),
        materials=("plastic", "metal"),
    )


@object_type(
    "WickerBasket",
    "container",
    "a wicker basket in the shape of a llama",
    rooms=("LivingRoom", "Bedroom"),
    noun="llama wicker basket",
)
def wicker_basket(rng: np.random.Generator) -> Asset:
    """A llama woven from wicker: its body is the basket, with neck, head, ears, tail, legs and tassels."""
    length, width, depth = rng.uniform(0.30, 0.36), rng.uniform(0.20, 0.24), rng.uniform(0.15, 0.18)
    legs_m = rng.uniform(0.09, 0.12)

    def oval(scale: float, z: float, inset: float = 0.0) -> Floats:
        return np.column_stack(
            [ellipse(length * scale - 2 * inset, width * scale - 2 * inset, 32, 2.6), np.full(32, legs_m + z)]
        )

    shell = loft(
        [
            oval(0.80, 0.0),
            oval(0.98, depth * 0.4),
            oval(1.0, depth),
            oval(1.0, depth, 0.010),
            oval(0.96, depth * 0.4, 0.010),
            oval(0.78, 0.008, 0.010),
        ],
        crease_deg=50,
    )
    brim = sweep(oval(1.0, depth, 0.004), 0.011, sides=8, closed=True)
    start = -length * 0.44
    neck_path = spline(
        [
            (start + 0.03, 0, legs_m + depth * 0.55),
            (start - 0.015, 0, legs_m + depth * 1.05),
            (start - 0.035, 0, legs_m + depth * 1.9),
        ],
        5,
    )
    neck = sweep(neck_path, np.linspace(0.058, 0.034, len(neck_path)), sides=16)
    top = legs_m + depth * 2.0
    head = ellipsoid((0.105, 0.070, 0.068), 18).turned("y", 14).moved(start - 0.055, 0, top)
    snout = ellipsoid((0.070, 0.050, 0.046), 14).moved(start - 0.108, 0, top - 0.014)
    ears = [
        lathe(spline([(0.0, 0.0), (0.013, 0.012), (0.011, 0.032), (0.0, 0.058)], 3), 10, crease_deg=70)
        .scaled(0.6, 1, 1)
        .turned("x", -s * 12)
        .moved(start - 0.030, s * 0.022, top + 0.022)
        for s in (-1, 1)
    ]
    tail = sweep(
        spline(
            [
                (length * 0.47, 0, legs_m + depth * 0.7),
                (length * 0.56, 0, legs_m + depth * 0.95),
                (length * 0.60, 0, legs_m + depth * 0.8),
            ],
            4,
        ),
        np.linspace(0.026, 0.016, 9),
        sides=10,
    )
    legs = [
        cylinder(0.024, legs_m + 0.03, top_radius_m=0.028, segments=14).moved(
            sx * length * 0.29, sy * width * 0.26, (legs_m + 0.03) / 2
        )
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    tint = Colour("beige", (0.86, 0.68, 0.44)).shade(rng, 0.12)
    woven = look("wicker", tint, rng)
    eyes = [sphere(0.0075, 10).moved(start - 0.082, s * 0.031, top + 0.012) for s in (-1, 1)]
    nose = ellipsoid((0.010, 0.026, 0.016), 10).moved(start - 0.141, 0, top - 0.008)
    hues = ("red", "teal", "yellow", "pink", "orange")
    pick = rng.permutation(len(hues))
    collar = torus(0.048, 0.010, 24, 8).turned("y", -8).moved(start - 0.022, 0, legs_m + depth * 1.35)
    tassels = []
    for i in range(9):
        angle = math.pi * (0.12 + 0.76 * i / 8)
        spot = (length * 0.49 * math.cos(angle) * 0.9, -width * 0.51 * math.sin(angle) ** 0.8, legs_m + depth * 0.80)
        tassels.append((sphere(0.013, 10).moved(*spot), hues[int(pick[1 + i % 3])]))
    parts = [
        Part(merge([shell, brim, neck, head, snout, *ears, tail, *legs]), woven, fill=0.35),
        Part(merge([*eyes, nose]), look("plastic", "black")),
        Part(collar, look("fabric", hues[int(pick[0])], rng)),
    ]
    parts += [Part(mesh, look("fabric", name)) for mesh, name in tassels]
    inside = Receptacle("inside", "in", (0, 0, legs_m + 0.010), (length * 0.5, width * 0.5), depth * 2)
    turned = [Part(part.mesh.turned("z", 40), part.look, fill=part.fill) for part in parts]
    return thing(
        turned,
        touch=[merge([part.mesh for part in turned[:1]])],
        receptacles=(inside,),
        mass_kg=float(rng.uniform(0.9, 1.4)),
        colours=("beige",),
        materials=("wicker",),
    )


@object_type(
    "PlasticCrate",
    "container",
    "a green plastic crate with slots",
    rooms=("Kitchen", "LivingRoom"),
    noun="green plastic crate",
)
def plastic_crate(rng: np.random.Generator, *, colour: str = "green") -> Asset:
    """A stacking crate: slotted walls between strong corners, grid floor, hand holes."""
    width, depth, height = rng.uniform(0.36, 0.44), rng.uniform(0.26, 0.32), rng.uniform(0.19, 0.26)
    wall, post = 0.012, 0.035
    corners = [
        rounded_box((post, post, height), 0.004, 1).moved(sx * (width - post) / 2, sy * (depth - post) / 2, height / 2)
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    rows = int(rng.integers(4, 6))
    slats, solid = [], []
    for span, reach, turn in ((width, depth, 0), (depth, width, 90)):
        for side in (-1, 1):
            rim = rounded_box((span - 0.01, wall * 1.5, 0.030), 0.004, 1).moved(
                0, side * (reach - wall * 1.5) / 2, height - 0.015
            )
            foot = box((span - 0.02, wall, 0.030)).moved(0, side * (reach - wall) / 2, 0.015)
            bars = [
                box((span - 2 * post + 0.01, wall * 0.7, (height - 0.06) / rows * 0.48)).moved(
                    0, side * (reach - wall) / 2, 0.030 + (height - 0.06) * (i + 0.5) / rows
                )
                for i in range(rows)
                if not (turn == 90 and i == rows - 1)
            ]
            uprights = [
                box((0.014, wall * 0.9, height - 0.04)).moved(x * span, side * (reach - wall) / 2, height / 2)
                for x in (-0.2, 0.2)
            ]
            slats += [mesh.turned("z", turn) for mesh in (rim, foot, *bars, *uprights)]
            solid.append(box((span, wall, height)).moved(0, side * (reach - wall) / 2, height / 2).turned("z", turn))
    floor_bars = [
        box((width - 0.03, 0.014, 0.006)).moved(0, y * (depth - 0.04), 0.012) for y in np.linspace(-0.5, 0.5, 9)
    ]
    floor_bars += [
        box((0.014, depth - 0.03, 0.006)).moved(x * (width - 0.04), 0, 0.008) for x in np.linspace(-0.5, 0.5, 11)
    ]
    base = box((width - 0.02, depth - 0.02, 0.015)).moved(z=0.0075)
    tint = pick_colour(rng, colour)
    inside = Receptacle("inside", "in", (0, 0, 0.016), (width - 0.09, depth - 0.09), height)
    return thing(
        [Part(merge([*corners, *slats, *floor_bars]), look("plastic", tint), fill=0.4)],
        touch=[base, *solid],
        receptacles=(inside,),
    )
