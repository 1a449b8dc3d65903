"""Trains a policy to find the places of pictures in generated houses, and tests it in houses that it never saw."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor

from pentathlon.core.errors import UsageError
from pentathlon.learning.reinforcement.image_goal import (
    ConvImageGoal,
    Features,
    FrozenImageGoal,
    ImageGoalWorlds,
)
from pentathlon.learning.reinforcement.navigation_exam import ExamResult, examine
from pentathlon.learning.reinforcement.ppo import Learner, LearnerSettings, Report
from pentathlon.learning.reinforcement.ppo_policy import RecurrentPolicy
from pentathlon.learning.reinforcement.settings import ImageNavSettings
from pentathlon.stats.charts.lines import Mark, Series, line_chart
from pentathlon.storage.files import replacing
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, NavigatorSettings
from pentathlon.worlds.houses.gpu.houses import HouseSet
from pentathlon.worlds.houses.gpu.packed import PackedHouse
from pentathlon.worlds.houses.gpu.packing import packed_houses
from pentathlon.worlds.houses.gpu.team import TeamRules

STOP = ACTIONS.index("Stop")
LEAST_HOUSES = 2
SAVED_EVERY_S = 30.0
CURVE_POINTS = 60
_BLOCK = 4096  # pictures that a frozen encoder takes at once


def train_policy(settings: ImageNavSettings, learning: LearnerSettings | None = None) -> None:
    """Trains, or goes on, for so many minutes in all; writes policy, curve and result into `settings.out`."""
    if settings.encoder != "conv" and settings.depth:
        raise UsageError("Expected no depth with a frozen encoder, which sees colours.")
    settings.out.mkdir(parents=True, exist_ok=True)
    training = _Training(settings, learning or LearnerSettings())
    training.run()
    training.finish()


class _Training:
    """One training: worlds, learner, and what is written beside."""

    def __init__(self, settings: ImageNavSettings, learning: LearnerSettings) -> None:
        self._settings = settings
        self._features = frozen_features(settings.encoder, settings.device)
        self._worlds = self._open_worlds("train", settings.houses, settings.agents, scattered=True)
        self.policy = make_policy(settings, self._worlds.goal_pictures)
        self._learner = Learner(self._worlds, self.policy, learning, settings.seed)
        self._state, self._curve = settings.out / "state.pt", settings.out / "curve.jsonl"
        self._trained_s, self._with_stop = 0.0, False
        self._results: dict[str, Any] = {}
        self._tested: ImageGoalWorlds | None = None
        if self._state.exists():
            self._go_on()
        self._follow_stage()

    def run(self) -> None:
        """Trains until the time is over; what is learned is saved every half minute."""
        started, before, saved = time.perf_counter(), self._trained_s, 0.0
        with self._curve.open("a", encoding="utf-8") as curve:
            while self._trained_s < 60 * self._settings.minutes:
                report = self._learner.round()
                self._trained_s = before + time.perf_counter() - started
                curve.write(json.dumps(self._row(report)) + "\n")
                curve.flush()
                if not self._with_stop and self._share >= self._settings.without_stop:
                    self._results["without Stop"] = self.test().as_json()
                    self._follow_stage()
                if self._trained_s - saved > SAVED_EVERY_S:
                    saved = self._trained_s
                    self._save()
                    print(json.dumps(self._row(report)), flush=True)
        self._save()

    def finish(self) -> None:
        """Tests the policy and writes it, its curve as a picture and its result."""
        self._results["tested"] = self.test().as_json()
        self._results |= {"frames": self._learner.frames, "rounds": self._learner.rounds}
        self._results |= {"seconds": round(self._trained_s), "houses": len(self._worlds.team.houses.numbers)}
        weights = {name: value.contiguous().cpu() for name, value in self.policy.state_dict().items()}
        with replacing(self._settings.out / "policy.safetensors") as beside:
            save_file(weights, beside)
        _write(self._settings.out / "result.json", json.dumps(self._results, indent=1))
        rows = [json.loads(line) for line in self._curve.read_text(encoding="utf-8").splitlines()]
        _write(self._settings.out / "curve.svg", draw_curve(rows))
        print(json.dumps(self._results), flush=True)

    def test(self) -> ExamResult:
        """Plays in validation houses, with Stop as soon as training knows it."""
        worlds = self._tested or self._open_worlds(
            "val", self._settings.tested_houses, min(1024, self._settings.agents), scattered=False
        )
        self._tested = worlds
        worlds.team.follow(replace(worlds.team.rules, stops_itself=not self._with_stop))
        self.policy.encoder.watch(worlds.goal_pictures)
        found = examine(self.policy, worlds, self._settings.seed)
        self.policy.encoder.watch(self._worlds.goal_pictures)
        return found

    @property
    def _share(self) -> float:
        return self._trained_s / (60 * self._settings.minutes)

    def _follow_stage(self) -> None:
        """Sets the rules of the present share of the training."""
        self._with_stop = self._share >= self._settings.without_stop
        team = self._worlds.team
        team.follow(replace(team.rules, stops_itself=not self._with_stop))
        self._worlds.false_stop_cost = self._settings.false_stop_cost if self._with_stop else 0.0
        if not self._with_stop:
            self.policy.forbid(STOP)
        elif self.policy.forbids(STOP):
            self.policy.permit(STOP, self._settings.caution)

    def _open_worlds(self, split: str, houses: int, agents: int, *, scattered: bool) -> ImageGoalWorlds:
        settings = self._settings
        found = gather_houses(settings, split, houses)
        size = (settings.side_px, settings.side_px)
        rules = TeamRules(
            NavigatorSettings(size_px=size), step_limit=settings.step_limit, seed=settings.seed, scattered=scattered
        )
        return ImageGoalWorlds(
            found, agents, rules, depth=settings.depth, senses=settings.senses, features=self._features
        )

    def _row(self, report: Report) -> dict[str, Any]:
        row = {name: round(value, 4) for name, value in report._asdict().items()}
        return {"seconds": round(self._trained_s, 1), "with_stop": self._with_stop, **row}

    def _save(self) -> None:
        notes = {"trained_s": self._trained_s, "results": self._results, "stop": not self.policy.forbids(STOP)}
        self._learner.save(self._state, notes)

    def _go_on(self) -> None:
        notes = self._learner.load(self._state)
        self._trained_s, self._results = float(notes["trained_s"]), dict(notes["results"])
        if not notes["stop"]:
            self.policy.forbid(STOP)
        rows = self._curve.read_text(encoding="utf-8").splitlines(keepends=True)
        _write(self._curve, "".join(rows[: self._learner.rounds]))  # what was played after the last save is lost


def gather_houses(settings: ImageNavSettings, split: str, count: int) -> HouseSet:
    """Returns houses of a split on the device: all of them, or those that were ready in time."""
    houses = HouseSet(settings.device, goals_per_house=settings.goals_per_house, seed=settings.seed)
    started = time.perf_counter()
    packed = iter(packed_houses(split, range(count), workers=settings.workers))
    with ThreadPoolExecutor(settings.workers) as pool:
        while some := list(islice(packed, settings.workers)):
            for house, scene in zip(some, pool.map(PackedHouse.prepared, some), strict=True):
                houses.add(house, scene=scene)
            late = time.perf_counter() - started > 60 * settings.packing_minutes
            if late and len(houses.numbers) >= LEAST_HOUSES:
                break
    print(f"{len(houses.numbers)} {split} houses, {houses.nbytes / 1e9:.2f} GB", flush=True)
    return houses


def make_policy(settings: ImageNavSettings, goals: Tensor) -> RecurrentPolicy:
    """Returns a new policy for these goals' pictures or features."""
    torch.manual_seed(settings.seed)
    if settings.encoder != "conv":
        return RecurrentPolicy(FrozenImageGoal(goals, senses=settings.senses), len(ACTIONS))
    size = (settings.side_px, settings.side_px)
    eye = ConvImageGoal(goals, size, depth=settings.depth, senses=settings.senses)
    return RecurrentPolicy(eye, len(ACTIONS))


