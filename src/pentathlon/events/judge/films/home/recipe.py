"""The recipe of a film: everything that its pixels depend on, as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from pentathlon.events.judge.data.problem_sets import Clip
from pentathlon.events.judge.films.home.situation import HAND, Situation, follow
from pentathlon.events.judge.films.home.vocabulary import Deed
from pentathlon.events.judge.films.shooting import recipe_clip
from pentathlon.worlds.houses.splits import Split

WORLD: Literal["virtual home"] = "virtual home"
MAKER = "pentathlon.events.judge.films.home.making:make_film"
VERSION = "home-film-v1"
SIDE_PX, FPS = 224, 12


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What makes a film.

    Attributes:
        seed: of the kitchen.
        things: types of the small things in it.
        start: words of things with the places where they are at first, those that the deeds depend on.
        held: word of the thing in the hand at first; empty for none.
        on: words of what is switched on at first.
        sliced: words of foods that are cut at first.
        dirty: words of things that are dirty at first.
        deeds: what is done, in order.
        quick: a few small frames in place of a film, for rehearsals.
    """

    split: Split
    seed: int
    things: tuple[str, ...]
    deeds: tuple[Deed, ...]
    start: dict[str, str] = {}
    held: str = ""
    on: tuple[str, ...] = ()
    sliced: tuple[str, ...] = ()
    dirty: tuple[str, ...] = ()
    quick: bool = False
    side_px: int = SIDE_PX
    fps: int = FPS
    version: str = VERSION


def write_recipe(
    split: Split,
    seed: int,
    things: Iterable[str],
    deeds: Sequence[Deed],
    *,
    on: Iterable[str] = (),
    sliced: Iterable[str] = (),
    dirty: Iterable[str] = (),
) -> Recipe:
    """Writes the recipe of deeds that can be done one after the other, with the start that they need."""
    after = follow(deeds)
    assert after is not None, deeds
    start = dict(after.start)
    held = next((word for word, where in start.items() if where == HAND), "")
    switched = {word for word, state in start.items() if state == "on"}
    places = {word: where for word, where in start.items() if where not in (HAND, "on", "off")}
    washed = {deed.object for deed in deeds if deed.action == "clean"}
    return Recipe(
        split=split,
        seed=seed,
        things=tuple(sorted(set(things))),
        deeds=tuple(deeds),
        start=dict(sorted(places.items())),
        held=held,
        on=tuple(sorted({*on, *switched})),
        sliced=tuple(sorted(sliced)),
        dirty=tuple(sorted({*dirty, *washed})),
    )


def clip_of(recipe: Recipe, labels: tuple[str, ...], miss: str = "") -> Clip:
    """The clip that a recipe makes."""
    return recipe_clip(WORLD, recipe, labels, miss)


def start_of(recipe: Recipe) -> Situation:
    """The situation at the start of a film."""
    held = (recipe.held, HAND) if recipe.held else None
    known = (*recipe.start.items(), *((held,) if held else ()))
    return Situation(recipe.held, known, known)
