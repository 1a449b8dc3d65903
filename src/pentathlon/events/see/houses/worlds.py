"""What the cloned house tasks have in common: a world that is entered, seen, acted in, and demonstrated."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from pentathlon.core.entrants import Floats, Images
from pentathlon.core.identity import derive_seed
from pentathlon.events.see.houses.protocol import HouseProtocol

MOST_ATTEMPTS = 6  # per demonstration
MOST_HOUSES = 2  # for each that is taught in: one may have nothing to find, or to pick up


class Seen(NamedTuple):
    """One observation: a picture [H, W, 3], and numbers about body and goal [S]."""

    rgb: Images
    state: Floats


class HouseWorld(Protocol):
    """Episodes of one task in house after house."""

    choices: tuple[str, ...]

    def begin(self, split: str, house: int, seed: int) -> bool:
        """Begins an episode; false where the house has none for this seed."""
        ...

    def observe(self) -> Seen:
        """Returns what is seen now."""
        ...

    def teach(self) -> int | None:
        """Returns what the demonstrator does here, knowing more than is seen; none where it gives up."""
        ...

    def act(self, choice: int) -> bool:
        """Carries out an action and tells whether the episode has ended by it."""
        ...

    def measures(self) -> dict[str, float]:
        """Returns `score` and what else is told of an episode that has ended, each from 0 to 1."""
        ...

    def close(self) -> None:
        """Frees the house."""
        ...


class Shown(NamedTuple):
    """One demonstration: pictures [T, H, W, 3], states [T, S] before each action, and actions [T]."""

    frames: Images
    states: Floats
    actions: npt.NDArray[np.int64]


def open_world(protocol: HouseProtocol) -> HouseWorld:
    """Opens the world of a task that is cloned."""
    if protocol.name == "objectnav":
        from pentathlon.events.see.houses.objectnav import ObjectNavWorld

        return ObjectNavWorld(protocol)
    from pentathlon.events.see.houses.mobilepick import MobilePickWorld

    return MobilePickWorld(protocol)


def demonstrate(world: HouseWorld, protocol: HouseProtocol, split: str, house: int, seed: int) -> Shown | None:
    """Plays the demonstrator, or chance in a rehearsal, once; none where it fails, which teaches nothing."""
    if not world.begin(split, house, seed):
        return None
    rng, frames, states, ended = np.random.default_rng(seed), [], [], False
    actions: list[int] = []
    chance = protocol.teacher == "chance"
    while not ended and len(actions) < protocol.steps:
        choice = int(rng.integers(len(world.choices))) if chance else world.teach()
        if choice is None:
            return None
        seen = world.observe()
        frames.append(seen.rgb)
        states.append(seen.state)
        actions.append(choice)
        ended = world.act(choice)
    if not chance and not (ended and world.measures()["score"]):
        return None
    return Shown(np.stack(frames), np.stack(states).astype(np.float32), np.array(actions, np.int64))


def attempts(protocol: HouseProtocol) -> list[tuple[int, int]]:
    """Returns house and seed of the attempts to demonstrate, house after house, in the order in which they count."""
    per_house = MOST_ATTEMPTS * -(-protocol.demonstrations // max(protocol.taught_houses, 1))
    return [
        (house, derive_seed(protocol.name, "demonstration", house, attempt) % 2**31)
        for house in range(MOST_HOUSES * protocol.taught_houses)
        for attempt in range(per_house)
    ]
