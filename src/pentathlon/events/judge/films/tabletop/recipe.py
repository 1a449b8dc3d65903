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
VERSION = "tabletop-film-v1"
SIDE_PX, FPS = 224, 12
Kind = Literal["shuffle", "choose", "pick", "pin", "door"]
Move = tuple[int, Place]
_PLURALS = {"tomato": "tomatoes", "potato": "potatoes"}
SIDES = ("left", "middle", "right")


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What makes a film.

    Attributes:
        kind: things are shuffled, one of three is chosen, one of many is picked, fabric is pinned, a door swings.
        seed: of how everything looks.
        things: kinds of what lies on the desk.
        places: where each lies at first.
        moves: what is carried where, in order.
        chosen: which thing is picked up.
        way: of the pin.
        opens: whether the door opens.
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


def shown(recipe: Recipe) -> StepWords:
    """What a film shows, worked out from what is done in it."""
    if recipe.kind == "shuffle":
        return shuffle_words(_common(recipe), leftmost(recipe, True) == leftmost(recipe, False))
    if recipe.kind == "choose":
        order = sorted(range(len(recipe.things)), key=lambda thing: recipe.places[thing][0])
        return choose_words(recipe.things[0], SIDES[order.index(recipe.chosen)])
    if recipe.kind == "pick":
        return pick_words(recipe.things[recipe.chosen])
    return pin_words(recipe.way == "both") if recipe.kind == "pin" else door_words(recipe.opens)


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
