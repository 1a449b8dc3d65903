"""Runs the oracle, random and stop-at-once agents on navigation episodes of many houses.

    python bench/houses_navigation.py --houses 40 --episodes 3 --workers 2

Prints success and SPL with 95 % intervals clustered by house, and every episode where
the oracle failed.
"""

from __future__ import annotations

import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from typing import Any, NamedTuple

import tyro

from pentathlon.core import numbers
from pentathlon.core.entrants import Briefing
from pentathlon.core.errors import UsageError
from pentathlon.stats.intervals import Interval, mean_interval, success_interval
from pentathlon.worlds.environments import STEP_LIMITS
from pentathlon.worlds.houses.bodies.navigator import NavigatorSettings
from pentathlon.worlds.houses.splits import split_house
from pentathlon.worlds.houses.tasks.agents import OracleAgent, RandomAgent, StopAgent
from pentathlon.worlds.houses.tasks.environments import ImageNavEnv, ObjectNavEnv, PointNavEnv
from pentathlon.worlds.houses.tasks.navigation_env import NavigationEnv

ENVIRONMENTS: dict[str, type[NavigationEnv]] = {
    "ObjectNav": ObjectNavEnv,
    "ImageNav": ImageNavEnv,
    "PointNav": PointNavEnv,
}


@dataclass(frozen=True)
class Args:
    """What to run."""

    houses: int = 40
    """How many houses of the validation split."""
    episodes: int = 3
    """Of each task in each house."""
    workers: int = 1
    """Processes."""
    noisy: bool = False
    """With actuation noise."""


class Result(NamedTuple):
    """One episode."""

    task: str
    agent: str
    house: int
    episode: str
    success: bool
    spl: float
    length_m: float
    steps: int


def run_house(index: int, args: Args) -> list[Result]:
    house = split_house("val", index)
    settings = NavigatorSettings(noisy=args.noisy)
    results = []
    for task, make in ENVIRONMENTS.items():
        environment = make(houses=(house,), size_px=(16, 16), settings=settings)
        for agent in (OracleAgent(environment), RandomAgent(), StopAgent()):
            for episode in range(args.episodes):
                try:
                    info = run_episode(environment, agent, episode, STEP_LIMITS[task])
                except UsageError as error:
                    print(f"house {index}: {error}", flush=True)
                    continue
                name = type(agent).__name__.removesuffix("Agent").lower()
                row = (info["episode"], info["success"], info["spl"], info["length_m"], info["steps"])
                results.append(Result(task, name, index, *row))
        environment.close()
    return results


def run_episode(environment: NavigationEnv, agent: Any, episode: int, limit: int) -> dict[str, Any]:
    observation, info = environment.reset(options={"house": 0, "episode": episode})
    agent.reset(Briefing("", seed=episode))
    for _ in range(limit):
        observation, _, terminated, _, info = environment.step(agent.act(observation))
        if terminated:
            break
    return info


def main() -> None:
    args = tyro.cli(Args)
    start_s = time.perf_counter()
    with ProcessPoolExecutor(args.workers) as pool:
        found = [result for rows in pool.map(run_house, range(args.houses), repeat(args)) for result in rows]
    groups: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in found:
        groups[result.task, result.agent].append(result)
        if result.agent == "oracle" and not result.success:
            print(f"oracle failed: {result.episode} after {result.steps} steps, shortest way {result.length_m:.2f} m")
    print("| task | agent | success | SPL | episodes | houses | mean shortest way |\n|---|---|---|---|---|---|---|")
    for (task, agent), results in groups.items():
        houses = [str(result.house) for result in results]
        wins, spls = sum(result.success for result in results), [result.spl for result in results]
        rate = shown(wins / len(results), success_interval([result.success for result in results], houses))
        spl = shown(sum(spls) / len(spls), mean_interval(spls, houses, (0.0, 1.0)))
        length_m = sum(result.length_m for result in results) / len(results)
        print(f"| {task} | {agent} | {rate} | {spl} | {len(results)} | {len(set(houses))} | {length_m:.1f} m |")
    print(f"{time.perf_counter() - start_s:.0f} s")


def shown(value: float, interval: Interval) -> str:
    return (
        f"{numbers.number(value, interval.low, interval.high)} {numbers.interval(interval.low, interval.high, value)}"
    )


if __name__ == "__main__":
    main()
