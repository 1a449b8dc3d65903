"""What is true of objects as bits: a sentence is a set of bits that must all hold, so its truth is known everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
import numpy.typing as npt

from pentathlon.learning.detectors.vocabulary import GROUPS, MATERIALS, RELATIONS, ROOMS, SIZES, STATES, UNCOMMON

Bits = npt.NDArray[np.bool_]

ALWAYS = 0
MOST_PARTS = 5
SMALL_M, LARGE_M = 0.5, 1.0
"""Diagonals of boxes under which a thing is called small, and above which large."""


class TypeWords(msgspec.Struct, frozen=True):
    """What is said of an object type."""

    noun: str
    small: bool


class ObjectFacts(msgspec.Struct, frozen=True):
    """What is true of one object; relations name the types of the other things."""

    type: str
    colours: tuple[str, ...]
    materials: tuple[str, ...]
    states: tuple[str, ...]
    diagonal_m: float
    room: str
    relations: dict[str, tuple[str, ...]]


@dataclass(frozen=True)
class Attributes:
    """All attributes in a fixed order, named ``kind:word``; the first holds always."""

    types: Mapping[str, TypeWords]
    names: tuple[str, ...]
    number: Mapping[str, int]

    @staticmethod
    def of(types: Mapping[str, TypeWords], colours: Sequence[str]) -> Attributes:
        """Numbers what can be said with these types and colours."""
        tables: dict[str, Sequence[str]] = {
            "type": tuple(types),
            "group": tuple(GROUPS),
            "size": tuple(SIZES),
            "state": tuple(STATES),
            "room": tuple(ROOMS),
            "colour": tuple(colours),
            "material": tuple(MATERIALS),
        }
        names = ["always:", *(f"{kind}:{word}" for kind, words in tables.items() for word in words)]
        # Being near a pen tells a listener nothing.
        names += [f"{r}:{t}" for r in RELATIONS for t, words in types.items() if r != "near" or not words.small]
        return Attributes(types, tuple(names), {name: i for i, name in enumerate(names)})

    def kind(self, number: int) -> str:
        """Returns the kind of an attribute."""
        return self.names[number].partition(":")[0]

    def word(self, number: int) -> str:
        """Returns the word of an attribute."""
        return self.names[number].partition(":")[2]

    def columns(self) -> dict[str, npt.NDArray[np.int64]]:
        """Returns the numbers of each kind."""
        kinds = np.array([self.kind(number) for number in range(len(self.names))])
        return {str(kind): np.flatnonzero(kinds == kind) for kind in np.unique(kinds)}

    def row(self, facts: ObjectFacts) -> Bits:
        """Returns the bits of an object."""
        row = np.zeros(len(self.names), dtype=bool)
        row[ALWAYS] = True
        for name in _said_of(facts):
            if name in self.number:
                row[self.number[name]] = True
        return row


def _said_of(facts: ObjectFacts) -> list[str]:
    said = [f"type:{facts.type}", f"room:{facts.room}"]
    said += [f"group:{group}" for group, members in GROUPS.items() if facts.type in members]
    said += [f"colour:{word}" for word in facts.colours]
    said += [f"material:{word}" for word in facts.materials]
    said += [f"state:{word}" for word in facts.states]
    if facts.diagonal_m < SMALL_M or facts.diagonal_m > LARGE_M:
        said.append("size:small" if facts.diagonal_m < SMALL_M else "size:large")
    said += [f"{r}:{t}" for r, types in facts.relations.items() for t in types if t not in UNCOMMON]
    return said


def padded(parts: Sequence[Sequence[int]]) -> npt.NDArray[np.int64]:
    """Returns queries as ``[K, MOST_PARTS]``, filled up with what always holds."""
    table = np.full((len(parts), MOST_PARTS), ALWAYS, np.int64)
    for row, numbers in zip(table, parts, strict=True):
        row[: len(numbers)] = list(numbers)[:MOST_PARTS]
    return table
