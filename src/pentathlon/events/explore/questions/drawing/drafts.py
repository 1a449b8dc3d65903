"""Questions before they are accepted: what they are about, and how they turn into programs and words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from pentathlon.events.explore.questions.drawing.phrases import RELATION_WORDS, Phrase, Speaker, Writer
from pentathlon.events.explore.questions.facts import OPPOSITES
from pentathlon.events.explore.questions.program import Program, checked


class Link(NamedTuple):
    """How a thing stands to another, which a description tells from all others."""

    relation: str
    other: Phrase


@dataclass(frozen=True)
class Draft:
    """A question in parts.

    Attributes:
        family: which kind of question.
        target: what is asked about.
        links: how it stands to other things; two are joined by "and".
        instead: a second description, joined by "or".
        is_one: whether ``target`` means one thing, as in "the mug".
    """

    family: str
    target: Phrase
    links: tuple[Link, ...] = ()
    instead: Phrase | None = None
    is_one: bool = False

    def program(self) -> Program:
        """Returns its program."""
        writer = Writer()
        if self.is_one and self.links:
            (link,) = self.links
            writer.add("compare", writer.one(self.target), writer.one(link.other), word=link.relation)
        elif self.family.startswith("query-"):
            writer.add(self.family.replace("-", "_"), writer.one(self.target))
        else:
            writer.add("count" if self.family.startswith("count") else "exist", self._things(writer))
        return checked(writer.steps)

    def _things(self, writer: Writer) -> int:
        if self.instead is not None:
            return writer.add("union", writer.things(self.target), writer.things(self.instead))
        sets = [writer.related(writer.things(self.target), *link) for link in self.links]
        if not sets:
            return writer.things(self.target)
        return sets[0] if len(sets) == 1 else writer.add("intersect", *sets)

    def text(self, speaker: Speaker) -> str:
        """Puts it into words."""
        sentence = _SAY[self.family](self, speaker)
        return sentence[0].upper() + sentence[1:]

    def traits(self) -> tuple[str, ...]:
        """Returns what a reader who knows houses in general may guess the answer from."""
        target, links = self.target, self.links
        if self.is_one and links and links[0].relation in OPPOSITES:
            # "A is lighter than B" is the same question as "B is heavier than A".
            target, links = links[0].other, (Link(OPPOSITES[links[0].relation], self.target),)
        found = [self.family, *_said(f"{self.family}", target)]
        found += [] if self.instead is None else _said(self.family, self.instead)
        for relation, other in links:
            at = f"{self.family}/{relation}"
            found += [at, *_said(f"{at}/to", other), *_said(at, target)]
            found.append(f"{relation}/{target.type or target.material}/{other.type}")
            found.append(f"{relation}/{target.type}/{target.room}/{other.room}")
            found.append(f"{self.family}/{relation}/{target.room}/{other.room}")
            found.append(f"{relation}/{target.material}/{other.material}")
        found.append(f"{target.type}/{target.room}/{target.colour or target.material}/{not links}")
        return tuple(dict.fromkeys(found))


def _said(at: str, phrase: Phrase) -> list[str]:
    names = ("type", "colour", "material", "room")
    return [f"{at}/{name}={getattr(phrase, name)}" for name in names]


def _say_exist(draft: Draft, speaker: Speaker) -> str:
    phrase = speaker.a(draft.target)
    return speaker.pick([f"is there {phrase}?", f"is there {phrase}?", f"can one find {phrase}?"])


def _say_count(draft: Draft, speaker: Speaker) -> str:
    room = draft.target.room
    bare = speaker.many(Phrase(draft.target.type, draft.target.colour, draft.target.material))
    if not room:
        return speaker.pick([f"how many {bare} are there?", f"what is the number of {bare} in this home?"])
    place = speaker.place(room)
    return speaker.pick([f"how many {bare} are in {place}?", f"what is the number of {bare} in {place}?"])


def _say_colour(draft: Draft, speaker: Speaker) -> str:
    phrase = speaker.the(draft.target)
    return speaker.pick([f"what colour is {phrase}?", f"what is the colour of {phrase}?"])


def _say_material(draft: Draft, speaker: Speaker) -> str:
    phrase = speaker.the(draft.target)
    return speaker.pick([f"what is {phrase} made of?", f"what material is {phrase} made of?"])


def _say_type(draft: Draft, speaker: Speaker) -> str:
    phrase = speaker.the(draft.target)
    return speaker.pick([f"what is {phrase}?", f"what kind of object is {phrase}?"])


def _say_compare(draft: Draft, speaker: Speaker) -> str:
    (link,) = draft.links
    first, second = speaker.the(draft.target), speaker.the(link.other)
    options = [f"is {first} {word} {second}?" for word in RELATION_WORDS[link.relation]]
    verbs = {"heavier": "weigh more than", "lighter": "weigh less than"}
    if link.relation in verbs:
        options.append(f"does {first} {verbs[link.relation]} {second}?")
    return speaker.pick(options)


def _say_relation(draft: Draft, speaker: Speaker) -> str:
    (link,) = draft.links
    if draft.is_one:
        return _say_compare(draft, speaker)
    phrase, relation = speaker.a(draft.target), speaker.relation(*link)
    that = f"is there {phrase} that is {relation}?"
    return that if draft.target.room else speaker.pick([f"is there {phrase} {relation}?", that])


def _say_count_relation(draft: Draft, speaker: Speaker) -> str:
    (link,) = draft.links
    phrase, relation = speaker.many(draft.target), speaker.relation(*link)
    return speaker.pick([f"how many {phrase} are {relation}?", f"what is the number of {phrase} that are {relation}?"])


def _say_conjunction(draft: Draft, speaker: Speaker) -> str:
    if draft.instead is not None:
        return f"is there {speaker.a(draft.target)} or {speaker.a(draft.instead)}?"
    phrase = speaker.a(draft.target)
    first, second = (speaker.relation(*link) for link in draft.links)
    both = f"is there {phrase} that is both {first} and {second}?"
    return speaker.pick([both, f"is there {phrase} that is {first} and also {second}?"])


_SAY = {
    "exist": _say_exist,
    "count": _say_count,
    "query-colour": _say_colour,
    "query-material": _say_material,
    "query-type": _say_type,
    "compare-mass": _say_compare,
    "compare-size": _say_compare,
    "compare-length": _say_compare,
    "relation": _say_relation,
    "count-relation": _say_count_relation,
    "conjunction": _say_conjunction,
}
