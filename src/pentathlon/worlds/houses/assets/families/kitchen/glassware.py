"""Glasses, bottles and jars."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Part
from pentathlon.worlds.houses.assets.effects import soiled
from pentathlon.worlds.houses.assets.handheld import thing, vessel, wrapped
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.curves import fillet, spline
from pentathlon.worlds.modelling.materials import Look, look
from pentathlon.worlds.modelling.mesh import Mesh
from pentathlon.worlds.modelling.prints import band
from pentathlon.worlds.modelling.shapes import cylinder, lathe

CLEAR = Colour("white", (0.90, 0.95, 0.97))
WINE = Colour("maroon", (0.38, 0.04, 0.10))
CORK = Colour("beige", (0.76, 0.58, 0.38))


def _label(radius: float, low: float, high: float) -> Mesh:
    """A paper band around a bottle, ready for a picture once around."""
    return wrapped(
        lathe([(radius - 0.001, low), (radius + 0.0004, low), (radius + 0.0004, high), (radius - 0.001, high)], 28)
    )


def _paper(rng: np.random.Generator, *titles: str) -> Look:
    ground = pick_colour(rng, None, "cream", "white", "red", "navy", "green", "yellow")
    accent = pick_colour(rng, None, "gold", "maroon", "black")
    return look("paper", "white", texture=band(ground, titles[int(rng.integers(len(titles)))], accent))


@object_type("WineGlass", "tableware", "a stemmed glass for wine", rooms=("Kitchen", "LivingRoom"), shape="long")
def wine_glass(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A wine glass: round bowl on a thin stem and a flat foot."""
    height, radius = rng.uniform(0.18, 0.22), rng.uniform(0.036, 0.043)
    stem = height * rng.uniform(0.42, 0.50)
    bowl = spline([(0.004, stem), (radius * 0.80, stem + 0.022), (radius, stem + 0.045), (radius * 0.78, height)], 5)
    inner = (bowl - (0.0016, -0.001))[::-1]
    outside = [(0, 0), (0.034, 0), (0.034, 0.002), (0.010, 0.006), (0.0038, 0.014), (0.0035, stem - 0.008), *bowl]
    body = lathe([*outside, *inner[:-1], (0.0, stem + 0.003)], 24, crease_deg=55)
    level = stem + 0.045
    wine = lathe(
        [(0, stem + 0.004), *[(r - 0.002, z) for r, z in bowl[1:] if z < level], (0.0, level)], 26, crease_deg=60
    )
    glass = look("glass", CLEAR if colour is None else pick_colour(rng, colour))
    return thing(
        [*soiled([Part(body, glass)]), Part(wine, look("food", WINE, texture=""), when="filled")],
        "coolable",
        touch="cylinder",
        colours=("white",) if colour is None else (),
    )


