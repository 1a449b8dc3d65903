"""Beds, cribs and dog beds."""

from __future__ import annotations

import math

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly, corners, pick, post, timber
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.families.furniture.chairs import padding
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import colour as named_colour
from pentathlon.worlds.modelling.colours import pick_colour
from pentathlon.worlds.modelling.materials import Look, look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.pictures import checks, stripes
from pentathlon.worlds.modelling.shapes import box, cushion, lathe, rounded_box, sphere
from pentathlon.worlds.modelling.sweeps import loft, sheet

BEDDING = ("white", "blue", "grey", "green", "pink", "yellow", "teal", "navy", "red", "cream", "purple")


def blanket(rng: np.random.Generator, width: float, y_low: float, y_high: float, top: float, hang: float) -> Mesh:
    """A cover over a mattress: it hangs down at both sides and at the foot, with soft waves."""
    across = np.concatenate([np.linspace(-1.45, -1.06, 4), np.linspace(-1.0, 1.0, 13), np.linspace(1.06, 1.45, 4)])
    along = np.linspace(0.0, 1.0, 18)
    u, v = np.meshgrid(across, along, indexing="ij")
    beyond = np.clip(np.abs(u) - 1.0, 0.0, None) / 0.45
    wave = 0.008 * np.sin(9 * v * math.pi + rng.uniform(0, 6)) * np.sin(5 * u + rng.uniform(0, 6))
    foot = np.clip(0.12 - v, 0.0, None) / 0.12
    x = np.sign(u) * np.minimum(np.abs(u), 1.0) * width / 2 + np.sign(u) * 0.012 * (beyond > 0) * (1 + np.sin(16 * v))
    y = y_low + (y_high - y_low) * np.clip((v - 0.12) / 0.88, 0.0, 1.0) - 0.010 * (foot > 0)
    z = top + wave - np.maximum(hang * beyond, hang * foot)
    points = np.stack([x, y, z], axis=2)
    return sheet(points, 0.02, crease_deg=70)


def _cover_look(rng: np.random.Generator, colour: str | None) -> Look:
    tint = pick_colour(rng, colour, *BEDDING)
    pattern = pick(rng, "plain", "plain", "stripes", "checks")
    if pattern == "stripes":
        return look("fabric", "white", texture=stripes([tint, named_colour("white")], 18))
    if pattern == "checks":
        return look("fabric", "white", texture=checks(tint, tint.darker(1.25), 12))
    return look("fabric", tint)


def _headboard(work: Assembly, style: str, width: float, y: float, height: float, surface: Look) -> None:
    if style == "padded":
        count = max(3, round(width / 0.32))
        for i in range(count):
            x = (i - (count - 1) / 2) * width / count
            work.show(
                cushion((width / count, 0.10, height - 0.25), roundness=0.25, steps=4).moved(x, y, height / 2 + 0.12),
                surface,
                fill=0.2,
            )
    elif style == "slats":
        for side in (-1, 1):
            work.show(
                rounded_box((0.06, 0.05, height), 0.008, 1).moved(side * (width / 2 - 0.03), y, height / 2), surface
            )
        for z in (height - 0.05, height * 0.55):
            work.show(box((width - 0.1, 0.03, 0.06)).moved(0, y, z), surface)
        count = max(5, round(width / 0.13))
        for i in range(count):
            x = (i - (count - 1) / 2) * (width - 0.16) / count
            work.show(box((0.035, 0.018, height * 0.42)).moved(x, y, height * 0.76), surface)
    else:
        work.show(rounded_box((width, 0.045, height), 0.012, 2).moved(0, y, height / 2), surface)
        work.show(
            rounded_box((width - 0.16, 0.02, height * 0.36), 0.006, 1).moved(0, y - 0.022, height * 0.78), surface
        )
    work.touch((width, 0.06, height), (0, y, height / 2))


