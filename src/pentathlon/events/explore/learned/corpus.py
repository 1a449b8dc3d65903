"""What the built-in reader is trained on: questions about training houses, and sentences of facts that bear on them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.core.making import Item, Pool
from pentathlon.events.explore.protocol import GENERATOR
from pentathlon.events.explore.questions.facts import Fact, SceneFacts, Thing, least_force_kgf
from pentathlon.events.explore.questions.generate import questions_about
from pentathlon.events.explore.questions.question import answer_text
from pentathlon.events.explore.questions.survey import survey
from pentathlon.events.explore.questions.words import ADJECTIVES, ROOMS, noun
from pentathlon.storage.files import write_durably
from pentathlon.storage.making import SERIAL, make_missing
from pentathlon.worlds.houses.bodies.arm_actions import FORCE_STEP_KGF
from pentathlon.worlds.houses.house import Record
from pentathlon.worlds.houses.splits import split_house

MOST_SENTENCES = 4
"""Of facts before a question."""
BARE_SHARE = 0.4
"""So many batches are of questions alone, as they come to one who has seen nothing."""


class Asked(Record, frozen=True):
    """A question, its answer, and sentences of the facts that it rests on."""

    text: str
    answer: str
    facts: tuple[str, ...]


class Lesson(Record, frozen=True, kw_only=True):
    """The questions about one house, and a sentence about each of its things."""

    generator: str = GENERATOR
    things: tuple[str, ...]
    asked: tuple[Asked, ...]


def make_lessons(folder: Path, houses: range, questions: int, pool: Pool = SERIAL) -> list[Lesson]:
    """Makes the lessons of training houses, a file for each; what is there stays."""
    items = [Item(str(folder.absolute() / f"lesson-{i}.json"), {"index": i, "questions": questions}) for i in houses]
    make_missing(f"{__name__}:{make_lesson.__name__}", items, pool=pool, is_whole=_is_of_this_version)
    return [_read(Path(item.path)) for item in items]


def make_lesson(path: Path, about: Any) -> None:
    """Writes the lesson of a house: a maker of :func:`make_missing`. A house that is too bare has no question."""
    house = split_house("train", int(about["index"]))
    surveyed = survey(house)
    try:
        found = questions_about(surveyed, house.name, 0, int(about["questions"]), "train")
    except DataError:
        found = ()
    facts = surveyed.facts
    asked = tuple(Asked(q.text, answer_text(q.answer), bearing_on(q.needs, facts)) for q in found)
    things = tuple(sentence_of(thing, facts) for thing in facts.things.values())
    write_durably(path, msgspec.json.encode(Lesson(things=things, asked=asked)))


def sentence_of(thing: Thing, facts: SceneFacts) -> str:
    """Tells all about a thing: "black plastic mug in the kitchen weight 7 size 12", in force steps and in cm."""
    looks = [*sorted(thing.colours or ()), *(ADJECTIVES.get(name, name) for name in sorted(thing.materials or ()))]
    words = [*looks, noun(thing.type or "")]
    if room := ROOMS.get(facts.rooms.get(thing.room or "", "")):
        words += ["in the", room]
    if thing.portable and thing.mass_kg is not None:
        words += ["weight", str(round(least_force_kgf(thing.mass_kg[1]) / FORCE_STEP_KGF))]
    if thing.size_m is not None:
        words += ["size", str(round(100 * max(thing.size_m)))]
    return " ".join(words)


def bearing_on(needs: frozenset[Fact], facts: SceneFacts) -> tuple[str, ...]:
    """Tells the facts that an answer rests on: what stands how to what, then the things, those of relations first."""
    places = sorted(fact for fact in needs if fact.other in facts.things and fact.thing in facts.things)
    related = [
        " ".join((noun(facts.things[a].type or ""), how, noun(facts.things[b].type or ""))) for a, how, b in places
    ]
    named = dict.fromkeys([key for fact in places for key in (fact.thing, fact.other)])
    named |= dict.fromkeys(sorted(fact.thing for fact in needs if fact.thing in facts.things))
    told = [sentence_of(facts.things[key], facts) for key in named]
    return tuple(dict.fromkeys([*related, *told]))[:MOST_SENTENCES]


def drawn_text(asked: Asked, things: Sequence[str], rng: np.random.Generator, *, bare: bool) -> str:
    """Writes a question after some of the facts that it rests on and some that it does not, or ``bare``."""
    if bare:
        return asked.text
    kept = list(asked.facts[:MOST_SENTENCES])
    idle = rng.choice(len(things), min(len(things), MOST_SENTENCES - len(kept)), replace=False) if things else ()
    kept += [things[int(place)] for place in idle]
    return " . ".join([*(kept[int(place)] for place in rng.permutation(len(kept))), asked.text])


def _is_of_this_version(path: Path) -> bool:
    try:
        return _read(path).generator == GENERATOR
    except DataError:
        return False


def _read(path: Path) -> Lesson:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Lesson)
    except (OSError, msgspec.DecodeError) as error:
        raise DataError(f"Expected a lesson in {path}, got: {error}. Remove it and try again.") from None
