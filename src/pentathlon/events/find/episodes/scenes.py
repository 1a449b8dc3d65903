"""Houses as each capability changes them: one target of each kind, second ones that distract, hidden ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.events.find.episodes.claims import FLOOR
from pentathlon.events.find.episodes.descriptions import space
from pentathlon.events.find.episodes.dressing import Dresser, without
from pentathlon.worlds.houses.bodies.navigator import Navigator, NavigatorSettings
from pentathlon.worlds.houses.graph.relations import build_graph
from pentathlon.worlds.houses.graph.scene_graph import SceneGraph
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.kept_scenes import open_house
from pentathlon.worlds.houses.splits import VARIANTS
from pentathlon.worlds.houses.tasks.goals import InstanceGoal

LEAST_PLACES = 20


@dataclass(frozen=True)
class Scene:
    """A changed house and, by object type, what is to be found in it."""

    house: House
    targets: Mapping[str, str]


class View:
    """A built house, to be asked what can be found in it."""

    def __init__(self, house: House) -> None:
        self._house, self._goals = house, dict[str, InstanceGoal]()
        self.navigator = Navigator(open_house(house), NavigatorSettings(fovy_deg=90.0, size_px=(8, 8)))
        navigator = self.navigator
        self.graph: SceneGraph = build_graph(navigator.scene, navigator.data, navigator.geometry)

    def goal(self, object_id: str) -> InstanceGoal:
        """Where one succeeds in finding an object."""
        if object_id not in self._goals:
            self._goals[object_id] = InstanceGoal(self.navigator, object_id)
        return self._goals[object_id]

    def is_whole(self, object_id: str) -> bool:
        """Tells whether a thing is not broken: shards are hardly what a sentence describes."""
        return not self._house.object(object_id).state.broken

    def is_fair(self, object_id: str) -> bool:
        """Tells whether a thing is whole, with enough places to succeed from without looking up or down."""
        places = self.goal(object_id).level_places()
        return self.is_whole(object_id) and len(list(islice(places, LEAST_PLACES))) == LEAST_PLACES

    def close(self) -> None:
        """Frees the navigator."""
        self.navigator.close()


@lru_cache(maxsize=4)
def look_into(house: House) -> View:
    """Returns a house as it was built before, or builds it: the same few are asked again and again."""
    return View(house)


Judge = Callable[[View, str, str], bool]
Put = Callable[[Dresser, str], str | None]


@dataclass
class Casting:
    """Puts a target of each type into a house, again and again until they stand the judge.

    Attributes:
        put: puts one of a type somewhere and returns its id, or ``None`` where there is no place.
        judge: tells whether an object of a type and an id will do.
        rounds: how often what did not stand is put elsewhere.
    """

    rng: np.random.Generator
    put: Put
    judge: Judge
    rounds: int = 6

    def cast(self, scene: Scene, types: Sequence[str], count: int) -> Scene:
        """Returns a scene with targets of the first ``count`` types that find a place, and of no others.

        Raises:
            DataError: when too few do.
        """
        settled = dict(scene.targets)
        for _ in range(self.rounds):
            scene = self._put_missing(scene, types)
            scene = self._stood(scene, [name for name in scene.targets if name not in settled])
            settled = dict(scene.targets)
            if len(settled) >= count:
                break
        # What was put in later may stand before what was put in first.
        scene = self._stood(scene, list(settled))
        chosen = [name for name in types if name in scene.targets][:count]
        if len(chosen) < count:
            raise DataError(f"House {scene.house.name!r}: fair places for {chosen} only. Choose another house.")
        return Scene(scene.house, {name: scene.targets[name] for name in chosen})

    def _put_missing(self, scene: Scene, types: Sequence[str]) -> Scene:
        dresser, targets = Dresser(scene.house, self.rng), dict(scene.targets)
        for name in types:
            if name not in targets and (placed := self.put(dresser, name)) is not None:
                targets[name] = placed
        return Scene(dresser.house, targets)

    def _stood(self, scene: Scene, types: Sequence[str]) -> Scene:
        """The scene without those targets of the types that do not stand the judge."""
        view = look_into(scene.house)
        failing = {scene.targets[name] for name in types if not self.judge(view, name, scene.targets[name])}
        house = without(scene.house, failing)
        present = {item.id for item in house.objects}
        return Scene(house, {name: target for name, target in scene.targets.items() if target in present})


def one_of_each(
    house: House, types: Sequence[str], count: int, rng: np.random.Generator, *, placed: bool = False
) -> Scene:
    """Leaves one fair instance of each type in a house, puts one in where there is none, and asks for ``count``.

    Args:
        house: before.
        types: the first of them are asked for.
        count: how many.
        rng: gives the same scene for the same state.
        placed: whether one must be able to tell an instance by its place.
    """
    judge = _is_told if placed else _is_fair
    view = look_into(house)
    kept = {name: found for name in types if (found := _kept(view, name, judge, rng)) is not None}
    extra = {item.id for item in house.objects if item.type in types and item.id != kept.get(item.type)}
    bare = without(house, extra)
    present = {item.id for item in bare.objects}
    scene = Scene(bare, {name: target for name, target in kept.items() if target in present})
    casting = Casting(rng, lambda dresser, name: dresser.put(name, unseen_variant(rng)), judge)
    return casting.cast(scene, types, count)


def require_fair(scene: Scene) -> None:
    """Refuses a scene in which what was put in later hides a target or blocks the places in front of it.

    Raises:
        DataError: when a target has too few fair places.
    """
    view = look_into(scene.house)
    for name, target in scene.targets.items():
        if not _is_fair(view, name, target):
            raise DataError(f"{scene.house.name}: expected {LEAST_PLACES} places to find {target} from, got fewer.")


def unseen_variant(rng: np.random.Generator) -> int:
    """Draws a variant that no training house holds."""
    return int(rng.choice(VARIANTS["test"]))


def _is_fair(view: View, type_name: str, object_id: str) -> bool:
    return view.is_fair(object_id)


def _is_told(view: View, type_name: str, object_id: str) -> bool:
    """Whether a thing is fair to ask for, and where it is can be told from where another may be."""
    claim = space(view.graph, view.graph.node(object_id))
    told = claim is not None and (claim.other != FLOOR or bool(claim.near))
    return told and view.is_fair(object_id)


def _kept(view: View, type_name: str, judge: Judge, rng: np.random.Generator) -> str | None:
    found = _ids(view.navigator.scene.house, (type_name,))
    order = (found[int(i)] for i in rng.permutation(len(found)))
    return next((item for item in order if judge(view, type_name, item)), None)


def _ids(house: House, types: Sequence[str]) -> list[str]:
    return [item.id for item in house.objects if item.type in types]
