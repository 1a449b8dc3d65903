"""Checks that the arm agent lifts random objects exactly when the grasp force is at least their weight.

    python bench/houses_arm.py --objects 50 --workers 2 --record arm.jsonl

For each object, drawn from generated houses, a scripted agent stands beside it and reaches for it by discrete actions.
It then grasps with the largest force step below the object's weight, which must not lift it, and once more with the
smallest step that is enough, which must. With a record, the same command goes on where an earlier one was stopped.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import tyro

from pentathlon.core import numbers
from pentathlon.stats.intervals import success_interval
from pentathlon.worlds.houses.bodies.arm import ArmAgent
from pentathlon.worlds.houses.bodies.arm_actions import FORCE_STEP_KGF, ArmSettings
from pentathlon.worlds.houses.bodies.arm_scene import compile_with_arm
from pentathlon.worlds.houses.bodies.arm_script import least_force_kgf, lifts, stand_and_reach
from pentathlon.worlds.houses.bodies.arm_touch import mass_kg
from pentathlon.worlds.houses.house import House
from resuming import resumed

OBJECTS_PER_HOUSE = 10
MOST_HOUSES = 1000


@dataclass(frozen=True)
class Args:
    """What to check."""

    objects: int = 50
    """How many reachable objects."""
    rooms: int = 3
    """Of each house."""
    seed: int = 100
    """Of the first house."""
    workers: int = 1
    """Processes."""
    record: Path | None = None
    """File of one line per house that was tried."""


@dataclass(frozen=True)
class Trial:
    """One drawn object; what was not tried is None."""

    object: str
    reached: bool
    lifted_by_less: bool | None = None
    lifted: bool | None = None


@dataclass(frozen=True)
class HouseTrials:
    """The objects drawn from one house."""

    seed: int
    trials: list[Trial]


def try_house(seed: int, rooms: int) -> HouseTrials:
    """Draws objects of one house and tries each."""
    return HouseTrials(seed, list(trials(seed, rooms)))


def trials(seed: int, rooms: int) -> Iterator[Trial]:
    """Yields a trial for each of some random objects of one house."""
    house = House.generate(seed, rooms)
    agent = ArmAgent(compile_with_arm(house), ArmSettings(size_px=(64, 48)))
    placed = agent.scene.house_scene.placed
    names = [item.id for item in house.objects if placed[item.id].free_joint]
    for name in np.random.default_rng(seed).permutation(names)[:OBJECTS_PER_HOUSE]:
        object_id = str(name)
        if not stand_and_reach(agent, object_id):
            yield Trial(f"{object_id} of house {seed}", False)
            continue
        enough = least_force_kgf(agent, object_id)
        # Below one step there is no smaller force to try: the hand stays open.
        weak = lifts(agent, object_id, enough - FORCE_STEP_KGF) if enough > 1.5 * FORCE_STEP_KGF else None
        strong = stand_and_reach(agent, object_id) and lifts(agent, object_id, enough)
        yield Trial(f"{object_id} of house {seed}, {mass_kg(agent.scene, object_id):.3f} kg", True, weak, strong)
    agent.close()


def main() -> None:
    """Prints each object's outcome and the totals."""
    options = tyro.cli(Args, description=__doc__)
    started = time.perf_counter()
    seeds = range(options.seed, options.seed + MOST_HOUSES)
    done: list[HouseTrials] = []
    for house in resumed(partial(try_house, rooms=options.rooms), HouseTrials, seeds, options.workers, options.record):
        done.append(house)
        for trial in house.trials:
            print(f"{trial.object}: one step too weak {trial.lifted_by_less}, enough {trial.lifted}", flush=True)
        if sum(trial.reached for house in done for trial in house.trials) >= options.objects:
            break
    report(done)
    print(f"{time.perf_counter() - started:.0f} s")


def report(houses: list[HouseTrials]) -> None:
    """Prints how many of the reached objects each force lifted, with 95 % intervals clustered by house."""
    rows = [(str(house.seed), trial) for house in houses for trial in house.trials]
    reached = [(seed, trial) for seed, trial in rows if trial.reached]
    print(f"{len(rows)} objects drawn from {len(houses)} houses, {len(reached)} reached")
    for force, outcomes in (
        ("enough force", [(seed, trial.lifted) for seed, trial in reached]),
        ("one step less", [(seed, trial.lifted_by_less) for seed, trial in reached]),
    ):
        tried = [(seed, bool(lifted)) for seed, lifted in outcomes if lifted is not None]
        interval = success_interval([lifted for _, lifted in tried], [seed for seed, _ in tried])
        share = sum(lifted for _, lifted in tried) / len(tried)
        shown = f"{numbers.interval(interval.low, interval.high, share)} over {len({seed for seed, _ in tried})} houses"
        print(f"lifted by {force}: {sum(lifted for _, lifted in tried)} of {len(tried)} {shown}")


if __name__ == "__main__":
    main()
