"""The named colours that objects have and questions ask about."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from pentathlon.core.errors import UnknownIdError


@dataclass(frozen=True)
class Colour:
    """A colour by its name in language, with one of the shades that bear it.

    Attributes:
        name: What people call it.
        rgb: 0..1, as shown on a screen.
    """

    name: str
    rgb: tuple[float, float, float]

    def shade(self, rng: np.random.Generator, amount: float = 0.06) -> Colour:
        """Return a slightly different shade that still bears the name."""
        brightness = 1.0 + rng.uniform(-amount, amount)
        tint = 1.0 + rng.uniform(-amount / 3, amount / 3, 3)
        red, green, blue = np.clip(np.array(self.rgb) * brightness * tint, 0.0, 1.0)
        return replace(self, rgb=(round(float(red), 3), round(float(green), 3), round(float(blue), 3)))

    def darker(self, factor: float) -> Colour:
        """Return the colour times a brightness factor, under the same name."""
        red, green, blue = (min(1.0, channel * factor) for channel in self.rgb)
        return replace(self, rgb=(red, green, blue))


COLOURS: dict[str, Colour] = {
    name: Colour(name, rgb)
    for name, rgb in {
        "beige": (0.83, 0.75, 0.61),
        "black": (0.07, 0.07, 0.08),
        "blue": (0.16, 0.33, 0.72),
        "bronze": (0.58, 0.40, 0.22),
        "brown": (0.44, 0.27, 0.15),
        "cream": (0.94, 0.90, 0.80),
        "cyan": (0.25, 0.78, 0.86),
        "gold": (0.83, 0.66, 0.26),
        "green": (0.22, 0.55, 0.25),
        "grey": (0.50, 0.51, 0.52),
        "lime": (0.60, 0.82, 0.22),
        "maroon": (0.45, 0.09, 0.14),
        "navy": (0.10, 0.15, 0.33),
        "olive": (0.43, 0.44, 0.18),
        "orange": (0.93, 0.47, 0.12),
        "pink": (0.94, 0.56, 0.68),
        "purple": (0.46, 0.24, 0.60),
        "red": (0.80, 0.13, 0.12),
        "silver": (0.75, 0.76, 0.78),
        "teal": (0.10, 0.49, 0.51),
        "white": (0.95, 0.95, 0.94),
        "yellow": (0.95, 0.79, 0.20),
    }.items()
}


def colour(name: str) -> Colour:
    """Return the named colour."""
    try:
        return COLOURS[name]
    except KeyError:
        raise UnknownIdError("colour", name, COLOURS) from None


def pick_colour(rng: np.random.Generator, wanted: str | None, *usual: str) -> Colour:
    """Return a shade of the wanted colour, or of one of the usual ones."""
    name = wanted if wanted is not None else usual[int(rng.integers(len(usual)))]
    return colour(name).shade(rng)
