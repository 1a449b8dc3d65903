"""Says a set of attributes in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pentathlon.learning.detectors.attributes import ALWAYS, Attributes
from pentathlon.learning.detectors.vocabulary import ARTICLES, FRAMES, MATERIALS, RELATIONS, ROOMS, SAID, SIZES, STATES


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
        words = {kind: [word for one, word in said if one == kind] for kind in ("size", "colour", "material")}
        before, after = [self.pick(SIZES[word]) for word in words["size"]], ""
        colours = " and ".join(words["colour"])
        if colours and self.chance(0.1):
            after = f" that is {colours}"
        elif colours:
            before.append(colours)
        for word in words["material"]:
            if not after and self.chance(0.2):
                after = f" made of {word}"
            else:
                before.append(self.pick(MATERIALS[word]))
        comma = ", " if self.chance(0.4) else " "
        return " ".join([comma.join(before), text] if before else [text]) + after

    def _relations(self, said: Sequence[tuple[str, str]]) -> str:
        """Says "on top of x, near y, z": what is near several things names them one after the other."""
        parts: list[str] = []
        article = self.pick(ARTICLES)
        for relation in RELATIONS:
            nouns = [self.pick(names_of(self.attributes, word)) for kind, word in said if kind == relation]
            others = [_with_article(article, noun) for noun in nouns]
            if others:
                parts.append(f"{self.pick(RELATIONS[relation])} {', '.join(others)}")
        comma = ", " if self.chance(0.5) else " "
        return f" {comma.join(parts)}" if parts else ""


def _with_article(article: str, noun: str) -> str:
    if article == "a" and noun[0] in "aeiou":
        return f"an {noun}"
    return f"{article} {noun}".strip()
