"""Boxes, cartons, cans and rolls."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Joint, Part, Receptacle
from pentathlon.worlds.houses.assets.handheld import thing, wrapped
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.pictures import label, stripes
from pentathlon.worlds.modelling.prints import band, milk_front, packet
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe
from pentathlon.worlds.modelling.sweeps import extrude, panel, sheet

KRAFT = Colour("brown", (0.72, 0.54, 0.34))


def _pick(rng: np.random.Generator, *names: str) -> str:
    return names[int(rng.integers(len(names)))]


@object_type("CerealBox", "food", "a printed box of breakfast cereal", rooms=("Kitchen",), shape="cube")
def cereal_box(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A cereal box: a bowl of hoops on the front, the name on front, back and side."""
    width, depth, height = rng.uniform(0.18, 0.21), rng.uniform(0.055, 0.07), rng.uniform(0.26, 0.31)
    ground = pick_colour(rng, colour, "red", "yellow", "blue", "green", "orange", "purple")
    accent = pick_colour(rng, None, *(name for name in ("red", "blue", "purple", "orange") if name != ground.name))
    title = _pick(rng, "HOOPS", "CRUNCH", "FLAKES", "LOOPS")
    carton = box((width, depth, height)).moved(z=height / 2)
    front = panel(width, height, 0.0006).moved(0, -depth / 2 - 0.0004, height / 2)
    side = panel(depth, height, 0.0006).turned("z", 90).moved(width / 2 + 0.0004, 0, height / 2)
    face = look("cardboard", "white", texture=packet(rng, ground, accent, title))
    edge = look("cardboard", "white", texture=label(title[:4], accent, ground, aspect=0.5, height=0.11))
    parts = [
        Part(carton, look("cardboard", ground)),
        Part(merge([front, front.turned("z", 180)]), face),
        Part(side, edge),
    ]
    return thing(parts, mass_kg=float(rng.uniform(0.35, 0.55)), colours=(ground.name,))


