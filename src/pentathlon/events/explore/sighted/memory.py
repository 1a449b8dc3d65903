"""What the agent that sees by the image-text network believes: things above a bar of sureness, as sightings."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from pentathlon.events.explore.agents.memory import Memory
from pentathlon.events.explore.perception import Handle, Point, Sighting
from pentathlon.events.explore.questions.evaluate import Answer
from pentathlon.events.explore.questions.facts import Thing
from pentathlon.events.explore.questions.program import Program
from pentathlon.events.explore.sighted.glances import Sight
from pentathlon.events.explore.sighted.instances import Instance, Instances
from pentathlon.events.explore.sighted.lore import COLOUR_WORDS, MATERIAL_WORDS, Kind, kinds, look_sentences
from pentathlon.events.explore.sighted.network import Network
from pentathlon.events.explore.sighted.relations import Found, relate
from pentathlon.events.explore.sighted.rooms import Rooms, cells
from pentathlon.models.navigation.back_projection import Camera, MapPose

BELIEVED = 2.4
OTHER_BARS = (3.2, 1.8, 4.2, 1.0)
"""Where what is believed does not decide a question, more or less is believed, in this order."""
SECOND_COLOUR = 1.0
SECOND_MATERIAL = 0.8
"""A second word is said of a thing whose score is at least this."""
KEY = "seen|"
ANYTHING = "thing"


@dataclass
class SightedMemory(Memory):
    """Things by the number under which they were seen.

    Attributes:
        instances: all that was seen, however unsure.
        rooms: the map of walls and rooms.
    """

    network: Network | None = None
    instances: Instances = field(default_factory=Instances)
    rooms: Rooms = field(default_factory=Rooms)
    _minds: dict[float, dict[str, Sighting]] = field(default_factory=dict)

    def see(self, sight: Sight, observation: Mapping[str, Any], pose: MapPose, camera: Camera) -> None:
        """Takes in a picture."""
        view = sight.see(observation["rgb"], observation["depth_m"], pose, camera)
        self.instances.take_in(view, pose, camera)
        self.rooms.take_in(view)
        self._minds.clear()

    def believe(self, bar: float = BELIEVED) -> None:
        """Makes up the mind about what there is, which errands and questions look at."""
        if bar not in self._minds:
            self._minds[bar] = self._sightings(bar)
        self.first, self.now = self._minds[bar], dict(self._minds[bar])

    def _sightings(self, bar: float) -> dict[str, Sighting]:
        if not self._minds:
            self.instances.merge()
        things = self.instances.believed(bar)
        kept = {thing.number for thing in things}
        for number, thing in self.instances.things.items():
            if f"{KEY}{number}" in self.masses and number not in kept:
                things.append(thing)
        if not things:
            return {}
        found = [Found(kinds()[thing.kind], *(np.asarray(side, float) for side in thing.box)) for thing in things]
        middles = np.array([(thing.low_m + thing.high_m) / 2 for thing in found])[:, :2]
        regions, types = self.rooms.regions()
        numbers = regions[cells(middles[:, 0]), cells(middles[:, 1])]
        relations = relate(found, self._parted(middles))
        keys = [f"{KEY}{thing.number}" for thing in things]
        links: dict[str, list[tuple[str, str]]] = {key: [] for key in keys}
        for name, matrix in relations.items():
            for i, j in np.argwhere(matrix):
                links[keys[i]].append((name, keys[j]))
        return {
            key: self._sighting(key, thing, seen, types[number], links[key])
            for key, thing, seen, number in zip(keys, things, found, numbers, strict=True)
        }

    def rewind(self) -> None:
        """The house is as it was at first."""
        self.believe()

    def weighed(self, key: str) -> None:
        """Notes that a thing was lifted, and may lie elsewhere."""
        thing = self.instances.things.get(int(key.removeprefix(KEY)))
        if thing is not None:
            thing.handled = True
        self._minds.clear()

    def decide(self, program: Program) -> Answer:
        """Answers a question by what is believed; where that decides nothing, by more or less, else the likely way."""
        self.believe()
        verdict = self.judge(program)
        answer = verdict.answer
        for bar in OTHER_BARS:
            if answer is not None:
                break
            self.believe(bar)
            answer = self.judge(program).answer
        return verdict.likely if answer is None else answer

    def _parted(self, middles: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
        count = len(middles)
        one, other = (axis.ravel() for axis in np.indices((count, count)))
        walls = self.rooms.walls()
        return self.rooms.parted(middles[one], middles[other], walls).reshape(count, count)

    def _sighting(
        self, key: str, thing: Instance, found: Found, room: str, relations: list[tuple[str, str]]
    ) -> Sighting:
        kind = found.kind
        colours, materials = self._looks(kind, thing)
        sides = found.high_m - found.low_m
        known = Thing(
            id=key,
            type=kind.name,
            colours=colours,
            materials=materials,
            room=room,
            size_m=(float(sides[0]), float(sides[1]), float(sides[2])),
            shape=kind.shape,
            portable=kind.portable,
        )
        handles = tuple(guessed_handles(found, thing.from_m / thing.views)) if kind.handles else ()
        return Sighting(known, _point(found.low_m), _point(found.high_m), handles, room, tuple(relations))

    def _looks(self, kind: Kind, thing: Instance) -> tuple[frozenset[str], frozenset[str]]:
        """Its colours and materials, by what the network says to "red mug" and "wooden mug"; reading costs time."""
        assert self.network is not None
        vector = thing.vector / thing.weight
        noun = kind.noun if thing.sureness >= BELIEVED else ANYTHING
        colours, materials = (
            self.network.score(self.network.read(sentences) @ vector) for sentences in look_sentences(noun)
        )
        return (
            frozenset(_said(COLOUR_WORDS, colours, SECOND_COLOUR)),
            frozenset(_said(MATERIAL_WORDS, materials, SECOND_MATERIAL)),
        )


def _said(words: tuple[str, ...], scores: npt.NDArray[np.float32], second: float) -> list[str]:
    """The word that fits best, and the next one if it fits well."""
    best, next_best = (int(place) for place in np.argsort(-scores)[:2])
    return [words[best], *([words[next_best]] if scores[next_best] >= second else [])]


def guessed_handles(found: Found, from_m: npt.NDArray[np.float64]) -> list[Handle]:
    """Where the handles of a thing should be, made as such things are, with its front to where it was seen from."""
    low, high, kind = found.low_m, found.high_m, found.kind
    middle, sides = (low + high) / 2, high - low
    ways = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
    front = max(ways, key=lambda way: _fit(way, middle, sides, kind, from_m))
    dx, dy = front
    handles = []
    for number, (across, behind, above) in enumerate(kind.handles):
        # Seen from the front, the width of an asset runs to the right.
        along = sides[1] if dx else sides[0]
        deep = sides[0] if dx else sides[1]
        right, ahead = (across - 0.5) * along, (0.5 - behind) * deep
        x_m = middle[0] + dx * ahead - dy * right
        y_m = middle[1] + dy * ahead + dx * right
        place = (float(x_m), float(y_m), float(low[2] + above * sides[2]))
        handles.append(Handle(f"handle_{number}", place, 0.0))
    return handles


def _fit(
    way: tuple[float, float],
    middle: npt.NDArray[np.float64],
    sides: npt.NDArray[np.float64],
    kind: Kind,
    from_m: npt.NDArray[np.float64],
) -> float:
    gap = from_m - middle[:2]
    facing = float(gap @ np.array(way)) / max(float(np.linalg.norm(gap)), 1e-6)
    along, deep = (sides[1], sides[0]) if way[0] else (sides[0], sides[1])
    odd = abs(math.log(max(along, 0.05) / max(deep, 0.05)) - math.log(kind.size_m[0] / kind.size_m[1]))
    return facing - odd


def _point(values: npt.NDArray[np.float64]) -> Point:
    x_m, y_m, z_m = (float(value) for value in values)
    return x_m, y_m, z_m
