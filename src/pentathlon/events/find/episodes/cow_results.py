"""Reads the result files of CoW's released code, and computes our numbers from them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path

import msgspec

from pentathlon.core.errors import DataError
from pentathlon.events.find.episodes.robothor import Point
from pentathlon.events.find.metrics import Failure, action_success, failure_class, spl


class Taken(msgspec.Struct, frozen=True):
    """An action, and whether it had its effect."""

    action: str
    success: bool


class EpisodeMetrics(msgspec.Struct, frozen=True):
    """What the agent did."""

    actions_taken: tuple[Taken, ...]
    success: bool


class EpisodeResult(msgspec.Struct, frozen=True):
    """Where it went, and the shortest way."""

    path: tuple[Point, ...]
    shortest_path: tuple[Point, ...]
    success: bool


class _File(msgspec.Struct, frozen=True):
    episode_metrics: EpisodeMetrics
    episode_result: EpisodeResult


class CowResult(msgspec.Struct, frozen=True):
    """One episode in our numbers; the file does not say whether the target was ever seen."""

    success: bool
    travelled_m: float
    shortest_m: float
    spl: float
    action_success: float
    failure: Failure


def read_cow_result(path: Path) -> CowResult:
    """Reads a result file.

    Raises:
        DataError: when it is missing or of another layout.
    """
    try:
        file = msgspec.json.decode(path.read_bytes(), type=_File)
    except OSError as error:
        raise DataError(f"{path}: expected a result of CoW, got: {error.strerror}. Check the path.") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: expected a result of CoW, got: {error}. Is it another kind of file?") from error
    taken, result = file.episode_metrics.actions_taken, file.episode_result
    travelled_m, shortest_m = _length_m(result.path), _length_m(result.shortest_path)
    stopped = any(item.action == "Stop" for item in taken)
    return CowResult(
        success=result.success,
        travelled_m=travelled_m,
        shortest_m=shortest_m,
        spl=spl(result.success, shortest_m, travelled_m),
        action_success=action_success([not item.success for item in taken if item.action != "Stop"]),
        failure=failure_class(success=result.success, stopped=stopped, seen=False),
    )


def _length_m(path: Sequence[Point]) -> float:
    """Length along the corners in three dimensions, as CoW's code measures it."""
    points = [(corner.x, corner.y, corner.z) for corner in path]
    return sum(math.dist(start, end) for start, end in itertools.pairwise(points))
