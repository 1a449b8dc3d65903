"""Bread, cakes, cheese, eggs and pizza."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.effects import steam
from pentathlon.worlds.houses.assets.handheld import lumpy, reshaped, sliced_food, thing
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import COLOURS, Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet, spline
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.prints import pizza_top
from pentathlon.worlds.modelling.shapes import cylinder, lathe, sphere, torus
from pentathlon.worlds.modelling.slicing import cut
from pentathlon.worlds.modelling.sweeps import extrude, loft, sweep

CRUST = Colour("brown", (0.72, 0.44, 0.19))
CRUMB = Colour("cream", (0.95, 0.86, 0.66))
SPONGE = Colour("yellow", (0.90, 0.74, 0.42))


@object_type("Bread", "food", "a loaf of bread", rooms=("Kitchen",), shape="cube")
def bread(rng: np.random.Generator) -> Asset:
    """A loaf: baked in a tin, or round and slashed; sliced it shows pale crumb."""
    length, width, height = rng.uniform(0.22, 0.28), rng.uniform(0.095, 0.115), rng.uniform(0.085, 0.11)
    tint = CRUST.shade(rng, 0.1)
    tinned = rng.random() < 0.3
    body = _tin_loaf(length, width, height) if tinned else _free_loaf(length, width, height * 0.85)
    slashes = []
    for x in () if tinned else np.linspace(-0.28, 0.28, 4):
        top = height * 0.85 * math.sqrt(1 - (2.0 * x) ** 2 * 0.55)
        path = [
            (x * length - 0.012, -width * 0.22, top * 0.93),
            (x * length, 0, top * 1.003),
            (x * length + 0.012, width * 0.22, top * 0.93),
        ]
        slashes.append(sweep(spline(path, 3), (0.002, 0.004, 0.005, 0.006, 0.005, 0.004, 0.002), sides=6))
    extras = [Part(merge(slashes), look("food", CRUMB, rng, texture="crumb"), when="whole")] if slashes else []
    crumb = look("food", CRUMB, rng, texture="crumb")
    return sliced_food(
        body, look("food", tint, rng), crumb, count=8, gap_m=0.010, extras=extras, fill=0.28, colours=("brown",)
    )


def _tin_loaf(length: float, width: float, height: float) -> Mesh:
    """Straight sides below, a swelling top, round ends."""
    sections = []
    for share in np.linspace(-1, 1, 15):
        swell = (1 - abs(share) ** 6) ** 0.35 if abs(share) < 1 else 0.05
        half, top = width / 2 * (0.82 + 0.18 * swell), height * (0.72 + 0.28 * swell)
        knots = [
            (-half * 0.86, 0),
            (half * 0.86, 0),
            (half * 0.95, top * 0.55),
            (half * 1.08, top * 0.72),
            (half * 0.62, top * 0.97),
            (0, top),
            (-half * 0.62, top * 0.97),
            (-half * 1.08, top * 0.72),
            (-half * 0.95, top * 0.55),
        ]
        outline = fillet(knots, 0.018, 2, closed=True)
        scale = 1.0 if abs(share) < 1 else 0.9
        x = share * length / 2
        sections.append(
            np.column_stack(
                [np.full(len(outline), x), outline[:, 0] * scale, (outline[:, 1] - top / 2) * scale + top / 2]
            )
        )
    return loft(sections, crease_deg=75)


def _free_loaf(length: float, width: float, height: float) -> Mesh:
    ball = sphere(0.5, 26).scaled(length, width, height * 1.25)
    points = ball.vertices_m.copy()
    points[:, 2] = np.maximum(points[:, 2], -height * 0.35) + height * 0.35
    return reshaped(ball, points, crease_deg=50)


@object_type("Cake", "food", "a round layer cake with icing", rooms=("Kitchen",), shape="cube")
def cake(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A layer cake: icing that drips over the edge, cherries on cream puffs around the top."""
    radius, height = rng.uniform(0.095, 0.115), rng.uniform(0.075, 0.095)
    base = pick_colour(rng, colour, "cream", "pink", "brown", "white")
    body = lathe(fillet([(0, 0), (radius, 0), (radius, height), (0, height)], (0, 0.003, 0.010, 0)), 40)
    drip_tint = (
        pick_colour(rng, None, "brown", "pink", "white")
        if base.name not in ("brown",)
        else pick_colour(rng, None, "cream", "pink")
    )
    icing = look("food", Colour("brown", (0.30, 0.16, 0.09)) if drip_tint.name == "brown" else drip_tint, texture="")
    drips = [
        sweep(
            [(radius, 0, height - 0.004), (radius + 0.001, 0, height - rng.uniform(0.018, 0.042))],
            (0.008, 0.006),
            sides=8,
        ).turned("z", 24 * i)
        for i in range(15)
    ]
    beads = [
        sphere(0.006, 8).moved(*((drip.bounds_m[0] + drip.bounds_m[1]) / 2 * (1, 1, 0) + (0, 0, drip.bounds_m[0][2])))
        for drip in drips
    ]
    top = lathe(
        fillet(
            [
                (0, height - 0.002),
                (radius + 0.003, height - 0.006),
                (radius + 0.001, height + 0.004),
                (0, height + 0.005),
            ],
            0.004,
        ),
        40,
    )
    puffs, cherries = [], []
    count = int(rng.integers(6, 10))
    for i in range(count):
        puff = lathe([(0.014, 0), (0.013, 0.006), (0.009, 0.011), (0, 0.017)], 12, crease_deg=40).moved(
            radius * 0.72, 0, height + 0.004
        )
        puffs.append(puff.turned("z", 360 / count * i))
        cherries.append(sphere(0.0085, 10).moved(radius * 0.72, 0, height + 0.024).turned("z", 360 / count * i))
    extras = [
        Part(merge([top, *drips, *beads]), icing, when="whole"),
        Part(merge(puffs), look("food", "white", texture=""), when="whole"),
        Part(merge(cherries), look("food", "red", texture=""), when="whole"),
    ]
    crumb = look("food", SPONGE, rng, texture="crumb")
    return sliced_food(
        body, look("food", base, texture=""), crumb, count=5, gap_m=0.012, extras=extras, touch="cylinder", fill=0.5
    )


