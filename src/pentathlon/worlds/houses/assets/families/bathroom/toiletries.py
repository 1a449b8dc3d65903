"""Things for washing and cleaning."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.handheld import thing, vessel, wrapped
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet, rounded_rectangle, spline
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.prints import band
from pentathlon.worlds.modelling.shapes import cushion, cylinder, lathe, rounded_box
from pentathlon.worlds.modelling.sweeps import extrude, loft, sweep


@object_type("SoapBar", "bathroom", "a bar of soap on a dish", rooms=("Bathroom", "Kitchen"), shape="flat")
def soap_bar(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A bar of soap with a pressed oval, on a shallow ceramic dish."""
    size = rng.uniform((0.078, 0.050, 0.024), (0.092, 0.058, 0.030))
    tint = pick_colour(rng, colour, "white", "pink", "lime", "cyan", "cream", "purple")
    bar = cushion(size.tolist(), roundness=0.35, steps=10).moved(z=0.004 + size[2] / 2)
    seal = cylinder(0.5, 0.0012, segments=28).scaled(size[0] * 0.55, size[1] * 0.5, 1).moved(z=0.004 + size[2] - 0.0002)
    rim = cylinder(0.5, 0.0008, segments=28).scaled(size[0] * 0.60, size[1] * 0.56, 1).moved(z=0.004 + size[2] - 0.0002)
    dish = vessel([(0.52, 0), (0.66, 0.003), (0.84, 0.010)], 0.03, 0.004, segments=32).scaled(
        size[0], size[1] * 1.1, 1.0
    )
    soap = look("soap", tint)
    return thing(
        [
            Part(bar, soap),
            Part(rim, look("soap", tint.darker(0.78))),
            Part(seal, look("soap", tint.darker(0.92))),
            Part(dish, look("ceramic", pick_colour(rng, None, "white", "grey", "teal"))),
        ],
    )


