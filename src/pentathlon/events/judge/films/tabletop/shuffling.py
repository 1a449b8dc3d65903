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
    pairs = list(combinations(range(len(places)), 2))
    for _ in range(PATIENCE):
        count = 2 if len(places) == 2 and same else int(rng.integers(1 if not same else 2, 4))
        swaps = [pairs[int(rng.integers(len(pairs)))] for _ in range(count)]
        holder = list(range(len(places)))
        touched = False
        for first, second in swaps:
            touched |= holder[first] == 0 or holder[second] == 0
            holder[first], holder[second] = holder[second], holder[first]
        idle = any(before == after for before, after in pairwise(swaps)) and len(places) > 2
        if touched and not idle and (holder[0] == 0) == same:
            return _carried(rng, swaps, places)
    raise AssertionError(f"no shuffle of {len(places)} in {PATIENCE} attempts")


def _carried(rng: np.random.Generator, swaps: list[tuple[int, int]], places: tuple[Place, ...]) -> tuple[Move, ...]:
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
