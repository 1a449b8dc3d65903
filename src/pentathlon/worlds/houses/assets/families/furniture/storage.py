"""Shelves, cupboards, wardrobes and boxes."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.assembly import BOARD_M, Assembly, Front, corners, knob, pick, timber, trim
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import COLOURS, pick_colour
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import box, cylinder, rounded_box
from pentathlon.worlds.modelling.sweeps import handle, sweep

SPINES = ("red", "navy", "green", "brown", "maroon", "teal", "cream", "black", "orange", "purple", "grey", "yellow")
COVERS = {name: look("paper", COLOURS[name], texture="") for name in SPINES}


def _front(rng: np.random.Generator) -> Front:
    fronts: tuple[Front, ...] = ("plain", "shaker", "shaker", "louvre")
    return fronts[int(rng.integers(len(fronts)))]


def books(rng: np.random.Generator, length: float, high: float, depth: float) -> list[tuple[Mesh, str]]:
    """A row of upright books from x = 0 along x, backs towards -y at y = 0, each with the name of its colour."""
    row: list[tuple[Mesh, str]] = []
    x = 0.0
    while True:
        thick, tall = float(rng.uniform(0.018, 0.045)), float(rng.uniform(0.72, 0.95)) * high
        if x + thick > length:
            return row
        mesh = box((thick - 0.002, depth * float(rng.uniform(0.85, 1.0)), tall))
        row.append((mesh.moved(x + thick / 2, depth / 2, tall / 2), pick(rng, *SPINES)))
        x += thick


def _fill_shelf(
    work: Assembly, rng: np.random.Generator, x: float, width: float, y: float, z: float, high: float
) -> None:
    by_colour: dict[str, list[Mesh]] = {}
    for mesh, name in books(rng, width, min(high - 0.03, 0.27), 0.17):
        by_colour.setdefault(name, []).append(mesh.moved(x, y, z))
    for name, meshes in by_colour.items():
        work.show(merge(meshes), COVERS[name], fill=0.8)
    work.touch(
        (width, 0.17, min(high - 0.03, 0.27) * 0.85), (x + width / 2, y + 0.085, z + min(high - 0.03, 0.27) * 0.42)
    )


@object_type("Bookcase", "furniture", "a tall case of shelves with books", "against_wall", ("LivingRoom", "Bedroom"))
def bookcase(rng: np.random.Generator, *, colour: str | None = None, shelves: int | None = None) -> Asset:
    """A tall bookcase; books fill part of each shelf and leave room for other things."""
    count = shelves if shelves is not None else int(rng.integers(4, 6))
    work, width, depth = Assembly(), rng.uniform(0.75, 0.95), rng.uniform(0.28, 0.32)
    pitch, foot = rng.uniform(0.33, 0.37), 0.07
    height = foot + count * pitch + BOARD_M
    surface = timber(rng, colour, "white", "white", "black")
    work.case(width, depth, (foot, height), surface)
    work.block((width - 0.004, depth - 0.04, foot), (0, 0.02, foot / 2), surface)
    inner = width - 2 * BOARD_M
    for i in range(count):
        z = foot + BOARD_M + i * pitch
        if i:
            work.block((inner, depth - 0.01, BOARD_M), (0, 0, z - BOARD_M / 2), surface)
        share = float(rng.uniform(0.35, 0.62))
        left = bool(rng.random() < 0.5)
        used, free = inner * share, inner * (1 - share)
        _fill_shelf(
            work,
            rng,
            -inner / 2 + 0.004 if left else inner / 2 - used,
            used - 0.01,
            -depth / 2 + 0.05,
            z,
            pitch - BOARD_M,
        )
        x = (inner / 2 - free / 2) if left else (-inner / 2 + free / 2)
        work.hold(f"shelf_{i}", "on", (x, -0.02, z), (free - 0.04, depth - 0.09), pitch - BOARD_M - 0.02)
    work.hold("top", "on", (0, 0, height), (width - 0.08, depth - 0.08), 0.4)
    return work.asset(colours=(surface.colour.name,), materials=("wood", "paper"))


@object_type(
    "ShelvingUnit", "furniture", "an open rack of shelves", "against_wall", ("LivingRoom", "Kitchen", "Bedroom")
)
def shelving_unit(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """An open rack: wooden shelves on four metal or wooden posts, braced at the back."""
    work, width, depth, height = Assembly(), rng.uniform(0.75, 1.05), rng.uniform(0.32, 0.40), rng.uniform(1.3, 1.75)
    board = timber(rng, colour, "white")
    frame = trim(rng) if rng.random() < 0.65 else board
    for x, y in corners(width - 0.03, depth - 0.03):
        work.show(box((0.03, 0.03, height)).moved(x, y, height / 2), frame, fill=0.3)
        work.touch((0.03, 0.03, height), (x, y, height / 2))
    count = int(rng.integers(4, 6))
    levels = np.linspace(0.12, height - 0.03, count)
    for i, z in enumerate(levels):
        work.block((width - 0.04, depth - 0.01, 0.022), (0, 0, float(z)), board)
        free = float(levels[i + 1] - z) - 0.04 if i + 1 < count else 0.4
        work.hold(f"shelf_{i}", "on", (0, 0, float(z) + 0.011), (width - 0.12, depth - 0.10), free)
    for start, end in ((-1, 1), (1, -1)):
        path = [
            (start * (width / 2 - 0.02), depth / 2 - 0.01, 0.15),
            (end * (width / 2 - 0.02), depth / 2 - 0.01, height - 0.06),
        ]
        work.show(sweep(path, 0.005, sides=6), frame)
    return work.asset()


@object_type("Nightstand", "furniture", "a bedside cabinet with a drawer", "against_wall", ("Bedroom",))
def nightstand(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A bedside cabinet: a drawer above an open shelf, or two drawers, on four legs."""
    work, width, depth, height = Assembly(), rng.uniform(0.40, 0.50), rng.uniform(0.36, 0.42), rng.uniform(0.50, 0.60)
    surface, metal, leg = timber(rng, colour, "white", "white", "grey", "teal"), trim(rng), rng.uniform(0.08, 0.16)
    work.legs(
        width, depth, leg, surface, style=pick(rng, "tapered", "square", "splayed"), thickness_m=0.04, inset_m=0.015
    )
    work.case(width, depth, (leg, height - 0.02), surface)
    work.block((width + 0.02, depth + 0.03, 0.022), (0, -0.005, height - 0.011), surface, radius_m=0.006)
    work.hold("top", "on", (0, 0, height), (width - 0.04, depth - 0.04), 0.6)
    low, high, half, front = leg + BOARD_M, height - 0.038, width / 2 - BOARD_M, -depth / 2 + 0.02
    split = low + (high - low) * rng.uniform(0.42, 0.55)
    grip = knob() if rng.random() < 0.5 else None
    work.drawer("drawer_0", (-half, half), (split, high), depth - 0.02, front, surface, metal, grip=grip)
    if rng.random() < 0.5:
        work.drawer("drawer_1", (-half, half), (low, split - 0.004), depth - 0.02, front, surface, metal, grip=grip)
    else:
        work.block((2 * half, depth - 0.02, 0.014), (0, 0, split - 0.008), surface)
        work.hold("shelf", "on", (0, -0.01, low), (2 * half - 0.06, depth - 0.08), split - low - 0.04)
    return work.asset()


