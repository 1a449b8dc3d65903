"""What the player does: each verb is a generator that yields once for every frame."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.worlds.blocks.land.ground import FLOOR, Cell, StationName
from pentathlon.worlds.blocks.land.kinds import kind_of
from pentathlon.worlds.blocks.life.mobs import mob_of
from pentathlon.worlds.blocks.life.player import EYES_M
from pentathlon.worlds.blocks.life.recipes import crafting_recipe
from pentathlon.worlds.blocks.looks.display import Grid
from pentathlon.worlds.blocks.world import BlockWorld, turn_between

STAND_M, REACH_M = 2.9, 2.1


class Pace:
    """How much happens in a frame.

    Attributes:
        walk_m: way of a frame.
        turn_rad: most that the view turns in one.
        blow: frames of a swing of the arm.
        pause: frames between things done in a crafting table.
    """

    def __init__(self, walk_m: float = 0.22, turn_rad: float = 0.20, blow: int = 5, pause: int = 3) -> None:
        self.walk_m, self.turn_rad, self.blow, self.pause = walk_m, turn_rad, blow, pause


def rest(world: BlockWorld, frames: int) -> Iterator[None]:
    """Stands and looks."""
    for _ in range(frames):
        world.tick()
        yield


def turn_to(world: BlockWorld, yaw_rad: float, pitch_rad: float, pace: Pace) -> Iterator[None]:
    """Turns the view the shorter way round."""
    player = world.player
    left = turn_between(player.yaw_rad, yaw_rad)
    frames = max(1, math.ceil(abs(left) / pace.turn_rad), math.ceil(abs(pitch_rad - player.pitch_rad) / pace.turn_rad))
    first_yaw, first_pitch = player.yaw_rad, player.pitch_rad
    for frame in range(1, frames + 1):
        share = frame / frames
        ease = share * share * (3 - 2 * share)
        player.yaw_rad = first_yaw + left * ease
        player.pitch_rad = first_pitch + (pitch_rad - first_pitch) * ease
        world.tick()
        yield


def walk_to(world: BlockWorld, x_m: float, y_m: float, pace: Pace, *, turn: bool = True) -> Iterator[None]:
    """Walks straight, looking where one goes unless told otherwise."""
    player = world.player
    far_m = math.hypot(x_m - player.x_m, y_m - player.y_m)
    if far_m < 0.05:
        return
    if turn:
        yield from turn_to(world, math.atan2(y_m - player.y_m, x_m - player.x_m), 0.15, pace)
    frames = max(1, math.ceil(far_m / pace.walk_m))
    step = np.array([x_m - player.x_m, y_m - player.y_m]) / frames
    for _ in range(frames):
        player.x_m, player.y_m = player.x_m + float(step[0]), player.y_m + float(step[1])
        player.stride_m += far_m / frames
        world.tick()
        yield


def aim(world: BlockWorld, point_m: tuple[float, float, float], pace: Pace) -> Iterator[None]:
    """Looks at a point."""
    player = world.player
    dx, dy = point_m[0] - player.x_m, point_m[1] - player.y_m
    down = math.atan2(FLOOR + EYES_M - point_m[2], math.hypot(dx, dy))
    yield from turn_to(world, math.atan2(dy, dx), down, pace)


def go_to_station(world: BlockWorld, name: StationName, pace: Pace) -> Iterator[None]:
    """Turns to a station and walks up to it."""
    station = world.land.stations[name]
    x, y = world.land.middle_m
    spot = x + STAND_M * math.cos(station.angle_rad), y + STAND_M * math.sin(station.angle_rad)
    yield from turn_to(world, station.angle_rad, 0.15, pace)
    yield from walk_to(world, *spot, pace, turn=False)


def swing(world: BlockWorld, pace: Pace) -> Iterator[None]:
    """A blow with what is in the hand."""
    for frame in range(1, pace.blow + 1):
        world.player.swing = frame / pace.blow
        world.tick()
        yield
    world.player.swing = 0.0


def middle_of(cell: Cell) -> tuple[float, float, float]:
    """The middle of a block."""
    return cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.5


def break_block(world: BlockWorld, cell: Cell, pace: Pace) -> Iterator[None]:
    """Breaks a block with the tool for it, if one is carried; what it leaves falls down."""
    name = world.blocks[cell]
    kind = kind_of(name)
    yield from aim(world, middle_of(cell), pace)
    world.player.select(kind.tool if world.player.count(kind.tool) else "")
    for blow in range(1, kind.blows + 1):
        yield from swing(world, pace)
        if blow < kind.blows:
            world.set_block(cell, name, blow)
    world.set_block(cell, "air")
    world.spill(kind.item, np.array(middle_of(cell)))
    yield from rest(world, 3)


def place_block(world: BlockWorld, cell: Cell, name: str, pace: Pace) -> Iterator[None]:
    """Puts a block that is carried into an empty cell.

    Raises:
        DataError: when the cell is taken.
    """
    if world.blocks[cell] != "air":
        raise DataError(f"Expected an empty cell for {name}, got {world.blocks[cell]} at {cell}.")
    world.player.select(name)
    yield from aim(world, (cell[0] + 0.5, cell[1] + 0.5, cell[2] + 0.1), pace)
    yield from rest(world, 2)
    for number, _ in enumerate(swing(world, pace)):
        if number == pace.blow // 2:
            world.set_block(cell, name)
        yield
    world.player.lose(name)
    yield from rest(world, 2)


def craft(world: BlockWorld, name: str, pace: Pace) -> Iterator[None]:
    """Opens the crafting table, lays out what is needed, and takes what comes of it."""
    recipe, player = crafting_recipe(name), world.player
    yield from aim(world, middle_of(world.land.stations["bench"].cells[0]), pace)
    yield from swing(world, pace)
    places = [""] * 9
    player.grid = Grid(tuple(places))
    yield from rest(world, pace.pause)
    for place, item in enumerate(recipe.places):
        if item:
            player.lose(item)
            places[place] = item
            player.grid = Grid(tuple(places))
            yield from rest(world, pace.pause)
    player.grid = Grid(tuple(places), name)
    yield from rest(world, 3 * pace.pause)
    player.gain(name, recipe.made)
    player.grid = Grid(("",) * 9)
    yield from rest(world, 2 * pace.pause)
    player.grid = None
    player.select(name)
    yield from rest(world, 2 * pace.pause)


def find(world: BlockWorld, mob: str, pace: Pace) -> Iterator[None]:
    """Looks away, and around until a mob comes into view, and walks towards it."""
    state, player = world.mobs[mob], world.player
    if world.faces(mob):
        yield from turn_to(world, player.yaw_rad + 2.2, 0.15, pace)
    state.away = False
    slow = Pace(pace.walk_m, pace.turn_rad / 2, pace.blow, pace.pause)
    yield from turn_to(world, math.atan2(state.y_m - player.y_m, state.x_m - player.x_m), 0.15, slow)
    x, y = world.land.middle_m
    angle = math.atan2(state.y_m - y, state.x_m - x)
    yield from walk_to(world, x + 1.6 * math.cos(angle), y + 1.6 * math.sin(angle), pace, turn=False)
    yield from rest(world, 3)


def attack(world: BlockWorld, mob: str, pace: Pace) -> Iterator[None]:
    """Walks up to a mob and hits it until it falls and leaves something."""
    state, kind, player = world.mobs[mob], mob_of(mob), world.player
    yield from turn_to(world, math.atan2(state.y_m - player.y_m, state.x_m - player.x_m), 0.2, pace)
    player.select("sword" if player.count("sword") else "")
    yield from _approach(world, mob, pace)
    for blow in range(kind.blows):
        for number, _ in enumerate(swing(world, pace)):
            if number == pace.blow // 2:
                state.blows, state.hurt = blow + 1, 4
                _knock(world, mob)
            yield
    for frame in range(1, 5):
        state.fallen = frame / 4
        world.tick()
        yield
    del world.mobs[mob]
    world.spill(kind.drop, np.array([state.x_m, state.y_m, FLOOR + 0.6]))
    yield from rest(world, 4)


def _approach(world: BlockWorld, mob: str, pace: Pace) -> Iterator[None]:
    """The player walks up to an animal; a hostile mob comes to the player."""
    state, player = world.mobs[mob], world.player
    hostile = mob_of(mob).hostile
    while math.hypot(state.x_m - player.x_m, state.y_m - player.y_m) > REACH_M:
        way = math.atan2(state.y_m - player.y_m, state.x_m - player.x_m)
        if hostile:
            state.x_m, state.y_m = state.x_m - 0.16 * math.cos(way), state.y_m - 0.16 * math.sin(way)
            state.heading_rad, state.stride = way + math.pi, state.stride + 0.6
        step = pace.walk_m * (0.3 if hostile else 1.0)
        player.x_m, player.y_m = player.x_m + step * math.cos(way), player.y_m + step * math.sin(way)
        player.stride_m += step
        world.tick()
        yield
    yield from aim(world, (state.x_m, state.y_m, FLOOR + 0.9), pace)


def _knock(world: BlockWorld, mob: str) -> None:
    state, player = world.mobs[mob], world.player
    way = math.atan2(state.y_m - player.y_m, state.x_m - player.x_m)
    state.x_m, state.y_m = state.x_m + 0.12 * math.cos(way), state.y_m + 0.12 * math.sin(way)
    state.stride += 1.3


def pick_up(world: BlockWorld, item: str, pace: Pace) -> Iterator[None]:
    """Walks over every thing of a kind that lies about; each flies to the player.

    Raises:
        DataError: when none lies about.
    """
    lying = [drop for drop in world.drops if drop.item == item]
    if not lying:
        raise DataError(f"Expected {item} lying about, found none.")
    player = world.player
    for drop in lying:
        yield from aim(world, (float(drop.place_m[0]), float(drop.place_m[1]), FLOOR + 0.5), pace)
        way = drop.place_m[:2] - np.array([player.x_m, player.y_m])
        far_m = float(np.linalg.norm(way))
        goal = np.array([player.x_m, player.y_m]) + way * max(0.0, 1.0 - 0.9 / max(far_m, 1e-6))
        yield from walk_to(world, float(goal[0]), float(goal[1]), pace, turn=False)
        start = drop.place_m.copy()
        for frame in range(1, 4):
            drop.place_m = start + (player.eye_m - np.array([0.0, 0.0, 0.5]) - start) * frame / 3
            world.tick()
            yield
        world.drops = [one for one in world.drops if one is not drop]
        player.gain(item, drop.count)
    yield from rest(world, 3)
