"""The living room's large things: television, fireplace, piano, aquarium, and what moves or warms the air."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly, pick, timber, trim
from pentathlon.worlds.houses.assets.asset import Asset, Emitter, Joint
from pentathlon.worlds.houses.assets.families.decor.plants import leaf
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.pictures import landscape, screen
from pentathlon.worlds.modelling.shapes import box, cylinder, ellipsoid, lathe, rounded_box
from pentathlon.worlds.modelling.sweeps import extrude, panel, sweep

DARK = Colour("black", (0.03, 0.03, 0.04))


@object_type("Television", "electronics", "a flat television on a stand", rooms=("LivingRoom", "Bedroom"), shape="flat")
def television(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A flat television on a foot; its screen shows a picture while it is on."""
    work, width = Assembly(), rng.uniform(0.72, 1.15)
    tall, base = width * 0.565, rng.uniform(0.05, 0.09)
    case = look("plastic", pick_colour(rng, colour, "black", "black", "black", "grey", "silver", "white"))
    middle = base + tall / 2
    work.block((width, 0.035, tall), (0, 0.0, middle), case, radius_m=0.008, fill=0.25)
    work.show(
        rounded_box((width * 0.6, 0.03, tall * 0.55), 0.012, 1).moved(0, 0.028, middle - tall * 0.08), case, fill=0.25
    )
    rim = 0.014
    face = panel(width - 2 * rim, tall - 2 * rim - 0.008, 0.003).moved(0, -0.0195, middle + 0.004)
    image = landscape(rng, aspect=1.78) if rng.random() < 0.6 else screen(rng, aspect=1.78)
    work.show(face, look("glass", DARK, texture=""), when="off")
    work.show(face, look("plastic", "white", texture=image, emission=0.8), when="on", fill=0.0)
    if rng.random() < 0.5:
        feet = [
            sweep(fillet([(x, -0.11, 0.008), (x, 0, base + 0.02), (x, 0.10, 0.008)], 0.02, 3), 0.008, sides=8)
            for x in (-width * 0.36, width * 0.36)
        ]
        work.show(merge(feet), case, fill=0.6)
        work.touch((width * 0.74, 0.22, 0.016), (0, 0, 0.008))
    else:
        foot = extrude(
            np.array([(-width * 0.2, -0.10), (width * 0.2, -0.10), (width * 0.17, 0.10), (-width * 0.17, 0.10)]),
            0.012,
            bevel_m=0.003,
        )
        work.show(merge([foot, box((0.10, 0.03, base + 0.01)).moved(0, 0.015, base / 2 + 0.01)]), case, fill=0.6)
        work.touch((width * 0.36, 0.20, 0.012), (0, 0, 0.006))
    work.touch((0.2, 0.05, base), (0, 0.01, base / 2))
    work.emitters.append(
        Emitter("screen_glow", (0, -0.06, middle), (0.16, 0.19, 0.25), (0, -1, 0), 80.0, (1, 0.4, 0.5))
    )
    low = min(float(part.mesh.bounds_m[0][2]) for part in work.parts)
    return work.moved(z=-low).asset(mass_kg=11.0 * width**2, colours=(case.colour.name,))


