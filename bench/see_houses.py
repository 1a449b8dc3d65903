"""What see's demonstrators in houses and chance reach, in the episodes of a tier: `python see_houses.py`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import tyro

from pentathlon.core.tiers import Tier
from pentathlon.events.see.houses.imagenav import FOVY_DEG
from pentathlon.events.see.houses.protocol import HouseProtocol, make_house_protocol
from pentathlon.events.see.houses.trial import enter
from pentathlon.events.see.houses.worlds import HouseWorld, open_world
from pentathlon.stats.intervals import success_interval
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, NavigatorSettings
from pentathlon.worlds.houses.splits import split_house
from pentathlon.worlds.houses.tasks.episodes import Course

Player = Literal["demonstrator", "chance"]
WAYS = tuple(name for name in ACTIONS if not name.startswith("Look"))


@dataclass(frozen=True)
class Bench:
    """Play see's tasks in houses; ImageNav has no demonstrator."""

    tasks: tuple[Literal["objectnav", "mobilepick", "imagenav"], ...] = ("mobilepick", "objectnav", "imagenav")
    tier: Tier = "lite"

    def run(self) -> None:
        """Prints success with its interval over houses, and the mean steps."""
        for name in self.tasks:
            protocol = make_house_protocol(name, self.tier)
            if name == "imagenav":
                _report(protocol, "chance", partial(_wander, protocol))
                continue
            with closing(open_world(protocol)) as world:
                for player in ("demonstrator", "chance"):
                    _report(protocol, player, partial(_play, protocol, world, player))


def _report(protocol: HouseProtocol, player: Player, play: Callable[[int, int], tuple[float, int]]) -> None:
    places = [(house, number) for house in range(protocol.tested_houses) for number in range(protocol.episodes)]
    played = [play(house, protocol.episode_seed(house, number)) for house, number in places]
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


def _wander(protocol: HouseProtocol, house: int, seed: int) -> tuple[float, int]:
    settings = NavigatorSettings(size_px=(protocol.size_px,) * 2, fovy_deg=FOVY_DEG)
    with closing(Course(split_house("val", house), settings, kept=True)) as course:
        episode, rng = course.draw("imagenav", seed), np.random.default_rng(seed)
        course.navigator.place(episode.start, seed)
        for step in range(1, protocol.steps + 1):
            action = WAYS[int(rng.integers(len(WAYS)))]
            course.navigator.act(action)
            if action == "Stop":
                return float(course.goal(episode).reached(course.navigator.pose)), step
    return 0.0, protocol.steps


if __name__ == "__main__":
    tyro.cli(Bench).run()
