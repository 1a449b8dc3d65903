"""What things are made of: how each material looks under light, and how heavy it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pentathlon.core.errors import UnknownIdError
from pentathlon.worlds.modelling.colours import Colour, colour
from pentathlon.worlds.modelling.textures import VARIANTS, Texture, tile

MATERIAL_WORDS: dict[str, str] = {
    "cardboard": "cardboard",
    "ceramic": "ceramic",
    "fabric": "fabric",
    "foam": "foam",
    "glass": "glass",
    "leather": "leather",
    "metal": "metal",
    "paper": "paper",
    "plastic": "plastic",
    "rubber": "rubber",
    "stone": "stone",
    "wax": "wax",
    "wicker": "wicker",
    "wood": "wooden",
}
"""How people call what is made of a material, of those that people name."""


@dataclass(frozen=True)
class Material:
    """A kind of matter.

    Attributes:
        name: What people call it, also in questions.
        density_kg_m3: Mass of solid matter per volume.
        specular: Strength of highlights, 0..1.
        shininess: Sharpness of highlights, 0..1 (times 128 is the Phong exponent).
        reflectance: Share of mirror reflection, 0..1.
        alpha: Opacity, 0..1.
        texture: Name of its tile in `textures`, or empty.
    """

    name: str
    density_kg_m3: float
    specular: float
    shininess: float
    reflectance: float = 0.0
    alpha: float = 1.0
    texture: str = ""


@dataclass(frozen=True, eq=False)
class Look:
    """The surface of one part: its matter, its colour, its texture and the light that it gives off."""

    material: Material
    colour: Colour
    texture: Texture | None = None
    emission: float = 0.0

    @property
    def key(self) -> tuple[object, ...]:
        """What tells it from surfaces that look otherwise or have another name."""
        texture = None if self.texture is None else (self.texture.digest, self.texture.tile_m)
        return self.material.name, self.colour, texture, self.emission

    def tinted(self, other: Colour) -> Look:
        """Return the same surface in another colour."""
        return replace(self, colour=other)

    def glowing(self, emission: float = 1.0) -> Look:
        """Return the same surface giving off light of its own colour."""
        return replace(self, emission=emission)


MATERIALS: dict[str, Material] = {
    item.name: item
    for item in (
        Material("cardboard", 200, 0.02, 0.05, texture="paper"),
        Material("ceramic", 2300, 0.70, 0.75),
        Material("fabric", 250, 0.02, 0.05, texture="fabric"),
        Material("foam", 60, 0.02, 0.05, texture="speckle"),
        Material("food", 900, 0.35, 0.35, texture="skin"),
        Material("glass", 2500, 0.90, 0.95, reflectance=0.10, alpha=0.32),
        Material("leather", 860, 0.30, 0.25, texture="leather"),
        Material("metal", 7800, 0.85, 0.60, reflectance=0.06, texture="brushed"),
        Material("mirror", 2500, 0.90, 1.00, reflectance=0.7),
        Material("paper", 700, 0.02, 0.05, texture="paper"),
        Material("plant", 600, 0.15, 0.20, texture="skin"),
        Material("plaster", 900, 0.02, 0.05, texture="plaster"),
        Material("plastic", 1050, 0.40, 0.40),
        Material("rubber", 1100, 0.10, 0.10),
        Material("soap", 1000, 0.30, 0.30),
        Material("stone", 2650, 0.45, 0.60, texture="stone"),
        Material("water", 1000, 0.90, 0.90, alpha=0.45),
        Material("wax", 900, 0.25, 0.30),
        Material("wicker", 350, 0.08, 0.15, texture="wicker"),
        Material("wood", 650, 0.18, 0.25, texture="wood"),
    )
}

# Species of wood: a shade each, under the colour name that people would say.
WOODS: dict[str, Colour] = {
    "ash": Colour("beige", (0.86, 0.73, 0.55)),
    "cherry": Colour("brown", (0.62, 0.33, 0.20)),
    "ebony": Colour("black", (0.17, 0.13, 0.11)),
    "oak": Colour("brown", (0.74, 0.53, 0.32)),
    "pine": Colour("beige", (0.91, 0.74, 0.49)),
    "walnut": Colour("brown", (0.45, 0.29, 0.18)),
}


def material(name: str) -> Material:
    """Return the named material."""
    try:
        return MATERIALS[name]
    except KeyError:
        raise UnknownIdError("material", name, MATERIALS) from None


def look(
    material_name: str,
    tint: Colour | str,
    rng: np.random.Generator | None = None,
    *,
    texture: Texture | str | None = None,
    emission: float = 0.0,
) -> Look:
    """Return the surface of a material in a colour.

    Args:
        material_name: One of MATERIALS.
        tint: A colour or its name; pictures are usually left "white".
        rng: Chooses among the variants of the material's tile; without it the first one is taken.
        texture: A picture, or the name of another tile ("" for none), in place of the material's own.
        emission: Light of its own, 0..1.
    """
    matter = material(material_name)
    shade = colour(tint) if isinstance(tint, str) else tint
    name = matter.texture if texture is None else texture
    if isinstance(name, str):
        variant = 0 if rng is None else int(rng.integers(VARIANTS))
        return Look(matter, shade, tile(name, variant) if name else None, emission)
    return Look(matter, shade, name, emission)


def wood(rng: np.random.Generator, species: str | None = None) -> Look:
    """Return the surface of a wood, of any species unless one is named."""
    names = tuple(WOODS)
    chosen = species if species is not None else names[int(rng.integers(len(names)))]
    if chosen not in WOODS:
        raise UnknownIdError("wood", chosen, WOODS)
    return look("wood", WOODS[chosen].shade(rng, 0.04), rng)
