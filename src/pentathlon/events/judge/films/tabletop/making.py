"""Makes films of a desk and of doors; what came of the movements is asked of the physics before a film is written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from pentathlon.core.errors import DataError
from pentathlon.events.judge.data.frames import Frames
from pentathlon.events.judge.films.shooting import Moments, Recorder, Take, always, never, save_take
from pentathlon.events.judge.films.tabletop.recipe import WORLD, Recipe, leftmost, shown
from pentathlon.worlds.tabletop.desk.desk import Desk
from pentathlon.worlds.tabletop.desk.door import Door
from pentathlon.worlds.tabletop.desk.fabric import Fabric

QUICK_PACE, DOOR_FRAMES, QUICK_FRAMES = 0.3, 36, 12


def make_film(path: Path, about: Any) -> None:
    """Makes the film of a recipe.

    Raises:
        DataError: when the physics disagrees with what the recipe is to show.
    """
    recipe = msgspec.convert(about, Recipe)
    save_take(path, WORLD, recipe, shoot(recipe))


def attempt(about: Mapping[str, Any]) -> None:
    """Does what a recipe says without looking.

    Raises:
        DataError: when the physics disagrees with what it is to show.
    """
    shoot(msgspec.convert(about, Recipe), look=never)


def shoot(recipe: Recipe, look: Moments = always) -> Take:
    """Does what a recipe says; returns what was seen, and when."""
    stage = _door if recipe.kind == "door" else _fabric if recipe.kind == "pin" else _desk
    eyes, moments, is_so = stage(recipe)
    recorder = Recorder(recipe, eyes, look)
    recorder.step(shown(recipe), moments)
    if not is_so():
        raise DataError(f"{recipe.kind} {recipe.seed}: expected to {shown(recipe).words}, the physics says otherwise.")
    return recorder.take()


Staged = tuple[Callable[[], Frames], Iterator[None], Callable[[], bool]]


def _desk(recipe: Recipe) -> Staged:
    desk = Desk(recipe.things, recipe.places, recipe.seed, recipe.side_px, QUICK_PACE if recipe.quick else 1.0)

    def moments() -> Iterator[None]:
        yield from desk.rest(5)
        for thing, place in recipe.moves:
            yield from desk.carry(thing, place)
        if recipe.kind == "shuffle":
            yield from desk.withdraw()
            yield from desk.rest(5)
        else:
            yield from desk.show(recipe.chosen)

    def is_so() -> bool:
        if recipe.kind != "shuffle":
            return desk.held == recipe.chosen and float(desk.place_of(recipe.chosen)[2]) > 0.15
        found = min(range(len(recipe.things)), key=lambda thing: float(desk.place_of(thing)[0]))
        return found == leftmost(recipe, moved=True)

    return desk.look, moments(), is_so


def _fabric(recipe: Recipe) -> Staged:
    fabric = Fabric(recipe.seed, recipe.side_px, QUICK_PACE if recipe.quick else 1.0)

    def moments() -> Iterator[None]:
        yield from fabric.pin(recipe.way)
        yield from fabric.pull(recipe.way)

    return fabric.look, moments(), lambda: fabric.together == (recipe.way == "both")


def _door(recipe: Recipe) -> Staged:
    door = Door(recipe.seed, is_open=not recipe.opens, side_px=recipe.side_px)
    frames = QUICK_FRAMES if recipe.quick else DOOR_FRAMES
    return door.look, door.swing(recipe.opens, frames), lambda: door.is_open == recipe.opens
