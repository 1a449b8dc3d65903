"""What is plugged into a computer."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Emitter, Part
from pentathlon.worlds.houses.assets.families.machines.computers import keyboard as keys
from pentathlon.worlds.houses.assets.handheld import thing
from pentathlon.worlds.houses.assets.types import Room, object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import ellipse, rounded_rectangle, spline
from pentathlon.worlds.modelling.materials import Look, look
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.pictures import screen
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box, sphere
from pentathlon.worlds.modelling.sweeps import extrude, loft, panel, sweep

DESK: tuple[Room, ...] = ("Bedroom", "LivingRoom")
DEAD = Colour("black", (0.025, 0.025, 0.035))


def _glass_off() -> Look:
    return look("ceramic", DEAD)


@object_type("Monitor", "electronics", "a computer monitor on a stand", rooms=DESK, shape="cube")
def monitor(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A flat monitor: thin bezel, stand with a foot; shows a desktop while on."""
    width = rng.uniform(0.50, 0.62)
    height, lift = width * rng.uniform(0.56, 0.62), rng.uniform(0.10, 0.14)
    tint = pick_colour(rng, colour, "black", "black", "silver", "white")
    shell = look("plastic", tint)
    middle = lift + height / 2
    case = rounded_box((width, 0.022, height), 0.006).moved(z=middle)
    hump = rounded_box((width * 0.5, 0.028, height * 0.5), 0.012).moved(0, 0.018, middle)
    shown = panel(width - 0.022, height - 0.030, 0.001).moved(0, -0.0115, middle + 0.004)
    neck = rounded_box((0.055, 0.018, lift + height * 0.32), 0.005, 1).moved(0, 0.034, (lift + height * 0.32) / 2)
    foot = extrude(ellipse(0.26, 0.17, 32, 3.0), 0.010, bevel_m=0.003).moved(0, 0.015)
    desktop = look("plastic", "white", texture=screen(rng, aspect=width / height), emission=0.75)
    light = sphere(0.0025, 8).moved(width / 2 - 0.02, -0.011, lift + 0.008)
    return thing(
        [
            Part(merge([case, hump, neck, foot]), shell, fill=0.35),
            Part(shown, _glass_off(), when="off"),
            Part(shown, desktop, when="on"),
            Part(light, look("plastic", "cyan", emission=0.8), when="on"),
        ],
        touch=[case, merge([neck, foot])],
        colours=(tint.name,),
        emitters=(Emitter("glow", (0, -0.03, middle), (0.12, 0.14, 0.17), (0, -1, 0), 85.0, (1.0, 0.5, 1.0)),),
    )


