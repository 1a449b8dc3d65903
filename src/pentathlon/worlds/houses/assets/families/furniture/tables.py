"""Tables and desks."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly, pick, timber, trim
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.curves import ellipse, fillet
from pentathlon.worlds.modelling.materials import Look, look, wood
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box
from pentathlon.worlds.modelling.sweeps import extrude, sweep

TOP_M = 0.03


def _round_top(work: Assembly, radius: float, height: float, surface: Look) -> None:
    work.show(extrude(ellipse(2 * radius, 2 * radius, 40), TOP_M, bevel_m=0.005).moved(z=height - TOP_M), surface)
    work.touch((2 * radius, 2 * radius, TOP_M), (0, 0, height - TOP_M / 2), kind="cylinder")
    work.hold("top", "on", (0, 0, height), (1.36 * radius, 1.36 * radius), 0.7)


def _square_top(work: Assembly, width: float, depth: float, height: float, surface: Look) -> None:
    work.block((width, depth, TOP_M), (0, 0, height - TOP_M / 2), surface, radius_m=0.006)
    work.hold("top", "on", (0, 0, height), (width - 0.06, depth - 0.06), 0.7)


def _apron(work: Assembly, width: float, depth: float, height: float, surface: Look, deep: float = 0.08) -> None:
    z = height - TOP_M - deep / 2
    for side in (-1, 1):
        work.show(box((width, 0.02, deep)).moved(0, side * depth / 2, z), surface)
        work.show(box((0.02, depth, deep)).moved(side * width / 2, 0, z), surface)


def _pedestal(work: Assembly, height: float, reach: float, surface: Look) -> None:
    """A turned column on three curved feet."""
    column = [(0, 0.09), (0.05, 0.09), (0.06, 0.16), (0.035, 0.24), (0.045, 0.6 * height), (0.03, 0.7 * height)]
    column += [(0.07, height - TOP_M - 0.02), (0.12, height - TOP_M), (0, height - TOP_M)]
    work.show(lathe(fillet(column, 0.015, 2), 20), surface)
    path = fillet([(0.02, 0, 0.20), (0.55 * reach, 0, 0.14), (reach, 0, 0.02)], 0.1, 4)
    foot = sweep(path, np.linspace(0.03, 0.022, len(path)), sides=8)
    feet = merge([foot.turned("z", angle) for angle in (90, 210, 330)])
    work.show(feet.moved(z=-feet.bounds_m[0][2]), surface)
    work.touch((1.4 * reach, 1.4 * reach, 0.06), (0, 0, 0.03), kind="cylinder")
    work.touch((0.12, 0.12, height), (0, 0, height / 2), kind="cylinder")


@object_type("DiningTable", "furniture", "a large table to eat at", "free", ("Kitchen", "LivingRoom"))
def dining_table(rng: np.random.Generator, *, colour: str | None = None, form: str | None = None) -> Asset:
    """A dining table: long on four legs, or round on a turned pedestal."""
    work, height = Assembly(), rng.uniform(0.73, 0.77)
    shape = form if form is not None else pick(rng, "long", "long", "round")
    surface = timber(rng, colour, "white")
    if shape == "round":
        radius = rng.uniform(0.50, 0.62)
        _round_top(work, radius, height, surface)
        _pedestal(work, height, 0.62 * radius, surface)
        return work.asset()
    width, depth = rng.uniform(1.25, 1.8), rng.uniform(0.80, 0.95)
    _square_top(work, width, depth, height, surface)
    base = surface if rng.random() < 0.6 else timber(rng, None, "white", "black")
    _apron(work, width - 0.14, depth - 0.14, height, base)
    style = pick(rng, "square", "tapered", "round")
    work.legs(width, depth, height - TOP_M, base, style=style, thickness_m=rng.uniform(0.06, 0.08), inset_m=0.04)
    return work.asset()


@object_type("CoffeeTable", "furniture", "a low table before a sofa", "free", ("LivingRoom",))
def coffee_table(rng: np.random.Generator, *, colour: str | None = None, material: str | None = None) -> Asset:
    """A coffee table of wood with a lower shelf, of glass on metal, or round with splayed legs."""
    work, height = Assembly(), rng.uniform(0.38, 0.46)
    width, depth = rng.uniform(0.9, 1.2), rng.uniform(0.52, 0.64)
    kind = material if material is not None else pick(rng, "wood", "glass", "round")
    surface, metal = timber(rng, colour, "white"), trim(rng)
    if kind == "glass":
        work.block((width, depth, 0.012), (0, 0, height - 0.006), look("glass", "silver"), radius_m=0.004)
        work.hold("top", "on", (0, 0, height), (width - 0.06, depth - 0.06), 0.8)
        for side in (-1, 1):
            x, z = side * (width / 2 - 0.08), height - 0.012
            frame = [box((0.03, 0.03, z)).moved(x, s * (depth / 2 - 0.04), z / 2) for s in (-1, 1)]
            frame.append(box((0.03, depth - 0.11, 0.03)).moved(x, 0, z - 0.015))
            work.show(merge(frame), metal, fill=0.3)
            work.touch((0.03, depth - 0.06, z), (x, 0, z / 2))
        work.block((width - 0.19, depth - 0.12, 0.018), (0, 0, 0.14), surface)
        work.hold("shelf", "on", (0, 0, 0.149), (width - 0.25, depth - 0.18), height - 0.18)
        return work.asset(materials=("glass", "metal"))
    if kind == "round":
        radius = rng.uniform(0.38, 0.46)
        _round_top(work, radius, height, surface)
        work.legs(
            1.3 * radius, 1.3 * radius, height - TOP_M, wood(rng), style="splayed", thickness_m=0.045, inset_m=0.03
        )
        return work.asset()
    _square_top(work, width, depth, height, surface)
    work.legs(width, depth, height - TOP_M, surface, thickness_m=0.055, inset_m=0.02)
    work.block((width - 0.08, depth - 0.08, 0.02), (0, 0, 0.12), surface)
    work.hold("shelf", "on", (0, 0, 0.13), (width - 0.16, depth - 0.16), height - 0.19)
    return work.asset()


@object_type("SideTable", "furniture", "a small table beside a seat or bed", "free", ("LivingRoom", "Bedroom"))
def side_table(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A side table: round on splayed legs, round on a metal stem, or square with a shelf."""
    work, height = Assembly(), rng.uniform(0.48, 0.58)
    kind, surface = pick(rng, "splayed", "stem", "shelf"), timber(rng, colour, "white", "black", "teal")
    radius = rng.uniform(0.20, 0.25)
    if kind == "splayed":
        _round_top(work, radius, height, surface)
        work.legs(
            1.25 * radius, 1.25 * radius, height - TOP_M, wood(rng), style="splayed", thickness_m=0.035, inset_m=0.02
        )
    elif kind == "stem":
        _round_top(work, radius, height, surface)
        metal = trim(rng)
        foot = fillet(
            [
                (0, 0),
                (0.16, 0),
                (0.16, 0.012),
                (0.02, 0.03),
                (0.013, 0.05),
                (0.013, height - TOP_M),
                (0, height - TOP_M),
            ],
            0.006,
            2,
        )
        work.show(lathe(foot, 24), metal, fill=0.5)
        work.touch((0.32, 0.32, 0.02), (0, 0, 0.01), kind="cylinder")
        work.touch((0.03, 0.03, height), (0, 0, height / 2), kind="cylinder")
    else:
        side = 2 * radius
        _square_top(work, side, side, height, surface)
        work.legs(side, side, height - TOP_M, surface, thickness_m=0.032, inset_m=0.01)
        work.block((side - 0.03, side - 0.03, 0.016), (0, 0, 0.16), surface)
        work.hold("shelf", "on", (0, 0, 0.168), (side - 0.10, side - 0.10), height - 0.22)
    return work.asset()