@object_type("Wardrobe", "furniture", "a tall cupboard for clothes", "against_wall", ("Bedroom",))
def wardrobe(rng: np.random.Generator, *, colour: str | None = None, doors: int | None = None) -> Asset:
    """A wardrobe: hinged doors, a rail with clothes on hangers, a shelf and a floor to put things on."""
    count = doors if doors is not None else int(rng.integers(2, 4))
    work, depth, height = Assembly(), rng.uniform(0.54, 0.60), rng.uniform(1.85, 2.05)
    width = count * rng.uniform(0.42, 0.50)
    surface, metal, front = timber(rng, colour, "white", "white", "cream"), trim(rng), _front(rng)
    foot = rng.uniform(0.06, 0.10)
    work.case(width, depth, (foot, height), surface)
    work.block((width - 0.03, depth - 0.05, foot), (0, 0.015, foot / 2), surface, fill=0.1)
    work.show(rounded_box((width + 0.04, depth + 0.05, 0.035), 0.010, 1).moved(0, -0.005, height + 0.0175), surface)
    inner, shelf_z, floor = width - 2 * BOARD_M, height - 0.32, foot + BOARD_M
    work.block((inner, depth - 0.03, BOARD_M), (0, 0, shelf_z), surface)
    work.show(cylinder(0.012, inner, segments=10).turned("y", 90).moved(0, 0, shelf_z - 0.07), metal)
    _clothes(work, rng, inner, shelf_z - 0.07)
    leaf_w, y = inner / count, -depth / 2
    for i in range(count):
        x = (-inner / 2 + i * leaf_w, -inner / 2 + (i + 1) * leaf_w)
        side = -1 if i % 2 == 0 else 1
        grip = handle(0.22, 0.03, 0.006, steps=2, sides=6).turned("y", 90)
        work.door(
            f"door_{i}", x, (floor, height - BOARD_M), y, surface, metal, side=side, front=front, grip=grip, fill=0.6
        )
    work.hold("floor", "in", (0, -0.02, floor), (inner - 0.10, depth - 0.14), 0.5, door="door_0")
    work.hold("shelf", "in", (0, -0.02, shelf_z + BOARD_M / 2), (inner - 0.10, depth - 0.14), 0.24, door="door_0")
    return work.asset()


