"""Electronics that stand on desks and tables or lie about."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.handheld import thing
from pentathlon.worlds.houses.assets.types import Room, object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet, rounded_rectangle, spline
from pentathlon.worlds.modelling.materials import Look, look, wood
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.prints import dial, digits, phone_apps
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box, sphere, torus
from pentathlon.worlds.modelling.sweeps import extrude, panel, sweep

DESK: tuple[Room, ...] = ("Bedroom", "LivingRoom")
DEAD = Colour("black", (0.025, 0.025, 0.035))


def _glass_off() -> Look:
    return look("ceramic", DEAD)


@object_type("AlarmClock", "electronics", "a clock that rings in the morning", rooms=("Bedroom",), shape="cube")
def alarm_clock(rng: np.random.Generator, *, colour: str | None = None, style: str | None = None) -> Asset:
    """A twin-bell clock on feet, or a digital one with glowing digits."""
    kind = style if style is not None else ("bells", "bells", "digital")[int(rng.integers(3))]
    tint = pick_colour(rng, colour, "red", "teal", "black", "white", "yellow", "blue", "silver", "green")
    return _digital_clock(rng, tint) if kind == "digital" else _bell_clock(rng, tint)


def _bell_clock(rng: np.random.Generator, tint: Colour) -> Asset:
    radius, depth, lift = rng.uniform(0.048, 0.058), rng.uniform(0.040, 0.050), 0.016
    z = lift + radius
    drum = cylinder(radius, depth, bevel_m=0.006, segments=36).turned("x", 90).moved(z=z)
    rim = torus(radius * 0.93, 0.005, 36, 8).turned("x", 90).moved(0, -depth / 2, z)
    face = (
        cylinder(radius * 0.90, 0.003, segments=36)
        .turned("x", 90)
        .moved(0, -depth / 2 - 0.0008, z)
        .with_projected_uvs("y")
    )
    bells, fittings = [], [rim]
    for side in (-1, 1):
        dome = lathe(spline([(0.026, 0.0), (0.023, 0.012), (0.012, 0.021), (0.0, 0.024)], 4), 24, crease_deg=50)
        bells.append(dome.turned("y", side * 32).moved(side * radius * 0.62, 0, z + radius * 0.86))
        fittings.append(
            sweep(
                [(side * radius * 0.45, 0, z + radius * 0.7), (side * radius * 0.95, 0, z + radius * 1.32)],
                0.003,
                sides=6,
            )
        )
        fittings.append(
            sweep(
                [(side * radius * 0.55, 0, z - radius * 0.7), (side * radius * 0.85, -0.008, 0.006)],
                (0.005, 0.004),
                sides=8,
            )
        )
        fittings.append(sphere(0.0065, 10).moved(side * radius * 0.86, -0.008, 0.0065))
    loop = sweep(
        spline(
            [
                (-0.022, 0, z + radius * 1.15),
                (-0.02, 0, z + radius * 1.62),
                (0.02, 0, z + radius * 1.62),
                (0.022, 0, z + radius * 1.15),
            ],
            5,
        ),
        0.0028,
        sides=7,
    )
    hammer = merge(
        [
            sweep([(0, 0, z + radius * 0.9), (0, 0, z + radius * 1.3)], 0.0022, sides=6),
            cylinder(0.006, 0.014, segments=12).turned("y", 90).moved(0, 0, z + radius * 1.32),
        ]
    )
    metal = look("metal", pick_colour(rng, None, "silver", "gold", "bronze"), rng, texture="")
    paper = look("paper", "white", texture=dial(rng, (0.97, 0.96, 0.92), (0.08, 0.08, 0.10)))
    shell = look("metal", tint, texture="")
    return thing(
        [
            Part(drum, shell, fill=0.08),
            Part(merge(bells), shell, fill=0.15),
            Part(merge([*fittings, loop, hammer]), metal, fill=0.5),
            Part(face, paper),
        ],
        touch=[merge([drum, *fittings[2:3]]), merge([drum, *bells, *fittings])],
        colours=(tint.name,),
        materials=("metal",),
    )


def _digital_clock(rng: np.random.Generator, tint: Colour) -> Asset:
    width, depth, height = rng.uniform(0.15, 0.18), rng.uniform(0.07, 0.09), rng.uniform(0.068, 0.080)
    body = extrude(
        fillet(
            [(-depth / 2, 0), (depth / 2, 0), (depth * 0.42, height), (-depth * 0.30, height)], 0.010, 3, closed=True
        ),
        width,
        bevel_m=0.004,
    )
    body = body.turned("x", 90).turned("z", 90).moved(-width / 2)
    lean = math.degrees(math.atan2(depth * 0.20, height))
    display = panel(width * 0.86, height * 0.66, 0.003).turned("x", -lean).moved(0, -depth * 0.405, height * 0.5)
    time = f"{rng.integers(6, 10)}:{rng.integers(10, 59)}"
    glow = ((1.0, 0.18, 0.12), (0.25, 1.0, 0.35), (0.35, 0.75, 1.0))[int(rng.integers(3))]
    lit = look("plastic", "white", texture=digits(time, glow), emission=0.8)
    snooze = rounded_box((width * 0.4, depth * 0.28, 0.010), 0.004).moved(0, depth * 0.06, height)
    return thing(
        [Part(body, look("plastic", tint), fill=0.25), Part(display, lit), Part(snooze, look("plastic", "grey"))],
        colours=(tint.name,),
    )


@object_type("CellPhone", "electronics", "a smartphone", rooms=("Bedroom", "LivingRoom", "Kitchen"), shape="flat")
def cell_phone(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A smartphone lying face up; the screen shows icons while on."""
    width, length, thick = rng.uniform(0.068, 0.078), rng.uniform(0.142, 0.162), 0.0085
    tint = pick_colour(rng, colour, "black", "white", "blue", "red", "gold", "silver")
    shell = extrude(rounded_rectangle(width, length, 0.011, 5), thick, bevel_m=0.0016)
    glass = extrude(rounded_rectangle(width - 0.003, length - 0.003, 0.010, 5), 0.0006).moved(z=thick - 0.0002)
    shown = panel(width - 0.008, length - 0.012, 0.0006).turned("x", -90).moved(z=thick + 0.0008)
    lens = cylinder(0.0018, 0.0012, segments=10).moved(0, length * 0.455, thick + 0.0006)
    buttons = box((0.002, 0.020, 0.003)).moved(width / 2, length * 0.15, thick / 2)
    apps = look("plastic", "white", texture=phone_apps(rng), emission=0.8)
    body = look("metal", tint, texture="")
    return thing(
        [
            Part(merge([shell, buttons]), body, fill=0.35),
            Part(glass, _glass_off()),
            Part(shown, _glass_off(), when="off"),
            Part(shown, apps, when="on"),
            Part(lens, look("plastic", "grey")),
        ],
        colours=(tint.name, "black") if tint.name != "black" else ("black",),
        materials=("metal", "glass"),
    )


