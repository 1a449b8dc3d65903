"""Chairs, stools and benches."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly, corners, pick, post, timber, trim
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.curves import fillet, spline
from pentathlon.worlds.modelling.materials import Look, look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import box, cushion, cylinder, lathe, rounded_box, torus
from pentathlon.worlds.modelling.sweeps import sheet, sweep


def padding(rng: np.random.Generator, colour: str | None, material: str | None = None) -> Look:
    """Upholstery in fabric or leather."""
    cover = material if material is not None else pick(rng, "fabric", "fabric", "leather")
    usual = (
        ("brown", "black", "cream", "maroon")
        if cover == "leather"
        else ("grey", "navy", "teal", "beige", "olive", "red", "yellow")
    )
    return look(cover, pick_colour(rng, colour, *usual), rng)


def _shell(width: float, depth: float, seat_z: float, back_z: float) -> Mesh:
    """A moulded seat that bends up into a back and curls at its sides."""
    line = [
        (-depth / 2, seat_z - 0.025),
        (-depth * 0.38, seat_z),
        (depth * 0.22, seat_z - 0.015),
        (depth * 0.40, seat_z + 0.08),
        (depth * 0.5, back_z),
    ]
    rows = spline(line, 5)
    across = np.linspace(-1.0, 1.0, 11)
    share = np.linspace(0, 1, len(rows))[:, None]
    half = width / 2 * (1.0 - 0.18 * np.clip(share - 0.75, 0, 1) * 4 * np.abs(across[None, :]))
    lift = 0.055 * np.abs(across[None, :]) ** 3 * np.sin(math.pi * np.clip(share * 1.1, 0, 1))
    points = np.empty((len(across), len(rows), 3))
    points[..., 0] = (across[None, :] * half).T
    points[..., 1] = (rows[:, :1] - lift * np.where(share > 0.6, 1.0, 0.0)).T
    points[..., 2] = (rows[:, 1:] + lift * np.where(share > 0.6, 0.0, 1.0)).T
    return sheet(points, 0.012, crease_deg=60)


def _wooden_back(
    work: Assembly, style: str, width: float, back_y: float, seat_z: float, back_z: float, surface: Look
) -> None:
    """Two leaning posts that carry on to the floor as back legs, with rails, slats or spindles between them."""
    lean = 0.07
    for side in (-1, 1):
        x = side * (width / 2 - 0.02)
        work.show(post((x, back_y + 0.04), (x, back_y), seat_z, 0.022, 0.026, 4), surface)
        work.show(post((x, back_y), (x, back_y + lean), back_z - seat_z, 0.026, 0.020, 4).moved(z=seat_z), surface)
        work.touch((0.04, 0.05, seat_z), (x, back_y + 0.02, seat_z / 2))
    tall, inner = back_z - seat_z, width - 0.07

    def rail(share: float, high: float) -> Mesh:
        bow = [(-inner / 2, 0.0), (0.0, 0.018), (inner / 2, 0.0)]
        path = [(x, back_y + lean * share + y, seat_z + tall * share) for x, y in spline(bow, 4)]
        section = np.array([(-0.009, -high / 2), (0.009, -high / 2), (0.009, high / 2), (-0.009, high / 2)])
        return sweep(path, 1.0, outline=section @ np.array([[0, 1.0], [-1.0, 0]]))

    if style == "ladder":
        meshes = [rail(share, 0.055) for share in (0.40, 0.66, 0.92)]
    else:
        meshes = [rail(0.92, 0.07), rail(0.22, 0.035)]
        count = 5 if style == "spindle" else 3
        for i in range(count):
            x = (i - (count - 1) / 2) * inner / (count + 0.3)
            low, high = (x, back_y + lean * 0.22 + 0.012), (x, back_y + lean * 0.92 + 0.012)
            slim = post(low, high, tall * 0.7, 0.009, 0.009, 8)
            slat = post(low, high, tall * 0.7, 0.012, 0.012, 4).scaled(2.6, 1, 1).moved(x * -1.6)
            meshes.append((slim if style == "spindle" else slat).moved(z=seat_z + tall * 0.22))
    work.show(merge(meshes), surface)
    work.touch((width, 0.05, tall), (0, back_y + lean / 2, seat_z + tall / 2))


@object_type("Chair", "furniture", "a seat with a back and four legs", "free", ("Kitchen", "LivingRoom", "Bedroom"))
def chair(rng: np.random.Generator, *, colour: str | None = None, style: str | None = None) -> Asset:
    """A dining chair: wooden with slats, spindles or rails, padded, or a moulded shell on splayed legs."""
    kind = style if style is not None else pick(rng, "ladder", "spindle", "slat", "padded", "shell")
    work = Assembly()
    width, depth, seat_z = rng.uniform(0.42, 0.47), rng.uniform(0.42, 0.46), rng.uniform(0.44, 0.47)
    back_z = rng.uniform(0.84, 0.96)
    work.touch((width, depth, 0.04), (0, 0, seat_z - 0.02))
    work.hold("seat", "on", (0, -0.02, seat_z), (width - 0.14, depth - 0.14), 0.35)
    if kind == "shell":
        tint = pick_colour(rng, colour, "white", "red", "yellow", "teal", "black", "orange", "grey")
        work.show(_shell(width, depth, seat_z, back_z - 0.06), look("plastic", tint))
        work.legs(
            width * 0.75,
            depth * 0.75,
            seat_z - 0.02,
            wood(rng, pick(rng, "oak", "ash", "walnut")),
            style="splayed",
            thickness_m=0.036,
            inset_m=0.03,
        )
        work.touch((width, 0.04, back_z - 0.06 - seat_z), (0, depth / 2 - 0.02, (back_z + seat_z - 0.06) / 2))
        return work.asset(mass_kg=rng.uniform(4.5, 6.0))
    surface = timber(rng, colour if kind != "padded" else None, "white", "black", "red", "teal", "yellow")
    if kind == "padded":
        cloth = padding(rng, colour)
        work.show(cushion((width, depth, 0.10), roundness=0.2, steps=6).moved(z=seat_z - 0.045), cloth, fill=0.3)
        rest = cushion((width, 0.075, back_z - seat_z + 0.08), roundness=0.25, steps=6).turned("x", -9)
        work.show(rest.moved(0, depth / 2 - 0.005, (back_z + seat_z) / 2 - 0.04), cloth, fill=0.3)
        work.legs(width, depth, seat_z - 0.07, surface, style="tapered", thickness_m=0.045, inset_m=0.01)
        work.touch((width, 0.08, back_z - seat_z), (0, depth / 2, (back_z + seat_z) / 2))
        return work.asset()
    work.show(rounded_box((width, depth, 0.032), 0.014).moved(z=seat_z - 0.016), surface)
    for side in (-1, 1):
        x, y = side * (width / 2 - 0.04), -depth / 2 + 0.04
        work.show(post((x, y), (x, y), seat_z - 0.02, 0.017, 0.024, 4 if kind != "spindle" else 10), surface)
        work.touch((0.04, 0.04, seat_z), (x, y, seat_z / 2))
        work.show(box((0.018, depth - 0.07, 0.022)).moved(x, 0.0, seat_z * 0.42), surface)
    work.show(box((width - 0.08, 0.018, 0.022)).moved(0, 0.0, seat_z * 0.42), surface)
    _wooden_back(work, kind, width, depth / 2 - 0.03, seat_z - 0.01, back_z, surface)
    if rng.random() < 0.35:
        cloth = look("fabric", pick_colour(rng, None, "red", "blue", "beige", "green", "grey"), rng)
        work.show(
            cushion((width - 0.05, depth - 0.09, 0.045), roundness=0.35, steps=5).moved(0, -0.02, seat_z + 0.018),
            cloth,
            fill=0.3,
        )
    return work.asset()


@object_type("ArmChair", "furniture", "a padded chair with arms", "free", ("LivingRoom", "Bedroom"))
def arm_chair(rng: np.random.Generator, *, colour: str | None = None, material: str | None = None) -> Asset:
    """An armchair: boxy like a small sofa, or a winged one with a tall back, on wooden feet."""
    hide, feet, work = padding(rng, colour, material), wood(rng), Assembly()
    winged = bool(rng.random() < 0.4)
    inner, depth, arm = rng.uniform(0.50, 0.58), rng.uniform(0.76, 0.86), 0.12 if winged else rng.uniform(0.14, 0.19)
    leg, seat_z, arm_z = rng.uniform(0.10, 0.16), 0.43, rng.uniform(0.58, 0.65)
    back_z, width = rng.uniform(1.0, 1.1) if winged else rng.uniform(0.80, 0.90), inner + 2 * arm
    back_d, front = 0.17, -depth / 2
    work.show(
        rounded_box((inner + 0.02, depth - 0.06, seat_z - 0.12 - leg), 0.02, 1).moved(z=(leg + seat_z - 0.12) / 2),
        hide,
        fill=0.12,
    )
    work.show(
        rounded_box((inner + 0.05, back_d, back_z - leg), 0.06).moved(0, depth / 2 - back_d / 2, (back_z + leg) / 2),
        hide,
        fill=0.12,
    )
    for side in (-1, 1):
        x = side * (inner + arm) / 2
        work.show(rounded_box((arm, depth - 0.05, arm_z - leg), 0.05).moved(x, 0, (arm_z + leg) / 2), hide, fill=0.12)
        if winged:
            wing = rounded_box((0.075, 0.30, back_z - arm_z + 0.04), 0.035).moved(
                side * (inner / 2 + 0.02), depth / 2 - 0.20, (back_z + arm_z) / 2 - 0.03
            )
            roll = (
                cylinder(0.075, depth - 0.06, bevel_m=0.03, segments=20)
                .turned("x", 90)
                .moved(x + side * 0.015, -0.01, arm_z - 0.02)
            )
            work.show(merge([wing, roll]), hide, fill=0.12)
        work.touch((arm, depth, arm_z), (x, 0, arm_z / 2))
    soft = hide.tinted(hide.colour.darker(1.07))
    seat_d = depth - back_d - 0.01
    work.show(
        cushion((inner - 0.01, seat_d, 0.16), roundness=0.25, steps=6).moved(0, front + seat_d / 2, seat_z - 0.05),
        soft,
        fill=0.2,
    )
    rest = cushion((inner - 0.03, 0.17, back_z - seat_z), roundness=0.35, steps=6).turned("x", -10)
    work.show(rest.moved(0, depth / 2 - back_d - 0.05, (back_z + seat_z) / 2 + 0.02), soft, fill=0.2)
    for x, y in corners(width - 0.14, depth - 0.14):
        work.show(post((x * 1.06, y * 1.06), (x, y), leg + 0.02, 0.014, 0.024), feet)
    if rng.random() < 0.4:
        accent = look(
            "fabric", pick_colour(rng, None, "yellow", "orange", "cream", "teal", "pink"), rng, texture="knit"
        )
        work.show(
            cushion((0.38, 0.13, 0.38), roundness=0.72, steps=6)
            .turned("x", -20)
            .moved(0, depth / 2 - back_d - 0.19, seat_z + 0.20),
            accent,
            fill=0.2,
        )
    top_z = seat_z + 0.025  # just into the cushion, so that things on it stay in sight
    work.touch((inner, depth, top_z - leg), (0, 0, (top_z + leg) / 2))
    work.touch((inner, back_d * 1.5, back_z - leg), (0, depth / 2 - back_d * 0.75, (back_z + leg) / 2))
    work.hold("seat", "on", (0, front + seat_d * 0.42, top_z), (inner - 0.16, seat_d - 0.22), 0.5)
    return work.asset()


@object_type("Stool", "furniture", "a seat without a back", "free", ("Kitchen", "Bathroom", "LivingRoom"))
def stool(rng: np.random.Generator, *, colour: str | None = None, tall: bool | None = None) -> Asset:
    """A round stool on four splayed legs with a ring or rungs; some are as tall as a bar."""
    high = tall if tall is not None else bool(rng.random() < 0.4)
    work, height, radius = (
        Assembly(),
        rng.uniform(0.62, 0.74) if high else rng.uniform(0.42, 0.48),
        rng.uniform(0.16, 0.19),
    )
    seat = timber(rng, colour, "white", "red", "yellow", "teal", "black")
    legs = seat if rng.random() < 0.5 else trim(rng)
    top = fillet([(0, height - 0.035), (radius, height - 0.035), (radius, height), (0, height - 0.004)], 0.012, 3)
    work.show(lathe(top, 32), seat)
    spread = radius * 1.15
    feet = [(spread * c, spread * s) for c, s in ((0.7, 0.7), (-0.7, 0.7), (-0.7, -0.7), (0.7, -0.7))]
    for x, y in feet:
        work.show(post((x, y), (x * 0.62, y * 0.62), height - 0.03, 0.013, 0.016), legs, fill=0.5)
    level = 0.32 * height
    ring = torus(spread * 0.98 * (1 - 0.38 * 0.32), 0.007, 32, 8).moved(z=level)
    work.show(ring, legs)
    work.touch((2 * radius, 2 * radius, 0.035), (0, 0, height - 0.0175), kind="cylinder")
    work.touch((1.5 * radius, 1.5 * radius, height - 0.04), (0, 0, (height - 0.04) / 2), kind="cylinder")
    work.hold("seat", "on", (0, 0, height), (1.25 * radius, 1.25 * radius), 0.5)
    return work.asset()


@object_type("Ottoman", "furniture", "a padded footstool", "free", ("LivingRoom", "Bedroom"))
def ottoman(rng: np.random.Generator, *, colour: str | None = None, material: str | None = None) -> Asset:
    """A padded footstool, round or square, with a seam and short feet."""
    work, height, size, leg = Assembly(), rng.uniform(0.38, 0.44), rng.uniform(0.45, 0.62), rng.uniform(0.03, 0.10)
    hide = padding(rng, colour, material)
    piping = hide.tinted(hide.colour.darker(0.6))
    if rng.random() < 0.5:
        r = size / 2
        body = fillet([(0, leg), (r * 0.97, leg), (r, leg + 0.1), (r, height - 0.10), (0, height - 0.10)], 0.02, 2)
        lid = fillet([(0, height - 0.10), (r * 1.015, height - 0.10), (r * 1.01, height - 0.01), (0, height)], 0.05, 4)
        work.show(merge([lathe(body, 36), lathe(lid, 36, crease_deg=50)]), hide, fill=0.15)
        work.show(torus(r * 1.012, 0.006, 36, 6).moved(z=height - 0.10), piping)
        work.touch((size, size, height - leg), (0, 0, (height + leg) / 2), kind="cylinder")
    else:
        work.show(
            rounded_box((size, size * 0.85, height - 0.12 - leg), 0.02).moved(z=(leg + height - 0.12) / 2),
            hide,
            fill=0.15,
        )
        pad = cushion((size * 1.02, size * 0.87, 0.14), roundness=0.18, steps=7).moved(z=height - 0.07)
        buttons = [
            cylinder(0.012, 0.008, bevel_m=0.003, segments=10).moved(x, y, height - 0.004)
            for x, y in corners(size * 0.45, size * 0.4)
        ]
        work.show(pad, hide.tinted(hide.colour.darker(1.06)), fill=0.15)
        work.show(merge(buttons), piping)
        work.touch((size, size * 0.85, height - leg), (0, 0, (height + leg) / 2))
    feet = wood(rng)
    for x, y in corners(size * 0.55, size * 0.5):
        work.show(post((x, y), (x, y), leg + 0.01, 0.016, 0.024), feet)
        work.touch((0.04, 0.04, leg), (x, y, leg / 2))
    work.hold("top", "on", (0, 0, height), (size * 0.6, size * 0.5), 0.6)
    return work.asset()


@object_type("OfficeChair", "furniture", "a swivel chair on five castors", "free", ("Bedroom", "LivingRoom"))
def office_chair(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """An office chair: padded seat and back, arms, a gas spring and five wheels."""
    work, seat_z, width = Assembly(), rng.uniform(0.46, 0.52), rng.uniform(0.48, 0.52)
    hide = padding(rng, colour if colour is not None else pick(rng, "black", "grey", "navy", "red", "white"))
    dark, metal = look("plastic", "black"), look("metal", pick_colour(rng, None, "silver", "black"), rng)
    back_h, arms = rng.uniform(0.50, 0.68), bool(rng.random() < 0.75)
    work.show(cushion((width, width, 0.10), roundness=0.28, steps=6).moved(z=seat_z - 0.05), hide, fill=0.3)
    rest = cushion((width * 0.92, 0.085, back_h), roundness=0.35, steps=6).turned("x", -8)
    work.show(rest.moved(0, width / 2 - 0.01, seat_z + 0.10 + back_h / 2), hide, fill=0.3)
    spine = spline(
        [(0, 0.1, seat_z - 0.09), (0, width / 2 + 0.03, seat_z - 0.04), (0, width / 2 + 0.07, seat_z + 0.3)], 5
    )
    work.show(
        sweep(spine, 1.0, outline=np.array([(-0.04, -0.012), (0.04, -0.012), (0.04, 0.012), (-0.04, 0.012)])), dark
    )
    if arms:
        for side in (-1, 1):
            x = side * (width / 2 + 0.035)
            loop = [(side * 0.15, 0.02, seat_z - 0.095), (x, 0.02, seat_z - 0.095), (x, 0.02, seat_z + 0.2)]
            work.show(sweep(fillet(loop, 0.05, 3), 0.015, sides=8), dark)
            work.show(rounded_box((0.07, 0.26, 0.032), 0.014).moved(x, -0.01, seat_z + 0.21), dark)
            work.touch((0.07, 0.26, 0.25), (x, -0.01, seat_z + 0.10))
    work.show(
        merge(
            [
                rounded_box((0.26, 0.26, 0.03), 0.01, 1).moved(z=seat_z - 0.11),
                cylinder(0.03, seat_z - 0.25, segments=16).moved(z=(seat_z + 0.02) / 2),
            ]
        ),
        dark,
    )
    work.show(cylinder(0.018, seat_z - 0.15, segments=12).moved(z=(seat_z - 0.15) / 2 + 0.06), metal, fill=0.5)
    for angle in range(18, 378, 72):
        arm = sweep([(0.02, 0, 0.115), (0.28, 0, 0.075)], (0.022, 0.014), sides=8)
        work.show(arm.turned("z", angle), metal, fill=0.5)
        wheel = merge(
            [cylinder(0.028, 0.016, segments=14).turned("x", 90).moved(0.285, y, 0.028) for y in (-0.014, 0.014)]
        )
        work.show(merge([wheel, box((0.02, 0.012, 0.04)).moved(0.282, 0, 0.055)]).turned("z", angle), dark)
    work.touch((0.6, 0.6, 0.08), (0, 0, 0.04), kind="cylinder")
    work.touch((0.1, 0.1, seat_z), (0, 0, seat_z / 2), kind="cylinder")
    work.touch((width, width, 0.10), (0, 0, seat_z - 0.05))
    work.touch((width * 0.9, 0.09, back_h), (0, width / 2, seat_z + 0.10 + back_h / 2))
    work.hold("seat", "on", (0, -0.04, seat_z), (width - 0.18, width - 0.22), 0.4)
    return work.asset(mass_kg=rng.uniform(11, 15))


@object_type("Bench", "furniture", "a long seat without arms", "against_wall", ("LivingRoom", "Bedroom", "Kitchen"))
def bench(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A wooden bench with a slatted or padded seat."""
    work, width, depth, height = Assembly(), rng.uniform(0.95, 1.35), rng.uniform(0.36, 0.42), rng.uniform(0.43, 0.47)
    surface = timber(rng, colour, "white", "green")
    padded = bool(rng.random() < 0.5)
    work.legs(width, depth, height - 0.04, surface, thickness_m=0.055, inset_m=0.03)
    for side in (-1, 1):
        work.show(box((width - 0.14, 0.022, 0.06)).moved(0, side * (depth / 2 - 0.05), height - 0.07), surface)
        work.show(box((0.022, depth - 0.14, 0.05)).moved(side * (width / 2 - 0.06), 0, 0.13), surface)
    work.show(box((width - 0.14, 0.022, 0.04)).moved(0, 0, 0.13), surface)
    top = height + (0.05 if padded else 0.0)
    work.touch((width, depth, 0.04), (0, 0, top - 0.02))
    if padded:
        hide = padding(rng, None)
        work.show(box((width, depth, 0.02)).moved(z=height - 0.03), surface)
        work.show(
            cushion((width - 0.02, depth - 0.02, 0.075), roundness=0.2, steps=6).moved(z=height + 0.015), hide, fill=0.3
        )
    else:
        count, pitch = 5, depth / 5
        slats = [
            rounded_box((width, pitch - 0.012, 0.028), 0.005, 1).moved(0, (i - 2) * pitch, height - 0.014)
            for i in range(count)
        ]
        work.show(merge(slats), surface)
    work.hold("seat", "on", (0, 0, top), (width - 0.16, depth - 0.12), 0.6)
    return work.asset()