@object_type("Keyboard", "electronics", "a computer keyboard", rooms=DESK, shape="flat")
def keyboard(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A keyboard: rows of keys on a slim base, with a number block on the large ones."""
    full = rng.random() < 0.6
    width, depth = (rng.uniform(0.42, 0.45) if full else rng.uniform(0.29, 0.32)), rng.uniform(0.125, 0.145)
    tint = pick_colour(rng, colour, "black", "white", "silver", "grey")
    base = extrude(rounded_rectangle(width, depth, 0.009, 3), 0.013, bevel_m=0.002)
    main = width * 0.74 if full else width * 0.95
    caps = [keys(main, depth * 0.86, 0.006).moved(-(width * 0.95 - main) / 2, 0, 0.013)]
    if full:
        step, pitch = width * 0.045, depth * 0.86 / 5
        caps.append(
            merge(
                [
                    box((step * 0.84, pitch * 0.82, 0.006)).moved(
                        width * (0.475 - 0.045 * (3.5 - i)), depth * 0.43 - (row + 0.5) * pitch, 0.016
                    )
                    for row in range(5)
                    for i in range(4)
                ]
            )
        )
    key_tint = (
        Colour("grey", (0.20, 0.20, 0.22)) if tint.name in ("black", "grey") else Colour("white", (0.96, 0.96, 0.96))
    )
    ground = tint.darker(0.8) if tint.name != "black" else tint
    return thing(
        [Part(base, look("plastic", ground), fill=0.7), Part(merge(caps), look("plastic", key_tint))],
        colours=(tint.name,),
    )


@object_type("Mouse", "electronics", "a computer mouse", rooms=DESK, shape="flat", noun="computer mouse")
def mouse(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A computer mouse: humped shell, two buttons, a wheel and a tail of cable."""
    length, width, height = rng.uniform(0.105, 0.122), rng.uniform(0.060, 0.068), rng.uniform(0.034, 0.040)
    tint = pick_colour(rng, colour, "black", "white", "silver", "red", "blue")
    rings = []
    for share in np.linspace(0, 1, 9):
        rise = math.sqrt(max(1 - share**2.2, 0.0))
        outline = ellipse(width * (0.25 + 0.75 * rise), length * (0.30 + 0.70 * rise), 28, 2.5)
        rings.append(
            np.column_stack([outline[:, 0], outline[:, 1] - 0.008 * share, np.full(28, 0.002 + height * share)])
        )
    shell = loft(rings, crease_deg=70)
    wheel = cylinder(0.0105, 0.008, bevel_m=0.001, segments=20).turned("y", 90).moved(0, length * 0.17, height * 0.93)
    seam = box((0.0014, length * 0.36, 0.004)).turned("x", -27).moved(0, length * 0.27, height * 0.80)
    sole = extrude(ellipse(width * 0.97, length * 0.97, 28, 2.5), 0.003)
    cable = sweep(
        spline(
            [
                (0, length * 0.48, 0.008),
                (0.01, length * 0.62, 0.004),
                (-0.02, length * 0.85, 0.003),
                (0.02, length * 1.15, 0.003),
            ],
            5,
        ),
        0.0022,
        sides=6,
    )
    dark = look("rubber", "black" if tint.name != "black" else "grey")
    return thing(
        [Part(shell, look("plastic", tint), fill=0.5), Part(merge([wheel, seam, sole, cable]), dark, fill=0.5)],
        touch=[shell],
        colours=(tint.name,),
    )


@object_type("GameController", "electronics", "a game pad with sticks and buttons", rooms=DESK, shape="flat")
def game_controller(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A game controller: two grips, two sticks, a cross and four coloured buttons."""
    scale = rng.uniform(0.95, 1.08)
    knots = [
        (-0.075, -0.040),
        (-0.052, -0.052),
        (-0.036, -0.018),
        (0.036, -0.018),
        (0.052, -0.052),
        (0.075, -0.040),
        (0.074, 0.005),
        (0.058, 0.038),
        (0.030, 0.036),
        (-0.030, 0.036),
        (-0.058, 0.038),
        (-0.074, 0.005),
    ]
    outline = spline(np.array(knots) * scale, 4, closed=True)
    tint = pick_colour(rng, colour, "black", "white", "blue", "red", "grey")
    shell = extrude(outline, 0.036, bevel_m=0.005, crease_deg=60)
    top = 0.036
    dark = look("rubber", "black" if tint.name != "black" else "grey")
    sticks = []
    for x, y in ((-0.024, -0.004), (0.024, -0.004)):
        sticks += [
            cylinder(0.0105, 0.003, segments=20).moved(x, y, top),
            cylinder(0.0045, 0.012, segments=12).moved(x, y, top + 0.005),
            lathe([(0, 0.010), (0.009, 0.010), (0.0095, 0.013), (0.006, 0.0145), (0, 0.0135)], 20).moved(x, y, top),
        ]
    cross = merge([box((0.022, 0.0075, 0.005)), box((0.0075, 0.022, 0.005))]).moved(-0.048, 0.016, top + 0.001)
    bumpers = [rounded_box((0.036, 0.014, 0.012), 0.004).moved(s * 0.045, 0.037, 0.024) for s in (-1, 1)]
    dots = [(0.048, 0.027, "green"), (0.048, 0.005, "blue"), (0.037, 0.016, "red"), (0.059, 0.016, "yellow")]
    parts = [Part(shell, look("plastic", tint), fill=0.45), Part(merge([*sticks, cross, *bumpers]), dark)]
    parts += [
        Part(cylinder(0.005, 0.006, bevel_m=0.001, segments=14).moved(x, y, top + 0.001), look("plastic", tone))
        for x, y, tone in dots
    ]
    logo = Part(
        cylinder(0.007, 0.001, segments=18).moved(0, 0.016, top),
        look("plastic", "white" if tint.name != "white" else "black", emission=0.4),
    )
    return thing([*parts, logo], colours=(tint.name,))