@object_type("Fireplace", "fixture", "a fireplace with a mantel", "against_wall", ("LivingRoom",))
def fireplace(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A fireplace: brick or stone surround, a mantel shelf, logs; flames while it is on."""
    work, width, height, depth = Assembly(), rng.uniform(1.15, 1.4), rng.uniform(1.02, 1.15), rng.uniform(0.34, 0.42)
    kind = pick(rng, "brick", "stone", "paint")
    wall = (
        look("stone", Colour("red", (0.62, 0.30, 0.22)), texture="brick")
        if kind == "brick"
        else look("stone", pick_colour(rng, colour, "grey", "beige", "white"), rng)
        if kind == "stone"
        else look("wood", "white", texture="")
    )
    mouth_w, mouth_h, back = width * 0.56, height * 0.60, depth / 2
    soot = look("stone", Colour("black", (0.08, 0.07, 0.07)), texture="")
    pier = (width - mouth_w) / 2
    for s in (-1, 1):
        work.block((pier, depth, height - 0.05), (s * (width - pier) / 2, 0, (height - 0.05) / 2), wall, fill=0.12)
    work.block((mouth_w, depth, height - 0.05 - mouth_h), (0, 0, (height - 0.05 + mouth_h) / 2), wall, fill=0.12)
    work.block((mouth_w, 0.04, mouth_h), (0, back - 0.02, mouth_h / 2), soot, fill=0.12)
    work.block((mouth_w, depth, 0.04), (0, 0, 0.02), soot, fill=0.2)
    mantel = timber(rng, None, "white") if kind != "paint" else wall
    work.block((width + 0.14, depth + 0.10, 0.05), (0, -0.05, height - 0.025), mantel, radius_m=0.012, fill=0.5)
    work.hold("mantel", "on", (0, -0.04, height), (width, depth - 0.04), 0.7)
    log = cylinder(0.045, mouth_w * 0.62, bevel_m=0.006, segments=14).turned("y", 90)
    logs = [
        log.moved(0, -0.05, 0.085),
        log.moved(0, 0.06, 0.085),
        log.scaled(0.9, 1, 1).turned("z", 24).moved(0, 0, 0.165),
    ]
    work.show(merge(logs), look("wood", Colour("brown", (0.34, 0.22, 0.14)), rng), fill=0.7)
    bars = [box((0.012, 0.012, 0.16)).moved((i - 3) * mouth_w * 0.13, -back + 0.05, 0.12) for i in range(7)]
    work.show(
        merge(
            [
                *bars,
                box((mouth_w * 0.86, 0.014, 0.014)).moved(0, -back + 0.05, 0.20),
                box((mouth_w * 0.86, 0.014, 0.014)).moved(0, -back + 0.05, 0.06),
            ]
        ),
        look("metal", "black", texture=""),
    )
    for tint, size, share in (((1.0, 0.42, 0.06), 1.0, 0), ((1.0, 0.78, 0.22), 0.6, 1)):
        tongues = []
        for i in range(7):
            tall = mouth_h * 0.62 * size * float(rng.uniform(0.6, 1.0))
            tongue = lathe(
                [(0, 0), (0.03, 0.02), (0.045, tall * 0.3), (0.022, tall * 0.7), (0, tall)], 10, crease_deg=60
            )
            tongues.append(tongue.moved((i - 3) * mouth_w * 0.085, 0.03 * (i % 3 - 1) - 0.03 * share, 0.13))
        work.show(merge(tongues), look("plastic", Colour("orange", tint), emission=1.0), when="on", fill=0.0)
    work.emitters.append(Emitter("fire", (0, -back - 0.02, 0.30), (0.60, 0.30, 0.10), (0, -1, 0.1), 85.0))
    return work.asset(mass_kg=rng.uniform(120, 180), colours=(wall.colour.name, "black"))


@object_type("Piano", "furniture", "an upright piano", "against_wall", ("LivingRoom",))
def piano(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """An upright piano: keyboard under a lid that opens, music desk, pedals."""
    work, width, height = Assembly(), rng.uniform(1.36, 1.46), rng.uniform(1.08, 1.22)
    body = (
        look("wood", pick_colour(rng, colour), texture="")
        if colour is not None
        else (look("wood", "black", texture="") if rng.random() < 0.5 else wood(rng, pick(rng, "walnut", "cherry")))
    )
    deep, key_z, depth = 0.26, 0.68, 0.58
    back = depth / 2
    work.block((width, deep, height - 0.03), (0, back - deep / 2, (height - 0.03) / 2), body, fill=0.35)
    work.block((width + 0.02, deep + 0.03, 0.03), (0, back - deep / 2, height - 0.015), body, radius_m=0.008)
    key_y = back - deep - 0.15
    for s in (-1, 1):
        work.block(
            (0.045, 0.32, 0.20), (s * (width / 2 - 0.022), back - deep - 0.155, key_z + 0.02), body, radius_m=0.01
        )
        work.show(
            lathe(
                [
                    (0, 0),
                    (0.03, 0),
                    (0.03, 0.03),
                    (0.018, 0.06),
                    (0.035, key_z * 0.6),
                    (0.04, key_z - 0.08),
                    (0, key_z - 0.08),
                ],
                16,
            ).moved(s * (width / 2 - 0.05), -back + 0.04, 0),
            body,
        )
        work.touch((0.06, 0.06, key_z), (s * (width / 2 - 0.05), -back + 0.04, key_z / 2))
    work.block((width - 0.05, 0.30, 0.06), (0, key_y, key_z - 0.05), body)
    keys_w, count = width - 0.11, 36
    step = keys_w / count
    whites = [
        box((step * 0.93, 0.14, 0.016)).moved((i - (count - 1) / 2) * step, key_y - 0.06, key_z - 0.012)
        for i in range(count)
    ]
    blacks = [
        box((step * 0.5, 0.085, 0.014)).moved((i + 0.5 - (count - 1) / 2) * step, key_y - 0.025, key_z + 0.001)
        for i in range(count - 1)
        if i % 7 not in (2, 6)
    ]
    work.show(merge(whites), look("plastic", "white"))
    work.show(merge(blacks), look("plastic", "black"))
    lid = merge(
        [
            box((keys_w + 0.01, 0.25, 0.012)).moved(0, key_y - 0.005, key_z + 0.028),
            box((keys_w + 0.01, 0.012, 0.04)).moved(0, key_y - 0.135, key_z + 0.008),
        ]
    )
    work.show(lid, body, joint="lid")
    work.touch((keys_w, 0.25, 0.012), (0, key_y - 0.005, key_z + 0.028), joint="lid")
    work.joints.append(
        Joint.hinge("lid", (-1, 0, 0), (0, key_y + 0.12, key_z + 0.03), 100, (0, key_y - 0.14, key_z + 0.02))
    )
    work.show(
        rounded_box((0.62, 0.012, 0.24), 0.005, 1).turned("x", -12).moved(0, back - deep - 0.03, key_z + 0.25), body
    )
    music = panel(0.30, 0.20).turned("x", -12).moved(0, back - deep - 0.05, key_z + 0.255)
    work.show(music, look("paper", "white"))
    brass = look("metal", "gold", texture="")
    work.show(
        merge(
            [rounded_box((0.03, 0.10, 0.012), 0.005, 1).moved(x, back - deep - 0.03, 0.05) for x in (-0.08, 0, 0.08)]
        ),
        brass,
    )
    work.show(box((0.36, 0.03, 0.10)).moved(0, back - deep + 0.005, 0.05), body)
    work.hold("top", "on", (0, back - deep / 2, height), (width - 0.10, deep - 0.06), 0.6)
    return work.asset(mass_kg=rng.uniform(190, 240), colours=(body.colour.name, "white"))


@object_type("Aquarium", "decor", "a glass tank with fish", "against_wall", ("LivingRoom",))
def aquarium(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A fish tank on a cabinet: gravel, plants, goldfish and a lamp in the lid."""
    work, width, depth, stand, tall = (
        Assembly(),
        rng.uniform(0.75, 1.0),
        rng.uniform(0.36, 0.42),
        rng.uniform(0.60, 0.70),
        rng.uniform(0.40, 0.48),
    )
    surface, metal = timber(rng, colour, "black", "white"), trim(rng)
    work.case(width, depth, (0.0, stand), surface)
    for i, x in enumerate(((-width / 2, 0.0), (0.0, width / 2))):
        work.door(f"door_{i}", x, (0.02, stand - 0.01), -depth / 2, surface, metal, side=2 * i - 1)
    work.hold("cupboard", "in", (0, 0, 0.018), (width - 0.1, depth - 0.1), stand - 0.1, door="door_0")
    glass, top = look("glass", "white"), stand + tall
    for s in (-1, 1):
        work.show(box((0.006, depth, tall)).moved(s * (width / 2 - 0.003), 0, stand + tall / 2), glass)
        work.show(box((width - 0.012, 0.006, tall)).moved(0, s * (depth / 2 - 0.003), stand + tall / 2), glass)
    work.touch((width, depth, tall), (0, 0, stand + tall / 2))
    work.show(
        box((width - 0.014, depth - 0.014, 0.05)).moved(0, 0, stand + 0.026),
        look("stone", pick_colour(rng, None, "beige", "white", "blue"), texture="granite"),
        fill=0.6,
    )
    sea = look("plastic", Colour("blue", (0.20, 0.50, 0.72)), emission=0.15)
    work.show(box((width - 0.014, 0.003, tall - 0.06)).moved(0, depth / 2 - 0.009, stand + tall / 2), sea)
    surface_water = box((width - 0.014, depth - 0.014, 0.006)).moved(0, 0, top - 0.05)
    work.show(surface_water, look("water", Colour("cyan", (0.45, 0.74, 0.86))), fill=0.0)
    weeds = [
        leaf(tall * rng.uniform(0.4, 0.65), 0.03, 1.45, 0.1, steps=4)
        .turned("z", float(rng.uniform(0, 360)))
        .moved(float(rng.uniform(-0.42, 0.42)) * width, float(rng.uniform(-0.05, 0.3)) * depth, stand + 0.05)
        for _ in range(18)
    ]
    work.show(merge(weeds), look("plant", "green"))
    fish = [
        _fish()
        .turned("z", float(rng.choice((0, 180)) + rng.uniform(-25, 25)))
        .moved(
            float(rng.uniform(-0.34, 0.34)) * width,
            float(rng.uniform(-0.3, 0.1)) * depth,
            stand + tall * float(rng.uniform(0.3, 0.7)),
        )
        for _ in range(5)
    ]
    work.show(merge(fish[:3]), look("food", "orange", texture="", emission=0.5))
    work.show(merge(fish[3:]), look("food", pick_colour(rng, None, "yellow", "red", "white"), texture="", emission=0.5))
    work.block(
        (width + 0.01, depth + 0.01, 0.045), (0, 0, top + 0.02), look("plastic", "black"), radius_m=0.01, fill=0.3
    )
    strip = box((width * 0.8, 0.03, 0.004)).moved(0, 0, top - 0.004)
    work.show(strip, look("plastic", "white"), when="off")
    work.show(strip, look("plastic", "white", emission=1.0), when="on", fill=0.0)
    work.emitters.append(Emitter("lamp", (0, 0, top - 0.03), (0.30, 0.42, 0.48), (0, -0.6, -1), 85.0, (1, 1.0, 1.0)))
    return work.asset(
        mass_kg=200 * width * depth * tall + 30, colours=(surface.colour.name, "cyan"), materials=("glass", "wood")
    )


def _fish() -> Mesh:
    body = ellipsoid((0.075, 0.024, 0.038), 14)
    tail = (
        extrude(np.array([(0.028, 0.0), (0.065, 0.024), (0.056, 0.0), (0.065, -0.024)]), 0.004)
        .moved(z=-0.002)
        .turned("x", 90)
    )
    fin = extrude(np.array([(-0.012, 0.014), (0.016, 0.012), (0.014, 0.030)]), 0.003).moved(z=-0.0015).turned("x", 90)
    return merge([body, tail, fin])
