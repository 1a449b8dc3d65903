"""A five-room house for speed measurements: about 500 geoms, 80 moving bodies, 12 textures, 5 lights."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from typing import NamedTuple

import mujoco
import numpy as np
import numpy.typing as npt
from PIL import Image

TEXTURE_PIXELS = 256
WALL_HEIGHT_M = 2.6
# x0, y0, x1, y1 in metres, and the floor's texture
ROOMS = (
    (0.0, 0.0, 4.0, 4.5, "floor0"),
    (4.0, 0.0, 10.0, 4.5, "floor1"),
    (0.0, 4.5, 3.5, 8.0, "floor2"),
    (3.5, 4.5, 7.0, 8.0, "floor3"),
    (7.0, 4.5, 10.0, 8.0, "floor4"),
)
# from, to, and the doors' centres along the wall, in metres
WALLS = (
    ((0, 0), (10, 0), ()),
    ((0, 8), (10, 8), ()),
    ((0, 0), (0, 8), ()),
    ((10, 0), (10, 8), ()),
    ((0, 4.5), (10, 4.5), (2.0, 6.5)),
    ((4, 0), (4, 4.5), (2.2,)),
    ((3.5, 4.5), (3.5, 8), (1.8,)),
    ((7, 4.5), (7, 8), (1.5,)),
)
FURNITURE = ("table",) * 8 + ("chair",) * 14 + ("shelf",) * 8 + ("sofa",) * 5 + ("cabinet",) * 6
TEXTURES = (*(f"floor{i}" for i in range(5)), "wall0", "wall1", "wood0", "wood1", "cloth0", "cloth1", "cloth2")


class Part(NamedTuple):
    """One geom of a piece of furniture, in the piece's frame."""

    kind: str
    size_m: tuple[float, ...]
    position_m: tuple[float, float, float]
    material: str


class Piece(NamedTuple):
    """A kind of furniture: its parts, the height of its top and its half width, in metres."""

    parts: list[Part]
    top_m: float
    reach_m: float


def house(seed: int = 7) -> mujoco.MjModel:
    """Returns the compiled house with a camera called `agent`."""
    generator = np.random.default_rng(seed)
    assets = {f"{name}.png": _texture(generator) for name in TEXTURES}
    surfaces: list[tuple[float, float, float]] = []
    furniture = "".join(_placed(kind, generator, surfaces) for kind in FURNITURE)
    things = "".join(_thing(i, generator, surfaces) for i in range(80))
    xml = f"""<mujoco>
      <visual><headlight ambient=".35 .35 .35" diffuse=".25 .25 .25" specular="0 0 0"/><map znear=".005" zfar="3"/>
        <global offwidth="640" offheight="480" fovy="70"/></visual>
      <asset>{"".join(map(_material, TEXTURES))}{"".join(_vase(i, generator) for i in range(10))}</asset>
      <worldbody>
        <camera name="agent" pos="2 2 1.2" fovy="70"/>{"".join(_lights())}{"".join(_shell())}{furniture}{things}
      </worldbody></mujoco>"""
    return mujoco.MjModel.from_xml_string(xml, assets)


