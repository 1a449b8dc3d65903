"""Makes whole houses from seeds: shell, furniture, small things, and the proof that every room can be reached."""

from __future__ import annotations

import msgspec
import numpy as np

from pentathlon.core.errors import UsageError
from pentathlon.core.identity import derive_seed
from pentathlon.worlds.houses.furnishing.clutter import scatter
from pentathlon.worlds.houses.furnishing.furnish import Furnisher
from pentathlon.worlds.houses.house import House, Start
from pentathlon.worlds.houses.plan.programme import MAX_ROOMS
from pentathlon.worlds.houses.plan.shell import draw_shell
from pentathlon.worlds.houses.splits import VARIANTS, split_of_seed
from pentathlon.worlds.houses.ways.navigation import NavigationMap

# Changes whenever the same seed would give another house.
GENERATOR = "house-v2"
ATTEMPTS = 50
ROOM_COUNT_WEIGHTS = np.array([1, 1, 2, 3, 3, 3, 2, 2, 1, 1], dtype=float)


def generate_house(seed: int, rooms: int | None = None, variants: range | None = None) -> House:
    """Makes a furnished house; the same arguments give the same bytes.

    Raises:
        UsageError: when the seed is negative or the number of rooms is not 1 to 10.
    """
    if seed < 0:
        raise UsageError(f"Expected a seed of at least 0, got {seed}.")
    count = rooms if rooms is not None else _draw_count(seed)
    held = VARIANTS[split_of_seed(seed)] if variants is None else variants
    for attempt in range(ATTEMPTS):
        rng = np.random.default_rng(derive_seed(GENERATOR, seed, count, attempt))
        house = _draw_house(rng, count, f"seed-{seed}-rooms-{count}", held)
        ways = NavigationMap.of_house(house)
        if all(ways.reaches(room) for room in house.rooms):
            yaw_deg = 30.0 * int(rng.integers(12))
            return msgspec.structs.replace(house, start=Start(ways.random_place(rng), yaw_deg))
    raise AssertionError(f"seed {seed}, {count} rooms: no reachable house in {ATTEMPTS} attempts")


def _draw_count(seed: int) -> int:
    rng = np.random.default_rng(derive_seed(GENERATOR, seed, "rooms"))
    return 1 + int(rng.choice(MAX_ROOMS, p=ROOM_COUNT_WEIGHTS / ROOM_COUNT_WEIGHTS.sum()))


def _draw_house(rng: np.random.Generator, count: int, name: str, variants: range) -> House:
    shell = draw_shell(rng, count, name)
    furnisher = Furnisher(shell, rng, variants=variants)
    furnisher.furnish()
    scatter(furnisher)
    return msgspec.structs.replace(shell, objects=tuple(furnisher.objects))
