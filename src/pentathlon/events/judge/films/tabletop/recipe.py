"""The recipe of a film of a desk or a door, and the words for what it shows."""

from __future__ import annotations

from typing import Literal

import msgspec

from pentathlon.events.judge.data.problem_sets import Clip, StepWords
from pentathlon.events.judge.films.shooting import recipe_clip
from pentathlon.worlds.tabletop.desk.desk import Place
from pentathlon.worlds.tabletop.desk.fabric import Way

WORLD: Literal["tabletop"] = "tabletop"
MAKER = "pentathlon.events.judge.films.tabletop.making:make_film"
VERSION = "tabletop-film-v2"
SIDE_PX, FPS = 224, 12
Kind = Literal["shuffle", "choose", "pick", "pin", "door", "tidy"]
Ending = Literal["", "left out", "undone", "twice"]
Move = tuple[int, Place]
_PLURALS = {"tomato": "tomatoes", "potato": "potatoes"}
SIDES = ("left", "middle", "right")


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What makes a film.

    Attributes:
        kind: things are shuffled, one of three is chosen, one of many is picked, fabric is pinned, a door swings,
            things are moved to the front or the back one after the other.
        seed: of how everything looks.
        things: kinds of what lies on the desk.
        places: where each lies at first.
        moves: what is carried where, in order.
        chosen: which thing is picked up.
        way: of the pin.
        opens: whether the door opens.
        ending: what becomes of what was chosen, picked, pinned or swung: it is left at the attempt, undone, done again.
        quick: a few small frames in place of a film, for rehearsals.
    """

    split: str
    kind: Kind
    seed: int
    things: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    moves: tuple[Move, ...] = ()
    chosen: int = 0
    way: Way = "both"
    opens: bool = True
    ending: Ending = ""
    quick: bool = False
    side_px: int = SIDE_PX
    fps: int = FPS
    version: str = VERSION


def clip_of(recipe: Recipe, labels: tuple[str, ...], miss: str = "") -> Clip:
    """The clip that a recipe makes."""
    return recipe_clip(WORLD, recipe, labels, miss)


def leftmost(recipe: Recipe, moved: bool) -> int:
    """Which thing is furthest to the left at the start, or after the moves."""
    places = dict(enumerate(recipe.places))
    if moved:
        places.update(dict(recipe.moves))
    return min(places, key=lambda thing: places[thing][0])


def shown(recipe: Recipe) -> tuple[StepWords, ...]:
    """What a film shows, worked out from what is done in it."""
    if recipe.kind == "shuffle":
        return (shuffle_words(_common(recipe), leftmost(recipe, True) == leftmost(recipe, False)),)
    if recipe.kind == "tidy":
        return tuple(move_words(recipe.things[thing], place) for thing, place in recipe.moves)
    if recipe.kind == "pin":
        return (_pinned(recipe),)
    if recipe.kind == "door":
        done, undone, tried = door_words(recipe.opens), door_words(not recipe.opens), nudge_words(recipe.opens)
    else:
        thing = recipe.things[recipe.chosen]
        done, undone, tried = _picked(recipe), back_words(thing), reach_words(thing)
    endings: dict[Ending, tuple[StepWords, ...]] = {
        "": (done,), "left out": (tried,), "undone": (done, undone), "twice": (done, undone, done),
    }  # fmt: skip
    return endings[recipe.ending]


def _picked(recipe: Recipe) -> StepWords:
    if recipe.kind == "pick":
        return pick_words(recipe.things[recipe.chosen])
    order = sorted(range(len(recipe.things)), key=lambda thing: recipe.places[thing][0])
    return choose_words(recipe.things[0], SIDES[order.index(recipe.chosen)])


def _pinned(recipe: Recipe) -> StepWords:
    if recipe.ending == "twice":
        return StepWords(
            "pin twice", "fabric", "pin", "pin two pieces of fabric together, take the pin out and pin again"
        )
    return pin_words(recipe.way == "both" and not recipe.ending)


def _common(recipe: Recipe) -> str:
    kinds = set(recipe.things)
    return recipe.things[0] if len(kinds) == 1 else "object"


def shuffle_words(thing: str, same: bool) -> StepWords:
    """That things are shuffled, and whether the leftmost one is so again."""
    still = "still" if same else "no longer"
    many = _PLURALS.get(thing, f"{thing}s")
    return StepWords(
        "keep left" if same else "leave left", thing, "desk",
        f"shuffle the {many}, and the one that was furthest to the left at the start is {still} furthest to the left "
        "at the end",
    )  # fmt: skip


def choose_words(thing: str, side: str) -> StepWords:
    """Which of three look-alikes is picked up."""
    where = "in the middle" if side == "middle" else f"on the {side}"
    return StepWords(f"pick up {side}", thing, "desk", f"pick up the {thing} {where}")


def pick_words(thing: str) -> StepWords:
    """Which thing is picked up from among many."""
    article = "an" if thing[0] in "aeiou" else "a"
    return StepWords("pick up", thing, "desk", f"pick up {article} {thing} from a cluttered table")


def pin_words(pinned: bool) -> StepWords:
    """Whether two pieces of fabric are pinned together."""
    return StepWords(
        "pin" if pinned else "do not pin", "fabric", "pin",
        f"{'pin' if pinned else 'do not pin'} two pieces of fabric together",
    )  # fmt: skip


def door_words(opens: bool) -> StepWords:
    """Whether a door opens or closes."""
    word = "open" if opens else "close"
    return StepWords(word, "door", "", f"{word} a door")


def nudge_words(opens: bool) -> StepWords:
    """That a door is only moved a little."""
    word = "open" if opens else "close"
    return StepWords(f"almost {word}", "door", "", f"begin to {word} a door and leave it as it was")


def back_words(thing: str) -> StepWords:
    """That what was picked up is put down again."""
    return StepWords("put back", thing, "desk", f"put the {thing} back")


def reach_words(thing: str) -> StepWords:
    """That a thing is reached for and not taken."""
    return StepWords("reach for", thing, "desk", f"reach for the {thing} without picking it up")


def move_words(thing: str, place: Place) -> StepWords:
    """That a thing is moved to the front or the back."""
    where = "front" if place[1] < 0.0 else "back"
    return StepWords("move", thing, where, f"move the {thing} to the {where} of the desk")
