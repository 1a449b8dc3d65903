"""Frames per second of the ray caster beside stock `mujoco.Renderer`, in one run: `python bench/eyes.py`.

Every column gives the same three outputs: colour, depth and segmentation. Bodies and cameras move between frames.
Seconds are CPU seconds of the process with all its threads (software OpenGL uses several), so that a number means what
one core does. Rounds of all columns alternate, and of every view the least time counts: a core that is shared with
other guests of its machine is at times half as fast, for seconds on end.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass

import mujoco
import numpy as np
import tyro

import house_scene
from pentathlon.worlds.rendering import CameraPose, Eyes, Raycaster
from pentathlon.worlds.rendering.gallery.models import exhibit
from pentathlon.worlds.rendering.kernels.cache import kernel_processor, kernel_vectors
from pentathlon.worlds.rendering.opengl.eyes import OpenGLEyes, OpenGLSetting
from pentathlon.worlds.rendering.opengl.probe import opengl_works
from pentathlon.worlds.rendering.rays import RayOptions

STATES = 8
VIEWS = 16
LEAST_ROUNDS = 2


@dataclass(frozen=True)
class Bench:
    """Measure rendering speed."""

    scenes: tuple[str, ...] = ("house", "adroit-relocate", "metaworld-hammer", "dmcontrol-walker")
    """`house` or names of the gallery."""
    least_s: float = 2.0
    """Least CPU time to measure each number for."""
    sizes: tuple[str, ...] = ("128x128", "224x224", "640x480")
    """Of the pictures, in pixels."""
    instruction_set: str | None = None
    """Embree's name of the widest one that it may use, such as avx2; the processor's own when not given."""
    ray_width: int | None = None
    """Rays in one call; what Embree calls native when not given."""

    def run(self) -> None:
        """Prints what rays are shot with, and one table."""
        print(self._processor())
        names = ["fast", "fine", *(["GL", "GL no shadows"] if opengl_works() else [])]
        ratios = ["fast/GL", "fine/GL", "fast/GL no shadows"] if len(names) == 4 else []
        print("| scene | size | " + " | ".join([f"{name} FPS" for name in names] + ratios) + " |")
        print("|---" * (2 + len(names) + len(ratios)) + "|")
        for scene, size in itertools.product(self.scenes, map(_size, self.sizes)):
            rates = dict(zip(names, self._rates(scene, size, len(names)), strict=True))
            cells = [f"{rate:.1f}" for rate in rates.values()]
            if ratios:
                pairs = (("fast", "GL"), ("fine", "GL"), ("fast", "GL no shadows"))
                cells += [f"{rates[ours] / rates[theirs]:.1f}x" for ours, theirs in pairs]
            print(f"| {scene} | {size[0]}x{size[1]} | " + " | ".join(cells) + " |", flush=True)

    @property
    def _rays(self) -> RayOptions:
        return RayOptions(self.ray_width, self.instruction_set)

    def _processor(self) -> str:
        """Returns a line about the width of rays and the instruction sets of Embree and of the kernels."""
        with Raycaster(mujoco.MjModel.from_xml_string("<mujoco/>"), rays=self._rays) as eyes:
            width = eyes.ray_width
        widest = {16: "AVX-512", 8: "AVX or AVX2", 4: "SSE or NEON"}
        embree = self.instruction_set or widest[width]
        return f"Rays {width} wide, Embree with {embree}, kernels for {kernel_processor()} with {kernel_vectors()}\n"

    def _rates(self, scene: str, size: tuple[int, int], columns: int) -> list[float]:
        model = house_scene.house() if scene == "house" else exhibit(scene).load()
        look = _looker(scene, model, size)
        makers: list[Callable[[], Eyes]] = [
            lambda: Raycaster(model, "fast", rays=self._rays),
            lambda: Raycaster(model, "fine", rays=self._rays),
            lambda: OpenGLEyes(model, OpenGLSetting("default")),
            lambda: OpenGLEyes(model, OpenGLSetting("no shadows", shadows=False)),
        ]
        columns_eyes = [make() for make in makers[:columns]]
        rates = _frames_per_s(columns_eyes, look, self.least_s)
        for eyes in columns_eyes:
            eyes.close()
        return rates


def _size(text: str) -> tuple[int, int]:
    width, height = text.split("x")
    return int(width), int(height)


def _looker(scene: str, model: mujoco.MjModel, size: tuple[int, int]) -> Callable[[Eyes, int], object]:
    """Returns a function that renders the i-th of a cycle of views."""
    states = [_state(model, seed) for seed in range(STATES)]
    if scene == "house":
        positions_m, rotations = (rows[::4] for rows in house_scene.poses(4 * VIEWS))

        def walk(eyes: Eyes, i: int) -> object:
            return eyes.render_poses(states[i % STATES], [CameraPose(positions_m[i], rotations[i], 70.0)], size)

        return walk
    camera = exhibit(scene).camera
    return lambda eyes, i: eyes.render(states[i % STATES], camera, size)


def _state(model: mujoco.MjModel, seed: int) -> mujoco.MjData:
    """Returns a state in which every joint is a little off its rest."""
    data = mujoco.MjData(model)
    mujoco.mj_integratePos(model, data.qpos, np.random.default_rng(seed).normal(0, 0.03, model.nv), 1.0)
    mujoco.mj_forward(model, data)
    return data


def _frames_per_s(columns: list[Eyes], look: Callable[[Eyes, int], object], least_s: float) -> list[float]:
    """Measures each column's eyes after one frame of warming up (compilation, caches, shaders)."""
    least = np.full((len(columns), VIEWS), np.inf)
    spent = np.zeros(len(columns))
    for eyes in columns:
        look(eyes, 0)
    rounds = 0
    while rounds < LEAST_ROUNDS or (spent < least_s).any():
        for number, eyes in enumerate(columns):
            if rounds < LEAST_ROUNDS or spent[number] < least_s:
                times = [_seconds(look, eyes, view) for view in range(VIEWS)]
                least[number] = np.minimum(least[number], times)
                spent[number] += sum(times)
        rounds += 1
    return [float(rate) for rate in 1 / least.mean(axis=1)]


def _seconds(look: Callable[[Eyes, int], object], eyes: Eyes, view: int) -> float:
    start_s = time.process_time()
    look(eyes, view)
    return time.process_time() - start_s


if __name__ == "__main__":
    tyro.cli(Bench).run()
