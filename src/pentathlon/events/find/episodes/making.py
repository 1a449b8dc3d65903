"""Makes the benchmark's episode files from seeds: the same generator gives the same files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pentathlon.core.identity import derive_seed
from pentathlon.events.find.episodes.files import HOUSES, content_digest, packed
from pentathlon.events.find.episodes.records import Capability, Change, EpisodeFile, FindEpisode, HouseFile
from pentathlon.events.find.episodes.scenes import body, one_of_each
from pentathlon.events.find.episodes.starts import draw_starts
from pentathlon.events.find.episodes.targets import COMMON, noun_of
from pentathlon.worlds.houses.bodies.navigator import Navigator
from pentathlon.worlds.houses.generate import GENERATOR
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.splits import split_house

SPLIT = "test"
FIRST_INDEX = 15
"""Test houses 0 to 14 were used while explorers were designed, and are no part of the benchmark."""


@dataclass
class Draft:
    """What one house gives to one capability."""

    change: Change
    episodes: list[FindEpisode] = field(default_factory=list)


def benchmark_houses(rooms: range, count: int) -> Iterator[House]:
    """Yields the first houses of the test split that have so many rooms and were never tuned on."""
    index = FIRST_INDEX
    while count:
        house = split_house(SPLIT, index)
        if len(house.rooms) in rooms:
            yield house
            count -= 1
        index += 1


def make_objectnav(house: House, capability: Capability, starts: int, longest_m: float) -> Draft:
    """Makes the episodes that name a kind of thing: one of each kind is left or put in the house."""
    rng = np.random.default_rng(derive_seed("find-v1", capability, house.name))
    scene = one_of_each(house, COMMON, rng)
    draft = Draft(change_of(house, scene.house))
    with closing(Navigator(compile_house(scene.house), body())) as navigator:
        for type_name, target in scene.targets.items():
            for number, (start, length_m) in enumerate(draw_starts(navigator, target, starts, longest_m, rng)):
                noun = noun_of(type_name)
                draft.episodes.append(
                    FindEpisode(
                        f"{house.name}-{type_name}-{number}", house.name, target, type_name, noun, noun, start, length_m
                    )
                )
    return draft


def change_of(before: House, after: House) -> Change:
    """Tells what has to be taken out of a house and put in to make it another."""
    old = {item.id: item for item in before.objects}
    new = {item.id: item for item in after.objects}
    removed = tuple(sorted(name for name, item in old.items() if new.get(name) != item))
    added = tuple(item for name, item in new.items() if old.get(name) != item)
    return Change(before.name, removed, added)


def write_files(folder: Path, houses: Sequence[House], drafts: dict[Capability, Sequence[Draft]]) -> None:
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
