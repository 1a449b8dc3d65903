"""Steps per second of find's agent, split into its parts, and episodes per hour.

    python bench/find.py [--steps 150] [--episodes 8]

The built-in localizer beside true masks, ours beside a map drawn pixel by pixel and beside stock rendering. Times of
steps are CPU seconds of this process, so that a busy machine does not change them; episodes per hour are by the clock.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import torch

from pentathlon.core import TASKS, resolve_entrant
from pentathlon.core.entrants import Briefing
from pentathlon.core.eyes import Renderer
from pentathlon.engine import RunRequest
from pentathlon.engine import run as run_request
from pentathlon.events.find.agents.cow import CowAgent
from pentathlon.events.find.agents.factories import make_cow, make_with_true_masks
from pentathlon.models.navigation.mapper import FREE, OCCUPIED, FloorMap
from pentathlon.models.navigation.settings import MENDED
from pentathlon.models.navigation.walk import BodyFacts, Walk
from pentathlon.worlds.houses.architect import architect_house
from pentathlon.worlds.houses.bodies.navigator import Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.scene.house_scene import compile_house

Times = dict[str, float]
TASK = "find/objectnav-lite-v1"


def timed(times: Times, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the CPU time of every call to ``times``."""

    def call(*arguments: Any, **options: Any) -> Any:
        began = time.process_time()
        try:
            return function(*arguments, **options)
        finally:
            times[name] += time.process_time() - began

    return call


def start_pose(navigator: Navigator) -> Pose:
    """Where the house's file begins walks."""
    start = navigator.scene.house.start
    assert start is not None, "generated houses have a start"
    (x_m, y_m) = start.position_m
    return Pose(x_m, y_m, start.yaw_deg)


def run(navigator: Navigator, make: Callable[[], CowAgent], steps: int) -> Times:
    """Lets the agent explore; nothing in the house is its target, so that it does not stop early."""
    pose, agent = start_pose(navigator), make()
    times: Times = defaultdict(float)
    look = timed(times, "render", navigator.look)
    watch(agent, times)
    for count in (12, steps):  # the first walk compiles
        navigator.place(pose, seed=1)
        agent.reset(Briefing("surfboard", 0, {"category": "surfboard", "steps": 10_000}))
        agent.walk.see = timed(times, "map", agent.walk.see)  # type: ignore[method-assign]
        times.clear()
        for _ in range(count):
            sight = look()
            seen = {"rgb": sight.rgb, "depth_m": sight.depth_m, "true_mask": np.zeros(sight.depth_m.shape, np.uint8)}
            navigator.act(agent.act(seen))
    return times


def watch(agent: CowAgent, times: Times) -> None:
    """Has the parts of an agent timed that outlast an episode."""
    eyes: Any = agent._eyes
    eyes.relevance = timed(times, "localise", eyes.relevance)
    agent._choose = timed(times, "plan", agent._choose)  # type: ignore[method-assign]


def loop_map_s(navigator: Navigator) -> float:
    """CPU seconds of one picture on a map that is drawn pixel by pixel in Python."""
    points, _ = Walk(BodyFacts(), MENDED).see(np.asarray(navigator.look().depth_m))
    floor = FloorMap(MENDED)
    began = time.process_time()
    for x, y, z in zip(points.x_m.ravel(), points.y_m.ravel(), points.z_m.ravel(), strict=True):
        if np.isfinite(z) and z < MENDED.top_m:
            cell = floor.cell(float(x), float(y))
            floor.state[cell] = FREE if abs(z) < MENDED.floor_tolerance_m else OCCUPIED
    return time.process_time() - began


def open_navigator(renderer: Renderer) -> Navigator:
    """Opens the practice house."""
    settings = NavigatorSettings(fovy_deg=90.0, segmentation=True, noisy=True, renderer=renderer)
    return Navigator(compile_house(architect_house("bungalow")), settings)


def report(name: str, times: Times, steps: int) -> None:
    """Prints one row."""
    parts = "  ".join(f"{part} {1e3 * seconds / steps:6.2f} ms" for part, seconds in sorted(times.items()))
    print(f"{name:<44} {steps / sum(times.values()):7.1f} steps/s   {parts}", flush=True)


def report_steps(steps: int) -> None:
    """Prints a row for each variant."""
    with closing(open_navigator("raycast")) as navigator:
        times = run(navigator, make_with_true_masks, steps)
        report("true masks", times, steps)
        report("true masks, a map by loops", dict(times, map=steps * loop_map_s(navigator)), steps)
        report("built-in localizer", run(navigator, make_cow, steps), steps)
    try:
        with closing(open_navigator("opengl")) as navigator:
            report("true masks, stock rendering", run(navigator, make_with_true_masks, steps), steps)
            report("built-in localizer, stock rendering", run(navigator, make_cow, steps), steps)
    except Exception as error:  # whatever OpenGL raises where there is no display
        print(f"stock rendering: not on this machine ({type(error).__name__}: {error})")


def report_episodes(entrant: str, workers: int, episodes: int) -> None:
    """Prints how many episodes of the lite tier an hour has; workers, houses and networks are built within it."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        request = RunRequest(
            TASKS.get(TASK), resolve_entrant(entrant), Path(folder), workers=workers, limit=episodes, videos=False
        )
        summary = run_request(request)
        hours = (time.monotonic() - began) / 3600
    print(f"{entrant}, {workers} workers: {summary.recorded / hours:,.0f} episodes an hour", flush=True)


def main() -> None:
    """Prints steps per second and episodes per hour."""
    torch.set_num_threads(1)  # as each worker of a run has; more of them wait for one another, which counts as CPU time
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--episodes", type=int, default=8)
    chosen = parser.parse_args()
    report_steps(chosen.steps)
    for entrant in ("find-true-masks", "cow"):
        for workers in (1, 2):
            report_episodes(entrant, workers, chosen.episodes)


if __name__ == "__main__":
    main()
