"""Replays the log of a film of a desk or a door."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from pentathlon.events.judge.data.films import describe
from pentathlon.events.judge.data.problem_sets import StepWords
from pentathlon.events.judge.films.tabletop.recipe import Recipe, shown


def replay(about: Mapping[str, Any], steps: Sequence[StepWords]) -> Iterator[str]:
    """Yields what is wrong with the steps of a log, by the recipe that it holds."""
    recipe = msgspec.convert(about, Recipe)
    if tuple(steps) != shown(recipe):
        yield f"the log has other steps than the recipe, whose moves show: {describe(shown(recipe))}"
