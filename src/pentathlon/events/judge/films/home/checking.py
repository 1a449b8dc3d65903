"""Replays the log of a film of a virtual home."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from pentathlon.events.judge.data.problem_sets import StepWords
from pentathlon.events.judge.films.home.recipe import Recipe, start_of
from pentathlon.events.judge.films.home.situation import follow
from pentathlon.events.judge.films.home.vocabulary import Deed, step_words


def replay(about: Mapping[str, Any], steps: Sequence[StepWords]) -> Iterator[str]:
    """Yields what is wrong with the steps of a log, by the recipe that it holds."""
    recipe = msgspec.convert(about, Recipe)
    deeds = tuple(Deed(step.action, step.object, step.target) for step in steps)  # type: ignore[arg-type]
    if deeds != recipe.deeds:
        yield "the log has other steps than the recipe"
    if follow(deeds, start_of(recipe)) is None:
        yield "the steps of the log cannot be done one after the other from the recipe's start"
    if [step_words(deed) for deed in deeds] != list(steps):
        yield "the log says its steps in other words"