@object_type(
    "DrinkingGlass",
    "tableware",
    "a plain glass for water",
    rooms=("Kitchen", "LivingRoom", "Bathroom"),
    shape="cube",
    noun="glass",
)
def drinking_glass(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A tumbler: thick base, straight or flared, smooth or with facets."""
    height, radius = rng.uniform(0.095, 0.135), rng.uniform(0.032, 0.038)
    foot = radius * rng.uniform(0.78, 1.0)
    sides = int(rng.choice((10, 32)))
    body = vessel([(foot - 0.002, 0), (foot, 0.003), (radius, height)], 0.0022, 0.010, segments=sides, crease_deg=30)
    tint = CLEAR if colour is None and rng.random() < 0.7 else pick_colour(rng, colour, "blue", "green", "cyan", "pink")
    water = lathe([(foot - 0.003, 0.011), (foot + (radius - foot) * 0.7 - 0.003, height * 0.7)], 26)
    return thing(
        [*soiled([Part(body, look("glass", tint))]), Part(water, look("water", "cyan"), when="filled")],
        "coolable",
        touch="cylinder",
    )


@object_type("Bottle", "container", "a glass bottle with a label", rooms=("Kitchen", "LivingRoom"), shape="long")
def bottle(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A bottle for juice, oil or beer: sloping shoulders, crown cap, paper label."""
    radius, height = rng.uniform(0.030, 0.037), rng.uniform(0.21, 0.27)
    shoulder, neck = height * rng.uniform(0.52, 0.62), rng.uniform(0.011, 0.014)
    outside = spline(
        [(radius, shoulder), (radius * 0.8, shoulder + 0.028), (neck, shoulder + 0.066), (neck, height - 0.004)], 4
    )
    body = lathe(
        [(0, 0), (radius - 0.003, 0), (radius, 0.004), *outside, (neck * 1.15, height), (0, height)], 28, crease_deg=45
    )
    tint = pick_colour(rng, colour, "green", "brown", "cyan", "orange")
    cap = lathe(fillet([(0, 0), (neck * 1.35, 0), (neck * 1.2, 0.010), (0, 0.010)], 0.002), 20).moved(z=height - 0.002)
    glass = look("glass", tint.darker(0.8))
    juice = lathe([(0, 0.006), (radius - 0.004, 0.006), (radius - 0.004, shoulder), (0, shoulder)], 24)
    return thing(
        [
            Part(body, glass, fill=0.18),
            Part(juice, look("water", tint), fill=0.6),
            Part(
                _label(radius, shoulder * 0.22, shoulder * 0.80), _paper(rng, "Cider", "Oil", "Juice", "Beer", "Cola")
            ),
            Part(cap, look("metal", pick_colour(rng, None, "gold", "red", "silver", "black"), rng)),
        ],
        "coolable",
        touch="cylinder",
        colours=(tint.name,),
    )


@object_type("WineBottle", "container", "a tall bottle of wine", rooms=("Kitchen", "LivingRoom"), shape="long")
def wine_bottle(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A wine bottle: dark glass, high shoulders, foil on the neck, a broad label."""
    radius, height = rng.uniform(0.036, 0.040), rng.uniform(0.29, 0.32)
    shoulder = height * rng.uniform(0.58, 0.64)
    neck = 0.0145
    outside = spline(
        [(radius, shoulder), (radius * 0.82, shoulder + 0.024), (neck * 1.05, shoulder + 0.050), (neck, height - 0.01)],
        4,
    )
    body = lathe(
        [(0, 0), (radius - 0.003, 0), (radius, 0.005), *outside, (neck, height), (0, height)], 30, crease_deg=45
    )
    tint = (
        Colour("green", (0.07, 0.15, 0.08))
        if colour is None and rng.random() < 0.7
        else pick_colour(rng, colour, "maroon", "olive").darker(0.6)
    )
    foil = lathe(
        [(0, height * 0.82), (neck + 0.0007, height * 0.82), (neck + 0.0007, height + 0.001), (0, height + 0.001)], 24
    )
    dark = look("ceramic", tint)
    return thing(
        [
            Part(body, dark, fill=0.35),
            Part(_label(radius, shoulder * 0.25, shoulder * 0.82), _paper(rng, "Merlot", "Chianti", "Rioja", "Pinot")),
            Part(foil, look("metal", pick_colour(rng, None, "maroon", "gold", "black"), texture=""), fill=0.05),
        ],
        "coolable",
        touch="cylinder",
        colours=(tint.name,),
        materials=("glass",),
        mass_kg=1.25,
    )


@object_type("Jar", "container", "a glass jar of jam with a lid", rooms=("Kitchen",), shape="cube")
def jar(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A preserving jar: jam behind glass, screw lid, label."""
    radius, height = rng.uniform(0.034, 0.042), rng.uniform(0.095, 0.125)
    body = lathe(
        fillet(
            [(0, 0), (radius, 0), (radius, height * 0.80), (radius * 0.82, height * 0.87), (0, height * 0.87)],
            (0, 0.006, 0.014, 0.004, 0),
        ),
        28,
    )
    jam_tint = pick_colour(rng, colour, "red", "orange", "purple", "gold", "maroon")
    jam = lathe(
        fillet(
            [(0, 0.003), (radius + 0.0003, 0.003), (radius + 0.0003, height * 0.72), (0, height * 0.72)],
            (0, 0.006, 0.001, 0),
        ),
        28,
    )
    lid = lathe(
        fillet(
            [(0, height * 0.86), (radius * 0.90, height * 0.86), (radius * 0.90, height), (0, height)],
            (0, 0.001, 0.004, 0),
        ),
        28,
    )
    lid_look = look("metal", pick_colour(rng, None, "gold", "red", "white", "black", "green"), texture="")
    return thing(
        [
            Part(body, look("glass", CLEAR), fill=0.08),
            Part(jam, look("food", jam_tint, rng)),
            Part(lid, lid_look, fill=0.1),
            Part(_label(radius, height * 0.22, height * 0.62), _paper(rng, "Jam", "Honey", "Plum", "Berry")),
        ],
        "coolable",
        touch="cylinder",
        colours=(jam_tint.name, lid_look.colour.name),
    )


@object_type("Vase", "decor", "a tall vessel for flowers", rooms=("LivingRoom", "Bedroom", "Kitchen"), shape="long")
def vase(rng: np.random.Generator, *, colour: str | None = None, material: str = "ceramic") -> Asset:
    """A vase: bottle-, urn- or trumpet-shaped, glazed, with a band of another colour."""
    height, belly = rng.uniform(0.22, 0.34), rng.uniform(0.058, 0.085)
    forms = (
        [(0.55, 0.0), (1.0, 0.34), (0.40, 0.74), (0.36, 0.86), (0.55, 1.0)],
        [(0.50, 0.0), (0.78, 0.30), (1.0, 0.66), (0.62, 0.90), (0.70, 1.0)],
        [(0.55, 0.0), (0.42, 0.12), (0.50, 0.55), (0.68, 0.85), (1.0, 1.0)],
        [(0.60, 0.0), (1.0, 0.28), (0.72, 0.55), (0.26, 0.70), (0.30, 1.0)],
    )
    outside = spline(np.array(forms[int(rng.integers(len(forms)))]) * (belly, height), 4)
    body = vessel(outside, 0.004, 0.008, segments=30, crease_deg=60)
    glaze = look(
        material, pick_colour(rng, colour, "white", "blue", "teal", "red", "green", "navy", "orange", "purple")
    )
    trim = glaze.tinted(pick_colour(rng, None, "gold", "white", "brown", "black"))
    # Hoops are discs through the wall, low enough that nobody sees them from above through the mouth.
    hoops = []
    for share in (0.10, 0.16, 0.34)[: int(rng.integers(4))]:
        radius = float(np.interp(share * height, outside[:, 1], outside[:, 0]))
        hoops.append(cylinder(radius + 0.0012, 0.006, segments=30).moved(z=share * height))
    return thing([Part(body, glaze), *(Part(hoop, trim, fill=0.0) for hoop in hoops)], touch="cylinder")
