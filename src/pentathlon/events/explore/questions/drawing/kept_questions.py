"""Keeps the questions of houses on disk: every agent is asked the same, and to find out what is fair takes seconds."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import mujoco
import platformdirs

from pentathlon.core.errors import PentathlonError
from pentathlon.events.explore import questions as own
from pentathlon.events.explore.questions.balance import FILE
from pentathlon.events.explore.questions.question import Question, questions_json, read_questions
from pentathlon.storage.cache import FileCache
from pentathlon.worlds import houses, modelling
from pentathlon.worlds.houses.assets.asset_store import digest_of_sources
from pentathlon.worlds.houses.files.house_files import house_bytes
from pentathlon.worlds.houses.house import House

LIMIT_BYTES = 256 * 2**20
Questions = tuple[Question, ...]


class QuestionStore:
    """Questions by house and seed, valid for one version of the sources; losing any of them costs only time."""

    def __init__(self, folder: Path | None = None) -> None:
        kept = folder or platformdirs.user_cache_path("pentathlon") / "questions"
        self._files = FileCache(kept, ".json", LIMIT_BYTES)

    def open(self, house: House, seed: int, n: int, make: Callable[[], Questions]) -> Questions:
        """Returns the questions that were made of a house before, or makes them."""
        digest = hashlib.sha256(house_bytes(house))
        digest.update(f"{seed} {n} {_sources()}".encode())
        key = digest.hexdigest()[:32]
        found = _read(self._files.path(key), house.name)
        if found is None:
            found = make()
            with contextlib.suppress(OSError):  # a full or read-only disk
                self._files.keep(key, lambda path: _write(path, house.name, found or ()))
        return found


STORE = QuestionStore()


def _write(path: Path, name: str, questions: Questions) -> None:
    path.write_bytes(questions_json({name: questions}))


def _read(path: Path, name: str) -> Questions | None:
    """Reads a file and marks it as used; one that a power cut left torn counts as missing."""
    try:
        os.utime(path)
        return read_questions(path.read_bytes(), path.name)[name]
    except (OSError, KeyError, PentathlonError):
        return None


@cache
def _sources() -> str:
    """Returns a name for all that decides what is asked of a house."""
    folders = [Path(next(iter(package.__path__))) for package in (own, houses, modelling)]
    balance = hashlib.sha256((folders[0] / FILE).read_bytes()).hexdigest()
    return f"{digest_of_sources(*folders)} {balance} {mujoco.__version__}"
