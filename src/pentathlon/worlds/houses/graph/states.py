"""Words for the state of an object: each ability has a word for either side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pentathlon.worlds.houses.assets.asset import Ability
from pentathlon.worlds.houses.house import State

# The ability that makes a field of the state matter, the field, and the words for when it holds and when not.
WORDS: tuple[tuple[Ability, str, str, str], ...] = (
    ("toggleable", "on", "on", "off"),
    ("sliceable", "sliced", "sliced", "whole"),
    ("dirtyable", "dirty", "dirty", "clean"),
    ("fillable", "filled", "filled", "empty"),
    ("breakable", "broken", "broken", "intact"),
)


def state_words(abilities: frozenset[Ability], state: State) -> Iterator[str]:
    """Yields what is so about an object; what is neither hot nor cold has the room's temperature and no word."""
    for ability, field, holds, fails in WORDS:
        if ability in abilities:
            yield holds if getattr(state, field) else fails
    if state.hot:
        yield "hot"
    if state.cold:
        yield "cold"


def opening_word(openings: Sequence[float], closed: float, half_open: float) -> str:
    """Returns the word for how far the most open joint is."""
    most = max(openings)
    return "closed" if most <= closed else "partly open" if most <= half_open else "open"
