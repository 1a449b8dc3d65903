"""Fitted kitchen units: worktops over cupboards, wall cupboards, the kitchen sink, islands and hoods."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pentathlon.worlds.houses.assets.assembly import BOARD_M, Assembly, Front, pick, trim
from pentathlon.worlds.houses.assets.asset import Asset, Emitter
from pentathlon.worlds.houses.assets.families.kitchen.sinks import tap_parts
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import rounded_rectangle
from pentathlon.worlds.modelling.materials import Look, look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import box, cylinder
from pentathlon.worlds.modelling.sweeps import loft

HEIGHT_M, DEPTH_M, SLAB_M, PLINTH_M = 0.90, 0.58, 0.04, 0.09


def _kitchen_looks(rng: np.random.Generator, colour: str | None) -> tuple[Look, Look, Look]:
    """Fronts, worktop and handles of one kitchen."""
    # Mostly pale fronts and grey slabs, so that units drawn apart still make one kitchen.
    paint = look(
        "wood", pick_colour(rng, colour, *["white"] * 6, "cream", "cream", "grey", "green", "navy"), texture=""
    )
    fronts = paint if colour is not None or rng.random() < 0.75 else wood(rng, pick(rng, "oak", "ash"))
    stone = look("stone", pick_colour(rng, None, "grey", "grey", "grey", "black", "beige"), rng, texture="granite")
    slab = stone if rng.random() < 0.75 else wood(rng, "oak")
    return fronts, slab, trim(rng)


def _front(rng: np.random.Generator) -> Front:
    return "shaker" if rng.random() < 0.55 else "plain"


def _base(work: Assembly, width: float, fronts: Look, *, roof: bool = True) -> None:
    work.case(
        width, DEPTH_M, (PLINTH_M, HEIGHT_M - SLAB_M), fronts, inside=look("wood", "white", texture=""), roof=roof
    )
    work.block((width, DEPTH_M - 0.08, PLINTH_M), (0, 0.04, PLINTH_M / 2), look("plastic", "grey"), fill=0.1)


def _cupboard(
    work: Assembly,
    name: str,
    x: tuple[float, float],
    z: tuple[float, float],
    fronts: Look,
    metal: Look,
    front: Front,
    side: int,
) -> None:
    work.door(name, x, z, -DEPTH_M / 2, fronts, metal, side=side, front=front)
    middle = (x[0] + x[1]) / 2
    span = (x[1] - x[0] - 0.10, DEPTH_M - 0.12)
    work.hold_behind(name, (middle, 0, PLINTH_M + BOARD_M), span, min(z[1] - z[0] - 0.10, 0.55))


@object_type(
    "CounterTop", "furniture", "a kitchen worktop over a cupboard", "against_wall", ("Kitchen",), noun="kitchen counter"
)
def counter_top(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A base unit of a fitted kitchen: worktop, a row of drawers, doors below."""
    work, count, front = Assembly(), 1 + int(rng.random() < 0.7), _front(rng)
    width = count * rng.uniform(0.45, 0.58)
    fronts, slab, metal = _kitchen_looks(rng, colour)
    _base(work, width, fronts)
    work.block((width, DEPTH_M + 0.045, SLAB_M), (0, -0.012, HEIGHT_M - SLAB_M / 2), slab, radius_m=0.005)
    work.hold("top", "on", (0, 0, HEIGHT_M), (width - 0.04, DEPTH_M - 0.06), 0.45)
    low, split, high = PLINTH_M, HEIGHT_M - SLAB_M - 0.17, HEIGHT_M - SLAB_M - 0.006
    for i in range(count):
        x = (-width / 2 + i * width / count, -width / 2 + (i + 1) * width / count)
        side = -1 if i == 0 else 1
        work.drawer(f"drawer_{i}", x, (split, high), DEPTH_M - 0.05, -DEPTH_M / 2, fronts, metal, front="plain")
        _cupboard(work, f"door_{i}", x, (low, split), fronts, metal, front, side)
    return work.asset()


