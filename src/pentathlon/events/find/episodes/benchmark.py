"""The benchmark's houses and files: which houses, how many, and how they are made and written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

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

Maker = Callable[[House], list[Draft]]


def make_benchmark(folder: Path, count: int = HOUSE_COUNT, large_count: int = LARGE_HOUSE_COUNT) -> Iterator[str]:
    """Makes and writes all files; yields a line for each house as it is done."""
    houses: list[House] = []
    drafts: dict[Capability, list[Draft]] = {}
    for rooms, wanted, maker in ((ROOMS, count, make_all), (LARGE_ROOMS, large_count, make_large)):
        for house, own, line in _made(rooms, wanted, maker):
            yield line
            if own:
                houses.append(house)
            for draft in own:
                drafts.setdefault(draft.capability, []).append(draft)
    write_files(folder, houses, drafts)


def _made(rooms: range, count: int, maker: Maker) -> Iterator[tuple[House, list[Draft], str]]:
    """Yields the first houses of so many rooms that were never tuned on; those without enough places give nothing."""
    index = FIRST_INDEX
    while count:
        house = split_house(SPLIT, index)
        if len(house.rooms) in rooms:
            try:
                own = maker(house)
                count -= 1
                yield house, own, f"{SPLIT} {index}: {house.name}, {sum(len(draft.episodes) for draft in own)} episodes"
            except DataError as error:
                yield house, [], f"{SPLIT} {index}: left out. {error}"
        index += 1


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
