"""What is where while deeds are done in a voxel world: which can follow, and what must have been so at the start."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from pentathlon.events.judge.films.blocks.vocabulary import Deed
from pentathlon.worlds.blocks.land.kinds import kind_of
from pentathlon.worlds.blocks.life.mobs import mob_of
from pentathlon.worlds.blocks.life.recipes import crafting_recipe

EACH = 2
"""Blocks that a deed breaks, mines or places."""
SUPPLY = 4
"""Blocks of wood, soil or free ground; of each ore there is half as many."""


@dataclass
class Situation:
    """What deeds have changed, and what they need at the start.

    Attributes:
        lying: items that lie about now.
        needs: items that must be carried at the start.
        gained: items that were carried later.
        at_start: items that lay about at the start.
        mobs: in the order in which they are met.
        away: mobs that are found, and come only then.
    """

    lying: Counter[str] = field(default_factory=Counter)
    needs: Counter[str] = field(default_factory=Counter)
    gained: Counter[str] = field(default_factory=Counter)
    at_start: list[str] = field(default_factory=list)
    mobs: list[str] = field(default_factory=list)
    away: list[str] = field(default_factory=list)
    broken: Counter[str] = field(default_factory=Counter)
    placed: Counter[str] = field(default_factory=Counter)
    gone: set[str] = field(default_factory=set)

    def does(self, deed: Deed) -> bool:
        """Follows a deed; tells whether it can be done."""
        action, thing = deed.action, deed.object
        if action in ("break", "mine"):
            return self._breaks(thing, SUPPLY if action == "break" else EACH)
        if action == "place":
            return self._places(thing)
        if action == "craft":
            return self._crafts(thing)
        if action == "pick up":
            return self._picks_up(thing)
        if action == "find":
            return self._finds(thing)
        return self._attacks(thing)

    def _breaks(self, block: str, supply: int) -> bool:
        kind = kind_of(block)
        if kind.tool:
            self.needs[kind.tool] = 1
        self.lying[kind.item] += EACH
        if self.placed[block] >= EACH:
            self.placed[block] -= EACH
            return True
        self.broken[block] += EACH
        return self.broken[block] <= supply

    def _places(self, block: str) -> bool:
        self._spend(block, EACH)
        self.placed[block] += EACH
        return sum(self.placed.values()) <= SUPPLY

    def _crafts(self, item: str) -> bool:
        recipe = crafting_recipe(item)
        for name, count in recipe.needs.items():
            self._spend(name, count)
        self.gained[item] += recipe.made
        return True

    def _spend(self, item: str, count: int) -> None:
        """Takes what was gained first, the rest from the start."""
        owned = min(self.gained[item], count)
        self.gained[item] -= owned
        self.needs[item] += count - owned

    def _picks_up(self, item: str) -> bool:
        if not self.lying[item]:
            if item in self.at_start:
                return False
            self.at_start.append(item)
            self.lying[item] = EACH
        self.gained[item] += self.lying.pop(item)
        return True

    def _finds(self, mob: str) -> bool:
        new = mob not in self.mobs
        self.mobs.append(mob)
        self.away.append(mob)
        return new

    def _attacks(self, mob: str) -> bool:
        there = mob not in self.gone
        self.gone.add(mob)
        if mob not in self.mobs:
            self.mobs.append(mob)
        self.needs["sword"] = 1
        self.lying[mob_of(mob).drop] += 1
        return there


def follow(deeds: Sequence[Deed]) -> Situation | None:
    """Does deeds one after the other; ``None`` when one of them cannot be done."""
    situation = Situation()
    for deed in deeds:
        if not situation.does(deed):
            return None
    return situation
