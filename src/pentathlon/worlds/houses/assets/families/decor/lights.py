"""Lamps for tables, walls and ceilings, and the switch."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly, pick, trim
from pentathlon.worlds.houses.assets.asset import Asset, Emitter, Point
from pentathlon.worlds.houses.assets.families.decor.lamps import WARM, shade
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet, spline
from pentathlon.worlds.modelling.materials import Look, look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box, sphere, torus
from pentathlon.worlds.modelling.sweeps import sweep

BULB = Colour("white", (0.93, 0.92, 0.88))


def bulb(work: Assembly, mesh: Mesh) -> None:
    """Add a bulb that is dull while off and bright while on."""
    work.show(mesh, look("plastic", BULB), when="off", fill=0.1)
    work.show(mesh, look("plastic", WARM, emission=1.0), when="on", fill=0.0)


def glowing_shade(work: Assembly, mesh: Mesh, cloth: Look) -> None:
    """Add a shade that light shines through while on."""
    warm = np.minimum(1.0, np.array(cloth.colour.rgb) * 0.3 + np.array(WARM.rgb) * 0.7)
    work.show(mesh, cloth, when="off")
    work.show(mesh, cloth.tinted(Colour(cloth.colour.name, tuple(warm.tolist()))).glowing(0.75), when="on", fill=0.0)


def _cloth(rng: np.random.Generator, colour: str | None) -> Look:
    return look("fabric", pick_colour(rng, colour, "cream", "white", "beige", "grey", "teal", "yellow"), rng)


def _foot(radius: float, height: float = 0.03) -> Mesh:
    return lathe(fillet([(0, 0), (radius, 0), (radius, height * 0.5), (0.012, height), (0, height)], 0.006, 2), 28)


@object_type("DeskLamp", "lighting", "a jointed lamp for a desk", rooms=("Bedroom", "LivingRoom"), shape="long")
def desk_lamp(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A desk lamp: round foot, two arms with joints, a bell-shaped metal shade."""
    work, lower, upper = Assembly(), rng.uniform(0.20, 0.25), rng.uniform(0.18, 0.23)
    paint = look(
        "metal", pick_colour(rng, colour, "black", "red", "white", "teal", "yellow", "silver", "green"), texture=""
    )
    steel = look("metal", "silver")
    elbow = (0.0, 0.10, 0.02 + lower)
    tip = (0.0, 0.10 - upper * 0.85, elbow[2] + upper * 0.5)
    rods = [sweep([(dx, 0.03, 0.025), (dx, elbow[1], elbow[2])], 0.004, sides=8) for dx in (-0.009, 0.009)]
    rods += [sweep([(dx, *elbow[1:]), (dx, *tip[1:])], 0.004, sides=8) for dx in (-0.009, 0.009)]
    pins = [
        cylinder(0.012, 0.034, bevel_m=0.003, segments=14).turned("y", 90).moved(*at)
        for at in ((0, 0.03, 0.03), elbow, tip)
    ]
    work.show(_foot(rng.uniform(0.075, 0.09)), paint, fill=0.6)
    work.show(merge(rods), steel)
    work.show(merge(pins), paint)
    outside = [(0.016, 0.03), (0.022, 0.0), (0.045, -0.035), (0.068, -0.085), (0.070, -0.095)]
    bell = lathe(
        [(0, 0.03), *outside, (0.066, -0.095), (0.064, -0.085), (0.041, -0.037), (0.018, -0.004), (0, -0.002)][::-1],
        28,
        crease_deg=50,
    )
    head = bell.turned("x", -25).moved(0, tip[1] - 0.012, tip[2] - 0.01)
    work.show(head, paint)
    bulb(work, sphere(0.026, 14).moved(0, 0, -0.055).turned("x", -25).moved(0, tip[1] - 0.012, tip[2] - 0.01))
    light: Point = (0.0, tip[1] - 0.04, tip[2] - 0.08)
    work.emitters.append(Emitter("bulb", light, (0.50, 0.43, 0.31), (0, -0.35, -1), 62.0, (1, 0.4, 0.8)))
    work.touch((0.17, 0.17, 0.03), (0, 0, 0.015), kind="cylinder")
    work.touch((0.03, 0.10, lower), (0, 0.065, lower / 2 + 0.03))
    work.touch((0.12, upper, 0.12), (0, tip[1] / 2 + 0.02, tip[2] - 0.03))
    return work.asset("pickupable", mass_kg=rng.uniform(1.2, 1.9), colours=(paint.colour.name,))


