"""The benchmark's houses and files: which houses, how many, and how they are made and written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from pentathlon.core.errors import DataError
from pentathlon.events.find.episodes.files import HOUSES, content_digest, packed
from pentathlon.events.find.episodes.making import Draft, make_all, make_large
from pentathlon.events.find.episodes.records import Capability, EpisodeFile, HouseFile
from pentathlon.worlds.houses.generate import GENERATOR
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.splits import split_house

SPLIT = "test"
FIRST_INDEX = 15
"""Test houses 0 to 14 were used while explorers were designed, and are no part of the benchmark."""
ROOMS, LARGE_ROOMS = range(3, 7), range(7, 10)
HOUSE_COUNT, LARGE_HOUSE_COUNT = 30, 15
"""Twice the paper's 15 houses, with one start for each target in place of two: the interval depends on the houses."""


class Made(NamedTuple):
    """What became of one house of the split: its episodes, or why it has none."""

    house: House
    drafts: list[Draft]
    line: str


def make_benchmark(
    folder: Path, count: int = HOUSE_COUNT, large_count: int = LARGE_HOUSE_COUNT, workers: int = 1
) -> Iterator[str]:
    """Makes and writes all files; yields a line for each house as it is done."""
    houses: list[House] = []
    drafts: dict[Capability, list[Draft]] = {}
    # Workers begin anew: this process may hold threads.
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for rooms, wanted in ((ROOMS, count), (LARGE_ROOMS, large_count)):
            for made in _first(pool, workers, rooms, wanted):
                yield made.line
                if made.drafts:
                    houses.append(made.house)
                for draft in made.drafts:
                    drafts.setdefault(draft.capability, []).append(draft)
    write_files(folder, houses, drafts)


def _first(pool: Executor, workers: int, rooms: range, count: int) -> Iterator[Made]:
    """Yields the first houses of so many rooms that were never tuned on, and those left out before them."""
    index = FIRST_INDEX
    while count > 0:
        batch = range(index, index + workers)
        for made in pool.map(partial(make_house, rooms=rooms), batch):
            if made is not None and count > 0:
                yield made
                count -= bool(made.drafts)
        index = batch.stop


def make_house(index: int, rooms: range) -> Made | None:
    """Makes the episodes of a house of the split by its place; ``None`` where it has another number of rooms."""
    house = split_house(SPLIT, index)
    if len(house.rooms) not in rooms:
        return None
    try:
        drafts = make_large(house) if rooms == LARGE_ROOMS else make_all(house)
    except DataError as error:
        return Made(house, [], f"{SPLIT} {index}: left out. {error}")
    episodes = sum(len(draft.episodes) for draft in drafts)
    return Made(house, drafts, f"{SPLIT} {index}: {house.name}, {episodes} episodes")


def write_files(folder: Path, houses: Sequence[House], drafts: dict[Capability, list[Draft]]) -> None:
    """Writes the file of the houses and one file for each capability."""
    folder.mkdir(parents=True, exist_ok=True)
    data = packed(HouseFile(generator=GENERATOR, houses=tuple(houses)))
    (folder / f"{HOUSES}.json.gz").write_bytes(data)
    for capability, own in drafts.items():
        file = EpisodeFile(
            capability=capability,
            houses=tuple(draft.change.house for draft in own),
            houses_hash=content_digest(data),
            changes=tuple(draft.change for draft in own),
            episodes=tuple(episode for draft in own for episode in draft.episodes),
        )
        (folder / f"{capability}.json.gz").write_bytes(packed(file))
