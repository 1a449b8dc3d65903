"""The built shell of a house as one asset: floors, walls, ceilings, baseboards, frames, panes and the view outside."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Collider, Part
from pentathlon.worlds.houses.house import FloorFinish, House, Room, WallFinish, Window
from pentathlon.worlds.houses.plan.polygons import Edge, rectangles
from pentathlon.worlds.houses.plan.walls import (
    HALF_WALL_M,
    Block,
    Opening,
    Wall,
    edge_of,
    inner_blocks,
    outer_blocks,
    slab,
    walls_of,
)
from pentathlon.worlds.houses.scene.boards import floorboards
from pentathlon.worlds.modelling.colours import colour
from pentathlon.worlds.modelling.materials import Look, look
from pentathlon.worlds.modelling.mesh import Mesh, box_uvs, merge
from pentathlon.worlds.modelling.shapes import box
from pentathlon.worlds.modelling.textures import Texture, tile
from pentathlon.worlds.modelling.vistas import VIEW_KINDS, window_view

SLAB_M = 0.1
BASEBOARD_HEIGHT_M = 0.09
BASEBOARD_DEPTH_M = 0.014
CASING_M = 0.05
SILL_DEPTH_M = 0.036  # behind the folds of curtains: it would show through them as a row of bright dots
CEILING_GLOW = 0.42
OUTSIDE_GLOW = 0.75
# Floor and wall materials: the asset material and the tile that shows it.
FLOOR_LOOKS = {
    "carpet": ("fabric", "speckle"),
    "planks": ("wood", "planks"),
    "stone": ("stone", "stone"),
    "tile": ("ceramic", "tile"),
}
WALL_LOOKS = {
    "brick": ("stone", "brick"),
    "plaster": ("plaster", "plaster"),
    "tile": ("ceramic", "tile"),
    "wallpaper": ("paper", "ribbed"),
}
PALE = 0.55
VIEW_COUNT = 24


def build_shell(house: House) -> Asset:
    """Builds everything of a house that neither moves nor is furniture."""
    walls = walls_of(house)
    parts: list[Part] = []
    for room in house.rooms:
        own = [wall for wall in walls if wall.room == room.id]
        parts.append(_floor(room))
        parts.append(
            _part((block for wall in own for block in inner_blocks(wall, house.ceiling_m)), _wall_look(room.wall))
        )
        parts.append(_part((block for wall in own for block in _baseboards(wall)), look("wood", "white", texture="")))
    parts.append(_part((b for wall in walls for b in outer_blocks(wall, house.ceiling_m)), look("plaster", "cream")))
    framed = [(wall, opening) for wall in walls for opening in wall.openings if opening.top < house.ceiling_m]
    frames = [block for wall, opening in framed for block in _casing(wall, opening)]
    if frames:
        parts.append(_part(frames, look("wood", "white", texture="")))
    for window in house.windows:
        parts += _window_parts(house, window)
    return Asset(tuple(parts), tuple(_colliders(house, walls)), type_name="Shell", given_mass_kg=1000.0)


def build_ceiling(house: House) -> Asset:
    """Builds the ceilings, apart so that views from above can leave them out."""
    top = house.ceiling_m
    blocks = [Block(rect, top, top + SLAB_M) for room in house.rooms for rect in rectangles(room.outline_m)]
    surface = look("plaster", "white", emission=CEILING_GLOW)
    colliders = tuple(_collider(block) for block in blocks)
    return Asset((_part(blocks, surface),), colliders, type_name="Ceiling", given_mass_kg=1000.0)


def _floor(room: Room) -> Part:
    blocks = (Block(rect, -SLAB_M, 0.0) for rect in rectangles(room.outline_m))
    return _part(blocks, _floor_look(room.floor))


def _floor_look(finish: FloorFinish) -> Look:
    material, texture = FLOOR_LOOKS[finish.material]
    surface = floorboards() if finish.material == "planks" else tile(texture)
    return look(material, colour(finish.colour), texture=surface)


def _wall_look(finish: WallFinish) -> Look:
    """Walls are painted in pale shades of their colour."""
    material, texture = WALL_LOOKS[finish.material]
    tint = colour(finish.colour)
    red, green, blue = (1.0 - (1.0 - channel) * PALE for channel in tint.rgb)
    return look(material, replace(tint, rgb=(red, green, blue)), texture=tile(texture))


def _part(blocks: Iterable[Block], surface: Look) -> Part:
    mesh = merge([_box(block) for block in blocks])
    # In the frame of the house, so that textures run on from block to block.
    return Part(replace(mesh, uvs=box_uvs(mesh.vertices_m, mesh.normals)), surface)


def _box(block: Block) -> Mesh:
    rect = block.rect
    return box((rect.width, rect.depth, block.top - block.bottom)).moved(*rect.centre, (block.bottom + block.top) / 2)


def _baseboards(wall: Wall) -> Iterator[Block]:
    cursor, high = wall.edge.span[0] + HALF_WALL_M, wall.edge.span[1] - HALF_WALL_M
    for opening in (*(o for o in wall.openings if o.kind == "door"), None):
        end = high if opening is None else opening.low - CASING_M
        if end - cursor > 0.02:
            rect = slab(wall.edge, cursor, end, BASEBOARD_DEPTH_M, HALF_WALL_M)
            yield Block(rect, 0.0, BASEBOARD_HEIGHT_M)
        cursor = cursor if opening is None else opening.high + CASING_M


def _casing(wall: Wall, opening: Opening) -> Iterator[Block]:
    """The frame on the room's side: two posts and a lintel; windows have a sill as well."""
    low, high, bottom, top = opening.low, opening.high, opening.bottom, opening.top
    depth, offset = 0.018, HALF_WALL_M
    for start in (low - CASING_M, high):
        yield Block(slab(wall.edge, start, start + CASING_M, depth, offset), bottom, top + CASING_M)
    yield Block(slab(wall.edge, low, high, depth, offset), top, top + CASING_M)
    if opening.kind == "window":
        sill = slab(wall.edge, low - CASING_M - 0.02, high + CASING_M + 0.02, SILL_DEPTH_M, offset)
        yield Block(sill, bottom - 0.03, bottom)


