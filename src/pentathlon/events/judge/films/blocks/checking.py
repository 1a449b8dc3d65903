"""Replays the log of a film of a voxel world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from pentathlon.events.judge.data.problem_sets import StepWords
from pentathlon.events.judge.films.blocks.recipe import Recipe
from pentathlon.events.judge.films.blocks.situation import follow
from pentathlon.events.judge.films.blocks.vocabulary import Deed, step_words


def replay(about: Mapping[str, Any], steps: Sequence[StepWords]) -> Iterator[str]:
    """Yields what is wrong with the steps of a log, by the recipe that it holds."""
    recipe = msgspec.convert(about, Recipe)
    deeds = tuple(Deed(step.action, step.object, step.target) for step in steps)  # type: ignore[arg-type]
    if deeds != recipe.deeds:
        yield "the log has other steps than the recipe"
    situation = follow(deeds)
    if situation is None:
        yield "the steps of the log cannot be done one after the other"
    elif situation.needs - carried(recipe) or set(situation.at_start) != set(recipe.lying):
        yield "the steps of the log need another start than the recipe's"
    if [step_words(deed) for deed in deeds] != list(steps):
        yield "the log says its steps in other words"


def carried(recipe: Recipe) -> Counter[str]:
    """What is carried at the start, counted."""
    return Counter(dict(recipe.carried))
