"""What can be crafted: what lies where in the grid of a crafting table, and what comes of it."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from pentathlon.core.errors import UnknownIdError

_CODES = {"P": "oak planks", "S": "stick", "C": "cobblestone", "K": "coal", "W": "wheat", "L": "wool", ".": ""}


class CraftingRecipe(NamedTuple):
    """Nine places, row by row, and how many come of them."""

    places: tuple[str, ...]
    made: int = 1

    @property
    def needs(self) -> dict[str, int]:
        """How many of which items it takes."""
        return dict(Counter(name for name in self.places if name))


def _recipe(pattern: str, made: int = 1) -> CraftingRecipe:
    return CraftingRecipe(tuple(_CODES[letter] for letter in pattern), made)


RECIPES: dict[str, CraftingRecipe] = {
    "stick": _recipe(".P..P....", 4),
    "wooden pickaxe": _recipe("PPP.S..S."),
    "stone pickaxe": _recipe("CCC.S..S."),
    "stone axe": _recipe("CC.CS..S."),
    "stone sword": _recipe(".C..C..S."),
    "wooden shovel": _recipe(".P..S..S."),
    "torch": _recipe(".K..S....", 4),
    "bread": _recipe("WWW......"),
    "bowl": _recipe("P.P.P....", 4),
    "crafting table": _recipe("PP.PP...."),
    "furnace": _recipe("CCCC.CCCC"),
}


def crafting_recipe(name: str) -> CraftingRecipe:
    """Returns how an item is crafted."""
    if name not in RECIPES:
        raise UnknownIdError("recipe", name, RECIPES)
    return RECIPES[name]
