"""Things on the desk: how each looks and what of it touches others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pentathlon.core.errors import UnknownIdError
from pentathlon.worlds.modelling.colours import Colour, colour
from pentathlon.worlds.modelling.materials import Look, look, wood
from pentathlon.worlds.modelling.mesh import Mesh
from pentathlon.worlds.modelling.pictures import fruit_skin, stripes
from pentathlon.worlds.modelling.shapes import cylinder, ellipsoid, lathe, rounded_box

Shape = Literal["ellipsoid", "capsule", "cylinder", "box"]


@dataclass(frozen=True, eq=False)
class Thing:
    """One thing: parts that are seen, and the shape that touches, both about its middle.

    Attributes:
        half_m: MuJoCo's half sizes of the shape.
        lies: whether the shape's axis lies along y.
    """

    parts: tuple[tuple[Mesh, Look], ...]
    shape: Shape
    half_m: tuple[float, ...]
    mass_kg: float
    lies: bool = False

    @property
    def rests_m(self) -> float:
        """Height of its middle above the table."""
        return self.half_m[0] if self.lies or self.shape == "capsule" else self.half_m[-1]


def _shade(rng: np.random.Generator, rgb: tuple[float, float, float], amount: float = 0.06) -> Colour:
    red, green, blue = (float(np.clip(part * rng.uniform(1 - amount, 1 + amount), 0, 1)) for part in rgb)
    return Colour("own", (red, green, blue))


def _unit_uvs(mesh: Mesh) -> Mesh:
    low, size = mesh.uvs.min(axis=0), np.maximum(np.ptp(mesh.uvs, axis=0), 1e-9)
    return Mesh(mesh.vertices_m, mesh.faces, mesh.normals, (mesh.uvs - low) / size)


def _fruit(
    rng: np.random.Generator, size_m: tuple[float, float, float], main: tuple[float, float, float],
    blush: tuple[float, float, float], streaks: float = 0.4,
) -> tuple[Mesh, Look]:  # fmt: skip
    mesh = _unit_uvs(ellipsoid(size_m, 28))
    return mesh, look("food", "white", texture=fruit_skin(rng, _shade(rng, main), _shade(rng, blush), streaks=streaks))


def _round(mesh: tuple[Mesh, Look], size_m: tuple[float, float, float], more: tuple[tuple[Mesh, Look], ...]) -> Thing:
    return Thing((mesh, *more), "ellipsoid", tuple(part / 2 for part in size_m), 0.12)


def _sized(rng: np.random.Generator, size_m: tuple[float, float, float]) -> tuple[float, float, float]:
    x, y, z = (part * float(rng.uniform(0.95, 1.05)) for part in size_m)
    return x, y, z


def _tomato(rng: np.random.Generator) -> Thing:
    size = _sized(rng, (0.072, 0.072, 0.060))
    green = look("plant", _shade(rng, (0.25, 0.42, 0.14)), texture="")
    leaves = tuple(
        (ellipsoid((0.024, 0.006, 0.003), 10).moved(x=0.010).turned("z", 72.0 * i).moved(z=size[2] / 2 - 0.001), green)
        for i in range(5)
    )
    return _round(_fruit(rng, size, (0.80, 0.13, 0.08), (0.90, 0.42, 0.14)), size, leaves)


def _apple(rng: np.random.Generator) -> Thing:
    size = _sized(rng, (0.076, 0.076, 0.070))
    stem = cylinder(0.002, 0.018, segments=8).moved(z=size[2] / 2), look("wood", _shade(rng, (0.34, 0.22, 0.12)))
    return _round(_fruit(rng, size, (0.72, 0.10, 0.12), (0.88, 0.74, 0.28), 0.7), size, (stem,))


def _avocado(rng: np.random.Generator) -> Thing:
    size = _sized(rng, (0.062, 0.096, 0.060))
    return _round(_fruit(rng, size, (0.17, 0.25, 0.11), (0.27, 0.36, 0.16), 0.3), size, ())


def _potato(rng: np.random.Generator) -> Thing:
    size = _sized(rng, (0.066, 0.092, 0.056))
    return _round(_fruit(rng, size, (0.72, 0.56, 0.36), (0.54, 0.40, 0.24), 0.5), size, ())


def _chopstick(rng: np.random.Generator) -> Thing:
    long_m = 0.22 * float(rng.uniform(0.98, 1.02))
    stick = cylinder(0.0045, long_m, top_radius_m=0.0028, segments=12).turned("x", 90.0)
    band = cylinder(0.0049, 0.03, segments=12).turned("x", 90.0).moved(y=long_m * 0.38)
    parts = (stick, wood(rng, "walnut")), (band, look("plastic", _shade(rng, (0.70, 0.12, 0.10))))
    return Thing(parts, "capsule", (0.0048, long_m / 2), 0.02, lies=True)


def _can(rng: np.random.Generator) -> Thing:
    body = lathe([(0.030, -0.060), (0.033, -0.056), (0.033, 0.056), (0.028, 0.061)], 32)
    band = _unit_uvs(lathe([(0.0334, -0.048), (0.0334, 0.048)], 32))
    label = stripes([_shade(rng, (0.80, 0.10, 0.12)), colour("white")], 6)
    return Thing(((body, look("metal", "silver")), (band, look("paper", "white", texture=label))), "cylinder",
                 (0.033, 0.061), 0.3)  # fmt: skip


def _mug(rng: np.random.Generator) -> Thing:
    wall = lathe([(0.034, -0.045), (0.040, -0.040), (0.040, 0.045), (0.036, 0.045), (0.035, -0.036)], 32)
    glaze = look("ceramic", _shade(rng, (0.22, 0.42, 0.62), 0.4))
    return Thing(((wall, glaze),), "cylinder", (0.040, 0.045), 0.3)


def _hammer(rng: np.random.Generator) -> Thing:
    handle = cylinder(0.012, 0.20, segments=14).turned("x", 90.0).moved(y=-0.03), wood(rng, "ash")
    head = rounded_box((0.085, 0.028, 0.028), 0.004).moved(y=0.075), look("metal", "grey")
    return Thing((handle, head), "box", (0.040, 0.13, 0.014), 0.5)


def _block(rng: np.random.Generator) -> Thing:
    paint = look("wood", _shade(rng, (0.25, 0.50, 0.28), 0.5))
    return Thing(((rounded_box((0.05, 0.05, 0.05), 0.003), paint),), "box", (0.025, 0.025, 0.025), 0.1)


_MAKERS: dict[str, Callable[[np.random.Generator], Thing]] = {
    "tomato": _tomato,
    "apple": _apple,
    "avocado": _avocado,
    "potato": _potato,
    "chopstick": _chopstick,
    "can": _can,
    "mug": _mug,
    "hammer": _hammer,
    "block": _block,
}
NAMES = tuple(_MAKERS)


def make_thing(name: str, rng: np.random.Generator) -> Thing:
    """Makes a thing; two of a kind differ a little in size and shade."""
    if name not in _MAKERS:
        raise UnknownIdError("thing on the desk", name, NAMES)
    return _MAKERS[name](rng)


def apart_m(name: str) -> float:
    """How far the middles of things of a kind are apart in a line."""
    return 0.055 if name == "chopstick" else 0.115
