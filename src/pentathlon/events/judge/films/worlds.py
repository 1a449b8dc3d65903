"""The worlds that films are made in, each with what plans its problem sets; nothing is imported until one is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from pentathlon.core.errors import UnknownIdError
from pentathlon.core.registry import resolve
from pentathlon.core.tiers import Tier
from pentathlon.events.judge.data.problem_sets import ProblemSet, StepWords

Planner: TypeAlias = Callable[[str, int, Tier], tuple[ProblemSet, ...]]
"""Plans the problem sets of a group and level, the same ones every time, without making anything."""
Shortener: TypeAlias = Callable[[ProblemSet], ProblemSet]
"""Returns a problem set of few and short films, for rehearsals."""
Replay: TypeAlias = Callable[[Mapping[str, Any], Sequence[StepWords]], Iterator[str]]
"""Yields what is wrong with the steps of a log, by the recipe that it holds."""
Trial: TypeAlias = Callable[[Mapping[str, Any]], None]
"""Does the steps of a recipe without looking; raises DataError where one cannot be done."""


class World(NamedTuple):
    """A world, by reference.

    Attributes:
        plan: ``module:function`` of a :data:`Planner`.
        shorten: of a :data:`Shortener`.
        replay: of a :data:`Replay`.
        attempt: of a :data:`Trial`.
        setting: of the eyes that see it.
    """

    plan: str
    shorten: str
    replay: str
    attempt: str
    setting: str


def _row(folder: str, setting: str) -> World:
    module = f"pentathlon.events.judge.films.{folder}"
    return World(
        f"{module}.plan:plan",
        f"{module}.plan:shorten",
        f"{module}.checking:replay",
        f"{module}.making:attempt",
        setting,
    )


WORLDS: dict[str, World] = {
    "virtual-home": _row("home", "fast"),
    "blocks": _row("blocks", "fine"),
    "tabletop": _row("tabletop", "fine"),
}


def plan(world: str, group: str, level: int, tier: Tier) -> tuple[ProblemSet, ...]:
    """Plans the problem sets of a world."""
    planner: Planner = resolve(_world(world).plan)
    return planner(group, level, tier)


def shorten(world: str, problem_set: ProblemSet) -> ProblemSet:
    """Returns a problem set of few and short films."""
    shortener: Shortener = resolve(_world(world).shorten)
    return shortener(problem_set)


def replay(world: str, recipe: Mapping[str, Any], steps: Sequence[StepWords]) -> Iterator[str]:
    """Yields what is wrong with the steps of a film's log."""
    found: Replay = resolve(_world(world).replay)
    return found(recipe, steps)


def attempt(world: str, recipe: Mapping[str, Any]) -> None:
    """Does what a film would show without looking.

    Raises:
        DataError: naming what cannot be done.
    """
    trial: Trial = resolve(_world(world).attempt)
    trial(recipe)


def film_setting(world: str) -> str:
    """Returns the setting of the eyes that a world's films are seen with."""
    return _world(world).setting


def _world(name: str) -> World:
    name = name.replace(" ", "-")
    if name not in WORLDS:
        raise UnknownIdError("world of films", name, WORLDS)
    return WORLDS[name]
