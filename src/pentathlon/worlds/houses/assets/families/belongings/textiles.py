"""Cloths, towels, pillows, hats and bags."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.handheld import reshaped, thing
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import ellipse, fillet, rounded_rectangle, spline
from pentathlon.worlds.modelling.materials import Look, look
from pentathlon.worlds.modelling.mesh import Floats, Mesh, merge
from pentathlon.worlds.modelling.pictures import checks, stripes
from pentathlon.worlds.modelling.shapes import box, cushion, lathe, rounded_box, skin
from pentathlon.worlds.modelling.sweeps import loft, sheet, sweep

CLOTHS = ("white", "blue", "red", "green", "yellow", "grey", "pink", "teal", "orange")


def _weave(rng: np.random.Generator, tint: Colour, tile_m: float) -> Look:
    """Plain, striped or checked fabric."""
    other = pick_colour(rng, None, *(name for name in ("white", "navy", "cream", "red") if name != tint.name))
    kind = int(rng.integers(3))
    if kind == 0:
        return look("fabric", tint, rng)
    if kind == 1:
        return look("fabric", "white", texture=stripes([tint, other, tint, tint], 8, tile_m=tile_m))
    return look("fabric", "white", texture=checks(tint, other, 4, tile_m=tile_m))


@object_type("Cloth", "textile", "a crumpled piece of cloth", rooms=("Kitchen", "Bathroom"), shape="flat")
def cloth(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A dropped cleaning cloth: a square sheet in soft folds."""
    side = rng.uniform(0.22, 0.30)
    u, v = np.meshgrid(np.linspace(-1, 1, 17), np.linspace(-1, 1, 17), indexing="ij")
    height = np.zeros_like(u)
    for _ in range(5):
        a, b, phase = rng.uniform(-3.5, 3.5), rng.uniform(-3.5, 3.5), rng.uniform(0, 6.28)
        height += np.abs(np.sin(a * u + b * v + phase))
    height = 0.010 * height * (1 - 0.55 * np.maximum(np.abs(u), np.abs(v)) ** 4) + 0.003
    squeeze = 0.78 + 0.06 * np.sin(3 * u + 2 * v)
    grid = np.stack([u * side / 2 * squeeze, v * side / 2 * squeeze, height], axis=2)
    folded = sheet(grid, 0.0022)
    tint = pick_colour(rng, colour, *CLOTHS)
    weave = _weave(rng, tint, 0.2)
    return thing([Part(folded.with_uvs(folded.uvs * side), weave)], colours=(tint.name,))


def _folded(width: float, depth: float, layers: int, thick: float, rng: np.random.Generator) -> Mesh:
    """Layers of cloth, each a soft slab, folded over at the front."""
    slabs = []
    for i in range(layers):
        wobble = 1 + rng.uniform(-0.012, 0.012)
        slab = rounded_box((width * wobble, depth * wobble, thick * 1.02), thick * 0.48, 3)
        slabs.append(slab.moved(rng.uniform(-0.002, 0.002), rng.uniform(-0.002, 0.002), thick * (i + 0.5)))
    return merge(slabs)


