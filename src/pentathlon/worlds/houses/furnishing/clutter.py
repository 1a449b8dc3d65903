"""Small things on, in and under the furniture, with EXCALIBUR's randomised sizes and masses (paper, section 2.2)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import msgspec
import numpy as np

from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.assets.types import ObjectType
from pentathlon.worlds.houses.furnishing import placing
from pentathlon.worlds.houses.furnishing.footprint import Footprint, Solid, footprint, in_pieces, turned
from pentathlon.worlds.houses.furnishing.furnish import Furnisher
from pentathlon.worlds.houses.furnishing.likings import (
    FAVOURED,
    FOODS_PER_KITCHEN,
    UTENSILS,
    belongs,
    frequency,
    liking,
    most_alike,
)
from pentathlon.worlds.houses.furnishing.placing import Piece, Pose, thing_at
from pentathlon.worlds.houses.furnishing.recipes import RECIPES
from pentathlon.worlds.houses.furnishing.space import Thing
from pentathlon.worlds.houses.furnishing.states import open_some, plausible_state
from pentathlon.worlds.houses.furnishing.surfaces import LIFT_M, Surface
from pentathlon.worlds.houses.house import Room, State, Support
from pentathlon.worlds.houses.plan.polygons import Rect

SCALE = (0.8, 1.0)
MASS_FACTOR = (0.5, 1.5)
PER_SURFACE = 2.2
MOST_PER_ROOM = 18
FLOOR_CATEGORIES = frozenset({"sport", "toy", "container"})
FLOOR_TYPES = frozenset({"Backpack", "Boots", "Plunger", "Shoe"})
FLOOR_CHANCE = 0.5
UNDER_CHANCE = 0.45
BROKEN_CHANCE = 0.05
DROPPED = 20
LARGEST_UNDER_M = 0.35
# Solids are known by their upright boxes, but table tops may be round.
WELL_WITHIN = 0.65
# The middle of what shows of a thing is not exactly the middle of what it fills: backs of chairs are no shelter.
EDGE_M = 0.03
SHELTERS = frozenset({
    "ArmChair", "Bed", "Bench", "Chair", "CoffeeTable", "ConsoleTable", "Crib", "Desk", "DiningTable", "SideTable",
    "Sofa", "Stool",
})  # fmt: skip
REACH_M = 1.75


def scatter(furnisher: Furnisher) -> None:
    """Puts small things into every furnished room."""
    for room in furnisher.house.rooms:
        types = _belonging(room)
        if room.type == "Kitchen":
            _stock(furnisher, room, types)
        if types:
            _fill_surfaces(furnisher, room, types)
            _fill_floor(furnisher, room, types)
    open_some(furnisher)


def _belonging(room: Room) -> list[ObjectType]:
    placed_by_recipe = {name for row in RECIPES[room.type] for name in row.types if row.way == "on"}
    return [
        kind
        for name, kind in catalogue().items()
        if belongs(kind, room.type) and name not in placed_by_recipe - FAVOURED
    ]


def _stock(furnisher: Furnisher, room: Room, types: list[ObjectType]) -> None:
    """Puts what cooking takes into a kitchen: utensils, and several kinds of food."""
    surfaces = furnisher.surfaces[room.id]
    foods = [kind for kind in types if kind.category == "food"]
    chosen = furnisher.rng.permutation(len(foods))[:FOODS_PER_KITCHEN]
    for kind in (*(catalogue()[name] for name in UTENSILS), *(foods[i] for i in chosen)):
        # Another variant may fit where one does not.
        if surfaces and not _put(furnisher, room, kind, surfaces, len(surfaces)):
            _put(furnisher, room, kind, surfaces, len(surfaces))


def _fill_surfaces(furnisher: Furnisher, room: Room, types: list[ObjectType]) -> None:
    rng, surfaces = furnisher.rng, furnisher.surfaces[room.id]
    if not surfaces:
        return
    wanted = min(MOST_PER_ROOM, int(rng.poisson(PER_SURFACE * min(len(surfaces), 6))))
    weights = np.array([frequency(kind) for kind in types])
    drawn: dict[int, int] = {}
    for index in rng.choice(len(types), size=wanted, p=weights / weights.sum()).tolist():
        drawn[index] = drawn.get(index, 0) + 1
        if drawn[index] <= most_alike(types[index]):
            _put(furnisher, room, types[index], surfaces)


def _put(furnisher: Furnisher, room: Room, kind: ObjectType, surfaces: list[Surface], most: int = 3) -> bool:
    """Puts a thing on one of at most ``most`` surfaces; tells whether there was a place."""
    rng = furnisher.rng
    seed, view = furnisher.draw(kind.name)
    scale, mass_factor = _randomised(rng, view)
    weights = np.array([_weight(kind, surface) for surface in surfaces])
    count = min(most, int(np.count_nonzero(weights)))
    if not count:
        return False
    for index in rng.choice(len(surfaces), size=count, replace=False, p=weights / weights.sum()):
        surface = surfaces[int(index)]
        for pose in surface.poses(rng, view, scale, tries=6):
            bounds = scaled_thing(view, scale, pose).bounds
            if furnisher.spaces[room.id].touches(bounds, surface.piece.rect):
                continue
            surface.take(view, scale, pose)
            furnisher.small[room.id].append(bounds)
            support = Support(surface.relation, surface.piece.id)
            _add(furnisher, room, kind.name, seed, pose, scale, mass_factor, support, surface)
            return True
    return False


def _weight(kind: ObjectType, surface: Surface) -> float:
    fond = liking(kind, surface.piece.footprint.type.name)
    in_reach = 1.0 if surface.height_m < REACH_M else 0.05
    inside = 0.35 if surface.relation == "in" else 1.0
    return fond * in_reach * inside * math.sqrt(surface.rect.area)


def _fill_floor(furnisher: Furnisher, room: Room, types: list[ObjectType]) -> None:
    rng = furnisher.rng
    for chance, standing in ((FLOOR_CHANCE, True), (FLOOR_CHANCE, True), (UNDER_CHANCE, False)):
        if rng.random() >= chance:
            continue
        kinds = [kind for kind in types if _lies_about(kind)] if standing else types
        if kinds:
            weights = np.array([frequency(kind) for kind in kinds])
            kind = kinds[int(rng.choice(len(kinds), p=weights / weights.sum()))]
            shelter = None if standing else _shelter(furnisher, room)
            if standing or shelter is not None:
                _lay(furnisher, room, kind.name, shelter)
    if rng.random() < BROKEN_CHANCE:
        _drop(furnisher, room, types)


def _drop(furnisher: Furnisher, room: Room, types: list[ObjectType]) -> None:
    """Lays something on the floor that fell and broke: the first of a few things drawn that does break."""
    for index in furnisher.rng.permutation(len(types))[:DROPPED]:
        if _lay(furnisher, room, types[int(index)].name, None, broken=True):
            return


def _lies_about(kind: ObjectType) -> bool:
    return kind.category in FLOOR_CATEGORIES or kind.name in FLOOR_TYPES


def put_about(furnisher: Furnisher, room: Room, type_name: str) -> bool:
    """Puts a thing on the furniture of a room or on its floor; tells whether there was a place."""
    surfaces = furnisher.surfaces[room.id]
    on_furniture = bool(surfaces) and _put(furnisher, room, catalogue()[type_name], surfaces)
    return on_furniture or _lay(furnisher, room, type_name, None)


def lay_under(furnisher: Furnisher, room: Room, type_name: str, shelter: Piece) -> bool:
    """Lays a small thing under a piece of furniture; tells whether there was a place."""
    return _lay(furnisher, room, type_name, shelter)


def _shelter(furnisher: Furnisher, room: Room) -> Piece | None:
    pieces = [piece for piece in furnisher.pieces[room.id] if piece.footprint.type.name in SHELTERS]
    return pieces[int(furnisher.rng.integers(len(pieces)))] if pieces else None


def _lay(furnisher: Furnisher, room: Room, type_name: str, shelter: Piece | None, *, broken: bool = False) -> bool:
    """Lays a thing on the floor: in the open, or under ``shelter``; whole, or in pieces."""
    rng, space = furnisher.rng, furnisher.spaces[room.id]
    seed, view = furnisher.draw(type_name)
    scale, mass_factor = _randomised(rng, view)
    if broken and view.shards is None:
        return False
    view = in_pieces(view) if broken else view
    if shelter is not None and max(view.rect.width, view.rect.depth) > LARGEST_UNDER_M:
        return False
    poses = placing.anywhere(rng, space, view) if shelter is None else _under(rng, shelter)
    for pose in poses:
        thing = scaled_thing(view, scale, pose)
        floor_m = floor_height(furnisher, room, thing.bounds.rect)
        if floor_m is None or not space.fits(thing, gap_m=0.02, interlocking=shelter is not None):
            continue
        if shelter is not None and not _is_covered(shelter, thing, space.things):
            continue
        if shelter is None and not broken and not space.leaves_way([thing.bounds.rect]):
            continue
        space.things.append(thing)
        base = floor_m + LIFT_M - min(0.0, view.low_m[2] * scale)
        support = None if shelter is None else Support("under", shelter.id)
        pose = pose._replace(z=base)
        _add(furnisher, room, type_name, seed, pose, scale, mass_factor, support, broken=broken)
        return True
    return False


def scaled_thing(view: Footprint, scale: float, pose: Pose) -> Thing:
    """Returns what a scaled asset fills; its solids as one, for small things."""
    rect = Rect(*(value * scale for value in view.rect))
    bounds = Solid(
        turned(rect, pose.yaw_deg, pose.x, pose.y),
        pose.z + view.low_m[2] * scale,
        pose.z + view.high_m[2] * scale,
    )
    return Thing.block(bounds)


def _under(rng: np.random.Generator, shelter: Piece) -> Iterator[Pose]:
    rect = shelter.rect
    for _ in range(placing.TRIES):
        x, y = rng.uniform(rect.x0, rect.x1), rng.uniform(rect.y0, rect.y1)
        yield Pose(float(x), float(y), 0.0, float(rng.uniform(0.0, 360.0)))


def _is_covered(shelter: Piece, thing: Thing, others: list[Thing]) -> bool:
    """Tells whether of all that lies over the middle of the thing the shelter lies lowest."""
    x, y = thing.bounds.rect.centre
    cover = [
        Solid(solid.rect.grown(-EDGE_M), solid.bottom, solid.top)
        for solid in thing_at(shelter.footprint, shelter.pose).solids
        if min(solid.rect.width, solid.rect.depth) > 2 * EDGE_M
    ]
    own = _lowest_over(cover, x, y, thing.bounds.top, WELL_WITHIN)
    return own < math.inf and all(_lowest_over(other.solids, x, y, thing.bounds.top) >= own for other in others)


def _lowest_over(solids: Iterable[Solid], x: float, y: float, above_m: float, share: float = 1.0) -> float:
    bottoms = [
        solid.bottom
        for solid in solids
        if solid.bottom >= above_m
        and abs(x - solid.rect.centre[0]) < share * solid.rect.width / 2
        and abs(y - solid.rect.centre[1]) < share * solid.rect.depth / 2
    ]
    return min(bottoms, default=math.inf)


def floor_height(furnisher: Furnisher, room: Room, rect: Rect) -> float | None:
    """Height of the floor or rug under a rectangle; ``None`` across the edge of a rug."""
    for rug in furnisher.flats[room.id]:
        if rug.rect.overlaps(rect):
            # A turned or round rug is smaller than its bounds, so that what is inside shows in its own frame only.
            x, y = rug.pose.x, rug.pose.y
            own = turned(Rect(rect.x0 - x, rect.y0 - y, rect.x1 - x, rect.y1 - y), -rug.pose.yaw_deg)
            return max((solid.top for solid in rug.footprint.solids if solid.rect.contains(own)), default=None)
    return 0.0


def _randomised(rng: np.random.Generator, view: Footprint) -> tuple[float, float]:
    scale, mass_factor = float(rng.uniform(*SCALE)), float(rng.uniform(*MASS_FACTOR))
    return (round(scale, 3), round(mass_factor, 3)) if view.pickupable else (1.0, 1.0)


def _add(
    furnisher: Furnisher,
    room: Room,
    name: str,
    seed: int,
    pose: Pose,
    scale: float,
    mass_factor: float,
    support: Support | None,
    surface: Surface | None = None,
    *,
    broken: bool = False,
) -> None:
    covered = support is not None and surface is None
    state = plausible_state(furnisher.rng, footprint(name, seed), surface, covered=covered)
    state = State(broken=True) if broken else state
    item = pose.placed(furnisher.new_id(name), name, room, seed, support, state)
    furnisher.objects.append(msgspec.structs.replace(item, scale=scale, mass_factor=mass_factor))
