"""Makes films of a desk and of doors; what came of the movements is asked of the physics before a film is written."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from pentathlon.core.errors import DataError
from pentathlon.events.judge.data.films import describe
from pentathlon.events.judge.data.frames import Frames
from pentathlon.events.judge.films.shooting import Filming, Moments, Recorder, Take, always
from pentathlon.events.judge.films.tabletop.recipe import WORLD, Recipe, leftmost, shown
from pentathlon.worlds.tabletop.desk.desk import Desk
from pentathlon.worlds.tabletop.desk.door import Door
from pentathlon.worlds.tabletop.desk.fabric import Fabric

QUICK_PACE, DOOR_FRAMES, QUICK_FRAMES = 0.3, 36, 12
NUDGE = 0.15
"""Share of its way that a door is moved by at most where it is left as it was."""
NEAR_M, HIGH_M = 0.03, 0.15


def shoot(recipe: Recipe, look: Moments = always) -> Take:
    """Does what a recipe says; returns what was seen, and when."""
    stage = _door if recipe.kind == "door" else _fabric if recipe.kind == "pin" else _desk
    eyes, deeds, is_so = stage(recipe)
    recorder = Recorder(recipe, eyes, look)
    for words, moments in zip(shown(recipe), deeds, strict=True):
        recorder.step(words, moments)
    if not is_so():
        told = describe(shown(recipe))
        raise DataError(f"{recipe.kind} {recipe.seed}: expected: {told}. The physics says otherwise.")
    return recorder.take()


FILMING = Filming(WORLD, Recipe, shoot)
make_film, attempt = FILMING.make_film, FILMING.attempt


Staged = tuple[Callable[[], Frames], Sequence[Iterator[None]], Callable[[], bool]]
"""What sees, what is done in each step, and whether it came out so."""


def _desk(recipe: Recipe) -> Staged:
    desk = Desk(recipe.things, recipe.places, recipe.seed, recipe.side_px, QUICK_PACE if recipe.quick else 1.0)
    if recipe.kind in ("shuffle", "tidy"):
        return desk.look, _moving(desk, recipe), lambda: _is_moved(desk, recipe)
    return desk.look, _picking(desk, recipe), lambda: _is_picked(desk, recipe)


def _moving(desk: Desk, recipe: Recipe) -> list[Iterator[None]]:
    """Carries things one after the other; shuffling is one step, tidying has one for each."""
    carried = [desk.carry(thing, place) for thing, place in recipe.moves]
    begin, end = desk.rest(5), chain(desk.withdraw(), desk.rest(5))
    if recipe.kind == "shuffle":
        return [chain(begin, *carried, end)]
    carried[0], carried[-1] = chain(begin, carried[0]), chain(carried[-1], end)
    return carried


def _is_moved(desk: Desk, recipe: Recipe) -> bool:
    if recipe.kind == "shuffle":
        found = min(range(len(recipe.things)), key=lambda thing: float(desk.place_of(thing)[0]))
        return found == leftmost(recipe, moved=True)
    return all(math.dist(desk.place_of(thing)[:2], place) < NEAR_M for thing, place in dict(recipe.moves).items())


def _picking(desk: Desk, recipe: Recipe) -> list[Iterator[None]]:
    thing, place = recipe.chosen, recipe.places[recipe.chosen]
    if recipe.ending == "left out":
        return [chain(desk.rest(5), desk.reach_for(thing), desk.withdraw(), desk.rest(5))]
    picked = chain(desk.rest(5), desk.show(thing))
    if not recipe.ending:
        return [picked]
    back = desk.put(thing, place)
    return [picked, back, desk.show(thing)] if recipe.ending == "twice" else [picked, chain(back, desk.withdraw())]


def _is_picked(desk: Desk, recipe: Recipe) -> bool:
    if recipe.ending in ("", "twice"):
        return desk.held == recipe.chosen and float(desk.place_of(recipe.chosen)[2]) > HIGH_M
    return desk.held is None and math.dist(desk.place_of(recipe.chosen)[:2], recipe.places[recipe.chosen]) < NEAR_M


def _fabric(recipe: Recipe) -> Staged:
    fabric = Fabric(recipe.seed, recipe.side_px, QUICK_PACE if recipe.quick else 1.0)
    before = fabric.pin("pulled out") if recipe.ending == "twice" else iter(())
    if recipe.ending == "left out":
        return fabric.look, [chain(fabric.wait(12), fabric.pull("pulled out"))], lambda: not fabric.together
    deeds = [chain(before, fabric.pin(recipe.way), fabric.pull(recipe.way))]
    return fabric.look, deeds, lambda: fabric.together == (recipe.way == "both")


def _door(recipe: Recipe) -> Staged:
    door = Door(recipe.seed, is_open=not recipe.opens, side_px=recipe.side_px)
    frames, opens = QUICK_FRAMES if recipe.quick else DOOR_FRAMES, recipe.opens
    directions = {"undone": (opens, not opens), "twice": (opens, not opens, opens)}.get(recipe.ending, (opens,))
    deeds = [door.swing(one, frames) for one in directions]
    if recipe.ending == "left out":
        deeds = [chain(door.swing(opens, frames // 2, NUDGE), door.swing(not opens, frames // 2))]
    stays = recipe.ending in ("", "twice")
    return door.look, deeds, lambda: door.is_open == (opens if stays else not opens)
