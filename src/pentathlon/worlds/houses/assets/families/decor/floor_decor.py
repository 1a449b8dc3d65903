"""Rugs and mats."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw

from pentathlon.worlds.houses.assets.assembly import Assembly, pick
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import COLOURS, Colour, pick_colour
from pentathlon.worlds.modelling.colours import colour as named_colour
from pentathlon.worlds.modelling.curves import ellipse, rounded_rectangle
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import merge
from pentathlon.worlds.modelling.pictures import label, picture, stripes
from pentathlon.worlds.modelling.pictures import rug as woven
from pentathlon.worlds.modelling.shapes import box, cushion
from pentathlon.worlds.modelling.sweeps import extrude, panel
from pentathlon.worlds.modelling.textures import Texture, noise, to_pixels

MAT_M = 0.010


def _rings(rng: np.random.Generator, tints: list[Colour]) -> Texture:
    """Concentric bands of a braided round rug."""
    y, x = np.mgrid[:256, :256] / 256 - 0.5
    index = (np.hypot(x, y) * 2 * int(rng.integers(6, 10))).astype(int) % len(tints)
    image = np.array([tint.rgb for tint in tints])[index] * (0.85 + 0.15 * noise(rng, 60.0, 60.0))[..., None]
    return picture(to_pixels(image))


@object_type("Rug", "textile", "a woven rug", "free", ("LivingRoom", "Bedroom"), shape="flat")
def rug(rng: np.random.Generator, *, colour: str | None = None, form: str | None = None) -> Asset:
    """A rug: oriental with fringes, striped, or round and braided."""
    work, kind = Assembly(), form if form is not None else pick(rng, "oriental", "oriental", "striped", "round")
    ground = pick_colour(rng, colour, "maroon", "navy", "beige", "grey", "teal", "red", "green")
    figure, border = (
        pick_colour(rng, None, "cream", "gold", "white", "beige"),
        pick_colour(rng, None, "black", "brown", "navy", "orange"),
    )
    width, depth = rng.uniform(1.7, 2.3), rng.uniform(1.15, 1.5)
    if kind == "round":
        width = depth = rng.uniform(1.3, 1.7)
        mesh = extrude(ellipse(width, depth, 48), MAT_M)
        texture = _rings(rng, [ground, figure, border])
    else:
        mesh = box((width, depth, MAT_M)).moved(z=MAT_M / 2)
        texture = (
            woven(rng, ground, figure, border) if kind == "oriental" else stripes([ground, figure, ground, border], 16)
        )
    work.show(mesh.with_projected_uvs("z"), look("fabric", "white", texture=texture))
    work.touch((width, depth, MAT_M), (0, 0, MAT_M / 2))
    if kind == "oriental":
        tassels = [
            box((0.05, 0.006, 0.004)).moved(s * (width / 2 + 0.025), y, 0.002)
            for s in (-1, 1)
            for y in np.arange(-depth / 2 + 0.01, depth / 2, 0.028)
        ]
        work.show(merge(tassels), look("fabric", "cream", texture=""))
    return work.asset(mass_kg=2.4 * width * depth, colours=(ground.name, figure.name), materials=("fabric",))


@object_type("DoorMat", "textile", "a coarse mat before a door", "free", ("LivingRoom", "Kitchen"), shape="flat")
def door_mat(rng: np.random.Generator, *, colour: str | None = None, text: str | None = None) -> Asset:
    """A coarse mat with a word or stripes and a dark border."""
    work, width, depth = Assembly(), rng.uniform(0.60, 0.75), rng.uniform(0.38, 0.45)
    ground = pick_colour(rng, colour, "brown", "beige", "grey", "olive")
    work.block((width, depth, 0.012), (0, 0, 0.006), look("rubber", "black"), fill=0.5)
    word = text if text is not None else pick(rng, "WELCOME", "HELLO", "HOME", "")
    ink = COLOURS["black"] if ground.name in ("beige", "brown") else COLOURS["cream"]
    texture = label(word, ink, ground, aspect=width / depth, height=0.24) if word else stripes([ground, ink], 9)
    field = box((width - 0.05, depth - 0.05, 0.006)).moved(z=0.012).with_projected_uvs("z")
    work.show(field, look("fabric", "white", texture=texture), fill=0.6)
    return work.asset(colours=(ground.name, "black"), materials=("fabric", "rubber"))


@object_type("BathMat", "textile", "a soft mat for the bathroom floor", "free", ("Bathroom",), shape="flat")
def bath_mat(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A soft mat of plump rows around a field that says what it is for."""
    work, width, depth = Assembly(), rng.uniform(0.62, 0.80), rng.uniform(0.42, 0.52)
    cloth = look(
        "fabric",
        pick_colour(rng, colour, "white", "blue", "teal", "pink", "grey", "green", "yellow"),
        rng,
        texture="knit",
    )
    work.show(extrude(rounded_rectangle(width, depth, 0.04, 4), 0.008), cloth)
    rows = int(rng.integers(6, 10))
    rolls = [
        cushion((width - 0.04, (depth - 0.04) / rows, 0.022), roundness=0.6, steps=4).moved(
            0, (i - (rows - 1) / 2) * (depth - 0.04) / rows, 0.012
        )
        for i in range(rows)
    ]
    work.show(merge(rolls), cloth.tinted(cloth.colour.darker(1.05)))
    ink = named_colour("white" if cloth.colour.name not in ("white", "yellow") else "navy")
    word = look("fabric", "white", texture=label("BATH", ink, cloth.colour.darker(0.8), aspect=2.4, height=0.6))
    field = panel(width * 0.62, width * 0.62 / 2.4, 0.004).turned("x", -90).moved(z=0.0265)
    work.show(field, word)
    work.touch((width, depth, 0.015), (0, 0, 0.0075))
    return work.asset()


