"""The queries that a network is measured by: names of types, names never said, and types with one more word."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from pentathlon.learning.detectors.corpus import Corpus
from pentathlon.learning.detectors.queries import FEWEST_PX
from pentathlon.learning.detectors.sentences import plain_sentence
from pentathlon.learning.detectors.vocabulary import KEPT, UNCOMMON

Kind: TypeAlias = Literal[
    "type", "kept", "uncommon", "colour", "material", "size", "state", "room", "on", "in", "under", "near"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
DETAILS: tuple[Kind, ...] = ("colour", "material", "size", "state", "room", "on", "in", "under", "near")
FEWEST_VIEWS = 6
FEWEST_OBJECTS = 2


@dataclass(frozen=True)
class Question:
    """A sentence, the attributes that it stands for (the type first), and what it tests."""

    kind: Kind
    parts: tuple[int, ...]
    sentence: str
    type: str


def name_questions(corpus: Corpus) -> list[Question]:
    """Asks for every type by its noun, by names kept from training, and for the uncommon types."""
    attributes = corpus.attributes
    asked = []
    for name, words in attributes.types.items():
        part = (attributes.number[f"type:{name}"],)
        asked.append(Question("uncommon" if name in UNCOMMON else "type", part, words.noun, name))
        asked += [Question("kept", part, kept, name) for kept in KEPT.get(name, ())]
    return asked


def detail_questions(corpus: Corpus, most: int, rng: np.random.Generator) -> list[Question]:
    """Asks for types with one more attribute, where some views have it and others lack it; at most so many a kind."""
    by_kind: dict[Kind, list[Question]] = {kind: [] for kind in DETAILS}
    for type_name, things in _views_by_type(corpus).items():
        held = corpus.bits[things]
        enough = np.minimum(held.sum(0), (~held).sum(0)) >= FEWEST_VIEWS
        for number in np.flatnonzero(enough):
            kind = corpus.attributes.kind(int(number))
            has = held[:, number]
            few = min(len(np.unique(things[has])), len(np.unique(things[~has]))) < FEWEST_OBJECTS
            if kind in by_kind and not few:
                parts = (corpus.attributes.number[f"type:{type_name}"], int(number))
                sentence = plain_sentence(corpus.attributes, parts)
                by_kind[_kind(kind)].append(Question(_kind(kind), parts, sentence, type_name))
    chosen = {kind: rng.permutation(len(asked))[:most] for kind, asked in by_kind.items()}
    return [by_kind[kind][i] for kind, places in chosen.items() for i in places]


def _kind(name: str) -> Kind:
    return next(kind for kind in DETAILS if kind == name)


def _views_by_type(corpus: Corpus) -> dict[str, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Objects of each trained type, as often as they are in view."""
    views: dict[str, list[int]] = defaultdict(list)
    for rows in corpus.visible:
        for thing, pixels in rows[:, :2]:
            name = corpus.types[int(thing)]
            if pixels >= FEWEST_PX and name not in UNCOMMON:
                views[name].append(int(thing))
    return {name: np.array(things) for name, things in views.items()}
