"""Checks a film of any world: does its log tell what its recipe did, and its description what its log tells?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec

from pentathlon.core.errors import DataError
from pentathlon.events.judge.data.films import FilmLog, describe, read_log
from pentathlon.events.judge.data.frames import count_frames
from pentathlon.events.judge.films.worlds import replay

LEAST_FPS, MOST_FPS = 8, 16


def film_problems(film: Path, sentence: str = "") -> list[str]:
    """Replays the log of a film and lists what is wrong; ``sentence`` is what a problem set says of it.

    That the steps had their effects was asked of the world itself while the film was made.
    """
    try:
        return list(_problems(film, read_log(film), sentence))
    except (DataError, msgspec.ValidationError) as error:
        return [str(error)]


def _problems(film: Path, log: FilmLog, sentence: str) -> Iterator[str]:
    steps = [step.plain for step in log.steps]
    yield from (f"{film}: {problem}" for problem in replay(log.world, log.recipe, steps))
    told = describe(steps)
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