@object_type("Bed", "furniture", "a bed with pillows and a blanket", "against_wall", ("Bedroom",))
def bed(rng: np.random.Generator, *, colour: str | None = None, double: bool | None = None) -> Asset:
    """A single or double bed with a headboard, a mattress, pillows and a blanket; `colour` is the blanket's."""
    wide = double if double is not None else bool(rng.random() < 0.6)
    work = Assembly()
    width, length = (rng.uniform(1.4, 1.65) if wide else rng.uniform(0.9, 1.05)), rng.uniform(1.95, 2.08)
    rail_z, top, head = rng.uniform(0.26, 0.32), rng.uniform(0.48, 0.56), rng.uniform(0.90, 1.10)
    style = pick(rng, "padded", "slats", "board")
    frame = padding(rng, None, "fabric") if style == "padded" else timber(rng, None, "white", "black")
    back = length / 2
    _headboard(work, style, width + 0.06, back - 0.02, head, frame)
    middle, inner = -0.04, length - 0.10
    work.block((width + 0.05, inner, 0.16), (0, middle, rail_z - 0.03), frame, radius_m=0.012, fill=0.15)
    for x, y in corners(width - 0.08, inner - 0.10):
        work.show(post((x, y + middle), (x, y + middle), rail_z - 0.10, 0.028, 0.034, 4), frame)
        work.touch((0.06, 0.06, rail_z - 0.1), (x, y + middle, (rail_z - 0.1) / 2))
    thick = top - rail_z
    sheetlook = look("fabric", "white", texture="")
    work.show(
        rounded_box((width, inner - 0.02, thick), 0.06, 3).moved(0, middle, rail_z + thick / 2), sheetlook, fill=0.25
    )
    work.touch((width, inner - 0.02, thick + 0.02), (0, middle, rail_z + thick / 2 + 0.01))
    count = 2 if wide else 1
    pillow = look("fabric", pick_colour(rng, None, "white", "white", "cream", *BEDDING[:4]))
    for i in range(count):
        x = (i - (count - 1) / 2) * width * 0.48
        plump = cushion((min(0.66, width * 0.46) if wide else 0.6, 0.42, 0.15), roundness=0.72, steps=6).turned("x", 14)
        work.show(plump.moved(x, back - 0.34, top + 0.085), pillow, fill=0.2)
    cover = _cover_look(rng, colour)
    reach = rng.uniform(0.30, 0.55)
    cloth = blanket(
        rng, width + 0.035, middle - inner / 2 - 0.005, back - reach - 0.25, top + 0.022, rng.uniform(0.16, 0.26)
    )
    work.show(cloth, cover, fill=0.4)
    fold = rounded_box((width + 0.03, 0.22, 0.03), 0.012, 2).moved(0, back - reach - 0.30, top + 0.034)
    work.show(fold, sheetlook, fill=0.4)
    if rng.random() < 0.35:
        throw = rounded_box((width + 0.08, 0.34, 0.02), 0.008, 2).moved(0, -back + 0.42, top + 0.04)
        work.show(
            throw, look("fabric", pick_colour(rng, None, "orange", "grey", "maroon", "beige"), texture="knit"), fill=0.4
        )
    work.hold("mattress", "on", (0, -0.22, top + 0.03), (width - 0.25, length * 0.5), 0.8)
    name = cover.colour.name if cover.texture is None or cover.texture.tile_m is not None else "white"
    return work.asset(
        mass_kg=45.0 * width * length / 2, colours=(name, frame.colour.name) if name != frame.colour.name else (name,)
    )


