"""The worlds that films are made in, each with what plans its problem sets; nothing is imported until one is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from pentathlon.core.errors import UnknownIdError
from pentathlon.core.registry import resolve
from pentathlon.core.tiers import Tier
from pentathlon.events.judge.data.problem_sets import ProblemSet

Planner: TypeAlias = Callable[[str, int, Tier], tuple[ProblemSet, ...]]
"""Plans the problem sets of a group and level, the same ones every time, without making anything."""
Shortener: TypeAlias = Callable[[ProblemSet], ProblemSet]
"""Returns a problem set of few and short films, for rehearsals."""


class World(NamedTuple):
    """A world, by reference.

    Attributes:
        plan: ``module:function`` of a :data:`Planner`.
        shorten: ``module:function`` of a :data:`Shortener`.
    """

    plan: str
    shorten: str


_HOME = "pentathlon.events.judge.films.home.plan"
WORLDS: dict[str, World] = {"virtual-home": World(f"{_HOME}:plan", f"{_HOME}:shorten")}


def plan(world: str, group: str, level: int, tier: Tier) -> tuple[ProblemSet, ...]:
    """Plans the problem sets of a world."""
    planner: Planner = resolve(_world(world).plan)
    return planner(group, level, tier)


def shorten(world: str, problem_set: ProblemSet) -> ProblemSet:
    """Returns a problem set of few and short films."""
    shortener: Shortener = resolve(_world(world).shorten)
    return shortener(problem_set)


def _world(name: str) -> World:
    if name not in WORLDS:
        raise UnknownIdError("world of films", name, WORLDS)
    return WORLDS[name]
