"""Speed and agreement of the eyes and houses on one GPU, beside the CPU's: `python bench/gpu.py --out results.json`.

With `--device cpu` the same kernels run on the CPU, slowly, to see that the bench works.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

import mujoco
import numpy as np
import torch
import tyro

from gpu_walks import walk, walk_to_kinds
from pentathlon.core.errors import PentathlonError
from pentathlon.learning.reinforcement.navigation.goal_encoders import ConvImageGoal, FusedImageGoal
from pentathlon.learning.reinforcement.navigation.image_goal import ImageGoalWorlds
from pentathlon.learning.reinforcement.ppo import Learner, LearnerSettings
from pentathlon.learning.reinforcement.ppo_policy import RecurrentPolicy
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.gpu.houses import HouseSet
from pentathlon.worlds.houses.gpu.packed import PackedHouse, PreparedHouse, pack_house
from pentathlon.worlds.houses.gpu.packing import packed_houses
from pentathlon.worlds.houses.gpu.team import Team, TeamRules
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.splits import split_house
from pentathlon.worlds.houses.tasks.targets import HABITAT_TYPES, ROBOTHOR_TYPES
from pentathlon.worlds.houses.ways.navigation import NavigationMap
from pentathlon.worlds.rendering import Raycaster
from pentathlon.worlds.rendering.gallery.compare import difference
from pentathlon.worlds.rendering.gallery.models import EXHIBITS, exhibit
from pentathlon.worlds.rendering.gpu import BatchEyes, GpuEyes, Pictures, batch
from pentathlon.worlds.rendering.gpu.batch import FULL, PLAIN
from pentathlon.worlds.rendering.gpu.code import open_code
from pentathlon.worlds.rendering.look_at import agent_camera
from pentathlon.worlds.rendering.settings import find_setting

VARIANTS: Final = (
    (), ("WARP_LIGHTS=0",), ("MIX_AT_ONCE=0",), ("WARP_LIGHTS=0", "MIX_AT_ONCE=0"), ("SHADE_BLOCKS=1",),
    ("SHADE_BLOCKS=6",), ("SHADE_BLOCKS=10",), ("CLEAR_BLOCKS=6",), ("CLEAR_BLOCKS=8",), ("TRACE_BLOCKS=8",),
    ("TRACE_BLOCKS=12",),
)  # fmt: skip


@dataclass(frozen=True)
class Bench:
    """Measure one GPU."""

    out: Path = Path("gpu.json")
    """Where the numbers go."""
    device: str = "cuda"
    houses: int = 8
    """Validation houses to walk in."""
    workers: int = 2
    """Processes that pack houses."""
    agents: int = 4096
    sizes: tuple[int, ...] = (64, 128, 224)
    least_s: float = 2.0
    """Least time to measure each number for."""
    agreement_houses: int = 20
    """Houses to compare with the CPU's eyes in, ten poses each at 128 x 128."""
    walk_houses: int = 4
    """Houses to compare random walks with the CPU's navigator in."""
    stops: int = 20
    """Times that each of 24 agents stops near things in each of those houses."""
    openings: int = 10_000
    """Houses to open and close."""
    ppo_s: float = 20.0
    """Seconds of PPO at each of its settings."""
    leak_s: float = 90.0
    """Most seconds of opening and closing houses."""
    defines: tuple[str, ...] = ()
    """Macros of the kernels for plain scenes, such as SHADE_BLOCKS=6, instead of their defaults."""
    parts: tuple[str, ...] = ("facts", "gallery", "speed", "steps", "ppo", "leak", "agreement", "walks", "cpu")

    def run(self) -> None:
        """Runs the parts one after the other; each is written as soon as it is known."""
        found: dict[str, Any] = {"device": self._device_name(), "torch": torch.__version__}
        started = time.perf_counter()
        batch.PLAIN = replace(PLAIN, defines=(*PLAIN.defines, *self.defines))
        packed = list(packed_houses("val", range(self.houses), workers=self.workers))
        found["packing_s"] = round(time.perf_counter() - started, 1)
        with ThreadPoolExecutor(self.workers) as pool:
            self._scenes.update(zip(map(id, packed), pool.map(PackedHouse.prepared, packed), strict=True))
        print(f"{len(packed)} houses ready after {time.perf_counter() - started:.1f} s", flush=True)
        for name in self.parts:
            started = time.perf_counter()
            try:
                found[name] = getattr(self, f"_{name}")(packed)
            except (PentathlonError, RuntimeError, ImportError) as error:
                found[name] = {"error": repr(error)[:2000]}
            found[f"{name}_s"] = round(time.perf_counter() - started, 1)
            print(name, json.dumps(found[name])[:3000], flush=True)
            self.out.write_text(json.dumps(found, indent=1))

    @cached_property
    def _scenes(self) -> dict[int, PreparedHouse]:
        """Houses made ready once for all parts, by their identity."""
        return {}

    def _device_name(self) -> str:
        return torch.cuda.get_device_name() if self.device == "cuda" else "cpu"

    def _facts(self, packed: list[PackedHouse]) -> dict[str, Any]:
        if self.device != "cuda":
            return {}
        found = {}
        for source in (PLAIN, FULL):
            started = time.perf_counter()
            code = open_code(source, torch.device("cuda", 0))
            compile_s = round(time.perf_counter() - started, 2)
            kernels = {name: code.facts(name) for name in source.kernels}  # type: ignore[attr-defined]
            found[source.defines[0]] = {"compile_s": compile_s, **kernels}
        return found

    def _gallery(self, packed: list[PackedHouse]) -> dict[str, Any]:
        """Compares the gallery's scenes with the CPU's eyes, `fast` and `fine`."""
        found = {}
        for name in EXHIBITS:
            shown = exhibit(name)
            try:
                model = shown.load()
            except (PentathlonError, ImportError):
                continue  # a robot of a package that is not installed
            data = mujoco.MjData(model)
            mujoco.mj_forward(model, data)
            for setting in ("fast", "fine"):
                with (
                    closing(Raycaster(model, setting)) as cpu,
                    closing(GpuEyes(model, setting, device=self.device)) as gpu,
                ):
                    frames = [eyes.render(data, shown.camera, (240, 180)) for eyes in (cpu, gpu)]
                found[f"{name} {setting}"] = asdict(difference(*frames))
        return found

    def _houses(self, packed: list[PackedHouse], goals: int = 8) -> HouseSet:
        houses = HouseSet(self.device, goals_per_house=goals)
        for house in packed:
            houses.add(house, scene=self._scenes[id(house)])
        return houses

    def _variants(self, packed: list[PackedHouse]) -> dict[str, Any]:
        """Shaded pictures by other builds of the kernels: how fast, and how many bytes differ from the default's."""
        houses, size, kept = self._houses(packed), self.sizes[0], batch.PLAIN
        found: dict[str, Any] = {}
        first: torch.Tensor | None = None
        for defines in VARIANTS:
            batch.PLAIN = replace(PLAIN, defines=(*PLAIN.defines, *defines))
            team = Team(houses, self.agents, _rules(size))
            team.begin(0)
            out = Pictures.empty(self.agents, (size, size), houses.device)
            rate = self._rate(partial(team.look, out), self.agents)
            assert out.rgb is not None
            first = out.rgb if first is None else first
            differ = int((out.rgb.int() - first.int()).abs().gt(1).sum())
            found[" ".join(defines) or "default"] = {"shaded FPS": rate, "bytes off by more than 1": differ}
            print(defines, rate, differ, flush=True)
        batch.PLAIN = kept
        return found

    def _speed(self, packed: list[PackedHouse]) -> dict[str, Any]:
        """Pictures of agents spread over the floor: rays alone, shaded, and with `fine`."""
        houses = self._houses(packed)
        found: dict[str, Any] = {"MB a house": round(houses.nbytes / len(packed) / 1e6, 1)}
        for size in self.sizes:
            team = Team(houses, self.agents, _rules(size))
            team.begin(0)
            few = self.agents // 16
            fine = BatchEyes(houses.table, find_setting("fine"))
            whole = Pictures.empty(self.agents, (size, size), houses.device)
            part = Pictures.empty(few, (size, size), houses.device)
            cameras, scenes = team.cameras[:few], team.scene_of[:few]
            print("size", size, flush=True)
            found[f"{size}"] = {
                "rays FPS": self._rate(partial(team.look, replace(whole, rgb=None)), self.agents),
                "shaded FPS": self._rate(partial(team.look, whole), self.agents),
                "fine FPS": self._rate(partial(fine.render, cameras, scenes, (size, size), part), few),
            }
        return found

    def _steps(self, packed: list[PackedHouse]) -> dict[str, Any]:
        """Whole steps: action, collision, distance, reward, reset, colour, depth and ids; random actions."""
        houses, found = self._houses(packed), {}
        for size in self.sizes:
            for agents in (self.agents // 16, self.agents, 4 * self.agents if size < 200 else self.agents):
                team = Team(houses, agents, _rules(size))
                team.begin(0)
                out = Pictures.empty(agents, (size, size), houses.device)
                actions = torch.randint(5, (64, agents), device=houses.device)
                turn = iter(range(1 << 60))

                def step(team: Team = team, out: Pictures = out, actions: Any = actions, turn: Any = turn) -> None:
                    team.act(actions[next(turn) % 64])
                    team.look(out)

                found[f"{size} px, {agents} agents"] = self._rate(step, agents)
                print(size, agents, found[f"{size} px, {agents} agents"], flush=True)
        return found

    def _ppo(self, packed: list[PackedHouse]) -> dict[str, Any]:
        """The whole loop of learning with convolutions on colour and depth."""
        found, many = {}, min(self.agents, 4096)
        fastest = LearnerSettings(steps=64, epochs=1, batches=4)
        rows: tuple[tuple[str, int, int, LearnerSettings, type[FusedImageGoal] | type[ConvImageGoal]], ...] = (
            ("64 px, fastest", 64, many, fastest, ConvImageGoal),
            ("64 px, learning", 64, many // 2, LearnerSettings(), ConvImageGoal),
            ("64 px, learning, both pictures at once", 64, many // 2, LearnerSettings(), FusedImageGoal),
            ("128 px", 128, many // 2, fastest, ConvImageGoal),
        )
        houses = self._houses(packed)
        for name, size, agents, settings, kind in (row for row in rows if row[1] in self.sizes):
            rules = replace(_rules(size), stops_itself=True, step_limit=200)
            worlds = ImageGoalWorlds(houses, agents, rules, depth=True)
            policy = RecurrentPolicy(kind(worlds.goal_pictures, (size, size), depth=True), len(ACTIONS))
            policy.forbid(ACTIONS.index("Stop"))
            learner = Learner(worlds, policy, settings)
            found[name] = self._learn(name, learner)
            del learner, worlds, policy
        return found

    def _learn(self, name: str, learner: Learner) -> dict[str, Any]:
        """Returns how fast a learner plays and learns, after three rounds in which kernels are chosen and captured."""
        reports, started = [], time.perf_counter()
        for _ in range(3):
            reports.append(learner.round())
            print(name, f"round {len(reports)} after {time.perf_counter() - started:.1f} s", flush=True)
        self._wait()
        started, first = time.perf_counter(), learner.frames
        while time.perf_counter() - started < self.ppo_s:
            reports.append(learner.round())
        rate = (learner.frames - first) / (time.perf_counter() - started)
        curve = [reports[i]._asdict() for i in np.linspace(0, len(reports) - 1, 8).astype(int)]
        found = {"steps/s": round(rate), "rounds": len(reports), "curve": curve, "GB": self._memory_gb()}
        print(name, found, flush=True)
        return found

    def _leak(self, packed: list[PackedHouse]) -> dict[str, Any]:
        """Opens and closes houses; the device's memory must not grow."""
        houses = HouseSet(self.device, goals_per_house=1)
        small = sorted(packed, key=lambda house: len(house.shape.points))[:2]
        sizes, started = [], time.perf_counter()
        for i in range(self.openings):
            number = houses.add(small[i % 2], scene=self._scenes[id(small[i % 2])])
            houses.remove(number)
            if i % max(1, self.openings // 20) == max(1, self.openings // 20) - 1:
                sizes.append(self._memory_gb())
                print("opened", i + 1, sizes[-1], flush=True)
            if time.perf_counter() - started > self.leak_s:
                break
        return {"openings": i + 1, "GB": sizes}

    def _agreement(self, packed: list[PackedHouse]) -> dict[str, Any]:
        """Compares poses in houses with the CPU's eyes."""
        found = []
        for place in range(self.agreement_houses):
            scene = compile_house(split_house("val", place), switchable=False)
            data, settings, rng = scene.new_data(), NavigatorSettings(), np.random.default_rng(place)
            ways = NavigationMap.of_scene(scene.house, scene.model, data)
            with closing(Raycaster(scene.model)) as cpu, closing(GpuEyes(scene.model, device=self.device)) as gpu:
                for _ in range(10):
                    x, y, yaw_deg = *ways.random_place(rng), 30.0 * int(rng.integers(12))
                    pitch_deg, height_m = float(rng.choice([-30, 0, 0, 30])), settings.camera_height_m
                    camera = agent_camera(x, y, yaw_deg, height_m, pitch_deg, settings.fovy_deg)
                    found.append(difference(*(eyes.render(data, camera, (128, 128)) for eyes in (cpu, gpu))))
        rows = np.array([(row.depth_equal, row.ids_equal, row.colour_mean_abs) for row in found])
        names = ("depth within 1 mm", "same geom", "colour")
        return {
            "poses": len(rows),
            **{name: {"mean": float(column.mean()), "worst": [float(column.min()), float(column.max())]}
               for name, column in zip(names, rows.T, strict=True)},
        }  # fmt: skip

    def _walks(self, packed: list[PackedHouse]) -> dict[str, Any]:
        """Compares random walks with the CPU's navigator, bit for bit, and Stop near places and near things."""
        names = ("steps", "same", "same states", "collided", "stops", "same stops", "reached")
        places = dict.fromkeys(names, 0)
        kinds = dict.fromkeys((*names, "kinds", "cells", "same cells", "worst mm"), 0)
        sought = tuple(dict.fromkeys((*ROBOTHOR_TYPES, *HABITAT_TYPES)))
        for place in range(2, 2 + self.walk_houses):
            for collisions in ("stop", "slide"):
                settings = NavigatorSettings(size_px=(16, 16), collisions=collisions)
                scene = compile_house(split_house("val", place), switchable=False)
                with closing(Navigator(scene, settings)) as navigator:
                    house = pack_house(navigator)
                    walk(
                        self._walkers(house, HouseSet(self.device, goals_per_house=4), settings, place),
                        navigator,
                        places,
                    )
                    seekers = self._walkers(house, HouseSet(self.device, kinds=sought), settings, place)
                    walk_to_kinds(seekers, navigator, self.stops, kinds)
        return {"places": places, "kinds": kinds}

    def _walkers(self, house: PackedHouse, houses: HouseSet, settings: NavigatorSettings, seed: int) -> Team:
        houses.add(house)
        team = Team(houses, 24, TeamRules(settings, scattered=False))
        team.begin(seed)
        return team

    def _cpu(self, packed: list[PackedHouse]) -> dict[str, Any]:
        """The CPU's eyes on one core in the same houses."""
        found = {}
        scene = compile_house(split_house("val", 0), switchable=False)
        for size in self.sizes:
            with closing(Navigator(scene, NavigatorSettings(size_px=(size, size)))) as navigator:
                rng = np.random.default_rng(0)
                poses = [Pose(*navigator.ways.random_place(rng), 30.0 * int(rng.integers(12))) for _ in range(32)]
                navigator.look(poses[0])
                started = time.process_time()
                for pose in poses:
                    navigator.look(pose)
                found[f"{size} FPS of a core"] = round(len(poses) / (time.process_time() - started), 1)
        return found

    def _rate(self, work: Callable[[], object], count: int) -> int:
        """Returns how many pictures or steps there are in a second."""
        for _ in range(3):
            work()
        self._wait()
        rounds, started = 0, time.perf_counter()
        while time.perf_counter() - started < self.least_s:
            for _ in range(5):
                work()
            self._wait()
            rounds += 5
        return round(rounds * count / (time.perf_counter() - started))

    def _wait(self) -> None:
        if self.device == "cuda":
            torch.cuda.synchronize()

    def _memory_gb(self) -> float:
        return round(torch.cuda.memory_reserved() / 1e9, 3) if self.device == "cuda" else 0.0


def _rules(size: int) -> TeamRules:
    return TeamRules(NavigatorSettings(size_px=(size, size)))


if __name__ == "__main__":
    tyro.cli(Bench).run()
