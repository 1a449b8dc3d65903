"""Checks episodes independently of what made them: sentences are read back and asked of the geometry."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from pentathlon.core.errors import PentathlonError
from pentathlon.events.find.episodes.claims import fitting
from pentathlon.events.find.episodes.files import read_capability, read_houses
from pentathlon.events.find.episodes.reading import read_claim
from pentathlon.events.find.episodes.records import Capability, EpisodeFile, FindEpisode
from pentathlon.events.find.episodes.scenes import LEAST_PLACES, View
from pentathlon.events.find.episodes.starts import SHORTEST_M, way_m
from pentathlon.worlds.houses.files.checks import problems
from pentathlon.worlds.houses.graph.truths import false_facts
from pentathlon.worlds.houses.house import House

SLACK_M = 0.02


class Checked(NamedTuple):
    """What was found wrong with the episodes of a capability in so many houses."""

    capability: Capability
    houses: int
    complaints: list[str]


def check_files(
    capabilities: Sequence[Capability], houses: int | None = None, workers: int = 1, folder: Path | None = None
) -> Iterator[Checked]:
    """Checks the files of capabilities, house by house in several processes.

    Args:
        capabilities: which.
        houses: look at the first of each only.
        workers: processes; 0 takes one per core.
        folder: of the files; the benchmark's own where none is given.
    """
    names = {capability: read_capability(capability, folder).houses[:houses] for capability in capabilities}
    # Workers begin anew: this process may hold threads.
    with ProcessPoolExecutor(workers or os.cpu_count(), get_context("spawn")) as pool:
        pending = {
            capability: [pool.submit(check_house, capability, name, folder) for name in names[capability]]
            for capability in capabilities
        }
        for capability, futures in pending.items():
            again = repeated_ids(read_capability(capability, folder))
            found = [line for future in futures for line in future.result()]
            yield Checked(capability, len(futures), [*again, *found])


def check_house(capability: Capability, name: str, folder: Path | None) -> list[str]:
    """Checks the episodes of a capability in one house."""
    return list(complaints(read_capability(capability, folder), read_houses(folder), (name,)))


def repeated_ids(file: EpisodeFile) -> list[str]:
    """Names the ids that several episodes of a file have."""
    counts = Counter(episode.id for episode in file.episodes)
    return [f"{name}: the id of {count} episodes." for name, count in sorted(counts.items()) if count > 1]


def complaints(file: EpisodeFile, houses: Mapping[str, House], only: Sequence[str] = ()) -> Iterator[str]:
    """Yields a sentence for everything that is wrong with the episodes of a file, house by house.

    Args:
        file: of one capability.
        houses: by name.
        only: names of the houses to look at; all where empty.
    """
    changes = {change.house: change for change in file.changes}
    for name in only or file.houses:
        own = [episode for episode in file.episodes if episode.house == name]
        if name not in houses:
            yield f"{name}: expected a house of the benchmark, got {len(own)} episodes in one that is not there."
            continue
        house = changes[name].applied(houses[name]) if name in changes else houses[name]
        yield from (f"{name}: {problem}." for problem in problems(house))
        yield from _in_house(house, own, file.capability)


def _in_house(house: House, episodes: Sequence[FindEpisode], capability: str) -> Iterator[str]:
    with closing(View(house)) as view:
        navigator = view.navigator
        denied = {(fact.subject, fact.relation) for fact in false_facts(navigator.scene, navigator.data, view.graph)}
        targets = {episode.target: episode for episode in episodes}
        for target, episode in targets.items():
            if target not in view.graph.index:
                yield f"{episode.id}: expected the object {target!r} in {house.name}, got none."
                continue
            yield from _target(view, episode, denied, capability)
        for episode in episodes:
            if episode.target in view.graph.index:
                yield from _start(view, episode)


def _target(view: View, episode: FindEpisode, denied: set[tuple[str, str]], capability: str) -> Iterator[str]:
    node = view.graph.node(episode.target)
    if node.type != episode.type:
        yield f"{episode.id}: expected a {episode.type}, got {node.type}."
    if not view.is_whole(episode.target):
        yield f"{episode.id}: expected a whole thing, got {episode.target}, which is broken."
    elif not view.is_fair(episode.target):
        yield f"{episode.id}: expected {LEAST_PLACES} places or more to succeed from, got fewer."
    try:
        claim = read_claim(episode.description)
    except PentathlonError as error:
        yield f"{episode.id}: {error}"
        return
    found = fitting(claim, view.graph)
    if episode.target not in found:
        yield f"{episode.id}: {episode.description!r} is false of {episode.target}."
    if others := [other for other in found if other != episode.target]:
        yield f"{episode.id}: {episode.description!r} fits {', '.join(others)} too."
    for relation in (claim.relation, "near" if claim.near else ""):
        if (episode.target, relation) in denied:
            yield f"{episode.id}: the geometry denies that it is {relation} what {episode.description!r} says."
    alike = [other.id for other in view.graph.nodes if other.type == node.type]
    count = 2 if capability.endswith("distract") else 1
    if len(alike) != count:
        yield f"{episode.id}: expected {count} of {node.type} in the house, got {', '.join(alike)}."


def _start(view: View, episode: FindEpisode) -> Iterator[str]:
    ways, start = view.navigator.ways, episode.start
    cell = ways.cell(start.x_m, start.y_m)
    if cell is None or ways.regions[cell] != ways.main_region:
        yield f"{episode.id}: expected a start that one can walk from, got ({start.x_m}, {start.y_m})."
        return
    length_m = way_m(view.goal(episode.target), start)
    if abs(length_m - episode.length_m) > SLACK_M or length_m < SHORTEST_M - SLACK_M:
        yield f"{episode.id}: expected a way of {episode.length_m} m and {SHORTEST_M} m or more, got {length_m} m."