@object_type("PlayMat", "toy", "a children's mat with roads", "free", ("Bedroom",), shape="flat")
def play_mat(rng: np.random.Generator) -> Asset:
    """A play mat: a town of roads, houses, trees and a pond seen from above."""
    work, width, depth = Assembly(), rng.uniform(1.0, 1.4), rng.uniform(0.75, 0.95)
    image = Image.new("RGB", (256, 180), (96, 168, 84))
    draw = ImageDraw.Draw(image)
    xs, ys = sorted(rng.integers(30, 220, 2).tolist()), sorted(rng.integers(25, 150, 2).tolist())
    for at, box_of in [(x, lambda v, w: (v - w, 0, v + w, 180)) for x in xs] + [
        (y, lambda v, w: (0, v - w, 256, v + w)) for y in ys
    ]:
        draw.rectangle(box_of(at, 11), fill=(92, 94, 98))
        draw.rectangle(box_of(at, 1), fill=(240, 236, 220))
    for _ in range(70):
        x, y = int(rng.integers(4, 240)), int(rng.integers(4, 165))
        if min([abs(x + 7 - v) for v in xs] + [abs(y + 7 - v) for v in ys]) < 21:
            continue
        tint = tuple(int(v) for v in rng.choice([(200, 60, 50), (236, 190, 60), (70, 120, 200), (240, 238, 230)]))
        if rng.random() < 0.5:
            draw.rectangle((x, y, x + 14, y + 14), fill=tint)
            draw.line((x, y + 7, x + 14, y + 7), fill=(120, 60, 50), width=2)
        else:
            draw.ellipse((x, y, x + 13, y + 13), fill=(44, 110, 54))
    px, py = float(rng.uniform(0.1, 0.8)) * 256, float(rng.uniform(0.1, 0.7)) * 180
    draw.ellipse((px, py, px + 34, py + 24), fill=(86, 160, 214))
    work.show(
        extrude(rounded_rectangle(width, depth, 0.03, 3), MAT_M).with_projected_uvs("z"),
        look("fabric", "white", texture=picture(image)),
    )
    work.touch((width, depth, MAT_M), (0, 0, MAT_M / 2))
    return work.asset(mass_kg=1.5 * width * depth, colours=("green", "grey"), materials=("fabric",))


@object_type("YogaMat", "sport", "a half unrolled exercise mat", "free", ("LivingRoom", "Bedroom"), shape="long")
def yoga_mat(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """An exercise mat, flat at one end and still rolled up at the other."""
    work, width, length, thick = Assembly(), rng.uniform(0.58, 0.64), rng.uniform(0.9, 1.3), 0.006
    foam = look("foam", pick_colour(rng, colour, "purple", "teal", "blue", "pink", "green", "orange"))
    radius = rng.uniform(0.05, 0.065)
    turns = np.linspace(0, 2.1 * 2 * math.pi, 60)
    shrink = radius * (1 - 0.55 * turns / turns[-1])
    spiral = np.stack([shrink * np.sin(turns), radius - shrink * np.cos(turns)], axis=1)
    line = np.vstack([[(-length, 0.0)], spiral])
    tangent = np.gradient(line, axis=0)
    normal = np.stack([-tangent[:, 1], tangent[:, 0]], axis=1) / np.linalg.norm(tangent, axis=1, keepdims=True)
    outline = np.vstack([line, (line + thick * normal)[::-1]])
    mesh = extrude(outline, width).turned("x", 90)
    low, high = mesh.bounds_m
    middle = (low + high) / 2
    work.show(mesh.moved(-middle[0], -middle[1], -low[2]), foam)
    work.touch((length + radius, width, thick), (0, 0, thick / 2))
    work.touch((2 * radius, width, 2 * radius), (float(high[0] - middle[0]) - radius, 0, radius))
    return work.asset(mass_kg=rng.uniform(0.9, 1.5))
