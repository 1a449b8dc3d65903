"""Measures the bench: control steps, pictures and set-ups per CPU second, and how well the experts do.

Run: python bench/tabletop.py [--task pour|scoop] [--demonstrations 45] [--processes 2]
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache

import numpy as np
import tyro

from pentathlon.worlds.tabletop.arm.robot import Setup, TaskName
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot
from pentathlon.worlds.tabletop.bench.tables import containers, locations, materials
from pentathlon.worlds.tabletop.experts.demonstrators import demonstrate


@dataclass(frozen=True)
class Bench:
    """What to measure."""

    task: TaskName = "pour"
    demonstrations: int = 45
    """At so many setups, going through locations, containers and materials in turn."""
    processes: int = 1
    unseen: bool = False
    """Also unseen containers, materials and locations."""


@dataclass(frozen=True)
class Score:
    """One demonstration."""

    setup: Setup
    steps: int
    grams: float
    share: float
    cpu_s: float


@cache
def _robot(size: tuple[int, int]) -> SimulatedRobot:
    return SimulatedRobot(image_size=size)


def setups(bench: Bench) -> list[Setup]:
    """Returns setups that go through the tables evenly."""
    training = None if bench.unseen else True
    vessels, fillings = containers(bench.task, training=training), materials(bench.task, training=training)
    places = locations(training=training)
    return [
        Setup(
            bench.task,
            vessels[number % len(vessels)].name,
            fillings[number // 2 % len(fillings)].name,
            places[number % len(places)].name,
            number,
        )
        for number in range(bench.demonstrations)
    ]


def score(setup: Setup) -> Score:
    """Demonstrates once, without pictures."""
    robot = _robot((240, 320))
    robot.prepare(setup)
    start = time.process_time()
    recording = demonstrate(setup, 1000 + setup.seed, robot=robot)
    cpu_s = time.process_time() - start
    model = robot.bench.scene.model
    total_g = 1000.0 * float(model.body_mass[list(robot.bench.scene.grain_bodies)].sum())
    return Score(setup, len(recording.actions), recording.grams, recording.grams / total_g, cpu_s)


def per_cpu_s(work: Callable[[], object], least_s: float = 2.0) -> float:
    """Returns how often a CPU second does some work."""
    start, count = time.process_time(), 0
    while time.process_time() - start < least_s:
        work()
        count += 1
    return count / (time.process_time() - start)


def main(bench: Bench) -> None:
    """Prints the measurements as a table."""
    every = setups(bench)
    for size in ((480, 640), (240, 320)):
        robot = _robot(size)
        robot.prepare(every[0])
        hold = robot.sense().joints
        rates = per_cpu_s(lambda r=robot: r.sense()), per_cpu_s(lambda r=robot, q=hold: r.command(q))  # type: ignore[misc]
        print(f"{size[0]}x{size[1]}: {rates[0]:.0f} pictures, {rates[1]:.0f} control steps per CPU second")
    print(f"prepare: {per_cpu_s(lambda: robot.prepare(every[0])):.1f} per CPU second, once settled")
    with ProcessPoolExecutor(bench.processes) as pool:
        scores = list(pool.map(score, every))
    steps, grams = [row.steps for row in scores], np.array([row.grams for row in scores])
    print(f"{len(scores)} demonstrations: success {np.mean(grams > 0):.3f}, grams {grams.mean():.1f}, "
          f"share of the material {np.mean([row.share for row in scores]):.3f}, steps {np.mean(steps):.0f} "
          f"({min(steps)} to {max(steps)}), {np.mean([row.cpu_s for row in scores]):.1f} CPU s each")  # fmt: skip
    for field in ("location", "container", "material"):
        for name in sorted({getattr(row.setup, field) for row in scores}):
            some = np.array([row.grams for row in scores if getattr(row.setup, field) == name])
            print(f"  {field} {name}: success {np.mean(some > 0):.2f}, grams {some.mean():.1f}, n={len(some)}")


if __name__ == "__main__":
    main(tyro.cli(Bench, description=__doc__))