def _clothes(work: Assembly, rng: np.random.Generator, width: float, rail_z: float) -> None:
    """Garments that hang from a rail, seen from their edges."""
    for x in np.arange(-width / 2 + 0.09, width / 2 - 0.06, rng.uniform(0.10, 0.13)):
        tint = pick_colour(rng, None, "white", "navy", "grey", "red", "green", "black", "pink", "blue", "beige")
        long = float(rng.uniform(0.62, 0.95))
        shirt = rounded_box((0.045, 0.40, long), 0.02, 1).tapered(0.72).moved(float(x), 0, rail_z - 0.06 - long / 2)
        work.show(shirt, look("fabric", tint), fill=0.1)


@object_type("TVStand", "furniture", "a low bench for a television", "against_wall", ("LivingRoom", "Bedroom"))
def tv_stand(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A low unit with doors or drawers at both sides of an open middle."""
    work, width, depth, height = Assembly(), rng.uniform(1.25, 1.7), rng.uniform(0.38, 0.45), rng.uniform(0.44, 0.54)
    surface, metal, leg = timber(rng, colour, "white", "white", "black"), trim(rng), rng.uniform(0.08, 0.15)
    face = surface if rng.random() < 0.6 else look("wood", pick_colour(rng, None, "white", "grey", "teal"), texture="")
    work.legs(
        width, depth, leg, surface, style=pick(rng, "splayed", "tapered", "square"), thickness_m=0.045, inset_m=0.05
    )
    work.case(width, depth, (leg, height), surface)
    work.hold("top", "on", (0, 0, height), (width - 0.04, depth - 0.03), 1.2)
    low, high, third, front = leg + BOARD_M, height - BOARD_M, width / 6, -depth / 2 + 0.02
    for side in (-1, 1):
        work.block((BOARD_M, depth - 0.02, high - low), (side * third, 0, (low + high) / 2), surface)
        x = (-width / 2 + BOARD_M, -third) if side < 0 else (third, width / 2 - BOARD_M)
        name = f"door_{(side + 1) // 2}"
        if rng.random() < 0.5:
            work.door(name, x, (low, high), front, face, metal, side=side, grip=knob(0.013))
            middle = ((x[0] + x[1]) / 2, 0.01, low)
            work.hold_behind(name, middle, (x[1] - x[0] - 0.06, depth - 0.10), high - low - 0.03)
        else:
            work.drawer(name, x, (low, high), depth - 0.04, front, face, metal)
    work.block((2 * third - BOARD_M, depth - 0.04, 0.014), (0, 0, (low + high) / 2), surface)
    for i, z in enumerate((low, (low + high) / 2 + 0.007)):
        work.hold(f"shelf_{i}", "on", (0, 0, z), (2 * third - 0.08, depth - 0.10), (high - low) / 2 - 0.03)
    return work.asset()


@object_type("Sideboard", "furniture", "a long low cupboard", "against_wall", ("LivingRoom", "Kitchen"))
def sideboard(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A sideboard: doors at the sides, a stack of drawers in the middle."""
    work, width, depth, height = Assembly(), rng.uniform(1.3, 1.65), rng.uniform(0.40, 0.46), rng.uniform(0.74, 0.86)
    surface, metal, leg, front = timber(rng, colour, "white", "teal"), trim(rng), rng.uniform(0.10, 0.17), _front(rng)
    work.legs(width, depth, leg, surface, style="tapered", thickness_m=0.05, inset_m=0.04)
    work.case(width, depth, (leg, height - 0.02), surface)
    work.block((width + 0.03, depth + 0.04, 0.024), (0, -0.008, height - 0.012), surface, radius_m=0.008)
    work.hold("top", "on", (0, 0, height), (width - 0.06, depth - 0.06), 0.6)
    low, high, third, y = leg + BOARD_M, height - 0.038, width / 6, -depth / 2
    for side in (-1, 1):
        x = (-width / 2 + BOARD_M, -third) if side < 0 else (third, width / 2 - BOARD_M)
        name = f"door_{(side + 1) // 2}"
        work.block((BOARD_M, depth - 0.01, high - low), (side * third, 0, (low + high) / 2), surface)
        work.door(name, x, (low, high), y, surface, metal, side=side, front=front)
        middle = ((x[0] + x[1]) / 2, 0.0, low)
        work.hold_behind(name, middle, (x[1] - x[0] - 0.08, depth - 0.10), high - low - 0.05)
    levels = np.linspace(low, high, 4)
    for i in range(3):
        work.drawer(
            f"drawer_{i}", (-third, third), (float(levels[i]), float(levels[i + 1])), depth - 0.04, y, surface, metal
        )
    return work.asset()


@object_type("Cabinet", "furniture", "a cupboard with two doors", "against_wall", ("Kitchen", "LivingRoom", "Bathroom"))
def cabinet(rng: np.random.Generator, *, colour: str | None = None, glass: bool | None = None) -> Asset:
    """A waist- to head-high cupboard with two doors, sometimes glazed, and shelves inside."""
    glazed = glass if glass is not None else bool(rng.random() < 0.35)
    work, width, depth, height = Assembly(), rng.uniform(0.70, 0.95), rng.uniform(0.36, 0.44), rng.uniform(1.05, 1.6)
    surface, metal, leg = timber(rng, colour, "white", "green", "cream", "navy"), trim(rng), rng.uniform(0.06, 0.12)
    work.legs(width, depth, leg, surface, style=pick(rng, "square", "tapered"), thickness_m=0.05, inset_m=0.01)
    work.case(width, depth, (leg, height - 0.02), surface)
    work.block((width + 0.03, depth + 0.04, 0.024), (0, -0.008, height - 0.012), surface, radius_m=0.008)
    work.hold("top", "on", (0, 0, height), (width - 0.06, depth - 0.06), 0.5)
    low, high, inner = leg + BOARD_M, height - 0.038, width - 2 * BOARD_M
    for i, x in enumerate(((-inner / 2, 0.0), (0.0, inner / 2))):
        work.door(
            f"door_{i}",
            x,
            (low, high),
            -depth / 2,
            surface,
            metal,
            side=2 * i - 1,
            front="glass" if glazed else "shaker",
            grip=knob(),
        )
    count = 3 if height < 1.35 else 4
    levels = np.linspace(low, high, count + 1)
    for i in range(count):
        if i:
            work.block((inner, depth - 0.03, 0.016), (0, 0.005, float(levels[i]) - 0.008), surface)
        work.hold(
            f"shelf_{i}",
            "in",
            (0, 0, float(levels[i])),
            (inner - 0.08, depth - 0.12),
            float(levels[1] - levels[0]) - 0.05,
            door=f"door_{i % 2}",
        )
    return work.asset()
