"""Uncommon machines, after PASTURE's list."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Joint, Part, Receptacle
from pentathlon.worlds.houses.assets.handheld import thing
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet, rounded_rectangle, spline
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.pictures import label
from pentathlon.worlds.modelling.prints import circuit
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box, torus
from pentathlon.worlds.modelling.sweeps import extrude, loft, panel, sheet, sweep

DARK = Colour("black", (0.11, 0.11, 0.12))


@object_type("RiceCooker", "appliance", "an electric rice cooker with a lid", rooms=("Kitchen",), shape="cube")
def rice_cooker(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A rice cooker: round tub, domed lid that opens, control panel with a lamp, carrying bow."""
    width, depth, height = rng.uniform(0.24, 0.27), rng.uniform(0.25, 0.28), rng.uniform(0.145, 0.165)
    tint = pick_colour(rng, colour, "white", "white", "silver", "red", "cream")

    def ring(scale: float, z: float) -> np.ndarray:
        return np.column_stack(
            [rounded_rectangle(width * scale, depth * scale, width * scale * 0.42, 6), np.full(28, z)]
        )

    tub = loft(
        [ring(0.90, 0.006), ring(0.98, 0.03), ring(1.0, height), ring(0.88, height), ring(0.82, 0.05)], crease_deg=50
    )
    lid = loft(
        [
            ring(1.0, height + 0.002),
            ring(1.0, height + 0.014),
            ring(0.90, height + 0.044),
            ring(0.55, height + 0.062),
            ring(0.2, height + 0.066),
        ],
        crease_deg=50,
    )
    feet = [
        cylinder(0.012, 0.008, segments=12).moved(sx * width * 0.28, sy * depth * 0.28, 0.004)
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    console = rounded_box((width * 0.46, 0.020, height * 0.62), 0.008).moved(0, -depth / 2 + 0.001, height * 0.50)
    lever = rounded_box((0.040, 0.018, 0.022), 0.005).moved(0, -depth / 2 - 0.012, height * 0.34)
    lamps = [
        cylinder(0.006, 0.006, segments=14).turned("x", 90).moved(s * 0.028, -depth / 2 - 0.010, height * 0.66)
        for s in (-1, 1)
    ]
    title = panel(width * 0.30, 0.018, 0.001).moved(0, -depth / 2 - 0.0105, height * 0.50)
    vent = cylinder(0.020, 0.012, bevel_m=0.003, segments=20).moved(0, depth * 0.16, height + 0.064)
    latch = rounded_box((0.055, 0.022, 0.020), 0.006).moved(0, -depth / 2 + 0.006, height + 0.016)
    bow = sweep(
        spline(
            [
                (-width * 0.51, 0, height * 0.86),
                (-width * 0.53, -depth * 0.10, height + 0.05),
                (-width * 0.30, -depth * 0.24, height + 0.085),
                (width * 0.30, -depth * 0.24, height + 0.085),
                (width * 0.53, -depth * 0.10, height + 0.05),
                (width * 0.51, 0, height * 0.86),
            ],
            4,
        ),
        0.0068,
        sides=8,
    )
    rice = cylinder(0.5, 0.006, segments=30).scaled(width * 0.80, depth * 0.80, 1).moved(z=height * 0.62)
    shell, dark = look("plastic", tint), look("plastic", DARK)
    steel = look("metal", "silver", rng)
    lid_joint = Joint.hinge(
        "lid", (-1, 0, 0), (0, depth / 2 - 0.01, height + 0.004), 85, (0, -depth / 2, height + 0.016)
    )
    pot = lathe([(0, 0.049), (width * 0.38, 0.049), (width * 0.38, 0.053), (0, 0.053)], 26)
    parts = [
        Part(tub, shell, fill=0.3),
        Part(merge(feet), dark),
        Part(console, dark if tint.name != "black" else steel),
        Part(lever, steel, fill=0.3),
        Part(lamps[0], look("plastic", "red"), when="off"),
        Part(lamps[0], look("plastic", Colour("red", (1.0, 0.25, 0.15)), emission=1.0), when="on"),
        Part(lamps[1], look("plastic", "orange")),
        Part(pot, steel, fill=0.3),
        Part(
            title,
            look(
                "plastic",
                "white",
                texture=label("RICE", Colour("white", (0.95, 0.95, 0.95)), DARK, aspect=4.4, height=0.85),
            ),
        ),
        Part(rice, look("food", Colour("white", (0.96, 0.95, 0.90)), texture="speckle"), when="filled"),
        Part(lid, shell, joint="lid", fill=0.2),
        Part(merge([vent, latch]), dark, joint="lid", fill=0.4),
        Part(bow, steel, fill=0.3),
    ]
    inside = Receptacle("inside", "in", (0, 0, 0.055), (width * 0.5, depth * 0.5), height * 0.55, door="lid")
    return thing(
        parts,
        touch=[tub],
        joints=(lid_joint,),
        receptacles=(inside,),
        mass_kg=float(rng.uniform(2.4, 3.2)),
        colours=(tint.name, "black"),
        materials=("plastic", "metal"),
    )


@object_type(
    "GraphicsCard", "electronics", "a computer graphics card with fans", rooms=("Bedroom", "LivingRoom"), shape="flat"
)
def graphics_card(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A graphics card lying with its fans up: shroud, two or three fans, bracket, gold edge connector."""
    fans = int(rng.integers(2, 4))
    length, width, thick = rng.uniform(0.085, 0.095) * fans + 0.02, rng.uniform(0.110, 0.125), 0.040
    board = box((length, width, 0.003)).moved(z=0.0065)
    face = panel(length, width, 0.0006).turned("x", 90).moved(z=0.0046)
    fins = [
        box((0.0016, width * 0.86, thick * 0.5)).moved(x, 0, 0.008 + thick * 0.25)
        for x in np.linspace(-0.47, 0.47, 34) * length
    ]
    shroud = extrude(
        fillet(
            [
                (-length / 2, -width * 0.48),
                (length / 2 - 0.01, -width * 0.48),
                (length / 2, -width * 0.3),
                (length / 2, width * 0.44),
                (-length / 2, width * 0.44),
            ],
            0.008,
            2,
            closed=True,
        ),
        thick * 0.42,
        bevel_m=0.003,
    ).moved(z=0.008 + thick * 0.5)
    top = 0.008 + thick * 0.92
    radius = min(length / fans, width) * 0.44
    wells, blades, hubs, rings = [], [], [], []
    for i in range(fans):
        x = (i - (fans - 1) / 2) * length / fans * 0.98
        wells.append(cylinder(radius, 0.002, segments=32).moved(x, 0, top + 0.0002))
        rings.append(torus(radius * 1.0, 0.0028, 36, 6).moved(x, 0, top + 0.001))
        hubs.append(cylinder(radius * 0.30, 0.008, bevel_m=0.001, segments=20).moved(x, 0, top + 0.005))
        for k in range(9):
            u, v = np.meshgrid(np.linspace(0.28, 0.94, 4), np.linspace(-1, 1, 3), indexing="ij")
            angle = 0.30 * v + 0.5 * (u - 0.28)
            blade = sheet(
                np.stack([u * radius * np.cos(angle), u * radius * np.sin(angle), 0.005 + 0.0028 * v], axis=2), 0.0009
            )
            blades.append(blade.turned("z", 40 * k + 13 * i).moved(x, 0, top))
    bracket = box((0.0014, width * 1.08, thick * 1.15)).moved(-length / 2 - 0.001, 0.004, thick * 0.58)
    ports = [box((0.004, 0.018, 0.008)).moved(-length / 2 - 0.003, y, 0.014) for y in (-0.03, 0.0, 0.03)]
    gold = box((length * 0.42, 0.010, 0.0018)).moved(-length * 0.12, -width / 2 - 0.004, 0.0065)
    notch = [
        box((0.0012, 0.0102, 0.0022)).moved(-length * 0.12 + s * length * 0.42, -width / 2 - 0.004, 0.0065)
        for s in np.linspace(-0.48, 0.48, 24)
    ]
    power = rounded_box((0.030, 0.014, 0.016), 0.001, 1).moved(length * 0.30, width / 2 - 0.004, 0.020)
    tint = pick_colour(rng, colour, "black", "grey", "white", "black")
    accent = pick_colour(rng, None, "red", "lime", "cyan", "orange")
    name_plate = panel(length * 0.42, 0.018, 0.0008).moved(0, -width * 0.482, 0.008 + thick * 0.70)
    shell_tint = Colour("black", (0.16, 0.16, 0.18)) if tint.name == "black" else tint
    printed = look(
        "plastic",
        "white",
        texture=label(f"GPU {rng.integers(10, 99)}00", accent, shell_tint, aspect=5.5, height=0.8),
    )
    steel = look("metal", "silver", rng, texture="")
    stripes = [box((length * 0.9, 0.004, 0.0012)).moved(0, s * width * 0.42, top + 0.0006) for s in (-1,)]
    return thing(
        [
            Part(board, look("plastic", Colour("green", (0.06, 0.28, 0.14)))),
            Part(face, look("plastic", "white", texture=circuit(rng, Colour("green", (0.06, 0.28, 0.14))))),
            Part(merge(fins), steel, fill=0.4),
            Part(shroud, look("plastic", shell_tint), fill=0.2),
            Part(merge(wells), look("plastic", Colour("black", (0.03, 0.03, 0.04)))),
            Part(merge(blades), look("plastic", Colour("grey", (0.28, 0.28, 0.31)))),
            Part(merge([*hubs, power]), look("plastic", DARK)),
            Part(merge([*rings, *stripes]), look("plastic", accent)),
            Part(merge([bracket, *ports]), steel, fill=0.8),
            Part(gold, look("metal", "gold", texture="")),
            Part(merge(notch), look("plastic", DARK)),
            Part(name_plate, printed),
        ],
        mass_kg=float(rng.uniform(0.9, 1.5)),
        colours=(tint.name, accent.name),
        materials=("plastic", "metal"),
    )
