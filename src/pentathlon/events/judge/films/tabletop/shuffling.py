"""How things in a line are shuffled: pairs change places by way of a free spot before the line."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

from pentathlon.events.judge.films.tabletop.recipe import Move
from pentathlon.worlds.tabletop.desk.desk import Place
from pentathlon.worlds.tabletop.desk.things import apart_m

LINE_Y_M, ASIDE_Y_M = 0.06, -0.13
KINDS = ("apple", "can", "mug", "block", "potato")
PATIENCE = 1000
Swaps = tuple[tuple[int, int], ...]


def line(things: tuple[str, ...]) -> tuple[Place, ...]:
    """Places side by side, the first to the left."""
    step = max(apart_m(thing) for thing in things)
    return tuple(((number - (len(things) - 1) / 2) * step, LINE_Y_M) for number in range(len(things)))


def different_things(rng: np.random.Generator) -> tuple[str, ...]:
    """Two to four things of different kinds."""
    count = int(rng.integers(2, 5))
    return tuple(str(name) for name in rng.permutation(np.array(KINDS))[:count])


def shuffle(rng: np.random.Generator, places: tuple[Place, ...], same: bool) -> tuple[Move, ...]:
    """Moves after which the leftmost thing is so again, or not; it is moved in either case."""
    return carried(rng, draw_swaps(rng, len(places), same), places)


def draw_swaps(rng: np.random.Generator, count: int, same: bool) -> Swaps:
    """Draws places that change their things, one pair after the other."""
    pairs = list(combinations(range(count), 2))
    for _ in range(PATIENCE):
        many = 2 if count == 2 and same else int(rng.integers(1 if not same else 2, 4))
        swaps = tuple(pairs[int(rng.integers(len(pairs)))] for _ in range(many))
        idle = any(before == after for before, after in pairwise(swaps)) and count > 2
        if is_first_moved(swaps) and not idle and is_first_back(swaps) == same:
            return swaps
    raise AssertionError(f"no shuffle of {count} in {PATIENCE} attempts")


def is_first_moved(swaps: Swaps) -> bool:
    """Whether the leftmost thing is moved at all: before its first swap it lies at the first place."""
    return any(0 in pair for pair in swaps)


def is_first_back(swaps: Swaps) -> bool:
    """Whether the leftmost thing is leftmost again."""
    place = 0
    for first, second in swaps:
        place = {first: second, second: first}.get(place, place)
    return place == 0


def carried(rng: np.random.Generator, swaps: Swaps, places: tuple[Place, ...]) -> tuple[Move, ...]:
    """Each swap as three movements; which of the two goes first is drawn."""
    holder = list(range(len(places)))
    moves: list[Move] = []
    for pair in swaps:
        first, second = pair if rng.random() < 0.5 else pair[::-1]
        aside = ((places[first][0] + places[second][0]) / 2 + float(rng.uniform(-0.04, 0.04)), ASIDE_Y_M)
        one, other = holder[first], holder[second]
        moves += [(one, aside), (other, places[first]), (one, places[second])]
        holder[first], holder[second] = other, one
    return tuple(moves)
