"""Descriptions of things: as parts, as steps of a program, and as English with synonyms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from pentathlon.events.explore.questions.facts import SceneFacts
from pentathlon.events.explore.questions.program import Step
from pentathlon.events.explore.questions.words import ADJECTIVES, ROOMS, nouns, plural, with_article

RELATION_WORDS: dict[str, tuple[str, ...]] = {
    "on": ("on", "on top of"),
    "in": ("in", "inside"),
    "near": ("near", "close to"),
    "adjacent": ("next to", "beside"),
    "heavier": ("heavier than",),
    "lighter": ("lighter than",),
    "larger": ("larger than", "bigger than"),
    "smaller": ("smaller than",),
    "longer": ("longer than",),
    "shorter": ("shorter than",),
}
GENERAL = ("thing", "object", "item")


@dataclass(frozen=True)
class Phrase:
    """A description; what is empty is not said.

    Attributes:
        type: object type; a "thing" without one.
        colour: colours joined by " and ".
        material: materials joined by " and ".
        room: type of room that it is in.
        portable: whether it is said that one can pick it up.
        relation: how it stands to ``other``.
    """

    type: str = ""
    colour: str = ""
    material: str = ""
    room: str = ""
    portable: bool = False
    relation: str = ""
    other: Phrase | None = None

    @cached_property
    def said(self) -> int:
        """How many of its own attributes are said."""
        return sum(map(bool, (self.type, self.colour, self.material, self.room)))

    def saying(self, attribute: str, word: str) -> Phrase:
        """The same with another word for an attribute, or none."""
        return replace(self, **{attribute: word})  # type: ignore[arg-type]


class Writer:
    """Writes a program step by step."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def add(self, node: str, *inputs: int, word: str = "") -> int:
        """Adds a step; returns its place."""
        self.steps.append(Step(node, inputs, word))
        return len(self.steps) - 1

    def things(self, phrase: Phrase) -> int:
        """Adds the steps that choose what a description fits."""
        place = self.add("scene")
        words = {"type": phrase.type, "room": phrase.room, "colour": phrase.colour, "material": phrase.material}
        for name, word in words.items():
            place = self.add(f"filter_{name}", place, word=word) if word else place
        place = self.add("filter_portable", place) if phrase.portable else place
        return self.related(place, phrase.relation, phrase.other) if phrase.other is not None else place

    def related(self, things: int, relation: str, other: Phrase) -> int:
        """Adds the steps that keep what stands in a relation to the one thing that is described."""
        return self.add("relate", things, self.one(other), word=relation)

    def one(self, phrase: Phrase) -> int:
        """Adds the steps that choose the one thing that is described."""
        return self.add("unique", self.things(phrase))


@dataclass(frozen=True)
class Speaker:
    """Puts descriptions into words, of which it draws one where there are several."""

    rng: np.random.Generator
    several_rooms: frozenset[str]
    """Types of which the house has more than one room."""

    @staticmethod
    def of(rng: np.random.Generator, facts: SceneFacts) -> Speaker:
        """Makes one that knows which rooms there are."""
        types = list(facts.rooms.values())
        return Speaker(rng, frozenset(name for name in types if types.count(name) > 1))

    def a(self, phrase: Phrase) -> str:
        """One of those that are described: "a wooden chair in the kitchen"."""
        return with_article(self._named(phrase)) + self._where(phrase)

    def the(self, phrase: Phrase) -> str:
        """The one that is described."""
        return f"the {self._named(phrase)}{self._where(phrase)}"

    def many(self, phrase: Phrase) -> str:
        """All that are described, in the plural."""
        return self._named(phrase, is_plural=True) + self._where(phrase)

    def relation(self, relation: str, other: Phrase) -> str:
        """How something stands to the one that is described: "heavier than the egg"."""
        return f"{self.pick(RELATION_WORDS[relation])} {self.the(other)}"

    def pick(self, options: Sequence[str]) -> str:
        """Draws one of some wordings."""
        return options[int(self.rng.integers(len(options)))]

    def place(self, room: str) -> str:
        """A room, with "a" where there are several of its type."""
        if room in self.several_rooms:
            return self.pick([with_article(ROOMS[room]), f"one of the {ROOMS[room]}s"])
        return f"the {ROOMS[room]}"

    def _named(self, phrase: Phrase, *, is_plural: bool = False) -> str:
        word = self.pick(nouns(phrase.type) if phrase.type else GENERAL)
        word = plural(word) if is_plural else word
        material = " and ".join(ADJECTIVES[name] for name in phrase.material.split(" and ") if name)
        looks = [phrase.colour, material, "portable" if phrase.portable else ""]
        return " ".join(filter(None, (*looks, word)))

    def _where(self, phrase: Phrase) -> str:
        text = f" in {self.place(phrase.room)}" if phrase.room else ""
        return text if phrase.other is None else f"{text} {self.relation(phrase.relation, phrase.other)}"