@object_type("Towel", "textile", "a folded bath towel", rooms=("Bathroom", "Bedroom"), shape="flat")
def towel(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A folded stack of a bath towel with a woven band across it."""
    width, depth, thick = rng.uniform(0.30, 0.36), rng.uniform(0.20, 0.25), rng.uniform(0.020, 0.026)
    layers = int(rng.integers(3, 6))
    tint = pick_colour(rng, colour, *CLOTHS)
    terry = look("fabric", tint, rng)
    stack = _folded(width, depth, layers, thick, rng)
    band_mesh = rounded_box((0.030, depth + 0.003, thick * layers + 0.0015), 0.008, 2).moved(
        width * 0.30, 0, thick * layers / 2
    )
    edge = look(
        "fabric",
        pick_colour(rng, None, *(name for name in ("white", "gold", "navy", "grey") if name != tint.name)),
        rng,
    )
    return thing([Part(stack, terry, fill=0.4), Part(band_mesh.moved(z=0.0008), edge, fill=0.0)])


@object_type("HandTowel", "textile", "a small towel with bands", rooms=("Bathroom", "Kitchen"), shape="flat")
def hand_towel(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A hand towel folded once: woven bands near its ends, fringes, and the fold bulging at the back."""
    width, depth = rng.uniform(0.24, 0.30), rng.uniform(0.26, 0.32)
    tint = pick_colour(rng, colour, *CLOTHS)
    other = pick_colour(rng, None, *(name for name in ("white", "navy", "cream") if name != tint.name))
    weave = look("fabric", "white", texture=stripes([tint, other, tint, other, *[tint] * 14], 18))
    pile = look("fabric", tint, texture="knit")
    lower = cushion((width, depth, 0.022), roundness=0.12, steps=6).moved(z=0.011)
    u, v = np.meshgrid(np.linspace(0, 1, 19), np.linspace(0, 1, 9), indexing="ij")
    sag = 0.0025 * np.sin(9 * u) * np.cos(5 * v)
    # Over the front edge the upper layer ends short of the lower one, and at the back it bends down into the fold.
    y = -depth / 2 + 0.03 + (depth - 0.02) * u
    z = 0.0235 + sag - 0.02 * np.clip((u - 0.93) / 0.07, 0, 1) ** 2
    grid = np.stack([(v - 0.5) * (width - 0.006), y, z], axis=2)
    upper = sheet(grid, 0.006, crease_deg=60)
    upper = upper if upper.volume_m3 > 0 else sheet(grid[::-1], 0.006, crease_deg=60)
    front = -depth / 2
    fringe = [
        box((0.0022, 0.016, 0.002)).moved(float(x), front + shift, z_m)
        for x in np.linspace(-width / 2 + 0.008, width / 2 - 0.008, 26)
        for shift, z_m in ((-0.006, 0.008), (0.024, 0.0215))
    ]
    parts = [Part(lower, pile, fill=0.5), Part(upper, weave, fill=0.6), Part(merge(fringe), look("fabric", other))]
    return thing(parts, colours=(tint.name, other.name), materials=("fabric",))


@object_type("Pillow", "textile", "a soft pillow", rooms=("Bedroom", "LivingRoom"), shape="flat")
def pillow(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A throw pillow or bed pillow: plump middle, pinched corners, piped edge."""
    width = rng.uniform(0.40, 0.58)
    depth, thick = rng.uniform(0.36, 0.42), rng.uniform(0.11, 0.15)
    u, v = np.meshgrid(np.linspace(-1, 1, 15), np.linspace(-1, 1, 15), indexing="ij")
    bulge = ((1 - u**4) * (1 - v**4)) ** 0.55
    x, y = (
        width / 2 * u * (1 - 0.07 * (1 - v**2) * np.abs(u) ** 3),
        depth / 2 * v * (1 - 0.07 * (1 - u**2) * np.abs(v) ** 3),
    )
    upper = np.stack([x, y, thick / 2 * bulge + 0.001], axis=2)
    lower = np.stack([x, y, -thick / 2 * bulge - 0.001], axis=2)
    grid = np.concatenate([upper, lower[:, ::-1], upper[:, :1]], axis=1)
    closed = np.concatenate([_folded_end(grid[0]), grid, _folded_end(grid[-1])], axis=0)
    uv = np.stack(
        np.meshgrid(np.linspace(0, width, len(closed)), np.linspace(0, 2 * depth, grid.shape[1]), indexing="ij"), axis=2
    )
    body = skin(closed, uv, crease_deg=80)
    tint = pick_colour(rng, colour, "white", "blue", "red", "teal", "grey", "yellow", "green", "pink")
    seam_points = np.concatenate([upper[:, 0], upper[-1, 1:], upper[::-1, -1][1:], upper[0, ::-1][1:-1]]) * (1, 1, 0)
    seam = sweep(seam_points, 0.0035, sides=6, closed=True)
    piping = look("fabric", tint.darker(0.7) if tint.name != "white" else Colour("grey", (0.75, 0.75, 0.76)))
    return thing([Part(body, _weave(rng, tint, 0.30), fill=0.16), Part(seam, piping)], colours=(tint.name,))


def _folded_end(row: Floats) -> Floats:
    """A row laid flat on its own middle line, which closes the end of a tube."""
    half = len(row) // 2
    flat = row.copy()
    flat[half:-1] = row[:half][::-1]
    flat[-1] = row[0]
    return flat[None]


@object_type("Hat", "textile", "a brimmed hat with a band", rooms=("Bedroom", "LivingRoom"), shape="cube")
def hat(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A felt hat: dented crown, ribbon, curved brim."""
    radius, crown, brim = rng.uniform(0.085, 0.095), rng.uniform(0.10, 0.125), rng.uniform(0.055, 0.080)
    out = radius + brim
    profile = [
        (0, 0.005),
        (radius - 0.004, 0.004),
        (out, 0.0),
        (out, 0.004),
        (radius + 0.006, 0.009),
        (radius, 0.016),
        (radius * 0.90, crown * 0.75),
        (radius * 0.74, crown),
        (radius * 0.35, crown * 1.0),
        (0, crown * 0.86),
    ]
    body = lathe(fillet(profile, (0, 0, 0, 0, 0.01, 0.01, 0.02, 0.03, 0.03, 0)), 36, crease_deg=60).scaled(
        0.90, 1.08, 1.0
    )
    points = body.vertices_m.copy()
    reach = np.clip((np.abs(points[:, 0]) / (out * 0.9) - 0.5) * 2, 0, 1)
    points[:, 2] += 0.022 * reach**2
    tint = pick_colour(rng, colour, "brown", "black", "grey", "beige", "navy", "green")
    felt = look("fabric", tint, rng)
    ribbon_profile = [
        (radius + 0.0015, 0.014),
        (radius * 0.955 + 0.0015, 0.046),
        (radius * 0.955 - 0.006, 0.046),
        (radius - 0.006, 0.014),
        (radius + 0.0015, 0.014),
    ]
    ribbon = lathe(ribbon_profile, 36).scaled(0.90, 1.08, 1.0)
    trim = look(
        "fabric",
        pick_colour(rng, None, *(name for name in ("black", "red", "white", "navy") if name != tint.name)),
        rng,
    )
    return thing([Part(reshaped(body, points), felt, fill=0.12), Part(ribbon, trim)], touch="cylinder")


@object_type("Backpack", "textile", "a school backpack", rooms=("Bedroom", "LivingRoom"), shape="cube")
def backpack(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A backpack: round-topped bag, front pocket with a zip, straps behind, a loop on top."""
    width, depth, height = rng.uniform(0.27, 0.31), rng.uniform(0.13, 0.16), rng.uniform(0.38, 0.44)
    tint = pick_colour(rng, colour, "blue", "red", "green", "black", "teal", "purple", "orange")
    second = pick_colour(rng, None, *(name for name in ("grey", "navy", "yellow", "black") if name != tint.name))
    rings = []
    for share, sx, sy in (
        (0, 0.90, 0.86),
        (0.03, 1.0, 1.0),
        (0.55, 1.0, 0.96),
        (0.80, 0.90, 0.80),
        (0.93, 0.68, 0.60),
        (1.0, 0.34, 0.30),
    ):
        outline = ellipse(width * sx, depth * sy, 28, 4.0)
        rings.append(np.column_stack([outline, np.full(28, share * height)]))
    bag = loft(rings, crease_deg=60)
    pocket = cushion((width * 0.74, depth * 0.5, height * 0.40), roundness=0.35, steps=8).moved(
        0, -depth * 0.44, height * 0.27
    )
    zips = [
        sweep(
            spline(
                [
                    (-width * 0.33, -depth * 0.69, height * 0.36),
                    (0, -depth * 0.71, height * 0.38),
                    (width * 0.33, -depth * 0.69, height * 0.36),
                ],
                4,
            ),
            0.0035,
            sides=6,
        )
    ]
    zips.append(
        sweep(
            spline(
                [
                    (-width * 0.475, -depth * 0.30, height * 0.52),
                    (-width * 0.40, -depth * 0.36, height * 0.78),
                    (0, -depth * 0.30, height * 0.94),
                    (width * 0.40, -depth * 0.36, height * 0.78),
                    (width * 0.475, -depth * 0.30, height * 0.52),
                ],
                5,
            ),
            0.0042,
            sides=6,
        )
    )
    straps = []
    for side in (-1, 1):
        path = spline(
            [
                (side * width * 0.16, depth * 0.34, height * 0.90),
                (side * width * 0.22, depth * 0.66, height * 0.72),
                (side * width * 0.26, depth * 0.72, height * 0.40),
                (side * width * 0.30, depth * 0.46, height * 0.10),
            ],
            4,
        )
        straps.append(sweep(path, 1.0, outline=rounded_rectangle(0.014, 0.05, 0.005, 2)))
    loop = sweep(
        spline(
            [
                (-0.03, 0, height * 0.985),
                (-0.022, 0, height + 0.03),
                (0.022, 0, height + 0.03),
                (0.03, 0, height * 0.985),
            ],
            4,
        ),
        0.006,
        sides=7,
    )
    canvas = look("fabric", tint, rng)
    dark = look("fabric", second, rng)
    parts = [
        Part(bag, canvas, fill=0.15),
        Part(pocket, dark, fill=0.15),
        Part(merge([*straps, loop]), dark),
        Part(merge(zips), look("metal", "silver")),
    ]
    return thing(parts, touch=[bag, pocket], colours=(tint.name, second.name))