def poses(count: int, seed: int = 11) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Returns positions `[count, 3]` and camera-to-world rotations `[count, 3, 3]` of someone walking about."""
    generator = np.random.default_rng(seed)
    positions, rotations = np.empty((count, 3)), np.empty((count, 3, 3))
    for i in range(count):
        x0, y0, x1, y1, _ = ROOMS[generator.integers(len(ROOMS))]
        positions[i] = generator.uniform((x0 + 0.5, y0 + 0.5, 0.9), (x1 - 0.5, y1 - 0.5, 1.5))
        yaw_rad, pitch_rad = generator.uniform(0, 2 * math.pi), math.radians(generator.uniform(-30, 0))
        level = math.cos(pitch_rad)
        back = -np.array([math.cos(yaw_rad) * level, math.sin(yaw_rad) * level, math.sin(pitch_rad)])
        right = np.cross([0, 0, 1], back) / level
        rotations[i] = np.stack([right, np.cross(back, right), back], axis=1)
    return positions, rotations


def _texture(generator: np.random.Generator) -> bytes:
    """Returns a PNG of coloured noise at several scales."""
    shade = np.zeros((TEXTURE_PIXELS, TEXTURE_PIXELS))
    for octave in range(5):
        coarse = Image.fromarray(generator.integers(0, 256, (2 ** (octave + 2),) * 2, dtype=np.uint8))
        shade += np.asarray(coarse.resize(shade.shape, Image.Resampling.BICUBIC)) / 255 / 2**octave
    tint = generator.uniform(0.45, 0.9) * generator.uniform(0.75, 1.0, 3)
    colour = tint * (0.75 + 0.25 * shade / shade.max())[..., None]
    colour[::64] *= 0.7
    buffer = io.BytesIO()
    Image.fromarray((255 * colour).astype(np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()


def _material(name: str) -> str:
    return (
        f'<texture name="{name}" type="2d" file="{name}.png"/>'
        f'<material name="{name}" texture="{name}" texuniform="true" specular=".2" shininess=".3"/>'
    )


def _vase(index: int, generator: np.random.Generator, slices: int = 20, rings: int = 18) -> str:
    """A surface of revolution of 684 triangles, as an inline mesh."""
    bends = generator.uniform(2, 7)
    vertices = ["0 0 -.06"]
    for ring in range(rings):
        height = (ring + 0.5) / rings
        radius_m = 0.03 + 0.012 * math.sin(bends * height)
        angles = 2 * math.pi * np.arange(slices) / slices
        vertices += [
            f"{radius_m * math.cos(a):.4f} {radius_m * math.sin(a):.4f} {0.12 * height - 0.06:.4f}" for a in angles
        ]
    vertices.append("0 0 .06")
    faces = []
    for part in range(slices):
        after = (part + 1) % slices
        faces += [
            f"0 {1 + after} {1 + part}",
            f"{1 + rings * slices} {1 + (rings - 1) * slices + part} {1 + (rings - 1) * slices + after}",
        ]
        for ring in range(rings - 1):
            low, high = 1 + ring * slices, 1 + (ring + 1) * slices
            faces += [f"{low + part} {low + after} {high + after}", f"{low + part} {high + after} {high + part}"]
    return f'<mesh name="vase{index}" inertia="shell" vertex="{" ".join(vertices)}" face="{" ".join(faces)}"/>'


def _lights() -> Iterator[str]:
    for x0, y0, x1, y1, _ in ROOMS:
        yield (
            f'<light pos="{(x0 + x1) / 2} {(y0 + y1) / 2} 2.5" dir="0 0 -1" diffuse=".55 .55 .5" specular=".2 .2 .2" '
            'attenuation="1 .05 .02" cutoff="85"/>'
        )


def _box(position_m: tuple[float, ...], half_m: tuple[float, ...], material: str) -> str:
    place, size = (" ".join(f"{v:.4f}" for v in values) for values in (position_m, half_m))
    return f'<geom type="box" pos="{place}" size="{size}" material="{material}"/>'


def _shell() -> Iterator[str]:
    """Floors, ceiling and walls with door openings."""
    for x0, y0, x1, y1, floor in ROOMS:
        yield _box(((x0 + x1) / 2, (y0 + y1) / 2, -0.05), ((x1 - x0) / 2, (y1 - y0) / 2, 0.05), floor)
    yield _box((5, 4, WALL_HEIGHT_M + 0.05), (5, 4, 0.05), "wall0")
    for index, ((x0, y0), (x1, y1), doors) in enumerate(WALLS):
        length_m = math.hypot(x1 - x0, y1 - y0)
        along = ((x1 - x0) / length_m, (y1 - y0) / length_m)
        for start_m, end_m, low_m in _wall_spans(length_m, doors):
            middle, half = (start_m + end_m) / 2, (end_m - start_m) / 2
            position = (x0 + along[0] * middle, y0 + along[1] * middle, (low_m + WALL_HEIGHT_M) / 2)
            yield _box(
                position,
                (half * along[0] or 0.05, half * along[1] or 0.05, (WALL_HEIGHT_M - low_m) / 2),
                f"wall{index % 2}",
            )


def _wall_spans(length_m: float, doors: tuple[float, ...]) -> Iterator[tuple[float, float, float]]:
    """Yields (start, end, lower edge): full-height pieces, and lintels above the doors."""
    start_m = 0.0
    for door_m in doors:
        yield start_m, door_m - 0.45, 0.0
        yield door_m - 0.45, door_m + 0.45, 2.05
        start_m = door_m + 0.45
    yield start_m, length_m, 0.0


def _legs(x_m: float, y_m: float, height_m: float, radius_m: float) -> list[Part]:
    corners = [(sx * x_m, sy * y_m, height_m / 2) for sx in (-1, 1) for sy in (-1, 1)]
    return [Part("cylinder", (radius_m, height_m / 2), corner, "wood0") for corner in corners]


def _piece(kind: str, generator: np.random.Generator) -> Piece:
    cloth = f"cloth{generator.integers(3)}"
    if kind == "table":
        a, b = generator.uniform(0.4, 0.7), generator.uniform(0.3, 0.5)
        return Piece([Part("box", (a, b, 0.02), (0, 0, 0.72), "wood0"), *_legs(a - 0.06, b - 0.06, 0.7, 0.03)], 0.74, a)
    if kind == "chair":
        rails = [Part("box", (0.2, 0.01, 0.03), (0, 0.2, z), "wood1") for z in (0.6, 0.75, 0.9)]
        posts = [Part("box", (0.02, 0.015, 0.25), (x, 0.2, 0.7), "wood1") for x in (-0.19, 0.19)]
        return Piece(
            [Part("box", (0.22, 0.22, 0.03), (0, 0, 0.46), cloth), *_legs(0.19, 0.19, 0.43, 0.02), *rails, *posts],
            0.49,
            0.25,
        )
    if kind == "shelf":
        boards = [Part("box", (0.4, 0.15, 0.012), (0, 0, z), "wood1") for z in (0.1, 0.5, 0.9, 1.3, 1.78)]
        sides = [Part("box", (0.015, 0.15, 0.9), (x, 0, 0.9), "wood1") for x in (-0.4, 0.4)]
        books = [
            Part("box", (0.03, 0.1, 0.12), (x, 0, z + 0.13), f"cloth{i}")
            for z in (0.5, 0.9)
            for i, x in enumerate((-0.25, -0.15, 0.1))
        ]
        return Piece([*boards, *sides, *books], 1.8, 0.45)
    if kind == "sofa":
        seat = [Part("box", (0.9, 0.4, 0.2), (0, 0, 0.25), cloth), Part("box", (0.9, 0.1, 0.3), (0, 0.35, 0.6), cloth)]
        arms = [Part("box", (0.1, 0.4, 0.3), (x, 0, 0.35), cloth) for x in (-0.9, 0.9)]
        cushions = [Part("box", (0.26, 0.3, 0.07), (x, -0.05, 0.5), "cloth2") for x in (-0.53, 0, 0.53)]
        return Piece([*seat, *arms, *cushions], 0.57, 1.0)
    drawers = [Part("box", (0.18, 0.01, 0.11), (x, -0.26, z), "wood1") for x in (-0.2, 0.2) for z in (0.2, 0.45, 0.7)]
    knobs = [Part("cylinder", (0.015, 0.02), (x, -0.28, z), "wall1") for x in (-0.2, 0.2) for z in (0.2, 0.45, 0.7)]
    return Piece([Part("box", (0.4, 0.25, 0.42), (0, 0, 0.45), "wood0"), *drawers, *knobs], 0.87, 0.45)


def _placed(kind: str, generator: np.random.Generator, surfaces: list[tuple[float, float, float]]) -> str:
    """Places a piece somewhere in a room and notes its top as a surface for things."""
    piece = _piece(kind, generator)
    x0, y0, x1, y1, _ = ROOMS[generator.integers(len(ROOMS))]
    x, y = generator.uniform(
        (x0 + piece.reach_m + 0.1, y0 + piece.reach_m + 0.1), (x1 - piece.reach_m - 0.1, y1 - piece.reach_m - 0.1)
    )
    surfaces.append((x, y, piece.top_m))
    geoms = "".join(
        f'<geom type="{part.kind}" size="{" ".join(f"{s:.4f}" for s in part.size_m)}" '
        f'pos="{" ".join(f"{p:.4f}" for p in part.position_m)}" material="{part.material}"/>'
        for part in piece.parts
    )
    return f'<body pos="{x:.3f} {y:.3f} 0" euler="0 0 {90 * generator.integers(4)}">{geoms}</body>'


def _thing(index: int, generator: np.random.Generator, surfaces: list[tuple[float, float, float]]) -> str:
    """A free body on a surface: sphere, cylinder or one of the meshes."""
    x, y, top_m = surfaces[generator.integers(len(surfaces))]
    shapes = (
        'type="sphere" size=".04"',
        'type="cylinder" size=".03 .06"',
        *(f'type="mesh" mesh="vase{index % 10}"',) * 2,
    )
    colour = " ".join(f"{c:.2f}" for c in generator.uniform(0.2, 0.95, 3))
    place = f"{x + generator.uniform(-0.2, 0.2):.3f} {y + generator.uniform(-0.2, 0.2):.3f} {top_m + 0.06:.3f}"
    return f'<body pos="{place}"><freejoint/><geom {shapes[index % 4]} rgba="{colour} 1"/></body>'