@object_type("ConsoleTable", "furniture", "a narrow table for a hallway wall", "against_wall", ("LivingRoom",))
def console_table(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A narrow wall table with two drawers and slim legs."""
    work, height = Assembly(), rng.uniform(0.76, 0.84)
    width, depth = rng.uniform(0.85, 1.15), rng.uniform(0.30, 0.36)
    surface, metal = timber(rng, colour, "white", "black"), trim(rng)
    _square_top(work, width, depth, height, surface)
    deep, inner = 0.13, width - 0.06
    low = height - TOP_M - deep
    work.block((inner, 0.016, deep), (0, depth / 2 - 0.03, height - TOP_M - deep / 2), surface)
    for side in (-1, 1):
        work.block((0.016, depth - 0.08, deep), (side * inner / 2, -0.01, height - TOP_M - deep / 2), surface)
        x = (-inner / 2, 0.0) if side < 0 else (0.0, inner / 2)
        work.drawer(
            f"drawer_{(side + 1) // 2}", x, (low, height - TOP_M), depth - 0.06, -depth / 2 + 0.04, surface, metal
        )
    work.legs(
        width, depth, height - TOP_M, surface, style=pick(rng, "tapered", "square"), thickness_m=0.036, inset_m=0.01
    )
    return work.asset()


@object_type("Desk", "furniture", "a writing desk with drawers", "against_wall", ("Bedroom", "LivingRoom"))
def desk(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A desk: a drawer pedestal on one side, legs or a board on the other."""
    work, height = Assembly(), rng.uniform(0.72, 0.76)
    width, depth = rng.uniform(1.05, 1.45), rng.uniform(0.55, 0.68)
    surface, metal = timber(rng, colour, "white", "white", "grey"), trim(rng)
    body = surface if rng.random() < 0.6 else look("wood", pick_colour(rng, None, "white", "grey", "black"), texture="")
    _square_top(work, width, depth, height, surface)
    side = -1 if rng.random() < 0.5 else 1
    box_w, rows, under = rng.uniform(0.34, 0.40), int(rng.integers(2, 4)), height - TOP_M
    x = side * (width / 2 - 0.02 - box_w / 2)
    work.case(box_w, depth - 0.08, (0.03, under), body, x_m=x)
    work.block((box_w - 0.04, depth - 0.14, 0.03), (x, 0, 0.015), body)
    levels = np.linspace(0.048, under - 0.018, rows + 1)
    for i in range(rows):
        span = (x - box_w / 2 + 0.002, x + box_w / 2 - 0.002)
        work.drawer(
            f"drawer_{i}", span, (float(levels[i]), float(levels[i + 1])), depth - 0.12, -depth / 2 + 0.04, body, metal
        )
    far = -side * (width / 2 - 0.05)
    if rng.random() < 0.5:
        work.block((0.025, depth - 0.08, under), (far, 0, under / 2), body)
    else:
        for y in (-1, 1):
            work.show(cylinder(0.02, under, segments=14).moved(far, y * (depth / 2 - 0.06), under / 2), metal, fill=0.3)
            work.touch((0.04, 0.04, under), (far, y * (depth / 2 - 0.06), under / 2))
    work.show(
        rounded_box((width - box_w - 0.08, 0.016, 0.24), 0.003, 1).moved(
            -side * box_w / 2, depth / 2 - 0.06, under - 0.12
        ),
        body,
    )
    return work.asset()
