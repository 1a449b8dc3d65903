"""A player who does deeds: goes where each can be done, does it, and shows that it is done."""

from __future__ import annotations

from collections.abc import Iterator

from pentathlon.core.errors import DataError
from pentathlon.events.judge.films.blocks.situation import EACH
from pentathlon.events.judge.films.blocks.vocabulary import Deed
from pentathlon.worlds.blocks.land.ground import Cell, StationName
from pentathlon.worlds.blocks.life import verbs
from pentathlon.worlds.blocks.life.recipes import crafting_recipe
from pentathlon.worlds.blocks.life.verbs import Pace
from pentathlon.worlds.blocks.world import BlockWorld


class Actor:
    """Does deeds in a voxel world.

    Args:
        world: where.
        pace: how much happens in a frame.
    """

    def __init__(self, world: BlockWorld, pace: Pace) -> None:
        self._world, self._pace = world, pace
        self._cells: list[Cell] = []
        self._owned = 0

    def do(self, deed: Deed) -> Iterator[None]:
        """Does a deed; yields once for each frame.

        Raises:
            DataError: when it cannot be done.
        """
        world, pace, thing = self._world, self._pace, deed.object
        self._owned = world.player.count(thing)
        if deed.action in ("break", "mine"):
            yield from self._break(thing)
        elif deed.action == "place":
            yield from self._place(thing)
        elif deed.action == "craft":
            yield from verbs.go_to_station(world, "bench", pace)
            yield from verbs.craft(world, thing, pace)
        elif deed.action == "find":
            if world.sees(thing):
                raise DataError(f"Expected no {thing} in view before it is found, there is one.")
            yield from verbs.find(world, thing, pace)
        elif deed.action == "attack":
            yield from verbs.attack(world, thing, pace)
        else:
            yield from verbs.pick_up(world, thing, pace)

    def require_effect(self, deed: Deed) -> None:
        """Asks the world whether a deed has had its effect.

        Raises:
            DataError: when it has not.
        """
        if not self._has_effect(deed):
            raise DataError(f"Expected {' '.join(filter(None, deed))} to be done, the world says that it is not.")

    def _break(self, block: str) -> Iterator[None]:
        """Breaks blocks that were placed before, or those of the station that has them."""
        placed = [cell for cell in self._station("lot") if self._world.blocks[cell] == block]
        name: StationName = "lot" if len(placed) >= EACH else self._source(block)
        cells = [cell for cell in self._station(name) if self._world.blocks[cell] == block]
        self._cells = cells[:EACH]
        if len(self._cells) < EACH:
            raise DataError(f"Expected {EACH} blocks of {block} to break, found {len(self._cells)}.")
        yield from verbs.go_to_station(self._world, name, self._pace)
        for cell in self._cells:
            yield from verbs.break_block(self._world, cell, self._pace)

    def _place(self, block: str) -> Iterator[None]:
        free = [cell for cell in self._station("lot") if self._world.blocks[cell] == "air"]
        self._cells = free[:EACH]
        if len(self._cells) < EACH:
            raise DataError(f"Expected room for {EACH} blocks of {block}, found {len(self._cells)}.")
        yield from verbs.go_to_station(self._world, "lot", self._pace)
        for cell in self._cells:
            yield from verbs.place_block(self._world, cell, block, self._pace)

    def _station(self, name: StationName) -> tuple[Cell, ...]:
        return self._world.land.stations[name].cells

    def _source(self, block: str) -> StationName:
        names: tuple[StationName, ...] = ("tree", "heap", "rock")
        for name in names:
            if any(self._world.blocks[cell] == block for cell in self._station(name)):
                return name
        raise DataError(f"Expected a station with {block}, there is none.")

    def _has_effect(self, deed: Deed) -> bool:
        world, thing = self._world, deed.object
        if deed.action in ("break", "mine"):
            return all(world.blocks[cell] == "air" for cell in self._cells)
        if deed.action == "place":
            placed = all(world.blocks[cell] == thing for cell in self._cells)
            return placed and world.player.count(thing) == self._owned - EACH
        if deed.action == "craft":
            return world.player.count(thing) == self._owned + crafting_recipe(thing).made
        if deed.action == "find":
            return world.sees(thing)
        if deed.action == "attack":
            return thing not in world.mobs
        return world.player.count(thing) > self._owned and all(drop.item != thing for drop in world.drops)
