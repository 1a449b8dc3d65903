"""What see's demonstrators in houses and chance reach, in the episodes of a tier: `python see_houses.py`."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Literal

import numpy as np
import tyro

from pentathlon.core.tiers import Tier
from pentathlon.events.see.houses.protocol import HouseProtocol, make_house_protocol
from pentathlon.events.see.houses.trial import enter
from pentathlon.events.see.houses.worlds import HouseWorld, open_world
from pentathlon.stats.intervals import success_interval

Player = Literal["demonstrator", "chance"]


@dataclass(frozen=True)
class Bench:
    """Play the tasks that are cloned."""

    tasks: tuple[Literal["objectnav", "mobilepick"], ...] = ("mobilepick", "objectnav")
    tier: Tier = "lite"

    def run(self) -> None:
        """Prints success with its interval over houses, and the mean steps."""
        for name in self.tasks:
            protocol = make_house_protocol(name, self.tier)
            with closing(open_world(protocol)) as world:
                for player in ("demonstrator", "chance"):
                    _report(protocol, world, player)


def _report(protocol: HouseProtocol, world: HouseWorld, player: Player) -> None:
    places = [(house, number) for house in range(protocol.tested_houses) for number in range(protocol.episodes)]
    played = [_play(protocol, world, player, house, protocol.episode_seed(house, number)) for house, number in places]
    success = np.array([score for score, _ in played])
    interval = success_interval(success, [str(house) for house, _ in places])
    shown = f"{100 * success.mean():.1f} % [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"
    print(f"{protocol.task_id} {player}: {shown}, {np.mean([steps for _, steps in played]):.1f} steps", flush=True)


def _play(protocol: HouseProtocol, world: HouseWorld, player: Player, house: int, seed: int) -> tuple[float, int]:
    rng = np.random.default_rng(enter(protocol, world, house, seed))
    for step in range(1, protocol.steps + 1):
        choice = world.teach() if player == "demonstrator" else int(rng.integers(len(world.choices)))
        if choice is None:
            return 0.0, step
        if world.act(choice):
            return world.measures()["score"], step
    return 0.0, protocol.steps


if __name__ == "__main__":
    tyro.cli(Bench).run()
