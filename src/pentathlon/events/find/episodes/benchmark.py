"""The benchmark's houses and files: which houses, how many, and how they are made and written."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pentathlon.core.errors import DataError
from pentathlon.core.making import Item, Pool
from pentathlon.events.find.episodes.files import HOUSES, content_digest, packed, unpacked
from pentathlon.events.find.episodes.making import make_all, make_large
from pentathlon.events.find.episodes.records import CAPABILITIES, EpisodeFile, HouseFile, Part
from pentathlon.storage.files import write_durably
from pentathlon.storage.making import SERIAL, make_missing
from pentathlon.worlds.houses.generate import GENERATOR
from pentathlon.worlds.houses.splits import split_house

SPLIT = "test"
FIRST_INDEX = 15
"""Test houses 0 to 14 were used while explorers were designed, and are no part of the benchmark."""
ROOMS, LARGE_ROOMS = range(3, 7), range(7, 10)
HOUSE_COUNT, LARGE_HOUSE_COUNT = 30, 15
"""Twice the paper's 15 houses, with one start for each target in place of two: the interval depends on the houses."""
PARTS = "parts"
BATCH = 32
"""Most houses that are made before it is asked again whether there are enough; the files do not depend on it."""


def make_benchmark(
    folder: Path,
    count: int = HOUSE_COUNT,
    large_count: int = LARGE_HOUSE_COUNT,
    pool: Pool = SERIAL,
    say: Callable[[str], None] = lambda line: None,
) -> None:
    """Makes and writes all files; says a line for each house as it is done.

    What each house gives is kept below ``folder`` until all is written, so that the same call goes on where it stopped.
    """
    wanted = {ROOMS: count, LARGE_ROOMS: large_count}
    parts: list[Part] = []
    first = FIRST_INDEX
    while missing := sum(max(0, wanted[rooms] - len(_of(parts, rooms))) for rooms in wanted):
        indices = range(first, first + min(BATCH, 4 * missing))
        parts += _make_parts(folder / PARTS, indices, pool, say)
        first = indices.stop
    _write_files(folder, [part for rooms in wanted for part in _of(parts, rooms)[: wanted[rooms]]])
    shutil.rmtree(folder / PARTS)


def make_part(path: Path, about: Any) -> None:
    """Writes what a house of the split gives, by its place in it: a maker of :func:`make_missing`."""
    write_durably(path, packed(house_part(int(about["index"]))))


def house_part(index: int) -> Part:
    """Makes the episodes of a house of the split; none where it has too few or too many rooms, or fair places."""
    house = split_house(SPLIT, index)
    rooms = len(house.rooms)
    if rooms not in ROOMS and rooms not in LARGE_ROOMS:
        return Part(house=house, line=f"{SPLIT} {index}: left out, {rooms} rooms")
    try:
        drafts = make_large(house) if rooms in LARGE_ROOMS else make_all(house)
    except DataError as error:
        return Part(house=house, line=f"{SPLIT} {index}: left out. {error}")
    episodes = sum(len(draft.episodes) for draft in drafts)
    return Part(house=house, drafts=tuple(drafts), line=f"{SPLIT} {index}: {house.name}, {episodes} episodes")


def _make_parts(folder: Path, indices: range, pool: Pool, say: Callable[[str], None]) -> list[Part]:
    paths = [(folder / f"{SPLIT}-{index}.json.gz").absolute() for index in indices]
    items = [Item(str(path), {"index": index}) for path, index in zip(paths, indices, strict=True)]
    maker = f"{__name__}:{make_part.__name__}"
    make_missing(maker, items, pool=pool, on_made=lambda path: say(_read_part(path).line))
    return [_read_part(path) for path in paths]


def _read_part(path: Path) -> Part:
    return unpacked(path.read_bytes(), Part, path.name)


def _of(parts: list[Part], rooms: range) -> list[Part]:
    return [part for part in parts if part.drafts and len(part.house.rooms) in rooms]


def _write_files(folder: Path, parts: list[Part]) -> None:
    """Writes the file of the houses and one file for each capability."""
    data = packed(HouseFile(generator=GENERATOR, houses=tuple(part.house for part in parts)))
    write_durably(folder / f"{HOUSES}.json.gz", data)
    drafts = [draft for part in parts for draft in part.drafts]
    for capability in CAPABILITIES:
        own = [draft for draft in drafts if draft.capability == capability]
        if not own:
            continue
        file = EpisodeFile(
            capability=capability,
            houses=tuple(draft.change.house for draft in own),
            houses_hash=content_digest(data),
            changes=tuple(draft.change for draft in own),
            episodes=tuple(episode for draft in own for episode in draft.episodes),
        )
        write_durably(folder / f"{capability}.json.gz", packed(file))
