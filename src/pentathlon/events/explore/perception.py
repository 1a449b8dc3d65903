"""True perception: what good eyes could tell of the objects in a picture. Masses are not among it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from pentathlon.events.explore.questions.facts import SceneFacts, Thing
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import HouseScene

Point = tuple[float, float, float]


class Handle(NamedTuple):
    """A handle of a door or drawer: where it is, and how far what it moves stands open, from 0 to 1."""

    joint: str
    place_m: Point
    opening: float


class Sighting(NamedTuple):
    """An object in the picture.

    Attributes:
        thing: its attributes, without its mass.
        low_m: lower corner of its upright box, in the house's frame.
        high_m: upper corner of its upright box.
        handles: of its doors and drawers.
        room_type: of the room that it is in; empty for none.
        relations: (relation, id of the other) that it stands in, as the house was at first.
    """

    thing: Thing
    low_m: Point
    high_m: Point
    handles: tuple[Handle, ...]
    room_type: str
    relations: tuple[tuple[str, str], ...]

    @property
    def middle_m(self) -> Point:
        """Middle of its box."""
        x, y, z = ((low + high) / 2 for low, high in zip(self.low_m, self.high_m, strict=True))
        return x, y, z


class TruePerception:
    """Tells sightings of a house, whose facts it knows."""

    def __init__(self, scene: HouseScene, facts: SceneFacts) -> None:
        self._scene, self._facts = scene, facts
        self._geometry = ObjectGeometry(scene)
        self._told: dict[int, tuple[bytes, Sighting]] = {}
        self._relations: dict[str, list[tuple[str, str]]] = {}
        for name, pairs in facts.relations.items():
            for (subject, other), holds in pairs.items():
                if holds:
                    self._relations.setdefault(subject, []).append((name, other))

    def sightings(self, data: Any, places: Iterable[int]) -> tuple[Sighting, ...]:
        """Returns what there is to tell of some objects, by their places in ``house.objects``."""
        return tuple(self._remembered(data, place) for place in places)

    def _remembered(self, data: Any, place: int) -> Sighting:
        """What was told before, as long as nothing of the object has moved."""
        where = self._geometry.place_of(data, place)
        if place not in self._told or self._told[place][0] != where:
            self._told[place] = where, self._sighting(data, place)
        return self._told[place][1]

    def _sighting(self, data: Any, place: int) -> Sighting:
        low, high = self._geometry.bounds_of(data, place)
        object_id = self._scene.house.objects[place].id
        thing = replace(self._facts.things[object_id], mass_kg=None)
        return Sighting(
            thing=thing,
            low_m=_point(low),
            high_m=_point(high),
            handles=tuple(self._handles(data, object_id)),
            room_type=self._facts.rooms.get(thing.room or "", ""),
            relations=tuple(self._relations.get(object_id, ())),
        )

    def _handles(self, data: Any, object_id: str) -> Iterable[Handle]:
        placed = self._scene.placed[object_id]
        for joint, name in placed.joints.items():
            address = int(self._scene.model.joint(name).qposadr[0])
            share = float(data.qpos[address]) / placed.asset.joint(joint).reach
            yield Handle(joint, _point(data.site(f"{name}/handle").xpos), min(max(share, 0.0), 1.0))


def _point(values: Any) -> Point:
    x, y, z = (float(value) for value in values)
    return x, y, z
