"""Makes films of a virtual home: sets the kitchen up as a recipe says, does the deeds, and writes video and log.

After every deed the kitchen itself is asked whether its effect is there. A film that does not show what its log says is
not made.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from pentathlon.events.judge.films.home.acting import Actor
from pentathlon.events.judge.films.home.recipe import FPS, WORLD, Recipe
from pentathlon.events.judge.films.home.studio import build_studio
from pentathlon.events.judge.films.home.vocabulary import step_words
from pentathlon.events.judge.films.shooting import Filming, Moments, Recorder, Take, always
from pentathlon.worlds.houses.bodies.household.deeds import rest
from pentathlon.worlds.houses.bodies.household.person import FilmSettings, Gaze, Household
from pentathlon.worlds.houses.bodies.household.slices import compile_for_films
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.splits import Split

LIVELY = FilmSettings(setting="fast", walk_m=0.15, turn_deg=12.0, gesture_frames=8, rest_frames=6)
QUICK = replace(LIVELY, walk_m=0.6, turn_deg=60.0, gesture_frames=2, rest_frames=2)


def shoot(recipe: Recipe, look: Moments = always) -> Take:
    """Does the deeds of a recipe; returns what was seen, and when.

    Args:
        recipe: what to do.
        look: at which frames; the others are black, which tells fast whether a film can be made.
    """
    settings = QUICK if recipe.quick else _paced(recipe.fps)
    household = _household(recipe.split, recipe.seed, recipe.things, replace(settings, size_px=(recipe.side_px,) * 2))
    household.reset(_start(household.scene.house))
    actor = Actor(household)
    actor.set_up(recipe)
    recorder = Recorder(recipe, household.look, look)
    recorder.watch(rest(household, 0.5))
    for deed in recipe.deeds:
        recorder.step(step_words(deed), actor.do(deed))
        actor.require_effect(deed)
    return recorder.take()


FILMING = Filming(WORLD, Recipe, shoot)
make_film, attempt = FILMING.make_film, FILMING.attempt


def _paced(fps: int) -> FilmSettings:
    """The person's pace in frames: at fewer frames a second, more happens in each."""
    slower = FPS / fps
    return replace(
        LIVELY,
        walk_m=LIVELY.walk_m * slower,
        turn_deg=LIVELY.turn_deg * slower,
        gesture_frames=round(LIVELY.gesture_frames / slower),
        rest_frames=round(LIVELY.rest_frames / slower),
    )


@lru_cache(maxsize=1)
def _household(split: Split, seed: int, things: tuple[str, ...], settings: FilmSettings) -> Household:
    """Films of one problem set share their kitchen, which takes longer to build than a film to shoot."""
    scene = compile_for_films(build_studio(split, seed, things))
    return Household(scene, _start(scene.house), settings)


def _start(house: House) -> Gaze:
    assert house.start is not None
    x_m, y_m = house.start.position_m
    return Gaze(x_m, y_m, house.start.yaw_deg, pitch_deg=15.0)