@object_type("MilkCarton", "food", "a carton of milk with a gabled top", rooms=("Kitchen",), shape="long")
def milk_carton(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A milk carton: square body, gable top with a crimped ridge, a screw cap."""
    half, height = rng.uniform(0.034, 0.038), rng.uniform(0.17, 0.20)
    peak, ridge = height + half * 0.85, height + half * 0.85 + 0.018
    tint = pick_colour(rng, colour, "blue", "red", "green", "cyan")
    body = box((2 * half, 2 * half, height)).moved(z=height / 2)
    gable = extrude([(-half, 0), (half, 0), (0.003, half * 0.85), (-0.003, half * 0.85)], 2 * half)
    gable = gable.turned("x", 90).turned("z", 90).moved(-half, 0, height)
    crimp = box((2 * half, 0.004, ridge - peak)).moved(z=(peak + ridge) / 2 - 0.001)
    white = look("cardboard", "white")
    front = panel(2 * half, height, 0.0006).moved(0, -half - 0.0004, height / 2)
    picture_look = look("cardboard", "white", texture=milk_front(tint))
    cap = cylinder(0.013, 0.014, bevel_m=0.002, segments=20).turned("x", 45).moved(0, -half * 0.52, height + half * 0.5)
    faces = [front.turned("z", 90 * i) for i in range(4)]
    return thing(
        [Part(merge([body, gable, crimp]), white), Part(merge(faces), picture_look), Part(cap, look("plastic", tint))],
        "coolable",
        mass_kg=1.03,
        colours=("white", tint.name),
        materials=("cardboard",),
    )


@object_type("SodaCan", "food", "a drink can", rooms=("Kitchen", "LivingRoom"), shape="cube")
def soda_can(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A drink can: printed sides, tapered silver ends, a ring pull."""
    radius, height = 0.033, rng.uniform(0.115, 0.125)
    tint = pick_colour(rng, colour, "red", "blue", "green", "orange", "black", "purple")
    sleeve = wrapped(lathe([(radius, 0.010), (radius, height - 0.012)], 28))
    ends = [
        (0, 0.003),
        (0.022, 0.003),
        (0.024, 0),
        (radius - 0.0005, 0.010),
        (radius - 0.0005, height - 0.012),
        (0.027, height - 0.001),
        (0.026, height),
        (0.0245, height - 0.003),
        (0, height - 0.003),
    ]
    tab = merge(
        [
            cylinder(0.007, 0.0012, segments=14).scaled(0.75, 1.2, 1).moved(0, 0.002, 0),
            cylinder(0.003, 0.002, segments=10),
        ]
    ).moved(z=height - 0.0018)
    accent = Colour("white", (0.97, 0.97, 0.97)) if tint.name != "white" else Colour("red", (0.8, 0.1, 0.1))
    paint = look("metal", "white", texture=band(tint, _pick(rng, "COLA", "SODA", "FIZZ", "LIME"), accent))
    metal = look("metal", "silver", rng)
    return thing(
        [Part(sleeve, paint, fill=0.0), Part(merge([lathe(ends, 28), tab]), metal, fill=0.02)],
        "coolable",
        touch="cylinder",
        mass_kg=0.35,
        colours=(tint.name, "silver"),
        materials=("metal",),
    )


@object_type("Box", "container", "a cardboard box with flaps", rooms=("LivingRoom", "Bedroom", "Kitchen"), shape="cube")
def cardboard_box(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A cardboard box: two flaps that close its top and fold out, two short ones that stand at its ends."""
    width, depth, height = rng.uniform(0.30, 0.42), rng.uniform(0.26, 0.34), rng.uniform(0.18, 0.28)
    board, flap = 0.005, depth * rng.uniform(0.07, 0.16)
    kraft = look("cardboard", KRAFT.shade(rng, 0.1) if colour is None else pick_colour(rng, colour), rng)
    walls = [box((width, board, height)).moved(0, s * (depth - board) / 2, height / 2) for s in (-1, 1)]
    walls += [box((board, depth - 2 * board, height)).moved(s * (width - board) / 2, 0, height / 2) for s in (-1, 1)]
    bottom = box((width, depth, board)).moved(z=board / 2)
    ends = []
    for turn in (90, 270):
        leaf = box((depth - 0.03, board * 0.7, flap)).moved(z=flap / 2).turned("x", float(rng.uniform(15, 35)))
        ends.append(leaf.moved(0, -width / 2 + 0.004, height - 0.001).turned("z", turn))
    front = box((width - 0.004, depth / 2 - 0.002, board * 0.7)).moved(0, -depth / 4, height + board * 0.35)
    joints = tuple(
        Joint(
            name, "hinge", (side, 0, 0), (0, -side * depth / 2, height), math.radians(130),
            (0, -side * 0.004, height + board), leader,
        )
        for name, side, leader in (("flap_front", 1, ""), ("flap_back", -1, "flap_front"))
    )  # fmt: skip
    tape = look("plastic", Colour("beige", (0.80, 0.68, 0.45)))
    strip_mesh = merge(
        [box((0.05, 0.0008, height * 0.4)).moved(0, s * (depth / 2 + 0.0003), height * 0.2) for s in (-1, 1)]
    )
    return thing(
        [
            Part(merge([bottom, *walls]), kraft, fill=0.6),
            Part(merge(ends), kraft, fill=0.59),
            Part(strip_mesh, tape),
            Part(front, kraft, joint="flap_front", fill=0.6),
            Part(front.turned("z", 180), kraft, joint="flap_back", fill=0.6),
        ],
        touch=[bottom, *walls],
        joints=joints,
        receptacles=(
            Receptacle("inside", "in", (0, 0, board), (width - 0.04, depth - 0.04), height, door="flap_front"),
        ),
    )


@object_type(
    "TissueBox", "bathroom", "a box of paper tissues", rooms=("Bathroom", "LivingRoom", "Bedroom"), shape="cube"
)
def tissue_box(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A box of tissues with one pulled half out."""
    cube = rng.random() < 0.4
    width, depth, height = (
        (0.115, 0.115, rng.uniform(0.12, 0.135)) if cube else (rng.uniform(0.22, 0.25), 0.12, rng.uniform(0.06, 0.085))
    )
    tint = pick_colour(rng, colour, "cyan", "pink", "teal", "lime", "purple", "yellow")
    card = look(
        "cardboard",
        "white",
        texture=stripes([tint, tint.darker(1.25), tint, tint.darker(0.8)], 8, tile_m=rng.uniform(0.05, 0.12)),
    )
    body = box((width, depth, height)).moved(z=height / 2)
    slot = cylinder(0.5, 0.0012, segments=28).scaled(width * 0.62 if not cube else 0.07, 0.045, 1).moved(z=height)
    u, v = np.meshgrid(np.linspace(0, 1, 7), np.linspace(-1, 1, 11), indexing="ij")
    spread = 0.022 + 0.045 * u
    fold = 0.014 * np.sin(v * 5 + rng.uniform(0, 6)) * (0.4 + u)
    tissue = sheet(
        np.stack(
            [
                v * spread + 0.012 * u**2,
                fold + 0.01 * u,
                height - 0.004 + 0.065 * u - 0.02 * np.abs(v) * u + 0.008 * np.sin(7 * v) * u,
            ],
            axis=2,
        ),
        0.0008,
    )
    return thing(
        [
            Part(body, card, fill=0.35),
            Part(slot, look("cardboard", tint.darker(0.5))),
            Part(tissue, look("paper", "white")),
        ],
        touch=[body],
        colours=(tint.name,),
    )


@object_type("ToiletPaper", "bathroom", "a roll of toilet paper", rooms=("Bathroom",), shape="cube")
def toilet_paper(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A roll of toilet paper standing on end, its last sheet hanging."""
    return _roll(rng, rng.uniform(0.048, 0.058), rng.uniform(0.095, 0.105), colour)


@object_type("PaperTowelRoll", "tableware", "a tall roll of kitchen paper on a stand", rooms=("Kitchen",), shape="long")
def paper_towel_roll(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """Kitchen paper on a holder: a disc, a rod with a knob, the roll between."""
    radius, height = rng.uniform(0.055, 0.065), rng.uniform(0.22, 0.25)
    roll = _roll(rng, radius, height, colour)
    stand = (
        look("metal", pick_colour(rng, None, "silver", "black", "bronze"), rng)
        if rng.random() < 0.5
        else look("wood", "brown", rng)
    )
    base = cylinder(0.078, 0.012, bevel_m=0.003, segments=32).moved(z=0.006)
    rod = cylinder(0.008, height + 0.05, segments=14).moved(z=height / 2 + 0.03)
    knob = lathe([(0, 0), (0.010, 0.002), (0.013, 0.010), (0.008, 0.020), (0, 0.023)], 14).moved(z=height + 0.05)
    lifted = [Part(part.mesh.moved(z=0.012), part.look) for part in roll.parts]
    return thing(
        [*lifted, Part(merge([base, rod, knob]), stand, fill=0.3)], touch="cylinder", mass_kg=0.6, colours=roll.colours
    )


def _roll(rng: np.random.Generator, radius: float, height: float, colour: str | None) -> Asset:
    core = rng.uniform(0.019, 0.022)
    profile = fillet([(core, 0), (radius, 0), (radius, height), (core, height)], (0, 0.003, 0.003, 0))
    body = lathe([*profile, profile[0]], 36)
    tube = lathe(
        [
            (core - 0.0012, 0.0005),
            (core + 0.0002, 0.0005),
            (core + 0.0002, height - 0.0005),
            (core - 0.0012, height - 0.0005),
            (core - 0.0012, 0.0005),
        ],
        24,
    )
    u, v = np.meshgrid(np.linspace(0, 1, 6), np.linspace(0, 1, 2), indexing="ij")
    angle = np.radians(-60 - 22 * u)
    reach = radius + 0.0008 + 0.012 * u**2
    loose = sheet(np.stack([reach * np.cos(angle), reach * np.sin(angle), height * v], axis=2)[:, ::-1], 0.0007)
    paper = look("paper", pick_colour(rng, colour, "white", "white", "cream", "pink"), rng)
    return thing(
        [Part(body, paper, fill=0.25), Part(loose, paper, fill=0.25), Part(tube, look("cardboard", KRAFT))],
        touch="cylinder",
    )