@object_type(
    "SoapBottle", "bathroom", "a bottle of liquid soap with a pump", rooms=("Bathroom", "Kitchen"), shape="long"
)
def soap_bottle(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A soap dispenser: round or oval bottle, a pump with a beak, a label."""
    radius, height = rng.uniform(0.030, 0.036), rng.uniform(0.12, 0.15)
    tint = pick_colour(rng, colour, "cyan", "pink", "lime", "white", "orange", "purple")
    profile = fillet(
        [(0, 0), (radius, 0), (radius, height), (0.013, height + 0.012), (0.013, height + 0.02), (0, height + 0.02)],
        (0, 0.006, 0.02, 0.004, 0, 0),
    )
    body = lathe(profile, 28)
    collar = cylinder(0.016, 0.014, bevel_m=0.002, segments=22).moved(z=height + 0.026)
    stem = cylinder(0.005, 0.028, segments=12).moved(z=height + 0.044)
    head = sweep(
        spline(
            [
                (-0.010, 0, height + 0.061),
                (0.008, 0, height + 0.062),
                (0.030, 0, height + 0.060),
                (0.044, 0, height + 0.050),
            ],
            3,
        ),
        np.linspace(0.0085, 0.0045, 10),
        sides=10,
    )
    press = cylinder(0.0125, 0.006, bevel_m=0.002, segments=20).moved(z=height + 0.068)
    sticker = wrapped(
        lathe(
            [
                (radius - 0.001, height * 0.22),
                (radius + 0.0004, height * 0.22),
                (radius + 0.0004, height * 0.72),
                (radius - 0.001, height * 0.72),
            ],
            28,
        )
    )
    pump = look("plastic", pick_colour(rng, None, "white", "black", "silver"))
    paper = look(
        "paper",
        "white",
        texture=band(Colour("white", (0.97, 0.97, 0.97)), ("SOAP", "ALOE", "ROSE", "SEA")[int(rng.integers(4))], tint),
    )
    parts = [
        Part(body, look("plastic", tint), fill=0.6),
        Part(merge([collar, stem, head, press]), pump, fill=0.4),
        Part(sticker, paper, fill=0.0),
    ]
    return thing(
        [replace(part, mesh=part.mesh.turned("z", -60)) for part in parts],
        touch=[body],
        colours=(tint.name,),
    )


@object_type("SprayBottle", "tool", "a bottle with a trigger spray", rooms=("Kitchen", "Bathroom"), shape="long")
def spray_bottle(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A cleaner's spray bottle: waisted bottle, trigger head with a nozzle."""
    width, height = rng.uniform(0.080, 0.095), rng.uniform(0.165, 0.195)
    tint = pick_colour(rng, colour, "blue", "green", "white", "yellow", "pink", "orange")
    rings = []
    for share, scale in ((0.0, 0.92), (0.03, 1.0), (0.45, 1.0), (0.62, 0.80), (0.80, 0.62), (0.93, 0.36), (1.0, 0.30)):
        outline = rounded_rectangle(
            width * scale, width * 0.62 * max(scale, 0.48), width * 0.62 * max(scale, 0.48) * 0.42, 4
        )
        rings.append(np.column_stack([outline, np.full(len(outline), share * height)]))
    body = loft(rings, crease_deg=50)
    collar = cylinder(0.0165, 0.020, bevel_m=0.002, segments=20).moved(z=height + 0.008)
    head_outline = [
        (-0.030, 0.0),
        (0.020, 0.0),
        (0.026, 0.012),
        (0.058, 0.016),
        (0.060, 0.034),
        (0.010, 0.044),
        (-0.028, 0.034),
    ]
    head = (
        extrude(fillet(head_outline, 0.006, 2, closed=True), 0.026, bevel_m=0.002)
        .turned("x", 90)
        .moved(0, 0.013, height + 0.016)
    )
    nozzle = cylinder(0.011, 0.016, bevel_m=0.002, segments=16).turned("y", 90).moved(0.064, 0, height + 0.041)
    lever = sweep(
        spline(
            [
                (0.030, 0, height + 0.030),
                (0.040, 0, height + 0.006),
                (0.034, 0, height - 0.022),
                (0.042, 0, height - 0.040),
            ],
            4,
        ),
        1.0,
        outline=rounded_rectangle(0.006, 0.016, 0.002, 2),
    )
    sticker = loft(
        [
            np.column_stack([rounded_rectangle(width + 0.0012, width * 0.62 + 0.0012, width * 0.26, 4), np.full(20, z)])
            for z in (height * 0.10, height * 0.40)
        ]
    )
    trigger = look(
        "plastic", pick_colour(rng, None, *(name for name in ("red", "white", "blue", "yellow") if name != tint.name))
    )
    note = look(
        "paper",
        "white",
        texture=band(
            Colour("white", (0.97, 0.97, 0.97)), ("CLEAN", "SPRAY", "GLASS")[int(rng.integers(3))], trigger.colour
        ),
    )
    return thing(
        [
            Part(body, look("plastic", tint), fill=0.55),
            Part(merge([collar, nozzle, lever]), trigger, fill=0.5),
            Part(head, look("plastic", "white"), fill=0.3),
            Part(_around(sticker), note, fill=0.0),
        ],
        touch=[body, merge([head, lever])],
        colours=(tint.name, trigger.colour.name),
    )


def _around(mesh: Mesh) -> Mesh:
    """Texture coordinates that carry a label once around a loft, its middle to the front."""
    points = mesh.vertices_m - mesh.centroid_m
    around = (np.arctan2(points[:, 0], -points[:, 1]) / (2 * math.pi) + 0.5) % 1.0
    low, high = mesh.bounds_m
    return mesh.with_uvs(np.column_stack([around, (mesh.vertices_m[:, 2] - low[2]) / (high[2] - low[2])]))


@object_type("DishSponge", "tool", "a kitchen sponge with a scouring side", rooms=("Kitchen", "Bathroom"), shape="flat")
def dish_sponge(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A two-layer sponge: porous foam below, rough scourer on top."""
    width, depth, thick = rng.uniform(0.095, 0.115), rng.uniform(0.062, 0.072), rng.uniform(0.022, 0.028)
    foam = rounded_box((width, depth, thick), 0.006, 2).moved(z=thick / 2)
    pad = rounded_box((width, depth, 0.008), 0.003, 1).moved(z=thick + 0.0035)
    tint = pick_colour(rng, colour, "yellow", "yellow", "pink", "cyan", "orange")
    rough = pick_colour(rng, None, "green", "green", "navy", "maroon")
    return thing([Part(foam, look("foam", tint, rng)), Part(pad, look("fabric", rough, rng))])


@object_type(
    "ScrubBrush", "tool", "a brush with stiff bristles and a handle", rooms=("Bathroom", "Kitchen"), shape="long"
)
def scrub_brush(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A hand brush lying on its bristles: a block, rows of tufts, an arched handle."""
    length, width = rng.uniform(0.15, 0.18), rng.uniform(0.050, 0.060)
    block = extrude(rounded_rectangle(length, width, width * 0.45, 5), 0.016, bevel_m=0.003).moved(z=0.030)
    tufts = []
    for x in np.linspace(-0.42, 0.42, 9):
        for y in np.linspace(-0.34, 0.34, 4):
            if abs(x) < 0.40 or abs(y) < 0.2:
                tufts.append(
                    cylinder(0.0062, 0.032, top_radius_m=0.0048, segments=7).moved(x * length, y * width, 0.016)
                )
    bow = [(-length * 0.40, 0, 0.044), (-length * 0.30, 0, 0.078), (length * 0.30, 0, 0.078), (length * 0.40, 0, 0.044)]
    grip = sweep(fillet(bow, 0.03, 4), 1.0, outline=rounded_rectangle(0.012, 0.024, 0.005, 2))
    timber = (
        wood(rng)
        if colour is None and rng.random() < 0.5
        else look("plastic", pick_colour(rng, colour, "blue", "red", "green", "white"))
    )
    bristle = look("plastic", pick_colour(rng, None, "white", "beige", "cyan", "black"))
    return thing([Part(merge([block, grip]), timber), Part(merge(tufts), bristle, fill=0.4)])


@object_type("Plunger", "tool", "a rubber cup on a stick", rooms=("Bathroom",), shape="long")
def plunger(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A plunger standing on its rubber cup, with a wooden stick."""
    radius, height = rng.uniform(0.065, 0.078), rng.uniform(0.42, 0.52)
    outside = spline([(radius, 0.0), (radius * 0.98, 0.02), (radius * 0.72, 0.062), (0.024, 0.082), (0.019, 0.115)], 4)
    cup = lathe(
        [
            *outside,
            (0, 0.118),
            (0, 0.070),
            (radius * 0.64, 0.052),
            (radius - 0.007, 0.016),
            (radius - 0.007, 0.0),
            outside[0],
        ],
        32,
        crease_deg=50,
    )
    stick = lathe(fillet([(0, 0.10), (0.0115, 0.10), (0.0115, height), (0, height)], (0, 0, 0.006, 0)), 16)
    rubber = look("rubber", pick_colour(rng, colour, "red", "black", "maroon", "orange"))
    return thing(
        [Part(cup, rubber), Part(stick, wood(rng, "pine") if rng.random() < 0.6 else look("plastic", "white"))],
        touch="cylinder",
    )


@object_type("ToothBrush", "bathroom", "a toothbrush in a cup", rooms=("Bathroom",), shape="long")
def tooth_brush(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """Two toothbrushes that lean in a beaker."""
    radius, height = rng.uniform(0.032, 0.038), rng.uniform(0.085, 0.10)
    beaker = vessel([(radius * 0.86, 0), (radius, height)], 0.003, 0.006, segments=26)
    handles, heads = [], []
    for side in (-1, 1):
        lean = side * rng.uniform(9, 14)
        stick = sweep([(0, 0, 0), (0, 0, 0.12), (0, 0, 0.165)], (0.0055, 0.0040, 0.0045), sides=8)
        plate = rounded_box((0.011, 0.006, 0.030), 0.0025, 1).moved(z=0.172)
        tuft = rounded_box((0.010, 0.010, 0.024), 0.001, 1).moved(0, -0.007, 0.174)
        spot = (-side * 0.010, 0.004 * side, 0.008)
        handles.append(merge([stick, plate]).turned("z", 40 * side).turned("y", lean).moved(*spot))
        heads.append(tuft.turned("z", 40 * side).turned("y", lean).moved(*spot))
    tints = [pick_colour(rng, None, "red", "blue", "green", "pink", "orange") for _ in handles]
    cup_look = look("ceramic", pick_colour(rng, colour, "white", "teal", "grey", "cream"))
    return thing(
        [
            Part(beaker, cup_look),
            *(Part(mesh, look("plastic", tint)) for mesh, tint in zip(handles, tints, strict=True)),
            Part(merge(heads), look("plastic", "white")),
        ],
        touch=[beaker],
    )