@object_type("Donut", "food", "a ring of fried dough with icing and sprinkles", rooms=("Kitchen",), shape="flat")
def donut(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A doughnut: brown ring, glossy icing on top, coloured sprinkles."""
    radius, tube = rng.uniform(0.030, 0.034), rng.uniform(0.015, 0.018)
    dough = torus(radius, tube, 32, 14).scaled(1, 1, 0.85)
    angle = np.radians(np.linspace(-8, 188, 11))
    profile = np.stack([radius + tube * 1.07 * np.cos(angle), tube * 0.92 * np.sin(angle)], axis=1)
    icing_mesh = lathe([*profile, profile[0]], 36, crease_deg=60)
    points = icing_mesh.vertices_m.copy()
    around = np.arctan2(points[:, 1], points[:, 0])
    points[:, 2] -= np.where(points[:, 2] < tube * 0.2, 0.0022 * np.sin(7 * around), 0.0)
    tint = pick_colour(rng, colour, "pink", "brown", "white", "pink")
    icing = look("food", Colour("brown", (0.28, 0.15, 0.08)) if tint.name == "brown" else tint, texture="")
    sprinkles: dict[str, list[Mesh]] = {}
    names = ("yellow", "cyan", "red", "lime", "white")
    for i in range(40):
        tilt, turn = rng.uniform(25, 155), rng.uniform(0, 360)
        at = (radius + tube * 1.08 * math.cos(math.radians(tilt)), 0, tube * 0.94 * math.sin(math.radians(tilt)))
        rod = (
            cylinder(0.0009, 0.005, segments=6).turned("x", 90).turned("z", rng.uniform(0, 180)).turned("y", 90 - tilt)
        )
        sprinkles.setdefault(names[i % 5], []).append(rod.moved(*at).turned("z", turn))
    parts = [
        Part(dough, look("food", Colour("brown", (0.78, 0.52, 0.25)).shade(rng), rng), fill=0.4),
        Part(reshaped(icing_mesh, points), icing, fill=0.2),
    ]
    parts += [Part(merge(group), look("plastic", name)) for name, group in sprinkles.items()]
    return thing(
        parts, "heatable", touch="cylinder", colours=("brown", tint.name) if tint.name != "brown" else ("brown",)
    )


@object_type("Pizza", "food", "a round pizza with salami", rooms=("Kitchen",), shape="flat")
def pizza(rng: np.random.Generator) -> Asset:
    """A pizza: a puffed crust around melted cheese and toppings; sliced it comes apart in strips."""
    radius = rng.uniform(0.13, 0.155)
    base = lathe(
        fillet([(0, 0), (radius, 0), (radius, 0.010), (0, 0.010)], (0, 0.004, 0.004, 0)), 44
    ).with_projected_uvs("z")
    crust = torus(radius - 0.010, 0.011, 44, 10)
    ring = lumpy(crust, rng, 0.01, 9.0).moved(z=0.011)
    top = look("food", "white", texture=pizza_top(rng))
    dough = look("food", Colour("beige", (0.88, 0.72, 0.46)), rng, texture="crumb")
    extras = [Part(ring, look("food", CRUST.shade(rng, 0.12), rng), when="whole")]
    return sliced_food(
        base, top, dough, count=4, gap_m=0.018, extras=extras, touch="cylinder", colours=("yellow", "red")
    )


@object_type("Cheese", "food", "a wedge of cheese with holes", rooms=("Kitchen",), shape="cube")
def cheese(rng: np.random.Generator) -> Asset:
    """A wedge of hard cheese with round holes, drawn as dark hollows, and a rind."""
    reach, height, spread = rng.uniform(0.11, 0.14), rng.uniform(0.05, 0.07), rng.uniform(38, 52)
    half = math.radians(spread / 2)
    arc_points = [(reach * math.cos(a), reach * math.sin(a)) for a in np.linspace(-half, half, 8)]
    body = extrude([(0.0, 0.0), *arc_points], height, bevel_m=0.002)
    tint = Colour("yellow", (0.96, 0.79, 0.30)).shade(rng)
    holes = []
    for i in range(22):
        share, z, size = rng.uniform(0.2, 0.95), rng.uniform(0.15, 0.9) * height, rng.uniform(0.004, 0.0085)
        side = -1 if i % 3 else 1
        hole = sphere(size, 8).scaled(1, 0.12, 1).turned("z", side * spread / 2)
        at = (reach * share * math.cos(half), side * reach * share * math.sin(half), z)
        if i % 4 == 0:
            hole, at = (
                sphere(size, 8).scaled(1, 1, 0.1),
                (reach * share, reach * share * rng.uniform(-0.6, 0.6) * math.sin(half), height),
            )
        holes.append(hole.moved(*at))
    turn = 34 + spread / 2
    pits = look("food", Colour("orange", (0.74, 0.52, 0.14)), texture="")
    paste = look("food", tint, texture="")
    return sliced_food(
        body.turned("z", turn), paste, paste, count=4, extras=[Part(merge(holes).turned("z", turn), pits, when="whole")]
    )


@object_type("Egg", "food", "a hen's egg", rooms=("Kitchen",), shape="cube")
def egg(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """An egg; sliced it lies open: white and yolk beside two halves of the shell."""
    length = rng.uniform(0.054, 0.062)
    angle = np.linspace(0, math.pi, 16)
    across = length * 0.375 * np.sin(angle) * (1 + 0.14 * np.cos(angle))
    across[[0, -1]] = 0
    tint = (
        Colour("white", (0.96, 0.94, 0.90))
        if colour is None and rng.random() < 0.4
        else Colour("brown", (0.80, 0.58, 0.42))
    )
    shade = (tint if colour is None else COLOURS[colour]).shade(rng)
    body = lathe(np.stack([across, -length / 2 * np.cos(angle)], axis=1), 22, crease_deg=80).turned("y", 80)
    shell = look("ceramic", shade)
    low = float(body.bounds_m[0][2])
    white = lumpy(cylinder(0.040, 0.005, bevel_m=0.002, segments=28), rng, 0.05, 3.0).moved(z=low + 0.0028)
    yolk = sphere(0.016, 18).scaled(1, 1, 0.55).moved(0.006, 0.003, low + 0.006)
    halves = [cut(body, "x", *span).whole.moved(x) for span, x in (((-1, 0.0), -0.055), ((0.0, 1), 0.055))]
    raw = Asset(
        (
            Part(white.moved(z=-low), look("food", "white", texture="")),
            Part(yolk.moved(z=-low), look("food", "orange", texture="")),
        ),
        thing([Part(white, look("food", "white"))]).colliders,
        declared=frozenset({"pickupable", "heatable", "coolable"}),
    )
    parts = [
        Part(body, shell, when="whole", fill=0.45),
        Part(merge(halves), shell, when="sliced"),
        Part(white, look("food", Colour("white", (0.97, 0.96, 0.92)), texture=""), when="sliced"),
        Part(yolk, look("food", Colour("orange", (0.98, 0.66, 0.10)), texture=""), when="sliced"),
        steam((0, 0, low + 0.03), 0.08),
    ]
    return thing(parts, "heatable", "coolable", piece=raw, colours=(shade.name,), materials=("food",))
