"""Frames per second of the ray caster beside stock `mujoco.Renderer`, in one run: `python bench/eyes.py`.

Every column gives the same three outputs: colour, depth and segmentation. Bodies and cameras move between frames.
Seconds are CPU seconds of the process with all its threads (software OpenGL uses several), so that a number means what
one core does and other work on the machine disturbs it little.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import mujoco
import numpy as np
import tyro

import house_scene
from pentathlon.worlds.rendering import Eyes, Raycaster
from pentathlon.worlds.rendering.gallery.models import exhibit
from pentathlon.worlds.rendering.kernels.cache import kernel_processor, kernel_vectors
from pentathlon.worlds.rendering.opengl.eyes import OpenGLEyes, OpenGLSetting
from pentathlon.worlds.rendering.opengl.probe import opengl_works
from pentathlon.worlds.rendering.rays import RayOptions

STATES = 8


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

    def _rates(self, scene: str, size: tuple[int, int], columns: int) -> Iterator[float]:
        model = house_scene.house() if scene == "house" else exhibit(scene).load()
        look = _looker(scene, model, size)
        makers: list[Callable[[], Eyes]] = [
            lambda: Raycaster(model, "fast", rays=self._rays),
            lambda: Raycaster(model, "fine", rays=self._rays),
            lambda: OpenGLEyes(model, OpenGLSetting("default")),
            lambda: OpenGLEyes(model, OpenGLSetting("no shadows", shadows=False)),
        ]
        for make in makers[:columns]:
            eyes = make()
            yield _frames_per_s(lambda i, eyes=eyes: look(eyes, i), self.least_s)  # type: ignore[misc]
            eyes.close()


def _size(text: str) -> tuple[int, int]:
    width, height = text.split("x")
    return int(width), int(height)


def _looker(scene: str, model: mujoco.MjModel, size: tuple[int, int]) -> Callable[[Eyes, int], object]:
    """Returns a function that renders the i-th of a cycle of views."""
    states = [_state(model, seed) for seed in range(STATES)]
    if scene == "house":
        positions_m, rotations = house_scene.poses(64)

        def walk(eyes: Eyes, i: int) -> object:
            k = i % len(positions_m)
            return eyes.render_poses(states[i % STATES], positions_m[k : k + 1], rotations[k : k + 1], size, 70.0)

        return walk
    camera = exhibit(scene).camera
    return lambda eyes, i: eyes.render(states[i % STATES], camera, size)


def _state(model: mujoco.MjModel, seed: int) -> mujoco.MjData:
    """Returns a state in which every joint is a little off its rest."""
    data = mujoco.MjData(model)
    mujoco.mj_integratePos(model, data.qpos, np.random.default_rng(seed).normal(0, 0.03, model.nv), 1.0)
    mujoco.mj_forward(model, data)
    return data


def _frames_per_s(draw: Callable[[int], object], least_s: float) -> float:
    """Measures after three frames of warming up (compilation, caches, shaders)."""
    for i in range(3):
        draw(i)
    start_s, count = time.process_time(), 0
    while time.process_time() - start_s < least_s or count < 5:
        draw(count)
        count += 1
    return count / (time.process_time() - start_s)


if __name__ == "__main__":
    tyro.cli(Bench).run()