@object_type(
    "RemoteControl", "electronics", "a remote control with buttons", rooms=("LivingRoom", "Bedroom"), shape="long"
)
def remote_control(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A remote control: rows of buttons, a red one, a round pad."""
    width, length, thick = rng.uniform(0.042, 0.052), rng.uniform(0.16, 0.20), rng.uniform(0.016, 0.020)
    tint = pick_colour(rng, colour, "black", "grey", "white", "silver")
    shell = extrude(rounded_rectangle(width, length, width * 0.22, 4), thick, bevel_m=0.004)
    rubber = look(
        "rubber", Colour("grey", (0.62, 0.63, 0.65)) if tint.name == "black" else Colour("black", (0.14, 0.14, 0.15))
    )
    buttons = [
        rounded_box((0.0095, 0.0075, 0.005), 0.002, 1).moved(
            (i - 1) * width * 0.27, -length * 0.05 - 0.0125 * row, thick
        )
        for row in range(6)
        for i in range(3)
    ]
    pad = torus(width * 0.26, 0.0045, 24, 8).moved(0, length * 0.14, thick)
    middle = cylinder(width * 0.12, 0.006, bevel_m=0.001, segments=16).moved(0, length * 0.14, thick)
    power = cylinder(0.006, 0.006, bevel_m=0.001, segments=16).moved(-width * 0.25, length * 0.40, thick)
    eye = rounded_box((width * 0.5, 0.006, thick * 0.6), 0.002, 1).moved(0, length / 2 - 0.002, thick / 2)
    accents = [
        merge([cylinder(0.0045, 0.005, segments=12).moved((i - 1.5) * width * 0.20, length * 0.30, thick)])
        for i in range(4)
    ]
    tones = ("red", "green", "yellow", "blue")
    parts = [
        Part(shell, look("plastic", tint), fill=0.5),
        Part(merge([*buttons, pad, middle]), rubber),
        Part(power, look("rubber", "red")),
        Part(eye, look("plastic", "maroon")),
    ]
    return thing([*parts, *(Part(mesh, look("rubber", tone)) for mesh, tone in zip(accents, tones, strict=True))])


@object_type("Headphones", "electronics", "headphones with a band", rooms=DESK, shape="cube")
def headphones(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """Headphones standing on their cups: padded band over two cushioned shells."""
    half, height, cup = rng.uniform(0.068, 0.078), rng.uniform(0.165, 0.19), rng.uniform(0.036, 0.041)
    tint = pick_colour(rng, colour, "black", "white", "red", "blue", "silver")
    arch = spline(
        [
            (-half, 0, cup * 1.2),
            (-half * 1.05, 0, height * 0.62),
            (-half * 0.66, 0, height * 0.93),
            (0, 0, height),
            (half * 0.66, 0, height * 0.93),
            (half * 1.05, 0, height * 0.62),
            (half, 0, cup * 1.2),
        ],
        5,
    )
    frame = sweep(arch, 1.0, outline=rounded_rectangle(0.006, 0.022, 0.002, 2))
    pad = sweep(arch[9:22] - np.array([0, 0, 0.006]), 1.0, outline=rounded_rectangle(0.012, 0.028, 0.005, 2))
    shells, cushions = [], []
    for side in (-1, 1):
        shell = lathe(
            fillet([(0, 0), (cup, 0), (cup * 0.92, 0.018), (cup * 0.5, 0.024), (0, 0.024)], 0.006), 28
        ).turned("y", 90 * side)
        shells.append(shell.scaled(1, 0.9, 1.15).moved(side * (half - 0.004), 0, cup * 1.15))
        cushions.append(
            torus(cup * 0.74, 0.012, 28, 10)
            .turned("y", 90)
            .scaled(1, 0.9, 1.15)
            .moved(side * (half - 0.014), 0, cup * 1.15)
        )
    soft = look("leather", pick_colour(rng, None, "black", "brown", "grey"), rng)
    return thing(
        [Part(merge([frame, *shells]), look("plastic", tint), fill=0.5), Part(merge([pad, *cushions]), soft, fill=0.3)],
        touch=[merge(shells), merge([frame, *cushions])],
        colours=(tint.name,),
    )


@object_type("Speaker", "electronics", "a loudspeaker box", rooms=DESK, shape="cube")
def speaker(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A bookshelf loudspeaker: wooden box, a large and a small cone."""
    width, depth, height = rng.uniform(0.15, 0.19), rng.uniform(0.16, 0.20), rng.uniform(0.26, 0.32)
    case = rounded_box((width, depth, height), 0.006).moved(z=height / 2)
    baffle = rounded_box((width * 0.94, 0.006, height * 0.96), 0.002, 1).moved(0, -depth / 2 - 0.001, height / 2)
    rings, cones, domes = [], [], []
    for radius, z in ((width * 0.37, height * 0.33), (width * 0.19, height * 0.76)):
        rings.append(torus(radius, radius * 0.12, 32, 8).turned("x", 90).moved(0, -depth / 2 - 0.004, z))
        cones.append(
            lathe([(0, 0), (radius, 0), (radius * 0.96, 0.003), (radius * 0.30, -0.0 + 0.0015), (0, 0.0015)], 30)
            .turned("x", 90)
            .moved(0, -depth / 2 - 0.004, z)
        )
        domes.append(sphere(radius * 0.32, 14).scaled(1, 0.5, 1).moved(0, -depth / 2 - 0.005, z))
    box_look = (
        wood(rng)
        if colour is None and rng.random() < 0.6
        else look("plastic", pick_colour(rng, colour, "white", "black", "red"))
    )
    metal = look("metal", pick_colour(rng, None, "silver", "gold", "grey"), rng)
    return thing(
        [
            Part(case, box_look, fill=0.32),
            Part(baffle, look("plastic", Colour("black", (0.12, 0.12, 0.13)))),
            Part(merge(rings), metal, fill=0.4),
            Part(merge(cones), look("paper", Colour("grey", (0.26, 0.26, 0.28)))),
            Part(merge(domes), metal, fill=0.2),
        ],
        mass_kg=float(rng.uniform(2.5, 4.2)),
        colours=(box_look.colour.name, "black"),
    )


@object_type("Camera", "electronics", "a photo camera with a lens", rooms=DESK, shape="cube")
def camera(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A reflex camera: leather-covered body, finder hump, a long lens in front."""
    width, height, depth = rng.uniform(0.125, 0.140), rng.uniform(0.078, 0.088), rng.uniform(0.042, 0.05)
    tint = pick_colour(rng, colour, "black", "silver", "brown", "silver")
    body = rounded_box((width, depth, height * 0.62), 0.006).moved(z=height * 0.36)
    plates = [
        rounded_box((width * 0.995, depth * 0.98, height * 0.20), 0.006).moved(z=height * 0.75),
        rounded_box((width * 0.995, depth * 0.98, height * 0.08), 0.004, 1).moved(z=height * 0.04),
    ]
    hump = (
        extrude([(-0.026, 0), (0.026, 0), (0.014, 0.022), (-0.014, 0.022)], depth * 0.8)
        .turned("x", 90)
        .moved(0, depth * 0.4, height * 0.84)
    )
    dials = [
        cylinder(0.011, 0.009, bevel_m=0.001, segments=20).moved(x, 0, height * 0.88)
        for x in (-width * 0.34, width * 0.32)
    ]
    button = cylinder(0.0055, 0.006, bevel_m=0.001, segments=14).moved(width * 0.42, -0.008, height * 0.87)
    reach = rng.uniform(0.045, 0.065)
    barrel = lathe(
        fillet(
            [
                (0, 0),
                (0.034, 0),
                (0.034, reach * 0.35),
                (0.031, reach * 0.4),
                (0.031, reach * 0.8),
                (0.034, reach * 0.84),
                (0.034, reach),
                (0.027, reach),
                (0.022, reach - 0.008),
                (0, reach - 0.008),
            ],
            0.001,
        ),
        32,
    )
    barrel = barrel.turned("x", 90).moved(0, -depth / 2, height * 0.42)
    glass = (
        lathe([(0, 0), (0.022, 0), (0.015, 0.005), (0, 0.007)], 24, crease_deg=60)
        .turned("x", 90)
        .moved(0, -depth / 2 - reach + 0.008, height * 0.42)
    )
    ring = torus(0.0325, 0.002, 32, 6).turned("x", 90).moved(0, -depth / 2 - reach * 0.60, height * 0.42)
    metal = look("metal", tint if tint.name != "brown" else pick_colour(rng, None, "silver"), rng, texture="")
    skin_tint = Colour("black", (0.10, 0.10, 0.11)) if tint.name != "brown" else Colour("brown", (0.40, 0.24, 0.13))
    return thing(
        [
            Part(body, look("leather", skin_tint, rng), fill=0.4),
            Part(merge([*plates, hump, *dials, button]), metal, fill=0.12),
            Part(barrel, look("plastic", Colour("black", (0.09, 0.09, 0.10))), fill=0.6),
            Part(glass, look("ceramic", Colour("navy", (0.12, 0.16, 0.32)))),
            Part(ring, look("metal", "red", texture="")),
        ],
        touch=[merge([body, *plates]), barrel],
        mass_kg=float(rng.uniform(0.6, 0.9)),
        colours=(tint.name,) if tint.name == "black" else (tint.name, skin_tint.name),
    )
