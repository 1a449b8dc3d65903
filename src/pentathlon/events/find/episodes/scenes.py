"""The houses of the benchmark as each capability changes them: one target of each kind, seconds, hidden ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.events.find.episodes.dressing import Dresser, with_all_on, without
from pentathlon.events.find.episodes.targets import RESERVE
from pentathlon.worlds.houses.bodies.navigator import Navigator, NavigatorSettings
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.splits import VARIANTS
from pentathlon.worlds.houses.tasks.goals import InstanceGoal

LEAST_PLACES = 20
ROUNDS = 8
Judge = Callable[[Navigator, str], bool]
Place = Callable[[Dresser, str, int], str | None]


@dataclass(frozen=True)
class Scene:
    """A changed house and, by object type, what is to be found in it."""

    house: House
    targets: Mapping[str, str]


def body() -> NavigatorSettings:
    """The body for which places are judged; its pictures are never looked at."""
    return NavigatorSettings(fovy_deg=90.0, size_px=(8, 8))


def is_fair(navigator: Navigator, object_id: str) -> bool:
    """Tells whether there are enough places to succeed from without looking up or down."""
    return len(InstanceGoal(navigator, object_id).level_places()) >= LEAST_PLACES


def one_of_each(house: House, types: Sequence[str], rng: np.random.Generator) -> Scene:
    """Leaves one fair instance of each type in a house; puts one in where there is none.

    Raises:
        DataError: when a type has no fair place and nothing in reserve has one.
    """
    with closing(Navigator(compile_house(house), body())) as navigator:
        kept = {name: found for name in types if (found := _kept(navigator, name, rng)) is not None}
    extra = {item.id for item in house.objects if item.type in types and item.id != kept.get(item.type)}
    bare = without(house, with_all_on(house, extra))
    present = {item.id for item in bare.objects}
    kept = {name: target for name, target in kept.items() if target in present}
    return completed(Scene(bare, kept), types, rng, lambda dresser, name, variant: dresser.put(name, variant), is_fair)


def completed(scene: Scene, types: Sequence[str], rng: np.random.Generator, place: Place, judge: Judge) -> Scene:
    """Puts in a target of each type that has none, until all of them stand the judge; others take the place of some."""
    targets, house = dict(scene.targets), scene.house
    reserve = [name for name in RESERVE if name not in types]
    wanted = list(types)
    for round_number in range(ROUNDS * 2):
        dresser = Dresser(house, rng)
        for name in wanted:
            if name not in targets:
                placed = place(dresser, name, int(rng.choice(VARIANTS["test"])))
                if placed is not None:
                    targets[name] = placed
        house = dresser.house
        failing = _failing(house, targets, judge)
        house = without(house, with_all_on(house, failing))
        present = {item.id for item in house.objects}
        targets = {name: target for name, target in targets.items() if target in present}
        missing = [name for name in wanted if name not in targets]
        if not missing:
            return Scene(house, {name: targets[name] for name in wanted})
        if round_number % ROUNDS == ROUNDS - 1:
            wanted = [name for name in wanted if name in targets]
            fresh, reserve = _cleared(house, reserve, len(missing))
            house = fresh
            wanted += reserve[: len(missing)]
    raise DataError(f"House {scene.house.name!r}: no fair place for {', '.join(missing)}. Choose another house.")


def _cleared(house: House, reserve: list[str], count: int) -> tuple[House, list[str]]:
    chosen = reserve[:count]
    own = {item.id for item in house.objects if item.type in chosen}
    return without(house, with_all_on(house, own)), reserve


def _failing(house: House, targets: Mapping[str, str], judge: Judge) -> set[str]:
    with closing(Navigator(compile_house(house), body())) as navigator:
        return {target for target in targets.values() if not judge(navigator, target)}


def _kept(navigator: Navigator, type_name: str, rng: np.random.Generator) -> str | None:
    found = [item.id for item in navigator.scene.house.objects if item.type == type_name]
    for i in rng.permutation(len(found)):
        if is_fair(navigator, found[int(i)]):
            return found[int(i)]
    return None