@object_type("TableLamp", "lighting", "a small lamp with a shade", rooms=("Bedroom", "LivingRoom"), shape="long")
def table_lamp(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A table lamp: a turned ceramic, wooden or metal body under a fabric shade."""
    work, height, drop = Assembly(), rng.uniform(0.38, 0.52), rng.uniform(0.15, 0.20)
    low, high, neck = rng.uniform(0.12, 0.16), rng.uniform(0.08, 0.11), height - drop
    body = (
        look("ceramic", pick_colour(rng, None, "white", "blue", "teal", "green", "pink", "navy")),
        wood(rng),
        trim(rng),
    )[int(rng.integers(3))]
    belly, waist = rng.uniform(0.05, 0.085), rng.uniform(0.018, 0.04)
    profile = spline(
        [(0.06, 0.0), (0.062, 0.015), (waist, 0.035), (belly, neck * 0.45), (waist, neck * 0.85), (0.012, neck)], 5
    )
    work.show(lathe([(0, 0), *profile, (0, neck)], 28, crease_deg=45), body, fill=0.35)
    metal = trim(rng)
    spokes = [
        sweep([(0, 0, neck + 0.01), (high * c, high * s, height - 0.015)], 0.002, sides=6)
        for c, s in ((1, 0), (-0.5, 0.87), (-0.5, -0.87))
    ]
    work.show(merge([cylinder(0.007, 0.06, segments=10).moved(z=neck + 0.02), *spokes]), metal)
    glowing_shade(work, shade(low, high, drop).moved(z=height - drop), _cloth(rng, colour))
    bulb(work, sphere(0.026, 14).scaled(1, 1, 1.25).moved(z=neck + 0.07))
    work.emitters.append(Emitter("bulb", (0, 0, neck + 0.07), (0.42, 0.35, 0.25)))
    work.touch((2 * belly, 2 * belly, neck), (0, 0, neck / 2), kind="cylinder")
    work.touch((2 * low, 2 * low, drop), (0, 0, height - drop / 2), kind="cylinder")
    return work.asset("pickupable", mass_kg=rng.uniform(1.2, 2.4))


@object_type("CeilingLamp", "lighting", "a lamp hanging from the ceiling", "ceiling")
def ceiling_lamp(rng: np.random.Generator, *, colour: str | None = None, style: str | None = None) -> Asset:
    """A pendant: a cloth drum, a metal dome or a glass globe on a cord."""
    work, kind, cord = (
        Assembly(),
        style if style is not None else pick(rng, "drum", "dome", "globe"),
        rng.uniform(0.22, 0.40),
    )
    black = look("plastic", "black")
    rose = lathe(fillet([(0, -0.03), (0.05, -0.03), (0.055, 0), (0, 0)], 0.006, 2), 20)
    work.show(merge([rose, cylinder(0.003, cord, segments=6).moved(z=-cord / 2)]), black)
    low = -cord
    if kind == "drum":
        radius, drop = rng.uniform(0.18, 0.25), rng.uniform(0.16, 0.22)
        glowing_shade(
            work, shade(radius, radius * rng.uniform(0.75, 1.0), drop).moved(z=low - drop + 0.03), _cloth(rng, colour)
        )
        bars = [box((2 * radius * 0.74, 0.004, 0.004)).turned("z", a).moved(z=low) for a in (0, 90)]
        work.show(merge(bars), black)
        bulb(work, sphere(0.035, 14).moved(z=low - 0.07))
        size, light = (2 * radius, 2 * radius, drop), low - 0.07
    elif kind == "dome":
        radius, drop = rng.uniform(0.17, 0.24), rng.uniform(0.15, 0.19)
        paint = look("metal", pick_colour(rng, colour, "black", "red", "white", "teal", "gold", "green"), texture="")
        line = spline([(0.02, 0.02), (0.035, -0.02), (radius * 0.75, -drop * 0.55), (radius, -drop)], 5)
        work.show(
            lathe(
                [*(line[::-1]), (0, 0.02), (0, 0.015), *(line - (0.004, 0.004)).clip(min=(0.001, -9)), line[-1]],
                32,
                crease_deg=50,
            ).moved(z=low),
            paint,
        )
        bulb(work, sphere(0.038, 14).moved(z=low - drop * 0.6))
        size, light = (2 * radius, 2 * radius, drop), low - drop * 0.6
    else:
        radius = rng.uniform(0.12, 0.17)
        glass = look("plastic", pick_colour(rng, colour, "white", "white", "cream", "yellow"))
        glowing_shade(work, sphere(radius, 28).moved(z=low - radius + 0.01), glass)
        work.show(cylinder(0.045, 0.04, bevel_m=0.008, segments=20).moved(z=low + 0.01), trim(rng))
        size, light = (2 * radius, 2 * radius, 2 * radius), low - radius
    work.emitters.append(Emitter("bulb", (0, 0, light - 0.05), (0.62, 0.56, 0.46)))
    work.touch(size, (0, 0, low - size[2] / 2), kind="cylinder")
    return work.asset(mass_kg=rng.uniform(1.0, 2.5))


@object_type("Chandelier", "lighting", "a hanging lamp with arms and candles", "ceiling", ("LivingRoom",))
def chandelier(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A chandelier: curved arms around a turned stem, each with a candle bulb."""
    work, count, reach, cord = Assembly(), int(rng.integers(5, 9)), rng.uniform(0.28, 0.36), rng.uniform(0.25, 0.4)
    metal = look("metal", pick_colour(rng, colour, "gold", "bronze", "black", "silver"), texture="")
    rose = lathe(fillet([(0, -0.035), (0.03, -0.035), (0.06, 0), (0, 0)], 0.006, 2), 20)
    links = [
        torus(0.014, 0.003, 10, 4).turned("x", 90).turned("z", 90 * (i % 2)).moved(z=-0.045 - 0.022 * i)
        for i in range(int((cord - 0.05) / 0.022))
    ]
    low = -cord
    stem = spline(
        [(0.01, 0.02), (0.03, -0.02), (0.015, -0.08), (0.05, -0.16), (0.02, -0.24), (0.035, -0.27), (0.004, -0.31)], 4
    )
    work.show(merge([rose, *links, lathe([(0, 0.02), *stem, (0, -0.31)][::-1], 18, crease_deg=50).moved(z=low)]), metal)
    arms, cups, candles, flames = [], [], [], []
    for angle in np.arange(count) * 360.0 / count:
        line = spline(
            [
                (0.03, 0, low - 0.14),
                (reach * 0.5, 0, low - 0.25),
                (reach * 0.95, 0, low - 0.20),
                (reach, 0, low - 0.12),
            ],
            5,
        )
        arms.append(sweep(line, 0.007, sides=6).turned("z", angle))
        cup = lathe([(0, 0), (0.012, 0), (0.032, 0.014), (0.028, 0.016), (0, 0.008)], 10).moved(reach, 0, low - 0.125)
        cups.append(cup.turned("z", angle))
        candles.append(cylinder(0.010, 0.08, segments=10).moved(reach, 0, low - 0.075).turned("z", angle))
        flames.append(
            lathe([(0, 0), (0.007, 0.002), (0.012, 0.016), (0.006, 0.038), (0, 0.05)], 8, crease_deg=60)
            .moved(reach, 0, low - 0.036)
            .turned("z", angle)
        )
    work.show(merge(arms + cups), metal)
    work.show(merge(candles), look("wax", "cream"))
    bulb(work, merge(flames))
    work.emitters.append(Emitter("bulbs", (0, 0, low - 0.32), (0.62, 0.54, 0.42)))
    work.touch((2 * reach, 2 * reach, 0.3), (0, 0, low - 0.15), kind="cylinder")
    return work.asset(mass_kg=rng.uniform(4, 8))


@object_type("WallLamp", "lighting", "a lamp on the wall", "on_wall", ("LivingRoom", "Bedroom", "Bathroom"))
def wall_lamp(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A sconce: a plate and a bent arm with a cloth shade or a glass globe."""
    work, metal = Assembly(), look("metal", pick_colour(rng, colour, "gold", "black", "silver", "bronze"), texture="")
    plate = cylinder(0.055, 0.016, bevel_m=0.005, segments=28).turned("x", 90).moved(0, -0.008, -0.08)
    reach = rng.uniform(0.11, 0.15)
    arm = fillet([(0, -0.01, -0.08), (0, -reach, -0.10), (0, -reach, -0.02)], 0.05, 5)
    work.show(
        merge(
            [
                plate,
                sweep(arm, 0.008, sides=8),
                cylinder(0.02, 0.03, bevel_m=0.004, segments=14).moved(0, -reach, -0.01),
            ]
        ),
        metal,
    )
    if rng.random() < 0.55:
        low, high, drop = rng.uniform(0.08, 0.10), rng.uniform(0.055, 0.07), rng.uniform(0.13, 0.16)
        glowing_shade(work, shade(low, high, drop).moved(0, -reach, -0.015), _cloth(rng, None))
        bulb(work, sphere(0.024, 14).moved(0, -reach, 0.045))
    else:
        glowing_shade(work, sphere(rng.uniform(0.065, 0.085), 24).moved(0, -reach, 0.06), look("plastic", "white"))
    work.emitters.append(Emitter("bulb", (0, -reach, 0.05), (0.36, 0.30, 0.21)))
    work.touch((0.18, reach + 0.08, 0.26), (0, -(reach + 0.08) / 2, 0.0))
    return work.asset(mass_kg=rng.uniform(0.8, 1.5))


@object_type("LightSwitch", "fixture", "a light switch", "on_wall")
def light_switch(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A wall plate with one or two rockers that tip when switched."""
    work, count = Assembly(), int(rng.integers(1, 3))
    cover = look("plastic", pick_colour(rng, colour, "white", "white", "cream", "silver", "black"))
    width, height = 0.05 + 0.035 * count, rng.uniform(0.085, 0.12)
    work.show(rounded_box((width, 0.009, height), 0.004, 2).moved(0, -0.0045), cover)
    rocker_look = cover.tinted(cover.colour.darker(0.9 if cover.colour.name != "black" else 2.2))
    for i in range(count):
        x = (i - (count - 1) / 2) * 0.036
        rocker = rounded_box((0.028, 0.010, 0.056), 0.003, 1)
        work.show(rocker.turned("x", 7).moved(x, -0.009), rocker_look, when="off")
        work.show(rocker.turned("x", -7).moved(x, -0.009), rocker_look, when="on", fill=0.0)
    work.touch((width, 0.012, height), (0, -0.006, 0))
    return work.asset(mass_kg=0.12)


@object_type(
    "LavaLamp", "lighting", "a lamp with coloured blobs in a glass", rooms=("Bedroom", "LivingRoom"), shape="long"
)
def lava_lamp(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A lava lamp: a glass cone of coloured liquid with blobs of wax, between metal cones."""
    work, height = Assembly(), rng.uniform(0.34, 0.42)
    metal, base = look("metal", pick_colour(rng, None, "silver", "gold", "black"), texture=""), 0.33 * height
    wax = pick_colour(rng, colour, "red", "orange", "pink", "lime", "yellow", "cyan")
    work.show(
        lathe(fillet([(0, 0), (0.055, 0), (0.035, base * 0.55), (0.05, base), (0, base)], 0.005, 2), 28),
        metal,
        fill=0.3,
    )
    top = lathe(fillet([(0, height - 0.07), (0.028, height - 0.07), (0.018, height), (0, height)], 0.003, 2), 24)
    work.show(top, metal, fill=0.5)
    glass = lathe([(0, base), (0.048, base), (0.029, height - 0.07), (0, height - 0.07)], 28)
    work.show(glass, look("glass", Colour("purple", (0.60, 0.35, 0.75))), fill=0.4)
    spots = [
        (0.0, base + 0.025, 0.034, 0.6),
        (0.008, base + 0.075, 0.018, 1.3),
        (-0.008, base + 0.115, 0.014, 1.2),
        (0.004, base + 0.15, 0.011, 1.0),
    ]
    blobs = merge([sphere(r, 14).scaled(1, 1, s).moved(x, 0, z) for x, z, r, s in spots])
    work.show(blobs, look("wax", wax), when="off")
    work.show(blobs, look("wax", wax, emission=0.9), when="on", fill=0.0)
    red, green, blue = wax.rgb
    work.emitters.append(
        Emitter("glow", (0, 0, base + 0.1), (0.25 * red, 0.25 * green, 0.25 * blue), attenuation=(1, 1.0, 2.0))
    )
    work.touch((0.10, 0.10, height), (0, 0, height / 2), kind="cylinder")
    return work.asset(
        "pickupable", mass_kg=rng.uniform(1.0, 1.6), colours=(wax.name, metal.colour.name), materials=("glass", "metal")
    )
