"""Speed and agreement of the eyes and houses on one GPU, beside the CPU's: `python bench/gpu.py --out results.json`.

With `--device cpu` the same kernels run on the CPU, slowly, to see that the bench works.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import torch
import tyro

from pentathlon.core.errors import PentathlonError
from pentathlon.learning.reinforcement.image_goal import ConvImageGoal, ImageGoalWorlds
from pentathlon.learning.reinforcement.ppo import Learner, LearnerSettings
from pentathlon.learning.reinforcement.ppo_policy import RecurrentPolicy
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.gpu.houses import HouseSet
from pentathlon.worlds.houses.gpu.packed import PackedHouse, pack_house
from pentathlon.worlds.houses.gpu.packing import packed_houses
from pentathlon.worlds.houses.gpu.team import SUCCEEDED, Team, TeamRules
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.splits import split_house
from pentathlon.worlds.houses.tasks.goals import PlaceGoal
from pentathlon.worlds.houses.ways.navigation import NavigationMap
from pentathlon.worlds.rendering import Raycaster
from pentathlon.worlds.rendering.gallery.compare import difference
from pentathlon.worlds.rendering.gallery.models import EXHIBITS, exhibit
from pentathlon.worlds.rendering.gpu import BatchEyes, GpuEyes, Pictures
from pentathlon.worlds.rendering.gpu.batch import FULL, PLAIN
from pentathlon.worlds.rendering.gpu.code import open_code
from pentathlon.worlds.rendering.look_at import agent_camera
from pentathlon.worlds.rendering.settings import find_setting


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
    openings: int = 10_000
    """Houses to open and close."""
    ppo_s: float = 20.0
    """Seconds of PPO at each of its settings."""
    leak_s: float = 90.0
    """Most seconds of opening and closing houses."""
    parts: tuple[str, ...] = ("facts", "gallery", "speed", "steps", "ppo", "leak", "agreement", "walks", "cpu")

    def run(self) -> None:
        """Runs the parts one after the other; each is written as soon as it is known."""
        found: dict[str, Any] = {"device": self._device_name(), "torch": torch.__version__}
        started = time.perf_counter()
        packed = list(packed_houses("val", range(self.houses), workers=self.workers))
        found["packing_s"] = round(time.perf_counter() - started, 1)
        for name in self.parts:
            started = time.perf_counter()
            try:
                found[name] = getattr(self, f"_{name}")(packed)
            except (PentathlonError, RuntimeError, ImportError) as error:
                found[name] = {"error": repr(error)[:2000]}
            found[f"{name}_s"] = round(time.perf_counter() - started, 1)
            print(name, json.dumps(found[name]), flush=True)
            self.out.write_text(json.dumps(found, indent=1))

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
            houses.add(house)
        return houses

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
        return found

    def _ppo(self, packed: list[PackedHouse]) -> dict[str, Any]:
        """The whole loop of learning with convolutions on colour and depth."""
        found = {}
        many = min(self.agents, 4096)
        rows = (
            ("64 px, fastest", 64, many, LearnerSettings(steps=64, epochs=1, batches=4)),
            ("64 px, learning", 64, many // 2, LearnerSettings()),
            ("128 px", 128, many // 2, LearnerSettings(steps=64, epochs=1, batches=4)),
        )
        for name, size, agents, settings in (row for row in rows if row[1] in self.sizes):
            houses = self._houses(packed)
            rules = replace(_rules(size), stops_itself=True, step_limit=200)
            worlds = ImageGoalWorlds(houses, agents, rules, depth=True)
            policy = RecurrentPolicy(ConvImageGoal(worlds.goal_pictures, (size, size), depth=True), len(ACTIONS))
            policy.forbid(ACTIONS.index("Stop"))
            learner = Learner(worlds, policy, settings)
            reports = [learner.round() for _ in range(3)]
            self._wait()
            started, first = time.perf_counter(), learner.frames
            while time.perf_counter() - started < self.ppo_s:
                reports.append(learner.round())
            rate = (learner.frames - first) / (time.perf_counter() - started)
            curve = [reports[i]._asdict() for i in np.linspace(0, len(reports) - 1, 8).astype(int)]
            found[name] = {"steps/s": round(rate), "rounds": len(reports), "curve": curve, "GB": self._memory_gb()}
            print(name, found[name], flush=True)
            del learner, worlds, policy, houses
        return found

    def _leak(self, packed: list[PackedHouse]) -> dict[str, Any]:
        """Opens and closes houses; the device's memory must not grow."""
        houses = HouseSet(self.device, goals_per_house=1)
        small = sorted(packed, key=lambda house: len(house.shape.points))[:2]
        sizes, started = [], time.perf_counter()
        scenes = [house.prepared() for house in small]
        for i in range(self.openings):
            number = houses.add(small[i % 2], scene=scenes[i % 2])
            houses.remove(number)
            if i % max(1, self.openings // 10) == max(1, self.openings // 10) - 1:
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

    def _walks(self, packed: list[PackedHouse]) -> dict[str, int]:
        """Compares random walks with the CPU's navigator, bit for bit, and Stop near goals."""
        found = dict.fromkeys(("steps", "same", "collided", "stops", "same stops", "reached"), 0)
        for place in range(2, 2 + self.walk_houses):
            for collisions in ("stop", "slide"):
                settings = NavigatorSettings(size_px=(16, 16), collisions=collisions)
                scene = compile_house(split_house("val", place), switchable=False)
                with closing(Navigator(scene, settings)) as navigator:
                    houses = HouseSet(self.device, goals_per_house=4)
                    houses.add(pack_house(navigator))
                    team = Team(houses, 24, TeamRules(settings, scattered=False))
                    team.begin(place)
                    _walk(team, navigator, found)
        return found

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


def _walk(team: Team, navigator: Navigator, found: dict[str, int]) -> None:
    """Walks 60 steps and then stops near the goals, and counts what is the same as the navigator's."""
    rng, device = np.random.default_rng(0), team.houses.device
    state, places = team.read(team.agents), team.houses.goal_poses[:, :2]
    goals = [PlaceGoal(navigator, tuple(places[row["goal"]]), team.rules.within_m) for row in state]
    known = [(Pose(row["x"], row["y"], row["yaw"], row["pitch"]), 0.0, row["distance"]) for row in state]
    for _ in range(60):
        actions = rng.choice(5, len(team), p=[0.6, 0.16, 0.16, 0.04, 0.04])
        team.act(torch.from_numpy(actions).to(device))
        for i, (row, reward) in enumerate(zip(team.read(team.agents), team.reward.tolist(), strict=True)):
            navigator.pose, navigator.travelled_m, before_m = known[i]
            navigator.act(ACTIONS[actions[i]])
            pose, distance_m = navigator.pose, goals[i].distance_m(navigator.pose.x_m, navigator.pose.y_m)
            known[i] = pose, navigator.travelled_m, distance_m
            mine = (*pose, navigator.collided, navigator.travelled_m, distance_m)
            theirs = tuple(row[name] for name in ("x", "y", "yaw", "pitch", "collided", "travelled", "distance"))
            found["steps"] += 1
            found["collided"] += int(navigator.collided)
            found["same"] += int(mine == theirs and np.float32(before_m - distance_m - 0.01) == np.float32(reward))
    state = team.read(team.agents)
    for row in state:
        near = [places[row["goal"]] + rng.uniform(-1, 1, 2) for _ in range(100)]
        row["x"], row["y"] = next(place for place in near if navigator.ways.is_free(*place))
    team.write(state)
    team.act(torch.full((len(team),), ACTIONS.index("Stop"), device=device))
    succeeded = ((team.ends & SUCCEEDED) != 0).tolist()
    reached = [goal.reached(Pose(row["x"], row["y"], 0.0)) for goal, row in zip(goals, state, strict=True)]
    found["stops"] += len(team)
    found["reached"] += int(sum(reached))
    found["same stops"] += int(sum(mine == theirs for mine, theirs in zip(reached, succeeded, strict=True)))


def _rules(size: int) -> TeamRules:
    return TeamRules(NavigatorSettings(size_px=(size, size)))


if __name__ == "__main__":
    tyro.cli(Bench).run()