def _window_parts(house: House, window: Window) -> list[Part]:
    edge = edge_of(house.room(window.room), window.centre_m, window.width_m)
    assert edge is not None
    along = window.centre_m[0 if edge.along_x else 1]
    low, high = along - window.width_m / 2, along + window.width_m / 2
    bottom, top = window.sill_m, window.sill_m + window.height_m
    sash = _part(_sash(edge, low, high, bottom, top), look("wood", "white", texture=""))
    glass = _part([Block(slab(edge, low, high, 0.004, -0.02), bottom, top)], look("glass", "white"))
    view = Block(slab(edge, low - 0.02, high + 0.02, 0.01, -HALF_WALL_M - 0.012), bottom - 0.02, top + 0.02)
    number = zlib.crc32(f"{house.name} {window.id}".encode()) % VIEW_COUNT
    picture = look(
        "paper",
        "white",
        texture=_view(number),
        emission=OUTSIDE_GLOW,
    )
    outside = Part(_box(view).with_projected_uvs("y" if edge.along_x else "x"), picture)
    return [sash, replace(glass, look=replace(glass.look, texture=None)), outside]


def _sash(edge: Edge, low: float, high: float, bottom: float, top: float) -> Iterator[Block]:
    bar, depth, offset = 0.045, 0.04, -0.04
    for start in (low, high - bar):
        yield Block(slab(edge, start, start + bar, depth, offset), bottom, top)
    for start in (bottom, top - bar):
        yield Block(slab(edge, low, high, depth, offset), start, start + bar)
    middle = (low + high) / 2
    if high - low > 0.8:
        yield Block(slab(edge, middle - 0.02, middle + 0.02, depth, offset), bottom, top)


@lru_cache(maxsize=VIEW_COUNT)
def _view(number: int) -> Texture:
    return window_view(np.random.default_rng([7, number]), VIEW_KINDS[number % len(VIEW_KINDS)])


def _colliders(house: House, walls: Iterable[Wall]) -> Iterator[Collider]:
    for room in house.rooms:
        for rect in rectangles(room.outline_m):
            yield _collider(Block(rect, -SLAB_M, 0.0))
    for wall in walls:
        for block in inner_blocks(wall, house.ceiling_m):
            yield _collider(block)
        for opening in wall.openings:
            if opening.kind == "window":
                yield _collider(Block(slab(wall.edge, opening.low, opening.high, 0.01), opening.bottom, opening.top))


def _collider(block: Block) -> Collider:
    rect = block.rect
    centre = (*rect.centre, (block.bottom + block.top) / 2)
    return Collider("box", centre, (rect.width, rect.depth, block.top - block.bottom))
