"""Measures houses: an agent's steps per second beside MuJoCo's renderer, generating, loading, memory, and rooms.

    python bench/houses.py

All rates are per second of CPU time of this process, which a busy machine disturbs little. A step is one action of the
navigator and its RGB-D picture; the stock renderer sees the same poses and makes the same outputs, one pass for each.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import mujoco
import numpy as np
import psutil
import tyro

from pentathlon.worlds.houses.assets.catalogue import variant
from pentathlon.worlds.houses.bodies.navigator import Action, Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.files.house_files import read_house, write_house
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.house_scene import HouseScene, compile_house
from pentathlon.worlds.houses.scene.kept_scenes import SceneStore
from pentathlon.worlds.rendering.kernels.cache import kernel_processor, kernel_vectors
from pentathlon.worlds.rendering.opengl.probe import opengl_works, use_working_backend

SIZES = ((128, 128), (224, 224), (640, 480))
WALK: tuple[Action, ...] = ("MoveAhead", "MoveAhead", "RotateLeft", "MoveAhead", "RotateRight", "RotateRight")
PLACES = 24
FIRST_SEED = 10_000


@dataclass(frozen=True)
class Bench:
    """Measure houses."""

    rooms: int = 5
    """Of the house whose steps are compared."""
    least_s: float = 2.0
    """Least CPU time to measure each of our rates for."""
    stock_frames: int = 3
    """Frames of the stock renderer, which is slow without a GPU."""
    houses: int = 20
    """How many houses to generate and to load."""

    def run(self) -> None:
        """Prints all tables."""
        house = House.generate(FIRST_SEED, self.rooms)
        scene = compile_house(house)
        model = scene.model
        print(
            f"load average before: {os.getloadavg()[0]:.1f}; kernels for {kernel_processor()} with {kernel_vectors()}"
        )
        print(f"{self.rooms} rooms: {len(house.objects)} objects, {model.ngeom} geoms, {model.nmeshface} triangles,")
        print(f"{int(model.light_active.sum())} lights\n")
        self._steps(scene)
        self._rooms()
        self._making()
        self._memory()

    def _steps(self, scene: HouseScene) -> None:
        stock = opengl_works()
        columns = ["ours RGB-D", "ours + ids"]
        columns += ["stock RGB-D", "stock + ids", "stock RGB-D, no shadows"] if stock else []
        columns += ["ratio RGB-D", "ratio + ids", "ratio to no shadows"] if stock else []
        print("| steps/s | " + " | ".join(columns) + " |\n" + "|---" * (1 + len(columns)) + "|")
        for size in SIZES:
            rates = [self._ours(scene, size, segmentation) for segmentation in (False, True)]
            if stock:
                poses = _walk(scene, self.stock_frames)
                for segmentation, shadows in ((False, True), (True, True), (False, False)):
                    rates.append(_stock(scene, size, poses, segmentation, shadows))
                rates += [rates[0] / rates[2], rates[1] / rates[3], rates[0] / rates[4]]
            print(f"| {size[0]}x{size[1]} | " + " | ".join(f"{rate:.3g}" for rate in rates) + " |", flush=True)

    def _ours(self, scene: HouseScene, size: tuple[int, int], segmentation: bool) -> float:
        navigator = Navigator(scene, NavigatorSettings(size_px=size, segmentation=segmentation))
        places = list(_places(navigator))

        def step(i: int) -> None:
            if i % len(WALK) == 0:
                navigator.place(places[i // len(WALK) % len(places)])
            navigator.act(WALK[i % len(WALK)])
            navigator.look()

        rate = _per_s(step, self.least_s, len(WALK) * PLACES)
        navigator.close()
        return rate

    def _rooms(self) -> None:
        print("\n| rooms | lights | steps/s at 224x224 |\n|---|---|---|")
        for rooms in (1, 2, 4, 6, 8, 10):
            scenes = [compile_house(House.generate(FIRST_SEED + i, rooms)) for i in range(3)]
            lights = np.mean([int(scene.model.light_active.sum()) for scene in scenes])
            rate = 3 / sum(1 / self._ours(scene, (224, 224), False) for scene in scenes)
            print(f"| {rooms} | {lights:.0f} | {rate:.3g} |", flush=True)

    def _making(self) -> None:
        seeds = range(FIRST_SEED, FIRST_SEED + 2 * self.houses)
        made_s, houses = [], []
        for seed in seeds:
            start_s = time.process_time()
            houses.append(House.generate(seed))
            made_s.append(time.process_time() - start_s)
        later = made_s[self.houses :]
        print(f"\nhouses generated per CPU second: {len(later) / sum(later):.2f} (after {self.houses} to warm up)")
        for label in ("objects not yet kept on disk are built", "all objects are read from disk"):
            variant.cache_clear()
            loads_s = np.array([_loads_s(house) for house in houses[: self.houses]][1:])
            print(f"from file to first picture, after the first house; {label}:")
            for times, opened_s in zip(("opened first", "opened again"), loads_s.T, strict=True):
                print(f"  {times}: mean {opened_s.mean():.2f} s, worst {opened_s.max():.2f} s")

    def _memory(self) -> None:
        process, kept = psutil.Process(), []
        before = process.memory_info().rss
        for i in range(4):
            kept.append(Navigator(compile_house(House.generate(FIRST_SEED + i, self.rooms))))
            kept[-1].place(next(_places(kept[-1])))
            kept[-1].look()
        grown = process.memory_info().rss - before
        print(f"memory per environment of {self.rooms} rooms: {grown / len(kept) / 2**20:.0f} MB")


def _loads_s(house: House) -> tuple[float, float]:
    """CPU times from a house file to an agent's first picture, of a house never opened before and of the same again."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "house.json"
        write_house(house, path)
        store = SceneStore(Path(folder) / "scenes")
        return _load_s(path, store), _load_s(path, store)