@object_type("KitchenSink", "fixture", "a steel sink in a kitchen worktop", "against_wall", ("Kitchen",))
def kitchen_sink(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A worktop with a sunk steel bowl, a draining board and a tall tap over a cupboard with two doors."""
    work, front, width = Assembly(), _front(rng), rng.uniform(0.85, 1.05)
    fronts, slab, metal = _kitchen_looks(rng, colour)
    bowl_w, bowl_d, deep, bowl_x = 0.44, 0.36, 0.17, rng.choice((-1.0, 1.0)) * (width / 2 - 0.32)
    bowl_y, top = -0.045, HEIGHT_M
    _base(work, width, fronts, roof=False)
    for mesh in _slab_with_hole(width, DEPTH_M + 0.045, (bowl_x, bowl_y + 0.012), (bowl_w - 0.01, bowl_d - 0.01)):
        low, high = mesh.bounds_m
        centre, size = (low + high) / 2, high - low
        work.show(mesh.moved(0, -0.012, top - SLAB_M / 2), slab)
        work.touch(
            (float(size[0]), float(size[1]), SLAB_M), (float(centre[0]), float(centre[1]) - 0.012, top - SLAB_M / 2)
        )
    steel = look("metal", "silver", rng)
    work.show(_bowl(bowl_w, bowl_d, deep).moved(bowl_x, bowl_y, top), steel, fill=0.05)
    work.show(
        cylinder(0.03, 0.006, bevel_m=0.002, segments=18).moved(bowl_x, bowl_y, top - deep + 0.006),
        look("metal", "grey", texture=""),
    )
    work.touch((bowl_w, bowl_d, 0.02), (bowl_x, bowl_y, top - deep - 0.008))
    ridges = [
        box((0.26, 0.006, 0.004)).moved(-np.sign(bowl_x) * (width / 2 - 0.21), bowl_y + (i - 4) * 0.035, top + 0.003)
        for i in range(9)
    ]
    work.show(
        merge([box((0.30, 0.36, 0.003)).moved(-np.sign(bowl_x) * (width / 2 - 0.21), bowl_y, top + 0.001), *ridges]),
        steel,
    )
    pool = loft([_ring(bowl_w * 0.9, bowl_d * 0.9, z) for z in (-deep + 0.012, -deep * 0.45)]).moved(
        bowl_x, bowl_y, top
    )
    work.show(pool, look("water", Colour("cyan", (0.55, 0.80, 0.88))), when="filled", fill=0.0)
    tap_y, tap_h = bowl_y + bowl_d / 2 + 0.055, rng.uniform(0.26, 0.34)
    for part in tap_parts(
        look("metal", pick_colour(rng, None, "silver", "silver", "black"), texture=""),
        tap_h,
        0.19,
        tap_h * 0.72 + deep - 0.02,
    ):
        work.parts.append(replace(part, mesh=part.mesh.moved(bowl_x, tap_y, top)))
    for i, x in enumerate(((-width / 2, 0.0), (0.0, width / 2))):
        _cupboard(work, f"door_{i}", x, (PLINTH_M, HEIGHT_M - SLAB_M - 0.006), fronts, metal, front, 2 * i - 1)
    work.hold("bowl", "in", (float(bowl_x), bowl_y, top - deep + 0.004), (bowl_w * 0.7, bowl_d * 0.65), 0.30)
    work.hold(
        "draining_board", "on", (float(-np.sign(bowl_x) * (width / 2 - 0.21)), bowl_y, top + 0.005), (0.26, 0.34), 0.45
    )
    return work.asset("cleans")


def _slab_with_hole(width: float, depth: float, hole_at: tuple[float, float], hole: tuple[float, float]) -> list[Mesh]:
    """Four boards around a rectangular hole, centred at z = 0."""
    left, right = hole_at[0] - hole[0] / 2, hole_at[0] + hole[0] / 2
    near, far = hole_at[1] - hole[1] / 2, hole_at[1] + hole[1] / 2
    spans = (
        ((-width / 2, left), (-depth / 2, depth / 2)),
        ((right, width / 2), (-depth / 2, depth / 2)),
        ((left, right), (-depth / 2, near)),
        ((left, right), (far, depth / 2)),
    )
    return [box((x[1] - x[0], y[1] - y[0], SLAB_M)).moved((x[0] + x[1]) / 2, (y[0] + y[1]) / 2) for x, y in spans]


def _ring(width: float, depth: float, z: float, corner: float = 0.05) -> np.ndarray:
    outline = rounded_rectangle(width, depth, corner, 4)
    return np.column_stack([outline, np.full(len(outline), z)])


def _bowl(width: float, depth: float, deep: float) -> Mesh:
    """A steel basin hanging from a flat rim at z = 0."""
    outer = [
        _ring(width * 0.86, depth * 0.86, -deep - 0.002),
        _ring(width, depth, -deep + 0.03),
        _ring(width, depth, -0.001),
        _ring(width + 0.03, depth + 0.03, 0.0),
    ]
    inner = [
        _ring(width + 0.028, depth + 0.028, 0.003),
        _ring(width - 0.004, depth - 0.004, 0.002),
        _ring(width - 0.006, depth - 0.006, -deep + 0.03),
        _ring(width * 0.84, depth * 0.84, -deep),
        _ring(0.06, 0.06, -deep - 0.001, 0.02),
    ]
    return loft(outer + inner, crease_deg=35)


@object_type("WallCabinet", "furniture", "a kitchen cupboard on the wall", "on_wall", ("Kitchen",))
def wall_cabinet(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A cupboard that hangs on the wall over the worktop: two doors, some glazed, and a shelf."""
    work, width, depth, height = Assembly(), rng.uniform(0.70, 0.95), 0.32, rng.uniform(0.60, 0.72)
    fronts, _, metal = _kitchen_looks(rng, colour)
    front: Front = "glass" if rng.random() < 0.3 else _front(rng)
    work.case(width, depth, (-height / 2, height / 2), fronts, inside=look("wood", "white", texture=""))
    inner = width - 2 * BOARD_M
    for i, x in enumerate(((-inner / 2 - 0.01, 0.0), (0.0, inner / 2 + 0.01))):
        work.door(
            f"door_{i}",
            x,
            (-height / 2 + 0.004, height / 2 - 0.004),
            -depth / 2,
            fronts,
            metal,
            side=2 * i - 1,
            front=front,
        )
    work.block((inner, depth - 0.03, 0.016), (0, 0.005, 0.0), look("wood", "white", texture=""))
    for i, z in enumerate((-height / 2 + BOARD_M, 0.008)):
        work.hold(f"shelf_{i}", "in", (0, 0, z), (inner - 0.08, depth - 0.10), height / 2 - 0.06, door=f"door_{i}")
    return work.moved(y=-depth / 2).asset()


@object_type("KitchenIsland", "furniture", "a kitchen block with a worktop and shelves", "free", ("Kitchen",))
def kitchen_island(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A free-standing block: worktop, two drawers, open shelves below and a towel rail."""
    work, width, depth = Assembly(), rng.uniform(0.95, 1.25), rng.uniform(0.56, 0.66)
    fronts, slab, metal = _kitchen_looks(rng, colour)
    work.block((width + 0.06, depth + 0.06, 0.045), (0, 0, HEIGHT_M - 0.0225), slab, radius_m=0.008)
    work.hold("top", "on", (0, 0, HEIGHT_M), (width - 0.06, depth - 0.06), 0.7)
    under = HEIGHT_M - 0.045
    work.legs(width, depth, under, fronts, thickness_m=0.07)
    low = under - 0.18
    work.block((0.018, depth - 0.08, 0.18), (0, 0, under - 0.09), fronts)
    work.block((width - 0.1, 0.018, 0.18), (0, depth / 2 - 0.03, under - 0.09), fronts)
    for i, x in enumerate(((-width / 2 + 0.07, 0.0), (0.0, width / 2 - 0.07))):
        work.block((0.018, depth - 0.12, 0.18), ((2 * i - 1) * (width / 2 - 0.03), 0, under - 0.09), fronts)
        work.drawer(f"drawer_{i}", x, (low, under), depth - 0.10, -depth / 2 + 0.03, fronts, metal)
    for i, z in enumerate((0.14, 0.42)):
        slats = [box((width - 0.04, 0.07, 0.018)).moved(0, (k - 2.5) * (depth - 0.06) / 6, z) for k in range(6)]
        work.show(merge(slats), fronts)
        work.touch((width - 0.04, depth - 0.04, 0.018), (0, 0, z))
        work.hold(f"shelf_{i}", "on", (0, 0, z + 0.009), (width - 0.18, depth - 0.16), 0.22)
    bar = cylinder(0.009, depth * 0.7, segments=10).turned("x", 90).moved(width / 2 + 0.045, 0, under - 0.1)
    stubs = [
        cylinder(0.006, 0.05, segments=8).turned("y", 90).moved(width / 2 + 0.022, s * depth * 0.32, under - 0.1)
        for s in (-1, 1)
    ]
    work.show(merge([bar, *stubs]), metal)
    return work.asset()


@object_type("RangeHood", "appliance", "an extractor hood over a stove", "on_wall", ("Kitchen",), noun="extractor hood")
def range_hood(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A chimney hood: a flared steel canopy under a duct, with a lamp below."""
    work, width, depth, height = Assembly(), rng.uniform(0.58, 0.88), rng.uniform(0.44, 0.50), rng.uniform(0.70, 0.85)
    steel = look("metal", pick_colour(rng, colour, "silver", "silver", "white"), rng)
    low = -height / 2
    levels = (
        (width, depth, low, 0.004),
        (width, depth, low + 0.05, 0.004),
        (0.26, 0.24, low + 0.05 + rng.uniform(0.16, 0.26), 0.004),
        (0.25, 0.23, height / 2, 0.004),
    )
    rings = []
    for w, d, z, corner in levels:
        outline = rounded_rectangle(w, d, corner, 1)
        rings.append(np.column_stack([outline[:, 0], outline[:, 1] - d / 2, np.full(len(outline), z)]))
    work.show(loft(rings, crease_deg=20), steel, fill=0.04)
    dark = look("metal", "grey", rng)
    work.show(
        merge(
            [
                box((width * 0.42, depth * 0.6, 0.004)).moved(s * width * 0.23, -depth * 0.55, low - 0.001)
                for s in (-1, 1)
            ]
        ),
        dark,
    )
    lamps = merge(
        [cylinder(0.03, 0.008, segments=16).moved(s * width * 0.36, -depth * 0.16, low - 0.002) for s in (-1, 1)]
    )
    work.show(lamps, look("plastic", "white"), when="off")
    work.show(lamps, look("plastic", "yellow", emission=1.0), when="on")
    work.show(
        merge(
            [
                cylinder(0.009, 0.008, segments=12).turned("x", 90).moved((i - 1.5) * 0.04, -depth - 0.003, low + 0.025)
                for i in range(4)
            ]
        ),
        dark,
    )
    work.touch((width, depth, 0.10), (0, -depth / 2, low + 0.05))
    work.touch((0.26, 0.24, height - 0.1), (0, -0.12, 0.05))
    work.emitters.append(Emitter("lamp", (0, -depth * 0.3, low - 0.02), (0.35, 0.32, 0.26), (0, 0, -1), 70.0))
    return work.asset(mass_kg=rng.uniform(10, 16))
