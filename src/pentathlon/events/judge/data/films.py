"""Films of our own: a video, and beside it the log of what was done in it and when.

``<name>.mp4`` is H.264, ``<name>.json`` a :class:`FilmLog`. The log is written first: a video that is there is whole.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
import numpy.typing as npt
import platformdirs

from pentathlon.core.errors import DataError
from pentathlon.core.identity import content_hash
from pentathlon.core.making import Item, Pool
from pentathlon.events.judge.data.problem_sets import Environment, ProblemSet, StepWords
from pentathlon.storage.files import write_durably
from pentathlon.storage.limits import limit_from
from pentathlon.storage.making import SERIAL, make_missing
from pentathlon.storage.video import write_mp4

FORMAT: Literal["pentathlon-film-v1"] = "pentathlon-film-v1"
LIMIT_VARIABLE = "PENTATHLON_FILMS_GIB"
DEFAULT_LIMIT_GIB = 20.0


class LoggedStep(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step that was done, and from when to when."""

    action: str
    object: str
    target: str
    words: str
    start_s: float
    end_s: float

    @property
    def plain(self) -> StepWords:
        """The step without its time."""
        return StepWords(self.action, self.object, self.target, self.words)


class FilmLog(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What happened in a film.

    Attributes:
        description: written from the steps.
        steps: what was done, in order.
        recipe: what made the film, as plain values.
    """

    world: Environment
    split: str
    fps: float
    frames: int
    description: str
    steps: tuple[LoggedStep, ...]
    recipe: dict[str, Any]
    format: Literal["pentathlon-film-v1"] = FORMAT


def describe(steps: Sequence[StepWords]) -> str:
    """Writes the description of steps as ViSTa does: ``First, we A, then we B, and finally we C``."""
    words = [step.words for step in steps]
    if len(words) == 1:
        return f"We {words[0]}"
    if len(words) == 2:
        return f"First, we {words[0]}, and then we {words[1]}"
    middle = "".join(f", then we {one}" for one in words[1:-1])
    return f"First, we {words[0]}{middle}, and finally we {words[-1]}"


def progress_at(log: FilmLog, share: float) -> float:
    """The share of the steps that are done after a share of a film's time; of a step under way, its share of time."""
    at_s = share * log.frames / log.fps
    done = [min(max((at_s - step.start_s) / max(step.end_s - step.start_s, 1e-9), 0.0), 1.0) for step in log.steps]
    return sum(done) / len(done)


def films_folder() -> Path:
    """The user's cache folder for films."""
    return Path(platformdirs.user_cache_dir("pentathlon")) / "films"


def film_path(world: str, recipe: Mapping[str, Any]) -> Path:
    """Where the film of a recipe lies, once it is made."""
    return films_folder() / world.replace(" ", "-") / f"{content_hash(recipe, length=32)}.mp4"


def log_path(film: Path) -> Path:
    """Where the log of a film lies."""
    return film.with_suffix(".json")


def has_log(film: Path) -> bool:
    """Tells whether the log of a film is beside it."""
    return log_path(film).is_file()


def write_film(path: Path, frames: npt.NDArray[np.uint8], log: FilmLog) -> None:
    """Writes the log of a film, then the film."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_durably(log_path(path), msgspec.json.encode(log))
    write_mp4(path, frames, log.fps)


def read_log(film: Path) -> FilmLog:
    """Reads the log beside a film.

    Raises:
        DataError: when there is none, or it is malformed.
    """
    path = log_path(film)
    try:
        return msgspec.json.decode(path.read_bytes(), type=FilmLog)
    except FileNotFoundError as error:
        raise DataError(f"Expected the log of a film at {path}, got nothing. Only generated films have one.") from error
    except msgspec.DecodeError as error:
        raise DataError(
            f"Expected the log of a film at {path}, it is malformed: {error}. Remove it and the film."
        ) from error


def make_films(problem_set: ProblemSet) -> None:
    """Makes the films of a problem set that are not there, and marks all of them as used.

    Raises:
        DataError: naming the film that could not be made.
    """
    make_all_films([problem_set])


def make_all_films(problem_sets: Sequence[ProblemSet], pool: Pool = SERIAL) -> None:
    """Makes the films of problem sets that are not there; those of one maker at once.

    Raises:
        DataError: naming the film that could not be made.
    """
    by_maker: dict[str, dict[str, Item]] = {}
    for problem_set in problem_sets:
        items = by_maker.setdefault(problem_set.maker, {})
        items.update(
            {str(clip.path): Item(str(clip.path), dict(clip.recipe)) for clip in problem_set.clips if clip.recipe}
        )
    made: list[Path] = []
    for maker, items in by_maker.items():
        if items:
            make_missing(maker, list(items.values()), pool=pool, is_whole=has_log, on_made=made.append)
    paths = frozenset(Path(path) for items in by_maker.values() for path in items)
    for path in paths:
        os.utime(path)
    if made:
        trim_films(limit_from(LIMIT_VARIABLE, DEFAULT_LIMIT_GIB), keep=paths)


def trim_films(most_bytes: int, keep: frozenset[Path] = frozenset()) -> int:
    """Removes the films used longest ago until the others fit, and returns the bytes freed; ``keep`` stay."""
    films = sorted((path.stat().st_mtime_ns, path) for path in films_folder().glob("*/*.mp4"))
    sizes = {path: path.stat().st_size for _, path in films}
    held, freed = sum(sizes.values()), 0
    for _, path in films:
        if held - freed <= most_bytes:
            break
        if path not in keep:
            path.unlink(missing_ok=True)
            log_path(path).unlink(missing_ok=True)
            freed += sizes[path]
    return freed
