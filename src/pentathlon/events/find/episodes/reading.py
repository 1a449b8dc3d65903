"""Reads a description back into what it claims, by its own grammar, for the checker."""

from __future__ import annotations

import re

from pentathlon.core.errors import DataError
from pentathlon.events.find.episodes.claims import FLOOR, MADE_OF, Claim
from pentathlon.events.find.episodes.targets import noun_of
from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.modelling.colours import COLOURS

RELATIONS = {" on top of ": "on", " under ": "under", " in ": "in"}
MATERIAL_OF = {word: material for material, word in MADE_OF.items()}


def read_claim(text: str) -> Claim:
    """Takes a description apart.

    Raises:
        DataError: when some part of it is not understood, or names nothing known.
    """
    head, _, around = text.partition(", near ")
    head, relation, other = _relation(head)
    words, noun = _looks(head)
    colours, materials = [], []
    for word in words:
        if word in MATERIAL_OF:
            materials.append(MATERIAL_OF[word])
        elif word != "small":
            colours += _colours(word, text)
    near = tuple(_noun(part, text) for part in around.split(", ")) if around else ()
    return Claim(_noun(noun, text), "small" in words, tuple(colours), tuple(materials), relation, other, near)


def _relation(head: str) -> tuple[str, str, str]:
    if head.endswith(" on the floor"):
        return head.removesuffix(" on the floor"), "on", FLOOR
    for words, relation in RELATIONS.items():
        before, found, after = head.rpartition(words)
        if found and _bare(after) in _nouns():
            return before, relation, _bare(after)
    return head, "", ""


def _looks(head: str) -> tuple[list[str], str]:
    """Splits "small, red and white, wooden mug" before its noun, the longest one known that ends it."""
    for noun in sorted(_nouns(), key=len, reverse=True):
        if head == noun:
            return [], noun
        if head.endswith(f" {noun}"):
            return head.removesuffix(f" {noun}").split(", "), noun
    return [], head


def _colours(word: str, text: str) -> list[str]:
    found = word.split(" and ")
    for colour in found:
        if colour not in COLOURS:
            raise DataError(f"Expected a size, colours and a material before the noun of {text!r}, got {colour!r}.")
    return found


def _noun(words: str, text: str) -> str:
    noun = _bare(words)
    if noun not in _nouns():
        raise DataError(f"Expected the name of a kind of thing in {text!r}, got {words!r}.")
    return noun


def _bare(words: str) -> str:
    return re.sub("^(a|an|the) ", "", words)


def _nouns() -> frozenset[str]:
    return frozenset(noun_of(name) for name in catalogue())