def frozen_features(encoder: str, device: str) -> Features | None:
    """Returns a built-in encoder's pooled features of pictures [N, H, W, 3]; none for `conv`."""
    if encoder == "conv":
        return None
    from pentathlon.models.encoders.factories import builtin

    network = builtin(encoder, device=device)

    @torch.inference_mode()
    def features(rgb: Tensor) -> Tensor:
        with torch.autocast(rgb.device.type, torch.bfloat16, enabled=rgb.device.type == "cuda"):
            blocks = [network.tokens(rgb[i : i + _BLOCK]).pooled.float() for i in range(0, len(rgb), _BLOCK)]
        return torch.cat(blocks)

    return lambda rgb: features(rgb).clone()  # inference tensors may not be saved for gradients


def draw_curve(rows: list[dict[str, Any]]) -> str:
    """Draws success in training over frames, once without and once with Stop."""
    step = max(1, len(rows) // CURVE_POINTS)
    series = []
    for name, wanted in (("without Stop", False), ("with Stop", True)):
        chosen = [row for row in rows[::step] if row["with_stop"] is wanted and row["ended"]]
        marks = tuple(Mark(row["frames"] / 1e6, *3 * (100 * row["success"],)) for row in chosen)
        series += [Series(name, marks)] if marks else []
    title = f"ImageNav, success in training houses, {rows[-1]['seconds']:.0f} s"
    return line_chart(title, "million frames", "success, %", series, y_range=(0.0, 100.0))


def _write(path: Path, text: str) -> None:
    with replacing(path) as beside:
        beside.write_text(text, encoding="utf-8")
