"""A house as questions are drawn from it: which things each word fits, and which descriptions fit one thing alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from pentathlon.events.explore.questions.drawing.phrases import Phrase
from pentathlon.events.explore.questions.facts import OPPOSITES, SceneFacts, Thing
from pentathlon.events.explore.questions.program import COMPARISONS
from pentathlon.events.explore.questions.survey import Survey
from pentathlon.events.explore.questions.words import ADJECTIVES

Words = tuple[str, str]
ATTRIBUTES = ("type", "colour", "material", "room")
MOST_ATTRIBUTES = 3


@dataclass(frozen=True)
class HouseIndex:
    """Finds things by words, and words for things."""

    survey: Survey
    _descriptions: dict[str, list[Phrase]] = field(default_factory=dict)
    _compared: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)

    @property
    def facts(self) -> SceneFacts:
        """The truth."""
        return self.survey.facts

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Ids of all things."""
        return tuple(self.facts.things)

    @cached_property
    def fitting(self) -> dict[Words, frozenset[str]]:
        """Things that each word fits, by attribute and word; joined words among them."""
        found: dict[Words, set[str]] = {}
        for key, thing in self.facts.things.items():
            for words in _words(self.facts, thing):
                found.setdefault(words, set()).add(key)
        return {words: frozenset(keys) for words, keys in found.items()}

    @cached_property
    def own_words(self) -> dict[str, dict[str, list[str]]]:
        """For each thing and attribute, the words that describe it for certain."""
        return {key: _clear_words(self.facts, thing) for key, thing in self.facts.things.items()}

    def chosen(self, phrase: Phrase) -> frozenset[str]:
        """Things that a description without relations fits."""
        words = [(name, getattr(phrase, name)) for name in ATTRIBUTES if getattr(phrase, name)]
        sets = [self.fitting.get(pair, frozenset()) for pair in words] or [frozenset(self.keys)]
        found = frozenset.intersection(*sets)
        return frozenset(key for key in found if self.facts.things[key].portable) if phrase.portable else found

    def descriptions(self, key: str) -> list[Phrase]:
        """Returns descriptions of a thing by up to three attributes, whatever else they fit."""
        if key not in self._descriptions:
            self._descriptions[key] = _all_phrases(self.own_words[key])
        return self._descriptions[key]

    @cached_property
    def unique(self) -> dict[str, list[Phrase]]:
        """Descriptions with a noun that fit one thing alone, by the thing."""
        found: dict[str, list[Phrase]] = {}
        for key in self.keys:
            own = [phrase for phrase in self.descriptions(key) if phrase.type and len(self.chosen(phrase)) == 1]
            if own:
                found[key] = own
        return found

    def related(self, relation: str, other: str) -> frozenset[str]:
        """Things that stand in a relation to another."""
        if relation not in COMPARISONS:
            return self._at[relation].get(other, frozenset())
        if (relation, other) not in self._compared:
            things = self.facts.things
            found = (key for key in self.keys if self.facts.holds(things[key], relation, things[other]))
            self._compared[relation, other] = frozenset(found)
        return self._compared[relation, other]

    def anchors(self, relation: str) -> tuple[str, ...]:
        """Things that can be told apart and to which others may stand in a relation."""
        if relation not in COMPARISONS:
            return tuple(key for key in self.unique if key in self._at[relation])
        things = self.facts.things
        return tuple(key for key in self.unique if _is_comparable(things[key], relation))

    @cached_property
    def _at(self) -> dict[str, dict[str, frozenset[str]]]:
        tables: dict[str, dict[str, frozenset[str]]] = {}
        for name, pairs in self.facts.relations.items():
            table: dict[str, set[str]] = {}
            for subject, other in pairs:
                table.setdefault(other, set()).add(subject)
            tables[name] = {other: frozenset(subjects) for other, subjects in table.items()}
        return tables


def _all_phrases(own: dict[str, list[str]]) -> list[Phrase]:
    said = [name for name in ATTRIBUTES if own[name]]
    choices = (names for count in range(1, MOST_ATTRIBUTES + 1) for names in combinations(said, count))
    return [Phrase(**{name: own[name][0] for name in names}) for names in choices]  # type: ignore[arg-type]


def _is_comparable(thing: Thing, relation: str) -> bool:
    relation = OPPOSITES.get(relation, relation)
    if relation == "heavier":
        return bool(thing.portable and thing.mass_kg and thing.mass_kg[1] <= 5.0)
    return thing.shape == "long" if relation == "longer" else thing.shape in ("cube", "flat")


def _words(facts: SceneFacts, thing: Thing) -> list[Words]:
    """All words that fit a thing, alone and joined as it has them."""
    assert thing.type is not None
    assert thing.colours is not None
    assert thing.materials is not None
    words = [("type", thing.type), ("room", facts.rooms.get(thing.room or "", ""))]
    for name, own in (("colour", thing.colours), ("material", thing.materials)):
        words += [(name, word) for word in {*own, " and ".join(sorted(own))}]
    return words


def _clear_words(facts: SceneFacts, thing: Thing) -> dict[str, list[str]]:
    """Words that nobody would dispute: all colours together, and materials that have a word."""
    assert thing.type is not None
    assert thing.colours is not None
    assert thing.materials is not None
    materials = [" and ".join(sorted(thing.materials))] if thing.materials <= ADJECTIVES.keys() else []
    return {
        "type": [thing.type],
        "colour": [" and ".join(sorted(thing.colours))] if len(thing.colours) <= 2 else [],
        "material": materials if len(thing.materials) <= 2 else [],
        "room": [facts.rooms[thing.room]] if thing.room else [],
    }
