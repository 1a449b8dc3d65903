"""Says a set of attributes in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pentathlon.learning.detectors.attributes import ALWAYS, Attributes
from pentathlon.learning.detectors.vocabulary import FRAMES, MATERIALS, RELATIONS, ROOMS, SAID, SIZES, STATES


def names_of(attributes: Attributes, type_name: str) -> tuple[str, ...]:
    """Returns all names of a type that training says, the catalogue's noun first."""
    return (attributes.types[type_name].noun, *SAID.get(type_name, ()))


def plain_sentence(attributes: Attributes, numbers: Sequence[int], noun: str | None = None) -> str:
    """Says attributes in the first words of each table."""
    return _Speaker(attributes, None).say(numbers, noun)


def random_sentence(attributes: Attributes, numbers: Sequence[int], rng: np.random.Generator) -> str:
    """Says attributes in words, order and frame drawn at random."""
    speaker = _Speaker(attributes, rng)
    return speaker.pick(FRAMES).format(speaker.say(numbers, None))


class _Speaker:
    def __init__(self, attributes: Attributes, rng: np.random.Generator | None) -> None:
        self.attributes, self.rng = attributes, rng

    def pick(self, words: Sequence[str]) -> str:
        return words[0] if self.rng is None else words[int(self.rng.integers(len(words)))]

    def chance(self, share: float) -> bool:
        return self.rng is not None and self.rng.random() < share

    def say(self, numbers: Sequence[int], noun: str | None) -> str:
        said = [(self.attributes.kind(n), self.attributes.word(n)) for n in numbers if n != ALWAYS]
        text = noun or self._noun(said)
        text = self._with_looks(text, said)
        for kind, word in said:
            if kind == "state":
                text = self.pick(STATES[word]).format(text)
        text += self._relations(said)
        rooms = [f" in the {ROOMS[word]}" for kind, word in said if kind == "room"]
        return text + "".join(rooms)

    def _noun(self, said: Sequence[tuple[str, str]]) -> str:
        for kind, word in said:
            if kind == "type":
                return self.pick(names_of(self.attributes, word))
            if kind == "group":
                return word
        return self.pick(("thing", "object"))

    def _with_looks(self, text: str, said: Sequence[tuple[str, str]]) -> str:
        """Puts size, colour and material before the noun, with commas between them or not, or sometimes after it."""
        before, after = [], ""
        tables = {"size": SIZES, "material": MATERIALS}
        for wanted in ("size", "colour", "material"):
            for kind, word in said:
                if kind != wanted:
                    continue
                if wanted == "material" and self.chance(0.2):
                    after = f" made of {word}"
                elif wanted == "colour" and self.chance(0.1):
                    after = f" that is {word}"
                else:
                    before.append(self.pick(tables[kind][word]) if kind in tables else word)
        comma = ", " if self.chance(0.4) else " "
        return " ".join([comma.join(before), text] if before else [text]) + after

    def _relations(self, said: Sequence[tuple[str, str]]) -> str:
        """Says "on top of x, near y, z": what is near several things names them one after the other."""
        parts: list[str] = []
        for relation in RELATIONS:
            others = [self.pick(names_of(self.attributes, word)) for kind, word in said if kind == relation]
            if others:
                parts.append(f"{self.pick(RELATIONS[relation])} {', '.join(others)}")
        comma = ", " if self.chance(0.5) else " "
        return f" {comma.join(parts)}" if parts else ""
