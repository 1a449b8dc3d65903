"""Doors and windows of a plan: a tree of doors that keeps bathrooms at its leaves, some loops, and daylight."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np

from pentathlon.worlds.houses.house import OUTSIDE, Door, Room, RoomType, Window
from pentathlon.worlds.houses.plan.floorplan import Plan, shared_spans
from pentathlon.worlds.houses.plan.polygons import Edge, edges
from pentathlon.worlds.houses.plan.walls import edge_of, outer_stretches

DOOR_WIDTH_M = 0.9
DOOR_HEIGHT_M = 2.05
WIDE_WIDTH_M = (1.2, 1.9)
OPEN_KITCHEN_CHANCE = 0.4
OPEN_KITCHEN_WIDTH_M = (2.0, 3.2)
OPEN_KITCHEN_HEIGHT_M = 2.4
JAMB_M = 0.18
LOOP_CHANCE = 0.35
WINDOW_CHANCE = 0.75
WINDOW_MARGIN_M = 0.35
DAY_ROOMS = ("LivingRoom", "Kitchen", "DiningRoom", "Hallway")

# How gladly people walk between two kinds of room, lower is better; pairs not listed cost UNUSUAL.
UNUSUAL = 6.0
COSTS: dict[frozenset[str], float] = {
    frozenset(pair): cost
    for pair, cost in (
        (("Hallway", "LivingRoom"), 1.0),
        (("Hallway", "Kitchen"), 1.2),
        (("Hallway", "Bedroom"), 1.0),
        (("Hallway", "Bathroom"), 1.0),
        (("Hallway", "Office"), 1.0),
        (("Hallway", "DiningRoom"), 1.3),
        (("LivingRoom", "Kitchen"), 1.1),
        (("LivingRoom", "DiningRoom"), 1.1),
        (("Kitchen", "DiningRoom"), 1.0),
        (("LivingRoom", "Bedroom"), 2.0),
        (("LivingRoom", "Office"), 2.0),
        (("LivingRoom", "Bathroom"), 2.6),
        (("Bedroom", "Bathroom"), 2.2),
        (("Bedroom", "Office"), 3.0),
        (("Kitchen", "Bathroom"), 4.0),
        (("Kitchen", "Bedroom"), 4.0),
    )
}
# A kitchen is often open towards where its food is eaten: a passage almost as wide and high as the wall.
OPEN_KITCHENS: tuple[set[RoomType], ...] = ({"Kitchen", "LivingRoom"}, {"Kitchen", "DiningRoom"})
ROOT_ORDER: tuple[RoomType, ...] = ("Hallway", "LivingRoom", "DiningRoom", "Kitchen", "Bedroom", "Office", "Bathroom")


class Link(NamedTuple):
    """Two rooms, by their place in the plan, and the wall between them."""

    first: int
    second: int
    along_x: bool
    line: float
    low: float
    high: float


def draw_doors(rng: np.random.Generator, plan: Plan, rooms: Sequence[Room]) -> tuple[Door, ...] | None:
    """Connects all rooms and adds an entrance; ``None`` when a bathroom would have to be walked through."""
    links = _links(plan)
    tree = _tree(plan, links)
    if tree is None:
        return None
    chosen = tree + [link for link in links if link not in tree and _makes_loop(rng, plan, link)]
    doors = [_door(rng, plan, rooms, link, f"door|{i}") for i, link in enumerate(chosen)]
    entrance = _entrance(rng, plan, rooms, f"door|{len(doors)}")
    return (*doors, entrance) if entrance is not None else tuple(doors)


def draw_windows(
    rng: np.random.Generator, rooms: Sequence[Room], doors: Sequence[Door], ceiling_m: float
) -> tuple[Window, ...]:
    """Puts windows into outer walls."""
    windows: list[Window] = []
    for room in rooms:
        for edge in edges(room.outline_m):
            for low, high in outer_stretches(edge, room, rooms):
                stretch = _longest_without_doors(edge, low, high, doors)
                window = _window(rng, room, edge, stretch, ceiling_m, f"window|{len(windows)}")
                if window is not None:
                    windows.append(window)
    return tuple(windows)


def _links(plan: Plan) -> list[Link]:
    found = []
    for (i, first), (j, second) in combinations(enumerate(plan), 2):
        for span in shared_spans(first, second)[:1]:
            if span[3] - span[2] >= DOOR_WIDTH_M + 2 * JAMB_M:
                found.append(Link(i, j, *span))
    return found


def _cost(plan: Plan, link: Link) -> float:
    return COSTS.get(frozenset((plan[link.first].type, plan[link.second].type)), UNUSUAL)


def _tree(plan: Plan, links: list[Link]) -> list[Link] | None:
    """Grows a cheapest tree from the most public room, never onwards from a bathroom unless it is the only room."""
    root = min(range(len(plan)), key=lambda i: ROOT_ORDER.index(plan[i].type))
    reached, tree = {root}, []
    while len(reached) < len(plan):
        border = [link for link in links if (link.first in reached) != (link.second in reached)]
        usable = [
            link for link in border if plan[link.first if link.first in reached else link.second].type != "Bathroom"
        ]
        if not usable:
            return None
        best = min(usable, key=lambda link: (_cost(plan, link), link))
        tree.append(best)
        reached |= {best.first, best.second}
    return tree


def _makes_loop(rng: np.random.Generator, plan: Plan, link: Link) -> bool:
    public = all(plan[i].type in DAY_ROOMS for i in (link.first, link.second))
    return public and _cost(plan, link) < UNUSUAL and bool(rng.random() < LOOP_CHANCE)


def _door(rng: np.random.Generator, plan: Plan, rooms: Sequence[Room], link: Link, door_id: str) -> Door:
    outer, inner = sorted((link.first, link.second), key=lambda i: (ROOT_ORDER.index(plan[i].type), i))
    if plan[inner].type in DAY_ROOMS:
        return _doorway(rng, plan, rooms, link, door_id)
    hinge, along = _beside_corner(rng, link, rooms[inner])
    centre = _point(link.along_x, link.line, along)
    names = rooms[inner].id, rooms[outer].id
    return Door(door_id, names, centre, DOOR_WIDTH_M, DOOR_HEIGHT_M, panel=True, hinge=hinge)


def _doorway(rng: np.random.Generator, plan: Plan, rooms: Sequence[Room], link: Link, door_id: str) -> Door:
    space = link.high - link.low - 2 * JAMB_M
    types = {plan[link.first].type, plan[link.second].type}
    names = rooms[link.first].id, rooms[link.second].id
    if types in OPEN_KITCHENS and space >= OPEN_KITCHEN_WIDTH_M[0] and rng.random() < OPEN_KITCHEN_CHANCE:
        width = round(min(float(rng.uniform(*OPEN_KITCHEN_WIDTH_M)), space - 0.01), 2)
        along = float(rng.uniform(link.low + JAMB_M + width / 2, link.high - JAMB_M - width / 2))
        return Door(door_id, names, _point(link.along_x, link.line, along), width, OPEN_KITCHEN_HEIGHT_M)
    narrow = "Hallway" in types or space < WIDE_WIDTH_M[0] + 0.5
    width = DOOR_WIDTH_M if narrow else round(min(float(rng.uniform(*WIDE_WIDTH_M)), space - 0.4), 2)
    along = float(rng.uniform(link.low + JAMB_M + width / 2, link.high - JAMB_M - width / 2))
    return Door(door_id, names, _point(link.along_x, link.line, along), width, DOOR_HEIGHT_M)


def _beside_corner(rng: np.random.Generator, link: Link, inner: Room) -> tuple[Literal["low", "high"], float]:
    """A door hinged at a corner of the room folds back against the side wall, out of the way."""
    low, high = link.low + JAMB_M + DOOR_WIDTH_M / 2, link.high - JAMB_M - DOOR_WIDTH_M / 2
    edge = edge_of(inner, _point(link.along_x, link.line, low), DOOR_WIDTH_M)
    corners = (link.low, link.high) if edge is None else edge.span
    at_low = link.low == corners[0] and (link.high != corners[1] or rng.random() < 0.5)
    return ("low", low) if at_low else ("high", high)


def _entrance(rng: np.random.Generator, plan: Plan, rooms: Sequence[Room], door_id: str) -> Door | None:
    order = sorted(range(len(plan)), key=lambda i: ROOT_ORDER.index(plan[i].type))
    for i in order:
        spans = [
            (edge, low, high)
            for edge in edges(rooms[i].outline_m)
            for low, high in outer_stretches(edge, rooms[i], rooms)
            if high - low >= DOOR_WIDTH_M + 2 * JAMB_M
        ]
        if spans:
            edge, low, high = spans[int(rng.integers(len(spans)))]
            along = float(rng.choice([low + JAMB_M + DOOR_WIDTH_M / 2, high - JAMB_M - DOOR_WIDTH_M / 2]))
            centre = _point(edge.along_x, edge.line, along)
            names = rooms[i].id, OUTSIDE
            return Door(door_id, names, centre, DOOR_WIDTH_M, DOOR_HEIGHT_M, panel=True, opening=0.0)
    return None


def _longest_without_doors(edge: Edge, low: float, high: float, doors: Sequence[Door]) -> tuple[float, float]:
    cuts = [low]
    for door in doors:
        along, across = door.centre_m if edge.along_x else door.centre_m[::-1]
        if abs(across - edge.line) < 1e-6 and low < along < high:
            cuts += [along - door.width_m / 2, along + door.width_m / 2]
    cuts = sorted([*cuts, high])
    gaps = list(zip(cuts[::2], cuts[1::2], strict=True))
    return max(gaps, key=lambda gap: gap[1] - gap[0])


def _window(
    rng: np.random.Generator,
    room: Room,
    edge: Edge,
    stretch: tuple[float, float],
    ceiling_m: float,
    window_id: str,
) -> Window | None:
    space = stretch[1] - stretch[0] - 2 * WINDOW_MARGIN_M
    chance = rng.random()
    wanted = float(rng.uniform(0.9, 2.0))
    small = room.type == "Bathroom"
    width = round(min(0.7 if small else wanted, space), 2)
    if chance > WINDOW_CHANCE or width < 0.6:
        return None
    middle = (stretch[0] + stretch[1]) / 2
    centre = _point(edge.along_x, edge.line, middle)
    sill, height = (1.45, 0.6) if small else (0.95, 1.25 if ceiling_m >= 2.5 else 1.05)
    return Window(window_id, room.id, centre, width, sill, height)


def _point(along_x: bool, line: float, along: float) -> tuple[float, float]:
    along = round(along, 3)
    return (along, line) if along_x else (line, along)
