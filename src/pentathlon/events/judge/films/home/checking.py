"""Checks a film of a virtual home: does its log tell what its recipe did, and its description what its log tells?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec

from pentathlon.core.errors import DataError
from pentathlon.events.judge.data.films import FilmLog, describe, read_log
from pentathlon.events.judge.data.frames import count_frames
from pentathlon.events.judge.films.home.recipe import Recipe, start_of
from pentathlon.events.judge.films.home.situation import follow
from pentathlon.events.judge.films.home.vocabulary import Deed, step_words

LEAST_FPS, MOST_FPS = 8, 16


def film_problems(film: Path, sentence: str = "") -> list[str]:
    """Replays the log of a film and lists what is wrong; ``sentence`` is what a problem set says of it.

    That the deeds had their effects was asked of the kitchen itself while the film was made.
    """
    try:
        return list(_problems(film, read_log(film), sentence))
    except (DataError, msgspec.ValidationError) as error:
        return [str(error)]


def _problems(film: Path, log: FilmLog, sentence: str) -> Iterator[str]:
    recipe = msgspec.convert(log.recipe, Recipe)
    deeds = tuple(Deed(step.action, step.object, step.target) for step in log.steps)  # type: ignore[arg-type]
    if deeds != recipe.deeds:
        yield f"{film}: the log has other steps than the recipe"
    if follow(deeds, start_of(recipe)) is None:
        yield f"{film}: the steps of the log cannot be done one after the other from the recipe's start"
    told = describe([step_words(deed) for deed in deeds])
    if told != log.description:
        yield f"{film}: the log's description is not that of its steps: {log.description!r}"
    if sentence and sentence != told:
        yield f"{film}: the problem set says {sentence!r}, the log {told!r}"
    yield from _timing(film, log)


def _timing(film: Path, log: FilmLog) -> Iterator[str]:
    times = [time_s for step in log.steps for time_s in (step.start_s, step.end_s)]
    if any(first > second for first, second in pairwise(times)) or times[-1] > log.frames / log.fps + 1e-9:
        yield f"{film}: its steps are not one after the other within {log.frames} frames"
    if not LEAST_FPS <= log.fps <= MOST_FPS:
        yield f"{film}: expected {LEAST_FPS} to {MOST_FPS} frames a second, got {log.fps:g}"
    found = count_frames(film)
    if found != log.frames:
        yield f"{film}: expected {log.frames} frames as its log says, got {found}"
