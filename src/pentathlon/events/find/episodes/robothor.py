"""Reads RoboTHOR's own episode files, which PASTURE's share: gzipped JSON, one list of episodes for each scene."""

from __future__ import annotations

import gzip
import math
import zlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from pentathlon.core.errors import DataError

SIZE_LIMIT_BYTES = 50_000_000


class Point(msgspec.Struct, frozen=True):
    """A place in AI2-THOR's frame: y is up."""

    x: float
    y: float
    z: float


class RobothorEpisode(msgspec.Struct, frozen=True):
    """One episode; ``object_id`` is PASTURE's."""

    id: str
    scene: str
    object_type: str
    initial_position: Point
    initial_orientation: float
    initial_horizon: float
    shortest_path: tuple[Point, ...]
    shortest_path_length: float
    object_id: str = ""


def read_robothor(path: Path) -> Sequence[RobothorEpisode]:
    """Reads an episode file.

    Raises:
        DataError: when it is missing, malformed, or a shortest path is shorter than the straight line.
    """
    try:
        with gzip.open(path) as stream:
            text = stream.read(SIZE_LIMIT_BYTES)
        episodes = msgspec.json.decode(text, type=tuple[RobothorEpisode, ...])
    except OSError as error:
        raise DataError(f"{path}: expected gzipped RoboTHOR episodes, got: {error}. Check the path.") from error
    except (msgspec.DecodeError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise DataError(f"{path}: expected RoboTHOR episodes, got: {error}. Is it another kind of file?") from error
    for episode in episodes:
        _check(episode, path)
    return episodes


def _check(episode: RobothorEpisode, path: Path) -> None:
    corners = [(corner.x, corner.z) for corner in episode.shortest_path]
    if not math.isfinite(episode.shortest_path_length) or episode.shortest_path_length < 0:
        raise DataError(f"{path}: episode {episode.id}: expected a length, got {episode.shortest_path_length}.")
    if corners and math.dist(corners[0], corners[-1]) > episode.shortest_path_length + 0.01:
        raise DataError(f"{path}: episode {episode.id}: its shortest path is shorter than the straight line.")
