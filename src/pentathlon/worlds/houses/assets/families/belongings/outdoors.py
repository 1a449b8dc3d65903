"""What is taken outdoors: to the garden and into the rain."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.handheld import thing, vessel
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.curves import arc, spline
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.shapes import cylinder, lathe
from pentathlon.worlds.modelling.sweeps import extrude, sheet, sweep


@object_type(
    "WateringCan",
    "tool",
    "a can with a long spout for plants",
    rooms=("LivingRoom", "Kitchen", "Bedroom"),
    shape="cube",
)
def watering_can(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A watering can: round tank half covered on top, long spout with a rose, two handles."""
    radius, height = rng.uniform(0.075, 0.095), rng.uniform(0.15, 0.19)
    tint = pick_colour(rng, colour, "green", "blue", "red", "silver", "yellow", "teal")
    tank = vessel([(radius * 0.98, 0), (radius, 0.008), (radius * 0.92, height)], 0.003, 0.005, segments=32)
    cover = extrude(arc((0, 0), radius * 0.90, -90, 90, 14), 0.003).moved(z=height - 0.004)
    spout_path = [
        (radius * 0.85, 0, height * 0.18),
        (radius * 1.55, 0, height * 0.55),
        (radius * 2.35, 0, height * 1.18),
    ]
    spout = sweep(spline(spout_path, 4), np.linspace(0.022, 0.011, 9), sides=14)
    rose = (
        lathe([(0, 0), (0.011, 0), (0.030, 0.024), (0.030, 0.028), (0.026, 0.032), (0, 0.034)], 22)
        .turned("y", 46)
        .moved(radius * 2.33, 0, height * 1.16)
    )
    brace = sweep([(radius * 0.86, 0, height * 0.93), (radius * 1.80, 0, height * 0.74)], 0.004, sides=7)
    back = sweep(
        spline(
            [
                (-radius * 0.90, 0, height * 0.92),
                (-radius * 1.55, 0, height * 0.98),
                (-radius * 1.65, 0, height * 0.50),
                (-radius * 0.95, 0, height * 0.18),
            ],
            5,
        ),
        0.0068,
        sides=9,
    )
    top = sweep(
        spline(
            [
                (-radius * 0.70, 0, height * 0.97),
                (-radius * 0.35, 0, height * 1.38),
                (radius * 0.45, 0, height * 1.32),
                (radius * 0.70, 0, height * 0.98),
            ],
            5,
        ),
        0.0068,
        sides=9,
    )
    metal = look("metal", tint, texture="" if tint.name != "silver" else None, rng=rng)
    trim = look("metal", pick_colour(rng, None, "gold", "bronze", "silver"), rng)
    water = cylinder(radius * 0.90, 0.003, segments=28).moved(z=height * 0.7)
    return thing(
        [
            Part(merge([tank, cover, spout, brace]), metal, fill=0.25),
            Part(merge([back, top]), metal, fill=0.2499),
            Part(rose, trim, fill=0.3),
            Part(water, look("water", "cyan"), when="filled"),
        ],
        touch=[tank, merge([spout, rose, back, top])],
        colours=(tint.name,),
        mass_kg=float(rng.uniform(0.6, 1.0)),
    )


@object_type("Umbrella", "tool", "an open umbrella", "free", ("LivingRoom", "Bedroom"), shape="cube")
def umbrella(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """An open umbrella lying on its rim and its crook, ribs underneath."""
    radius, rise, shaft = rng.uniform(0.42, 0.50), rng.uniform(0.16, 0.20), rng.uniform(0.46, 0.52)
    tint = pick_colour(rng, colour, "red", "blue", "black", "yellow", "green", "purple", "navy")
    ribs = 8
    u, v = np.meshgrid(np.linspace(0.02, 1, 7), np.linspace(0, 1, ribs * 4 + 1), indexing="ij")
    turn = -2 * math.pi * v
    hollow = 1 - 0.07 * u**2 * np.abs(np.sin(turn * ribs / 2))
    reach = radius * np.sin(u * 1.35) / math.sin(1.35) * hollow
    z = rise * (np.cos(u * 1.35) - math.cos(1.35)) / (1 - math.cos(1.35)) - 0.025 * u**2 * np.abs(
        np.sin(turn * ribs / 2)
    )
    canopy = sheet(np.stack([reach * np.cos(turn), reach * np.sin(turn), z], axis=2)[:, ::-1], 0.004, crease_deg=50)
    wires = []
    for i in range(ribs):
        a = 2 * math.pi * i / ribs
        curve = [
            (
                radius * 0.985 * math.sin(s * 1.35) / math.sin(1.35),
                rise * (math.cos(s * 1.35) - math.cos(1.35)) / (1 - math.cos(1.35)) - 0.004,
            )
            for s in (0.1, 0.4, 0.7, 1.0)
        ]
        wires.append(sweep([(r * math.cos(a), r * math.sin(a), h) for r, h in curve], 0.0022, sides=5))
        wires.append(
            sweep(
                [(0, 0, rise * 0.1), (curve[1][0] * math.cos(a), curve[1][0] * math.sin(a), curve[1][1])],
                0.0018,
                sides=5,
            )
        )
    pole = sweep([(0, 0, -shaft), (0, 0, rise + 0.05)], 0.0055, sides=10)
    crook = sweep(
        spline(
            [
                (0, 0, -shaft + 0.05),
                (0, 0, -shaft - 0.05),
                (0.022, 0, -shaft - 0.085),
                (0.050, 0, -shaft - 0.085),
                (0.066, 0, -shaft - 0.05),
            ],
            4,
        ),
        0.011,
        sides=10,
    )
    tilt = math.degrees(math.atan2(shaft + 0.02, radius))
    parts = [
        (canopy, look("fabric", tint, rng)),
        (merge([*wires, pole]), look("metal", "silver", texture="")),
        (crook, wood(rng) if rng.random() < 0.6 else look("plastic", "black")),
    ]
    asset_parts = [Part(mesh.turned("y", tilt).turned("z", 20), surface) for mesh, surface in parts]
    return thing(asset_parts, mass_kg=float(rng.uniform(0.4, 0.6)), colours=(tint.name,), materials=("fabric",))
