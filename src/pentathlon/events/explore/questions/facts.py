"""The facts that questions are about: a small table of things, where any value may be unknown."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from pentathlon.events.explore.questions.words import is_kind_of
from pentathlon.worlds.houses.assets.types import ShapeClass
from pentathlon.worlds.houses.bodies.arm_actions import FORCE_STEP_KGF
from pentathlon.worlds.houses.graph.relations import STANDARD

Interval = tuple[float, float]
Pair = tuple[str, str]
# How much longer, wider or higher a thing must be for people to call it larger without measuring.
CLEARLY_LARGER = 1.1
COMPARED_EXTENTS: dict[ShapeClass, int] = {"cube": 3, "flat": 2, "long": 1}
OPPOSITES = {"lighter": "heavier", "smaller": "larger", "shorter": "longer"}


class Fact(NamedTuple):
    """Something that one may know: what is so about a thing, or that it stands in a relation to another.

    Attributes:
        thing: its id; empty for what was not found yet.
        about: "type", "room", "colour", "material", "mass", "size", "portable", "inside" (of a container), "found",
            or a relation.
        other: id of the other thing of a relation, or what is to be found.
    """

    thing: str
    about: str
    other: str = ""


@dataclass(frozen=True)
class Thing:
    """What is known of an object; ``None`` stands for what is not.

    Attributes:
        room: id of its room; empty where it is in none.
        mass_kg: known to be more than the first and at most the second, or exactly both.
        size_m: width, depth and height of the thing itself.
        shape: the class within which sizes are compared; ``None`` for those that are not compared.
    """

    id: str
    type: str | None = None
    colours: frozenset[str] | None = None
    materials: frozenset[str] | None = None
    room: str | None = None
    mass_kg: Interval | None = None
    size_m: tuple[float, float, float] | None = None
    shape: ShapeClass | None = None
    portable: bool | None = None


@dataclass(frozen=True)
class SceneFacts:
    """Things, and what holds among them: of a whole house, or of what an agent knows of it.

    Attributes:
        things: by id.
        rooms: type of each room by its id.
        relations: for each place word, pairs (subject, object) for which it holds, or is unknown (``None``); others do
            not stand in it.
        unopened: containers whose inside is not known.
        strict: whether what people could call either way is unknown: a silver and black thing "silver", a wine glass
            "glass", things of unlike shape "larger".
    """

    things: Mapping[str, Thing]
    rooms: Mapping[str, str]
    relations: Mapping[str, Mapping[Pair, bool | None]] = field(default_factory=dict)
    unopened: frozenset[str] = frozenset()
    strict: bool = False

    def is_of_type(self, thing: Thing, word: str) -> bool | None:
        """Tells whether a thing is of an object type."""
        if thing.type is None:
            return None
        return None if self.strict and is_kind_of(thing.type, word) else thing.type == word

    def has_colour(self, thing: Thing, word: str) -> bool | None:
        """Tells whether a thing has the colours that " and " joins in a word."""
        return self._has_words(thing.colours, word)

    def has_material(self, thing: Thing, word: str) -> bool | None:
        """Tells whether a thing is made of the materials that " and " joins in a word."""
        return self._has_words(thing.materials, word)

    def is_in_room(self, thing: Thing, word: str) -> bool | None:
        """Tells whether a thing is in a room of a type."""
        return None if thing.room is None else self.rooms.get(thing.room) == word

    def holds(self, subject: Thing, relation: str, other: Thing) -> bool | None:
        """Tells whether a relation holds between two things."""
        if relation in OPPOSITES:
            return self.holds(other, OPPOSITES[relation], subject)
        if relation == "heavier":
            return is_heavier(subject.mass_kg, other.mass_kg)
        if relation in ("larger", "longer"):
            return self._is_larger(subject, relation, other)
        if relation == "contains":
            return self.holds(other, "in", subject)
        return self.relations.get(relation, {}).get((subject.id, other.id), False)

    def _has_words(self, own: frozenset[str] | None, word: str) -> bool | None:
        if own is None:
            return None
        asked = frozenset(word.split(" and "))
        return None if self.strict and asked < own else asked <= own

    def _is_larger(self, subject: Thing, relation: str, other: Thing) -> bool | None:
        alike = subject.shape is not None and subject.shape == other.shape
        if not alike or (subject.shape == "long") != (relation == "longer"):
            return None if self.strict else False
        if subject.size_m is None or other.size_m is None:
            return None
        assert subject.shape is not None
        extents = COMPARED_EXTENTS[subject.shape]
        pairs = list(zip(_ordered(subject.size_m)[:extents], _ordered(other.size_m)[:extents], strict=True))
        if not self.strict:
            return all(own > others for own, others in pairs)
        if all(own > CLEARLY_LARGER * others for own, others in pairs):
            return True
        return False if all(others > CLEARLY_LARGER * own for own, others in pairs) else None


def is_heavier(own: Interval | None, other: Interval | None, most_kg: float = STANDARD.heaviest_kg) -> bool | None:
    """Tells whether a mass is greater than another, where both are at most ``most_kg``; ``None`` if it is not known."""
    if any(mass is not None and _is_beyond(mass, most_kg) for mass in (own, other)):
        return False
    if own is None or other is None:
        return None
    if own[0] > other[1] or (own[0] == other[1] and own[0] < own[1]):
        return True
    return False if own[1] <= other[0] else None


def felt_mass(force_kgf: float) -> Interval:
    """What is known of the mass of a thing, when this is the least force, in steps, that lifts it."""
    return round(force_kgf - FORCE_STEP_KGF, 6), round(force_kgf, 6)


def least_force_kgf(mass_kg: float) -> float:
    """Returns the least force, in the arm's steps, that lifts a mass."""
    return round(math.ceil(mass_kg / FORCE_STEP_KGF - 1e-6) * FORCE_STEP_KGF, 6)


TOO_HEAVY: Interval = (STANDARD.heaviest_kg, math.inf)
"""What is known of the mass of a thing that the greatest force does not lift."""

Filter = Callable[[SceneFacts, Thing, str], bool | None]
FILTERS: dict[str, tuple[str, Filter]] = {
    "filter_type": ("type", SceneFacts.is_of_type),
    "filter_colour": ("colour", SceneFacts.has_colour),
    "filter_material": ("material", SceneFacts.has_material),
    "filter_room": ("room", SceneFacts.is_in_room),
    "filter_portable": ("portable", lambda facts, thing, word: thing.portable),
}
"""What each filter looks at, and how it decides."""


def fact_of_relation(relation: str) -> str | None:
    """Returns which fact of both things decides a comparison; ``None`` for places."""
    relation = OPPOSITES.get(relation, relation)
    return {"heavier": "mass", "larger": "size", "longer": "size"}.get(relation)


def _is_beyond(mass: Interval, most_kg: float) -> bool:
    return mass[0] > most_kg or (mass[0] == most_kg and mass[1] > most_kg)


def _ordered(size_m: tuple[float, float, float]) -> list[float]:
    return sorted(size_m, reverse=True)