@object_type("Crib", "furniture", "a baby's bed with bars", "against_wall", ("Bedroom",))
def crib(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A baby's bed with bars on all four sides, a mattress, a blanket and a ball."""
    work, width, depth, height = Assembly(), rng.uniform(1.15, 1.28), rng.uniform(0.64, 0.72), rng.uniform(0.85, 0.95)
    surface = timber(rng, colour, "white", "white", "white")
    for x, y in corners(width, depth):
        work.show(rounded_box((0.05, 0.05, height), 0.012, 1).moved(x, y, height / 2), surface)
        work.show(sphere(0.03, 10).moved(x, y, height + 0.015), surface)
    floor, low = 0.30, 0.20
    for z in (low, height - 0.04):
        for side in (-1, 1):
            work.show(rounded_box((width - 0.04, 0.03, 0.05), 0.008, 1).moved(0, side * depth / 2, z), surface)
            work.show(rounded_box((0.03, depth - 0.04, 0.05), 0.008, 1).moved(side * width / 2, 0, z), surface)
    tall = height - 0.04 - low

    def bars(length: float) -> list[float]:
        count = round(length / 0.085)
        return [(i + 0.5) * length / count - length / 2 for i in range(count)]

    rods = [(x, s * depth / 2) for x in bars(width - 0.06) for s in (-1, 1)]
    rods += [(s * width / 2, y) for y in bars(depth - 0.06) for s in (-1, 1)]
    work.show(merge([post((x, y), (x, y), tall, 0.008, 0.008, 6).moved(z=low) for x, y in rods]), surface)
    for side in (-1, 1):
        work.touch((width, 0.04, height), (0, side * depth / 2, height / 2))
        work.touch((0.04, depth, height), (side * width / 2, 0, height / 2))
    work.show(
        rounded_box((width - 0.06, depth - 0.06, 0.12), 0.03).moved(z=floor + 0.06), look("fabric", "white"), fill=0.2
    )
    work.touch((width - 0.06, depth - 0.06, 0.12), (0, 0, floor + 0.06))
    cover = look("fabric", pick_colour(rng, None, "blue", "pink", "yellow", "teal", "green"), rng, texture="knit")
    work.show(
        rounded_box((width * 0.52, depth - 0.08, 0.03), 0.012).moved(-width * 0.2, 0, floor + 0.13), cover, fill=0.4
    )
    work.show(
        cushion((0.24, 0.34, 0.07), roundness=0.7, steps=6).moved(width * 0.36, 0, floor + 0.15),
        look("fabric", "cream"),
        fill=0.2,
    )
    work.hold("mattress", "in", (0.02, 0, floor + 0.145), (width * 0.5, depth - 0.2), 0.5)
    return work.asset(mass_kg=rng.uniform(20, 28))


@object_type("DogBed", "furniture", "a round padded bed for a dog", "free", ("LivingRoom", "Bedroom"))
def dog_bed(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A low oval cushion within a padded rim that dips at the front, with a bone on it."""
    work, width, depth = Assembly(), rng.uniform(0.62, 0.85), rng.uniform(0.50, 0.62)
    rim = look("fabric", pick_colour(rng, colour, "brown", "grey", "navy", "red", "olive"), rng)
    soft = look("fabric", pick_colour(rng, None, "cream", "beige", "white"), rng, texture="knit")
    turn = np.linspace(0, 2 * math.pi, 41)[:-1]
    tube = 0.065
    ring = np.stack([(width / 2 - tube) * np.cos(turn), (depth / 2 - tube) * np.sin(turn), np.zeros(40)], axis=1)
    tall = 0.085 + 0.045 * np.sin(turn)
    outline = np.linspace(0, 2 * math.pi, 13)[:-1]
    radial = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    grid = np.empty((40, 12, 3))
    for j, angle in enumerate(outline):
        grid[:, j, :2] = ring[:, :2] + tube * math.cos(angle) * radial
        grid[:, j, 2] = tall * (1 + math.sin(angle))
    work.show(loft([row[::-1] for row in grid], closed=True, crease_deg=70), rim, fill=0.3)
    inner = (width - 2.6 * tube, depth - 2.6 * tube)
    work.show(cushion((inner[0] + 0.05, inner[1] + 0.05, 0.09), roundness=0.75, steps=7).moved(z=0.046), soft, fill=0.3)
    bone = merge(
        [
            lathe([(0, 0), (0.012, 0), (0.012, 0.12), (0, 0.12)], 10).turned("y", 90),
            *(sphere(0.017, 10).moved(x, y) for x in (0, 0.12) for y in (-0.014, 0.014)),
        ]
    )
    work.show(bone.turned("z", float(rng.uniform(-60, 60))).moved(-0.03, -0.02, 0.108), look("plastic", "white"))
    work.touch((width * 0.8, depth * 0.8, 0.09), (0, 0, 0.045))
    work.hold("cushion", "on", (0, 0, 0.10), (inner[0] * 0.6, inner[1] * 0.6), 0.5)
    return work.asset()
