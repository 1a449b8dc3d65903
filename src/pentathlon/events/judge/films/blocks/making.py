"""Makes films of a voxel world: begins as a recipe says, does the deeds, and writes video and log.

After every deed the world itself is asked whether its effect is there. A film that does not show what its log says is
not made.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.core.identity import derive_seed
from pentathlon.events.judge.films.blocks.acting import Actor
from pentathlon.events.judge.films.blocks.recipe import VERSION, WORLD, Recipe
from pentathlon.events.judge.films.blocks.situation import EACH, follow
from pentathlon.events.judge.films.blocks.vocabulary import step_words
from pentathlon.events.judge.films.shooting import Filming, Moments, Recorder, Take, always
from pentathlon.worlds.blocks.land.ground import Land, StationName, build_land
from pentathlon.worlds.blocks.land.kinds import kind_of
from pentathlon.worlds.blocks.life.mobs import MOBS
from pentathlon.worlds.blocks.life.verbs import Pace, rest
from pentathlon.worlds.blocks.world import BlockWorld, Start

LIVELY, QUICK = Pace(), Pace(walk_m=1.2, turn_rad=1.0, blow=1, pause=1)
APART_RAD = 0.34


def shoot(recipe: Recipe, look: Moments = always) -> Take:
    """Does the deeds of a recipe; returns what was seen, and when.

    Args:
        recipe: what to do.
        look: at which frames; the others are black, which tells fast whether a film can be made.
    """
    world = _world(recipe.seed, recipe.wood, recipe.soil, recipe.ores, recipe.side_px)
    world.reset(start_of(recipe, world.land))
    actor = Actor(world, QUICK if recipe.quick else LIVELY)
    recorder = Recorder(recipe, world.look, look)
    recorder.watch(rest(world, 5))
    for deed in recipe.deeds:
        try:
            recorder.step(step_words(deed), actor.do(deed))
            actor.require_effect(deed)
        except DataError as error:
            raise DataError(f"land {recipe.seed}: {' '.join(filter(None, deed))}: {error}") from error
    recorder.watch(rest(world, 4))
    return recorder.take()


FILMING = Filming(WORLD, Recipe, shoot)
make_film, attempt = FILMING.make_film, FILMING.attempt


@lru_cache(maxsize=1)
def _world(seed: int, wood: str, soil: str, ores: tuple[str, ...], side_px: int) -> BlockWorld:
    """Films of one problem set share their land."""
    return BlockWorld(build_land(seed, wood, soil, ores), side_px)


def start_of(recipe: Recipe, land: Land) -> Start:
    """How a film begins: an animal that is attacked first is in view, one that is found is not."""
    situation = follow(recipe.deeds)
    assert situation is not None, recipe.deeds
    rng = np.random.default_rng(derive_seed(VERSION, recipe.split, recipe.seed, "view"))
    pasture = land.stations["pasture"].angle_rad
    first = recipe.deeds[0].action
    yaw = float(rng.uniform(0, 2 * math.pi))
    if first in ("attack", "find"):
        yaw = pasture + (0.0 if first == "attack" else math.pi) + float(rng.uniform(-0.3, 0.3))
    middle = (len(situation.mobs) - 1) / 2
    mobs = {name: pasture + APART_RAD * (i - middle) for i, name in enumerate(dict.fromkeys(situation.mobs))}
    lying = tuple(
        (item, 1, land.stations[_station_of(item, recipe)].angle_rad + 0.12 * (i - 0.5))
        for item in recipe.lying
        for i in range(EACH)
    )
    return Start(yaw, recipe.carried, mobs, tuple(situation.away), lying)


def _station_of(item: str, recipe: Recipe) -> StationName:
    """Where an item lies about: before the station that it comes from."""
    if item in {mob.drop for mob in MOBS.values()}:
        return "pasture"
    if item in {kind_of(ore).item for ore in recipe.ores}:
        return "rock"
    return "heap" if item == kind_of(recipe.soil).item else "tree"
