"""What films of a virtual home are about: things, places and lamps by the words for them, and the kinds of deeds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pentathlon.core.errors import UnknownIdError
from pentathlon.events.judge.data.problem_sets import StepWords

Action = Literal[
    "pick up", "put", "heat", "cool", "clean", "slice", "turn on", "turn off",
    "visit", "peek", "dip", "store", "spare", "observe on", "observe off",
]  # fmt: skip
"""The first eight make long tasks; the others are what is done in place of them, and what is only looked at."""


@dataclass(frozen=True)
class Place:
    """Where things are put and found.

    Attributes:
        type: of the piece of furniture.
        relation: of a thing to it.
        door: what has to be opened first: a joint's name, ``*`` for its only or first one, none where it is open.
    """

    type: str
    relation: Literal["on", "in"]
    door: str = ""


PLACES: dict[str, Place] = {
    "counter top": Place("CounterTop", "on"),
    "dining table": Place("DiningTable", "on"),
    "side table": Place("SideTable", "on"),
    "shelf": Place("ShelvingUnit", "on"),
    "stove": Place("Stove", "on"),
    "sink": Place("KitchenSink", "in"),
    "fridge": Place("Fridge", "in", "*"),
    "microwave": Place("Microwave", "in", "*"),
    "cabinet": Place("Cabinet", "in", "*"),
    "drawer": Place("CounterTop", "in", "drawer_0"),
}
OPEN_PLACES = ("counter top", "dining table", "stove", "sink")
"""Where things of any size have room and are seen from where one stands."""

APPLIANCES: dict[str, str] = {
    "faucet": "KitchenSink",
    "desk lamp": "DeskLamp",
    "floor lamp": "FloorLamp",
    "microwave": "Microwave",
}
"""What is switched on and off, by its word."""

FOODS = ("Apple", "Bread", "Egg", "Lettuce", "Potato", "Tomato")
SLICED_WORD = "slice of "


class Deed(NamedTuple):
    """One step of a task: what is done, with which thing, and where; things and places by their words."""

    action: Action
    object: str
    target: str = ""


def type_of(word: str) -> str:
    """Returns the type of a thing by its word: ``ButterKnife`` of ``butter knife``."""
    return "".join(part.capitalize() for part in word.removeprefix(SLICED_WORD).split())


def word_of(type_name: str) -> str:
    """Returns the word for a type of thing: ``butter knife`` of ``ButterKnife``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type_name).lower()


def place(word: str) -> Place:
    """Returns the place of that word."""
    if word not in PLACES:
        raise UnknownIdError("place", word, PLACES)
    return PLACES[word]


def step_words(deed: Deed) -> StepWords:
    """Says a deed in words, as ViSTa's descriptions do."""
    return StepWords(deed.action, deed.object, deed.target, _words(deed))


def _words(deed: Deed) -> str:
    thing, where = deed.object, deed.target
    article = "an" if thing[:1] in "aeiou" else "a"
    relation = f"{PLACES[where].relation} the {where}" if where in PLACES else f"at the {where}"
    texts: dict[Action, str] = {
        "pick up": f"pick up {article} {thing} from the {where}",
        "put": f"put the {thing} {relation}",
        "heat": f"heat the {thing} in the {where}",
        "cool": f"cool the {thing} in the {where}",
        "clean": f"clean the {thing} in the {where} under running water",
        "slice": f"slice the {thing}",
        "turn on": f"turn on the {thing}",
        "turn off": f"turn off the {thing}",
        "visit": f"go to the {where} and then immediately leave without putting the {thing} in",
        "peek": f"open the {where} and immediately close it again, without putting the {thing} in",
        "dip": _dip(thing, where),
        "store": (
            f"put the {thing} in the {where} for a while, we do not turn the {where} on, then we pick up the {thing} "
            "back again"
        ),
        "spare": f"bring a knife to the {thing} and leave without slicing it",
        "observe on": f"observe a {thing} that is turned on",
        "observe off": f"observe a {thing} that is turned off",
    }
    return texts[deed.action]


def _dip(thing: str, where: str) -> str:
    if where in PLACES and PLACES[where].door:
        without = {"microwave": "heating", "fridge": "cooling"}.get(where, "leaving")
        return f"open the {where}, put the {thing} in, then immediately pick it back up without {without} it"
    return f"put the {thing} in the {where}, then pick it back up without running water over it"
