"""What films of a voxel world are about: the kinds of deeds, their words, and what each is done with."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pentathlon.events.judge.data.problem_sets import StepWords
from pentathlon.worlds.blocks.land.ground import ORES
from pentathlon.worlds.blocks.life.mobs import MOBS

Action = Literal["break", "mine", "place", "pick up", "attack", "find", "craft"]

WOODS, SOILS = ("oak log", "birch log"), ("sand", "gravel", "dirt")
MINERALS = ("stone", *ORES)
PLACED = ("oak planks", "bricks", "cobblestone", "wool")
CRAFTED = (
    "stick", "wooden pickaxe", "stone pickaxe", "stone axe", "stone sword", "wooden shovel", "torch", "bread", "bowl",
)  # fmt: skip
ANIMALS = tuple(name for name, mob in MOBS.items() if not mob.hostile)
_PLURALS = {
    "oak log": "oak logs",
    "birch log": "birch logs",
    "wool": "wool blocks",
    "cobblestone": "cobblestone",
    "diamond": "diamonds",
    "porkchop": "pork chops",
}
_MADE = {"stick": "sticks", "torch": "torches", "bread": "bread", "bowl": "bowls"}


class Deed(NamedTuple):
    """One step of a task: what is done, with which block, item or mob, and where."""

    action: Action
    object: str
    target: str = ""


LABELS: dict[str, str] = {
    "break": "break some blocks",
    "mine": "mine some blocks",
    "place": "place some blocks",
    "pickup": "pick up some items",
    "combat": "attack an enemy or animal",
    "find": "find an animal",
    "craft": "craft some items using the crafting interface",
}
"""The seven actions of the multi-label sets, as the released files name and tell them."""
_OF_ACTION: dict[Action, tuple[str, ...]] = {
    "break": ("break",),
    "mine": ("break", "mine"),
    "place": ("place",),
    "pick up": ("pickup",),
    "attack": ("combat",),
    "find": ("find",),
    "craft": ("craft",),
}
_ABOUT = {"break": "blocks", "mine": "rock", "place": "blocks", "pickup": "items", "combat": "mob", "find": "mob"}


def labels_of(deeds: tuple[Deed, ...]) -> tuple[str, ...]:
    """Which of the seven actions are shown, in the order of :data:`LABELS`; mining is breaking too (A.1.3)."""
    shown = {label for deed in deeds for label in _OF_ACTION[deed.action]}
    return tuple(label for label in LABELS if label in shown)


def label_words(label: str) -> StepWords:
    """One of the seven actions as a step."""
    return StepWords(label, _ABOUT.get(label, "crafting table"), "", LABELS[label])


def step_words(deed: Deed) -> StepWords:
    """Says a deed in words."""
    return StepWords(deed.action, deed.object, deed.target, _words(deed))


def _words(deed: Deed) -> str:
    thing = _PLURALS.get(deed.object, deed.object)
    texts: dict[Action, str] = {
        "break": f"break some {thing}",
        "mine": f"mine some {thing} with a pickaxe",
        "place": f"place some {thing}",
        "pick up": f"pick up the dropped {thing}",
        "attack": f"attack a {deed.object}",
        "find": f"find a {deed.object}",
        "craft": f"craft {_MADE.get(deed.object, f'a {deed.object}')} at the crafting table",
    }
    return texts[deed.action]


def craft(item: str) -> Deed:
    """The deed of crafting an item."""
    return Deed("craft", item, "crafting table")
