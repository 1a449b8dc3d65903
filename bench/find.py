"""Steps per second of find's agent, split into its parts, beside a map drawn pixel by pixel and stock rendering.

    python bench/find.py [--steps 150]

Times are CPU seconds of this process, so that a busy machine does not change them.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from pentathlon.core.entrants import Briefing
from pentathlon.core.eyes import Renderer
from pentathlon.events.find.agents.cow import CowAgent
from pentathlon.events.find.agents.factories import make_with_true_masks
from pentathlon.events.find.agents.mapping.mapper import FREE, OCCUPIED, FloorMap
from pentathlon.events.find.agents.settings import MENDED
from pentathlon.events.find.agents.walk import Walk
from pentathlon.worlds.houses.architect import architect_house
from pentathlon.worlds.houses.bodies.navigator import Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.scene.house_scene import compile_house

Times = dict[str, float]


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


def run(navigator: Navigator, steps: int) -> Times:
    """Lets the agent explore; nothing is its target, so that it never stops early."""
    pose = start_pose(navigator)
    times: Times = defaultdict(float)
    for turn in range(2):  # the first walk compiles
        navigator.place(pose, seed=1)
        times.clear()
        agent = watched(make_with_true_masks(), times)
        look = timed(times, "render", navigator.look)
        for _ in range(12 if turn == 0 else steps):
            sight = look()
            mask = np.zeros(sight.depth_m.shape, np.uint8)
            navigator.act(agent.act({"depth_m": sight.depth_m, "true_mask": mask}))
    return times


def watched(agent: CowAgent, times: Times) -> CowAgent:
    """Starts an episode whose parts are timed."""
    agent.reset(Briefing("nothing", 0, {"steps": 10_000}))
    agent.walk.see = timed(times, "map", agent.walk.see)  # type: ignore[method-assign]
    agent._choose = timed(times, "plan", agent._choose)  # type: ignore[method-assign]
    return agent


def loop_map_s(navigator: Navigator) -> float:
    """CPU seconds of one picture on a map that is drawn pixel by pixel in Python."""
    walk = Walk(_body(), MENDED)
    points, _ = walk.see(np.asarray(navigator.look().depth_m))
    floor = FloorMap(MENDED)
    began = time.process_time()
    for x, y, z in zip(points.x_m.ravel(), points.y_m.ravel(), points.z_m.ravel(), strict=True):
        if np.isfinite(z) and z < MENDED.top_m:
            cell = floor.cell(float(x), float(y))
            floor.state[cell] = FREE if abs(z) < MENDED.floor_tolerance_m else OCCUPIED
    return time.process_time() - began


def _body() -> Any:
    from pentathlon.events.find.agents.walk import BodyFacts

    return BodyFacts()


def open_navigator(renderer: Renderer) -> Navigator:
    """Opens the practice house."""
    settings = NavigatorSettings(fovy_deg=90.0, segmentation=True, noisy=True, renderer=renderer)
    return Navigator(compile_house(architect_house("bungalow")), settings)


def report(name: str, times: Times, steps: int) -> None:
    """Prints one row."""
    parts = "  ".join(f"{part} {1e3 * seconds / steps:6.2f} ms" for part, seconds in sorted(times.items()))
    print(f"{name:<22} {steps / sum(times.values()):7.1f} steps/s   {parts}", flush=True)


def main() -> None:
    """Prints a row per variant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=150)
    steps = parser.parse_args().steps
    navigator = open_navigator("raycast")
    times = run(navigator, steps)
    report("ours", times, steps)
    slow_map = dict(times, map=steps * loop_map_s(navigator))
    report("with a map by loops", slow_map, steps)
    navigator.close()
    try:
        report("with stock rendering", run(open_navigator("opengl"), steps), steps)
    except Exception as error:  # whatever OpenGL raises where there is no display
        print(f"with stock rendering: not on this machine ({type(error).__name__})")


if __name__ == "__main__":
    main()
