"""Makes films of a virtual home: sets the kitchen up as a recipe says, does the deeds, and writes video and log.

After every deed the kitchen itself is asked whether its effect is there. A film that does not show what its log says is
not made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from pentathlon.events.judge.data.films import FilmLog, LoggedStep, describe, write_film
from pentathlon.events.judge.data.frames import Frames
from pentathlon.events.judge.films.home.acting import Actor
from pentathlon.events.judge.films.home.recipe import WORLD, Recipe
from pentathlon.events.judge.films.home.studio import build_studio
from pentathlon.events.judge.films.home.vocabulary import Deed, step_words
from pentathlon.worlds.houses.bodies.household.deeds import rest
from pentathlon.worlds.houses.bodies.household.person import FilmSettings, Gaze, Household
from pentathlon.worlds.houses.bodies.household.slices import compile_for_films
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.splits import Split

LIVELY = FilmSettings(setting="fast", walk_m=0.15, turn_deg=12.0, gesture_frames=8, rest_frames=6)
LEAST_QUICK = 40
QUICK = replace(LIVELY, walk_m=0.6, turn_deg=60.0, gesture_frames=2, rest_frames=2)


def make_film(path: Path, about: Any) -> None:
    """Makes the film of a recipe.

    Raises:
        DataError: when a deed cannot be done, or leaves no effect.
    """
    recipe = msgspec.convert(about, Recipe)
    frames, steps = shoot(recipe)
    write_film(path, frames, film_log(recipe, len(frames), steps))


def film_log(recipe: Recipe, frames: int, steps: Sequence[tuple[Deed, int, int]]) -> FilmLog:
    """Writes down what was done: deeds with their first frames and the ones after them."""
    logged = tuple(
        LoggedStep(*step_words(deed), start_s=begin / recipe.fps, end_s=end / recipe.fps) for deed, begin, end in steps
    )
    return FilmLog(
        world=WORLD,
        split=recipe.split,
        fps=recipe.fps,
        frames=frames,
        description=describe([step.plain for step in logged]),
        steps=logged,
        recipe=msgspec.to_builtins(recipe),
    )


def always(place: int) -> bool:
    """Looks at every frame."""
    return True


def never(place: int) -> bool:
    """Looks at no frame."""
    return False


def shoot(recipe: Recipe, look: Callable[[int], bool] = always) -> tuple[Frames, list[tuple[Deed, int, int]]]:
    """Does the deeds of a recipe; returns what was seen, and each deed with its first frame and the one after it.

    Args:
        recipe: what to do.
        look: whether to see the frame of a number; others are black. Looking at none tells fast whether a film can be
            made, and how long it is.
    """
    household = _household(recipe.split, recipe.seed, recipe.things, recipe.side_px, recipe.quick)
    household.reset(_start(household.scene.house))
    actor = Actor(household)
    actor.set_up(recipe)
    black = np.zeros((recipe.side_px, recipe.side_px, 3), np.uint8)
    frames: list[Frames] = []
    steps: list[tuple[Deed, int, int]] = []

    def watch(moments: Iterator[None]) -> None:
        for _ in moments:
            frames.append(household.look() if look(len(frames)) else black)

    watch(rest(household, 0.5))
    for deed in recipe.deeds:
        begin = len(frames)
        watch(actor.do(deed))
        actor.require_effect(deed)
        steps.append((deed, begin, len(frames)))
    # A judge may ask for many frames, of a rehearsal too.
    frames += [frames[-1]] * (LEAST_QUICK - len(frames) if recipe.quick else 0)
    return np.stack(frames), steps


@lru_cache(maxsize=1)
def _household(split: Split, seed: int, things: tuple[str, ...], side_px: int, quick: bool) -> Household:
    """Films of one problem set share their kitchen, which takes longer to build than a film to shoot."""
    settings = QUICK if quick else LIVELY
    scene = compile_for_films(build_studio(split, seed, things))
    return Household(scene, _start(scene.house), replace(settings, size_px=(side_px, side_px)))


def _start(house: House) -> Gaze:
    assert house.start is not None
    x_m, y_m = house.start.position_m
    return Gaze(x_m, y_m, house.start.yaw_deg, pitch_deg=15.0)