def _load_s(path: Path, store: SceneStore) -> float:
    start_s = time.process_time()
    house = read_house(path)
    navigator = Navigator(store.open(house))
    assert house.start is not None
    navigator.place(Pose(*house.start.position_m, house.start.yaw_deg))
    navigator.look()
    passed_s = time.process_time() - start_s
    navigator.close()
    return passed_s


def _places(navigator: Navigator) -> Iterator[Pose]:
    rng = np.random.default_rng(0)
    for _ in range(PLACES):
        yield Pose(*navigator.ways.random_place(rng), 30.0 * int(rng.integers(12)))


def _walk(scene: HouseScene, count: int) -> list[Pose]:
    """Poses of the walk that our steps are measured on."""
    navigator = Navigator(scene, NavigatorSettings(size_px=(8, 8)))
    poses = []
    for place in list(_places(navigator))[:count]:
        navigator.place(place)
        navigator.act(WALK[0])
        poses.append(navigator.pose)
    navigator.close()
    return poses


def _stock(scene: HouseScene, size: tuple[int, int], poses: list[Pose], segmentation: bool, shadows: bool) -> float:
    use_working_backend()
    data, settings = scene.new_data(), NavigatorSettings()
    scene.model.vis.global_.offwidth, scene.model.vis.global_.offheight = 640, 480
    scene.model.vis.global_.fovy = settings.fovy_deg
    renderer = mujoco.Renderer(scene.model, size[1], size[0])
    camera = mujoco.MjvCamera()
    camera.distance, camera.elevation = 1.0, 0.0

    def look(i: int) -> None:
        pose = poses[i % len(poses)]
        yaw = np.radians(pose.yaw_deg)
        camera.azimuth = pose.yaw_deg
        camera.lookat[:] = pose.x_m + np.cos(yaw), pose.y_m + np.sin(yaw), settings.camera_height_m
        renderer.update_scene(data, camera)
        renderer.scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] = shadows
        renderer.render()
        renderer.enable_depth_rendering()
        renderer.render()
        renderer.disable_depth_rendering()
        if segmentation:
            renderer.enable_segmentation_rendering()
            renderer.render()
            renderer.disable_segmentation_rendering()

    look(0)
    rate = _per_s(look, 0.0, len(poses))
    renderer.close()
    return rate


def _per_s(step: Callable[[int], None], least_s: float, least_count: int) -> float:
    for i in range(3):
        step(i)
    start_s, count = time.process_time(), 0
    while time.process_time() - start_s < least_s or count < least_count:
        step(count)
        count += 1
    return count / (time.process_time() - start_s)


if __name__ == "__main__":
    tyro.cli(Bench).run()
