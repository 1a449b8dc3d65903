"""How the land lies: a clearing with places to work at around it, among trees and hills, all from a seed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.blocks.land.kinds import AIR, code_of
from pentathlon.worlds.blocks.land.meshing import Codes
from pentathlon.worlds.modelling.textures import noise

WIDE, HIGH, FLOOR = 64, 20, 6
CLEARING_M = 9.5
STATION_M = 5.6
Cell = tuple[int, int, int]
StationName = Literal["tree", "heap", "rock", "bench", "lot", "pasture"]
STATIONS: tuple[StationName, ...] = ("tree", "heap", "rock", "bench", "lot", "pasture")
ORES = ("coal ore", "iron ore", "gold ore", "diamond ore")


@dataclass(frozen=True)
class Station:
    """A place to work at.

    Attributes:
        name: what there is to do.
        angle_rad: in which direction from the middle it lies.
        cells: blocks that are worked on, in turn.
    """

    name: StationName
    angle_rad: float
    cells: tuple[Cell, ...]


@dataclass(frozen=True, eq=False)
class Land:
    """Blocks and places.

    Attributes:
        codes: kinds of blocks, [X, Y, Z].
        kinds: what the work of a station is made of: the wood of the tree, the soil of the heap, the ores of the rock.
        plants: where tufts and flowers stand.
    """

    codes: Codes
    stations: dict[StationName, Station]
    kinds: dict[str, tuple[str, ...]]
    plants: tuple[tuple[str, Cell], ...]

    @property
    def middle_m(self) -> tuple[float, float]:
        """Where the player starts."""
        return WIDE / 2, WIDE / 2


def build_land(seed: int, wood: str, soil: str, ores: tuple[str, ...]) -> Land:
    """Returns the land of a seed, with the kinds of blocks that are asked for at its stations."""
    rng = np.random.default_rng(seed)
    codes = _hills(rng)
    turn = rng.uniform(0, 2 * math.pi)
    order = [STATIONS[int(i)] for i in rng.permutation(len(STATIONS))]
    angles = {name: turn + 2 * math.pi * (i + rng.uniform(-0.12, 0.12)) / 6 for i, name in enumerate(order)}
    stations: dict[StationName, Station] = {
        "tree": _tree_station(codes, angles["tree"], wood),
        "heap": _heap(codes, angles["heap"], soil),
        "rock": _rock(codes, angles["rock"], ores),
        "bench": _bench(codes, angles["bench"]),
        "lot": Station("lot", angles["lot"], _row(angles["lot"], (FLOOR,), 4)),
        "pasture": Station("pasture", angles["pasture"], ()),
    }
    _woods(codes, rng)
    kinds = {"tree": (wood,), "heap": (soil,), "rock": ores}
    return Land(codes, stations, kinds, _plants(codes, rng))


def _hills(rng: np.random.Generator) -> Codes:
    """Grass over dirt over stone, flat in the middle; what rises high is bare."""
    y, x = np.mgrid[:WIDE, :WIDE] + 0.5 - WIDE / 2
    far = np.clip((np.hypot(x, y) - CLEARING_M) / 14.0, 0.0, 1.0)
    rise = 11.0 * (noise(rng, 3.0, 3.0, WIDE) - 0.30) + 2.0 * (noise(rng, 9.0, 9.0, WIDE) - 0.5)
    height = np.clip(FLOOR + np.round(far * rise), 2, HIGH - 8).astype(int)
    level = np.arange(HIGH)[None, None, :]
    top = height[..., None]
    codes = np.zeros((WIDE, WIDE, HIGH), np.uint8)
    codes[level < top] = code_of("stone")
    codes[(level < top) & (level >= top - 3) & (top <= FLOOR + 4)] = code_of("dirt")
    codes[(level == top - 1) & (top <= FLOOR + 4)] = code_of("grass")
    codes[(level < top) & (level >= top - 2) & (top <= FLOOR - 2)] = code_of("sand")
    return codes


def _at(angle_rad: float, far_m: float, aside_m: float = 0.0) -> tuple[int, int]:
    """The column at a distance in a direction, and to the left of it."""
    c, s = math.cos(angle_rad), math.sin(angle_rad)
    return int(WIDE / 2 + far_m * c - aside_m * s), int(WIDE / 2 + far_m * s + aside_m * c)


def _row(angle_rad: float, levels: tuple[int, ...], count: int) -> tuple[Cell, ...]:
    """Cells side by side across a direction, neighbours in the grid, at each level."""
    x, y = _at(angle_rad, STATION_M)
    along_x = abs(math.sin(angle_rad)) > abs(math.cos(angle_rad))
    shifts = [i - count // 2 for i in range(count)]
    return tuple((x + i * along_x, y + i * (not along_x), z) for z in levels for i in shifts)


def _tree_station(codes: Codes, angle_rad: float, wood: str) -> Station:
    x, y = _at(angle_rad, STATION_M)
    grow_tree(codes, x, y, FLOOR, 5, wood)
    return Station("tree", angle_rad, tuple((x, y, FLOOR + level) for level in (1, 2, 0, 3)))


def _heap(codes: Codes, angle_rad: float, soil: str) -> Station:
    left, middle, right = _row(angle_rad, (FLOOR,), 3)
    top = middle[0], middle[1], FLOOR + 1
    cells = top, left, right, middle
    for cell in cells:
        codes[cell] = code_of(soil)
    return Station("heap", angle_rad, cells)


def _rock(codes: Codes, angle_rad: float, ores: tuple[str, ...]) -> Station:
    """A wall of stone, three high, ores in its face; behind it more stone."""
    face = _row(angle_rad, (FLOOR, FLOOR + 1, FLOOR + 2), 5)
    along_x = face[0][1] == face[1][1]
    east = 0 if along_x else int(math.copysign(1, math.cos(angle_rad)))
    north = int(math.copysign(1, math.sin(angle_rad))) if along_x else 0
    for x, y, z in face:
        for behind in range(3):
            codes[x + east * behind, y + north * behind, z] = code_of("stone")
    x, y, _ = face[2]
    codes[x, y, FLOOR + 3] = codes[x + east, y + north, FLOOR + 3] = code_of("stone")
    work = [face[5 + 1], face[5 + 2], face[5 + 3], face[2], face[10 + 2], face[1], face[3], face[10 + 1]]
    for cell, ore in zip(work, [one for one in ores for _ in range(2)], strict=False):
        codes[cell] = code_of(ore)
    return Station("rock", angle_rad, tuple(work))


def _bench(codes: Codes, angle_rad: float) -> Station:
    cells = _row(angle_rad, (FLOOR,), 3)
    codes[cells[1]] = code_of("crafting table")
    codes[cells[2]] = code_of("furnace")
    return Station("bench", angle_rad, (cells[1], cells[2]))


def grow_tree(codes: Codes, x: int, y: int, ground: int, high: int, wood: str) -> None:
    """Puts a trunk with leaves around its top."""
    for level in range(high - 2, high + 2):
        reach = 2 if level < high else 1
        for dx in range(-reach, reach + 1):
            for dy in range(-reach, reach + 1):
                corner = abs(dx) == reach and abs(dy) == reach
                place = x + dx, y + dy, ground + level
                if not (corner and (level >= high or reach == 2)) and codes[place] == AIR:
                    codes[place] = code_of("leaves")
    for level in range(high):
        codes[x, y, ground + level] = code_of(wood)


def surface(codes: Codes, x: int, y: int) -> int:
    """The level above the highest block of a column."""
    filled: NDArray[np.intp] = np.flatnonzero(codes[x, y] != AIR)
    return int(filled[-1]) + 1


def _woods(codes: Codes, rng: np.random.Generator) -> None:
    for _ in range(70):
        x, y = (int(rng.integers(4, WIDE - 4)) for _ in range(2))
        ground = surface(codes, x, y)
        near = math.hypot(x - WIDE / 2, y - WIDE / 2) < CLEARING_M + 3
        crowded = (codes[x - 3 : x + 4, y - 3 : y + 4, ground : ground + 6] == code_of("leaves")).any()
        if not near and not crowded and codes[x, y, ground - 1] == code_of("grass") and ground + 8 < HIGH:
            grow_tree(codes, x, y, ground, int(rng.integers(4, 6)), ("oak log", "birch log")[int(rng.random() < 0.3)])


def _plants(codes: Codes, rng: np.random.Generator) -> tuple[tuple[str, Cell], ...]:
    found = []
    for _ in range(260):
        x, y = (int(rng.integers(WIDE // 2 - 14, WIDE // 2 + 14)) for _ in range(2))
        ground = surface(codes, x, y)
        if codes[x, y, ground - 1] == code_of("grass"):
            name = ("tuft", "tuft", "tuft", "poppy", "dandelion")[int(rng.integers(5))]
            found.append((name, (x, y, ground)))
    return tuple({cell: (name, cell) for name, cell in found}.values())
