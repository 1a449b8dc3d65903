"""Proposes questions of each family about a house, depth first: anchor, relation, then what is asked about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from pentathlon.events.explore.questions.drawing.drafts import Draft, Link
from pentathlon.events.explore.questions.drawing.house_index import ATTRIBUTES, HouseIndex
from pentathlon.events.explore.questions.drawing.phrases import Phrase
from pentathlon.events.explore.questions.facts import OPPOSITES
from pentathlon.events.explore.questions.program import COMPARISONS
from pentathlon.events.explore.questions.words import ADJECTIVES

T = TypeVar("T")
Wish = bool | int
# How often questions are about a relation; after Table 1 of the paper, with more of "on" and "near".
RELATION_WEIGHTS: dict[str, float] = {
    "adjacent": 56, "near": 6, "on": 4, "in": 8, "heavier": 8, "lighter": 8, "larger": 3, "smaller": 3, "longer": 2,
    "shorter": 2,
}  # fmt: skip
COUNTED_WEIGHTS = {"adjacent": 20, "on": 6, "in": 6, "heavier": 30, "lighter": 26, "larger": 3, "longer": 3}
PLACE_WEIGHTS = {"adjacent": 70, "near": 10, "on": 10, "in": 10}
MATERIAL_WEIGHT, COLOUR_WEIGHT = 2.0, 0.3
SHORTNESS = 0.7
"""How much less often a description with one more attribute is drawn."""
CARRYING = ("on", "in")
TARGETS_TRIED, ANCHORS_TRIED = 12, 6


@dataclass(frozen=True)
class Proposer:
    """Draws one question at a time, or ``None`` where chance led nowhere."""

    index: HouseIndex
    rng: np.random.Generator

    def propose(self, family: str, wish: Wish) -> Draft | None:
        """Proposes a question of a family, whose answer is the wish where the family has answers to wish for."""
        return _PROPOSE[family](self, wish)

    def exist(self, wish: Wish) -> Draft | None:
        """Something with two or three attributes, there or not; without any one of them there is such a thing."""
        phrase = self._described(self._any_key(), least=2)
        if wish:
            return None if phrase is None else Draft("exist", phrase)
        phrase = None if phrase is None else self._altered(phrase)
        return None if phrase is None else Draft("exist", phrase)

    def count(self, wish: Wish) -> Draft | None:
        """All things with one to three attributes."""
        for _ in range(TARGETS_TRIED):
            phrase = self._described(self._any_key(), least=1)
            if phrase is not None and wish == 0:
                phrase = self._altered(phrase)
            if phrase is not None and len(self.index.chosen(phrase)) == wish:
                return Draft("count", phrase)
        return None

    def query(self, attribute: str) -> Draft | None:
        """The one thing of a description that does not tell the attribute that is asked for."""
        found = self._one_related(attribute) if self.rng.random() < 0.5 else self._one(attribute)
        return None if found is None else Draft(f"query-{attribute}", found, is_one=True)

    def compare(self, family: str, relations: Sequence[str], wish: Wish) -> Draft | None:
        """Two things that can be told from all others; the relation is turned so that the answer is the wish."""
        anchors = self.index.anchors(relations[0])
        if len(anchors) < 2:
            return None
        first, second = (anchors[i] for i in self.rng.choice(len(anchors), 2, replace=False))
        things = self.index.facts.things
        fitting = [name for name in relations if self.index.facts.holds(things[first], name, things[second]) == wish]
        if not fitting or (not wish and len(fitting) == len(relations)):
            return None
        relation = self._pick(fitting)
        target, other = self._named(first), self._named(second)
        return Draft(family, target, (Link(relation, other),), is_one=True)

    def relation(self, wish: Wish) -> Draft | None:
        """Something that stands in a relation to an anchor, or does not; some thing of its description does not."""
        relation = self._weighted(RELATION_WEIGHTS)
        is_one = relation not in COMPARISONS and self.rng.random() < 0.25
        for anchor in self._some(self.index.anchors(relation), ANCHORS_TRIED):
            related = self.index.related(relation, anchor)
            for key in self._some(self._candidates(relation, anchor, related, wish), TARGETS_TRIED):
                target = self._named(key) if is_one and key in self.index.unique else self._target(key, relation)
                if target is None:
                    continue
                chosen = self.index.chosen(target) - {anchor}
                one = is_one and len(chosen) == 1
                if one or (bool(chosen & related) == bool(wish) and chosen - related):
                    return Draft("relation", target, (Link(relation, self._named(anchor)),), is_one=one)
        return None

    def count_relation(self, wish: Wish) -> Draft | None:
        """All things of a description that stand in a relation to an anchor; not all of them do."""
        relation = self._weighted(COUNTED_WEIGHTS)
        for anchor in self._some(self.index.anchors(relation), ANCHORS_TRIED):
            related = self.index.related(relation, anchor)
            for key in self._some(self.index.keys, TARGETS_TRIED):
                target = self._target(key, relation)
                chosen = frozenset() if target is None else self.index.chosen(target) - {anchor}
                if target is not None and len(chosen & related) == wish and chosen - related:
                    return Draft("count-relation", target, (Link(relation, self._named(anchor)),))
        return None

    def conjunction(self, wish: Wish) -> Draft | None:
        """Something in two relations at once, or one of two things; each part alone would not tell the answer."""
        return self._either(wish) if self.rng.random() < 0.35 else self._both(wish)

    def _either(self, wish: Wish) -> Draft | None:
        first, second = self._described(self._any_key(), least=2), self._described(self._any_key(), least=2)
        if first is None or second is None or first.type == second.type:
            return None
        absent, other = self._altered(first), second if wish else self._altered(second)
        if absent is None or other is None:
            return None
        parts = [absent, other] if self.rng.random() < 0.5 else [other, absent]
        return Draft("conjunction", parts[0], instead=parts[1])

    def _both(self, wish: Wish) -> Draft | None:
        place, comparison = self._weighted(PLACE_WEIGHTS), self._weighted(RELATION_WEIGHTS)
        for anchor in self._some(self.index.anchors(place), ANCHORS_TRIED):
            near = self.index.related(place, anchor)
            for key in self._some(tuple(sorted(near)), 3):
                target = self._target(key, comparison)
                for other in self._some(self.index.anchors(comparison), ANCHORS_TRIED) if target else ():
                    chosen = self.index.chosen(target) - {anchor, other} if target else frozenset()
                    far = self.index.related(comparison, other)
                    parts = chosen & near, chosen & far, chosen & near & far
                    if other == anchor or not all(parts[:2]) or bool(parts[2]) != bool(wish) or chosen <= far:
                        continue
                    assert target is not None
                    links = Link(place, self._named(anchor)), Link(comparison, self._named(other))
                    return Draft("conjunction", target, links)
        return None

    def _candidates(self, relation: str, anchor: str, related: frozenset[str], wish: Wish) -> tuple[str, ...]:
        """Things to ask about: what might well stand in the relation, since it is in the same room, or portable."""
        if wish:
            return tuple(sorted(related))
        things = self.index.facts.things
        others = [key for key in self.index.keys if key not in related and key != anchor]
        if relation not in COMPARISONS:
            others = [key for key in others if things[key].room == things[anchor].room]
        return tuple(key for key in others if things[key].portable or relation not in CARRYING)

    def _target(self, key: str, relation: str) -> Phrase | None:
        """A description of things to compare: without a noun, masses are asked of what one can pick up."""
        relation = OPPOSITES.get(relation, relation)
        options = self.index.descriptions(key)
        if relation in ("larger", "longer"):
            options = [phrase for phrase in options if phrase.type]
        if relation not in COMPARISONS:
            options = [phrase for phrase in options if not phrase.room]
        options = [phrase for phrase in options if phrase.type or phrase.colour or phrase.material]
        phrase = self._drawn(options)
        return replace(phrase, portable=True) if phrase and relation == "heavier" and not phrase.type else phrase

    def _one(self, attribute: str) -> Phrase | None:
        key = self._any_key()
        options = [
            phrase
            for phrase in self.index.descriptions(key)
            if not getattr(phrase, attribute) and len(self.index.chosen(phrase)) == 1
        ]
        return self._drawn(options)

    def _one_related(self, attribute: str) -> Phrase | None:
        """A thing that only its place tells from others of the same description."""
        relation = self._weighted(PLACE_WEIGHTS)
        for anchor in self._some(self.index.anchors(relation), ANCHORS_TRIED):
            related = self.index.related(relation, anchor)
            for key in self._some(tuple(sorted(related)), 3):
                options = [
                    phrase
                    for phrase in self.index.descriptions(key)
                    if not getattr(phrase, attribute) and (phrase.type or attribute == "type")
                    if len(self.index.chosen(phrase) & related) == 1 < len(self.index.chosen(phrase) - {anchor})
                ]
                phrase = self._drawn(options)
                if phrase is not None:
                    return replace(phrase, relation=relation, other=self._named(anchor))
        return None

    def _altered(self, phrase: Phrase) -> Phrase | None:
        """The same with one other word, so that there is no such thing, but one for any part of the description."""
        said = [name for name in ATTRIBUTES if getattr(phrase, name)]
        if len(said) < 2:
            return None
        name = self._pick(said)
        words = sorted({word for key, word in self.index.fitting if key == name and word})
        for word in self._some(tuple(words), TARGETS_TRIED):
            other = phrase.saying(name, word)
            without = [other.saying(part, "") for part in said]
            if _is_sayable(other) and not self.index.chosen(other) and all(map(self.index.chosen, without)):
                return other
        return None

    def _named(self, key: str) -> Phrase:
        phrase = self._drawn(self.index.unique[key])
        assert phrase is not None
        return phrase

    def _described(self, key: str, least: int) -> Phrase | None:
        options = self.index.descriptions(key)
        return self._drawn([phrase for phrase in options if phrase.said >= least])

    def _drawn(self, options: Sequence[Phrase]) -> Phrase | None:
        if not options:
            return None
        return options[self._place([_weight(phrase) for phrase in options])]

    def _any_key(self) -> str:
        return self._pick(self.index.keys)

    def _pick(self, options: Sequence[T]) -> T:
        return options[int(self.rng.integers(len(options)))]

    def _some(self, options: Sequence[T], count: int) -> list[T]:
        return [options[i] for i in self.rng.permutation(len(options))[:count]]

    def _weighted(self, weights: Mapping[str, float]) -> str:
        return list(weights)[self._place(list(weights.values()))]

    def _place(self, weights: Sequence[float]) -> int:
        """Draws a place by weight, as ``rng.choice`` does, whose checks cost more than the draw."""
        shares = np.asarray(weights, dtype=float)
        sums = np.cumsum(shares / shares.sum())
        return int((sums / sums[-1]).searchsorted(self.rng.random(), side="right"))


def _weight(phrase: Phrase) -> float:
    kinds = (MATERIAL_WEIGHT if phrase.material else 1.0) * (COLOUR_WEIGHT if phrase.colour else 1.0)
    return float(kinds * SHORTNESS**phrase.said)


def _is_sayable(phrase: Phrase) -> bool:
    return all(word in ADJECTIVES for word in phrase.material.split(" and ") if word)


_PROPOSE: dict[str, Callable[[Proposer, Wish], Draft | None]] = {
    "exist": Proposer.exist,
    "count": Proposer.count,
    "query-colour": lambda proposer, wish: proposer.query("colour"),
    "query-material": lambda proposer, wish: proposer.query("material"),
    "query-type": lambda proposer, wish: proposer.query("type"),
    "compare-mass": lambda proposer, wish: proposer.compare("compare-mass", ("heavier", "lighter"), wish),
    "compare-size": lambda proposer, wish: proposer.compare("compare-size", ("larger", "smaller"), wish),
    "compare-length": lambda proposer, wish: proposer.compare("compare-length", ("longer", "shorter"), wish),
    "relation": Proposer.relation,
    "count-relation": Proposer.count_relation,
    "conjunction": Proposer.conjunction,
}
