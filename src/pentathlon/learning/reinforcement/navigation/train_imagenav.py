"""Trains a policy to find the places of pictures in generated houses, and tests it in houses that it never saw."""

from __future__ import annotations

import json
import math
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from pentathlon.core.errors import UsageError
from pentathlon.learning.reinforcement.navigation.frozen import FrozenFeatures, open_frozen
from pentathlon.learning.reinforcement.navigation.goal_encoders import (
    ConvImageGoal,
    FusedImageGoal,
    GoalEncoder,
    PatchImageGoal,
    PooledImageGoal,
)
from pentathlon.learning.reinforcement.navigation.house_stream import HouseStream
from pentathlon.learning.reinforcement.navigation.image_goal import ImageGoalWorlds
from pentathlon.learning.reinforcement.navigation.navigation_exam import ExamResult, examine
from pentathlon.learning.reinforcement.on_ray import train_on_ray
from pentathlon.learning.reinforcement.peers import ALONE, Peers
from pentathlon.learning.reinforcement.ppo import Learner, LearnerSettings, Report
from pentathlon.learning.reinforcement.ppo_policy import RecurrentPolicy
from pentathlon.learning.reinforcement.settings import ImageNavSettings
from pentathlon.learning.reinforcement.teaching import GUESSES, Lessons
from pentathlon.stats.charts.lines import Mark, Series, line_chart
from pentathlon.storage.files import replacing
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, NavigatorSettings
from pentathlon.worlds.houses.gpu.houses import HouseSet
from pentathlon.worlds.houses.gpu.team import TeamRules
from pentathlon.worlds.houses.tasks.episodes import LONGEST_M

LED_UNTIL = 0.2  # of the training
SLOWER_FOR = 0.4  # of the training
TRAINED_ALONG = ("conv", "apart")
TESTED_FOR = 0.12  # of the minutes within which all must end
PACKED_FOR = 0.4  # of those minutes, at most, before training begins
TESTED_HOUSES_FROM = 0.7  # of the training: houses to be tested in are packed beside the rest of it
SAVED_EVERY_S = 30.0
GROWTH = 1.25  # of the number of houses, at which new ones join: all agents begin anew then
CURVE_POINTS = 60
_SAID = {"format": "imagenav-policy-v2"}


def train_policy(settings: ImageNavSettings) -> None:
    """Trains, or goes on, for so many minutes in all; writes policy, curve and result into `settings.out`."""
    if settings.encoder not in TRAINED_ALONG and settings.depth:
        raise UsageError("Expected no depth with a frozen encoder, which sees colours.")
    if not 1 <= settings.gpus <= settings.houses:
        raise UsageError(f"Expected from 1 to {settings.houses} GPUs, as many as houses, got {settings.gpus}.")
    if settings.on != "ray" and (settings.gpus > 1 or settings.address is not None):
        raise UsageError("Expected one GPU and no address without a cluster. Add: --on ray")
    if settings.within_minutes is not None and settings.within_minutes <= 0:
        raise UsageError(f"Expected more than 0 minutes to train within, got {settings.within_minutes:g}.")
    settings.out.mkdir(parents=True, exist_ok=True)
    if settings.on == "ray":
        out = settings.out.resolve()
        train_on_ray(f"{__name__}:train_together", replace(settings, out=out), settings.gpus, settings.address)
    else:
        train_together(settings, ALONE)


def train_together(settings: ImageNavSettings, peers: Peers) -> None:
    """Trains as one of some processes; the first of them writes and tests."""
    with ExitStack() as opened:
        training = _Training(settings, opened, peers)
        training.run()
        if peers.leads:
            training.finish()


class _Training:
    """One training: worlds, learner, and what is written beside."""

    def __init__(self, settings: ImageNavSettings, opened: ExitStack, peers: Peers) -> None:
        self._settings, self._peers, self._opened = settings, peers, opened
        self._began = time.perf_counter()
        trained_along = settings.encoder in TRAINED_ALONG
        network = None if trained_along else open_frozen(settings.encoder, settings.device)
        self._features = None if network is None else FrozenFeatures(network, compiled=settings.compiled)
        self._encoder_print = settings.encoder if network is None else network.fingerprint
        own = peers.share(settings.houses)
        self._most_houses = len(own)
        self._stream = opened.enter_context(HouseStream("train", own, settings.workers))
        if self._features is not None:  # compiled while houses are packed
            side_px = settings.side_px
            self._features(torch.zeros(1, side_px, side_px, 3, dtype=torch.uint8, device=settings.device))
        houses = self._new_houses()
        first = min(math.ceil(settings.first_houses / peers.count), self._most_houses)
        box = settings.within_minutes
        self._stream.fill(houses, first, min(settings.packing_minutes, math.inf if box is None else PACKED_FOR * box))
        print(f"{len(houses.numbers)} houses, {houses.nbytes / 1e9:.2f} GB", flush=True)
        self._worlds = self._open_worlds(houses, settings.agents, trained=True)
        self._worlds.false_stop_cost = settings.false_stop_cost
        self._worlds.corner_reward = settings.corner_reward
        self._trained_s = 0.0
        self.policy = make_policy(settings, self._worlds.goal_pictures)
        self._lessons = Lessons(self._worlds.team.houses.device)
        learning = LearnerSettings(
            steps=settings.steps, batches=settings.batches, epochs=settings.epochs, learning_rate=settings.learning_rate
        )
        self._learner = Learner(self._worlds, self.policy, learning, settings.seed, self._lessons, peers)
        self._state, self._curve = settings.out / "state.pt", settings.out / "curve.jsonl"
        self._results: dict[str, Any] = {}
        self._tested: HouseStream | None = None
        self._known_houses = len(houses.numbers)
        if self._state.exists():
            self._go_on()
        elif settings.start is not None and peers.leads:
            self.policy.load_state_dict({name: value.float() for name, value in load_file(settings.start).items()})
        peers.agree(self._learner.rounds, "the training that was saved", self._learner.device)
        peers.begin_alike(self.policy)
        self._minutes = self._peers.told(self._minutes_of_training(), self._learner.device)
        self._follow_plan()

    def run(self) -> None:
        """Trains until the time is over; what is learned is saved every half minute."""
        started, before, saved = time.perf_counter(), self._trained_s, 0.0
        while self._trained_s < 60 * self._minutes:
            report = self._learner.round()
            self._trained_s = self._peers.told(before + time.perf_counter() - started, self._learner.device)
            self._write_down(report)
            self._take_in_houses()
            self._follow_plan()
            if self._peers.leads and self._share > TESTED_HOUSES_FROM:
                self._pack_tested()
            if self._trained_s - saved > SAVED_EVERY_S:
                saved = self._trained_s
                self._save()
                print(json.dumps(self._row(report)), flush=True)
        self._save()

    def _write_down(self, report: Report) -> None:
        if self._peers.leads:
            with self._curve.open("a", encoding="utf-8") as curve:
                curve.write(json.dumps(self._row(report)) + "\n")

    def finish(self) -> None:
        """Tests the policy and writes it, its curve as a picture and its result."""
        self._stream.close()
        learner = self._learner
        self._results = {"encoder": self._settings.encoder, "frames": learner.frames, "rounds": learner.rounds}
        self._results |= {"seconds": round(self._trained_s), "houses": len(self._worlds.team.houses.numbers)}
        self._results |= {"played_s": round(learner.played_s, 1), "learned_s": round(learner.learned_s, 1)}
        rows = [json.loads(line) for line in self._curve.read_text(encoding="utf-8").splitlines()]
        _write(self._settings.out / "curve.svg", draw_curve(rows))
        self._results["tested"] = self.test().as_json()
        _write(self._settings.out / "result.json", json.dumps(self._results, indent=1))
        print(json.dumps(self._results), flush=True)

    def test(self) -> ExamResult:
        """Plays in validation houses, where a false Stop ends the episode."""
        worlds = self._open_worlds(self._open_tested(), min(1024, self._settings.agents), trained=False)
        self.policy.encoder.watch(worlds.goal_pictures)
        found = examine(self.policy, worlds, self._settings.seed)
        self.policy.encoder.watch(self._worlds.goal_pictures)
        return found

    @property
    def _share(self) -> float:
        return self._trained_s / (60 * self._minutes)

    @property
    def _minutes_left(self) -> float:
        """Of those within which all must end."""
        box = self._settings.within_minutes
        return math.inf if box is None else box - (time.perf_counter() - self._began) / 60

    def _minutes_of_training(self) -> float:
        """Returns how long training takes in all, the share of the box for the test taken off."""
        settings = self._settings
        left = self._minutes_left - TESTED_FOR * (settings.within_minutes or 0.0)
        return max(1e-9, min(settings.minutes, self._trained_s / 60 + left))

    def _follow_plan(self) -> None:
        """Sets rules and weights of the present share of the training."""
        settings, share, team = self._settings, self._share, self._worlds.team
        grown = min(1.0, share / max(settings.growing, 1e-9))
        longest_m = float(round(settings.first_longest_m + grown * (LONGEST_M - settings.first_longest_m)))
        rules = replace(team.rules, longest_m=longest_m, patient=share < settings.patient)
        if rules != team.rules:
            team.follow(rules)
        self._worlds.lead(settings.led * max(0.0, 1.0 - share / LED_UNTIL))
        left = min(1.0, 2.0 * max(0.0, 1.0 - share))
        self._lessons.weight.fill_(settings.last_teaching + left * (settings.teaching - settings.last_teaching))
        self._learner.learn_at(settings.learning_rate * max(0.1, min(1.0, (1.0 - share) / SLOWER_FOR)))

    def _new_houses(self) -> HouseSet:
        settings = self._settings
        return HouseSet(settings.device, goals_per_house=settings.goals_per_house, seed=settings.seed)

    def _pack_tested(self) -> HouseStream:
        """Begins to pack the houses to be tested in, if that has not begun."""
        settings = self._settings
        if self._tested is None:
            stream = HouseStream("val", range(settings.tested_houses), settings.workers)
            self._tested = self._opened.enter_context(stream)
        return self._tested

    def _open_tested(self) -> HouseSet:
        settings, houses, tested = self._settings, self._new_houses(), self._pack_tested()
        tested.fill(houses, settings.tested_houses, min(settings.packing_minutes, self._minutes_left) / 2)
        tested.close()
        return houses

    def _take_in_houses(self) -> None:
        """Lets houses join that became ready, once they are many enough to begin anew for."""
        houses = self._worlds.team.houses
        before = self._known_houses
        self._stream.add_to(houses)
        if len(houses.numbers) < min(GROWTH * before, self._most_houses) or len(houses.numbers) == before:
            return
        self._known_houses = len(houses.numbers)
        self._worlds.take_in()
        self.policy.encoder.watch(self._worlds.goal_pictures)
        self._learner.settle(self._settings.seed + self._learner.rounds)
        print(f"{self._known_houses} houses, {houses.nbytes / 1e9:.2f} GB", flush=True)

    def _open_worlds(self, houses: HouseSet, agents: int, *, trained: bool) -> ImageGoalWorlds:
        settings = self._settings
        rules = TeamRules(
            NavigatorSettings(size_px=(settings.side_px, settings.side_px), fovy_deg=settings.fovy_deg),
            step_limit=settings.step_limit if trained else settings.tested_steps, patient=trained,
            facing=settings.facing, seed=settings.seed, scattered=trained,
        )  # fmt: skip
        return ImageGoalWorlds(
            houses, agents, rules, depth=settings.depth, senses=settings.senses, features=self._features, taught=trained
        )

    def _row(self, report: Report) -> dict[str, Any]:
        row = {name: round(value, 4) for name, value in report._asdict().items()}
        rules, learner = self._worlds.team.rules, self._learner
        stage = {"ends_at_false_stop": not rules.patient, "longest_m": rules.longest_m, "houses": self._known_houses}
        parts = {"played_s": round(learner.played_s, 1), "learned_s": round(learner.learned_s, 1)}
        return {"seconds": round(self._trained_s, 1), **stage, **row, **parts}

    def _save(self) -> None:
        if not self._peers.leads:
            return
        self._learner.save(self._state, {"trained_s": self._trained_s})
        weights = {name: value.half().contiguous().cpu() for name, value in self.policy.state_dict().items()}
        view = {"side_px": str(self._settings.side_px), "fovy_deg": f"{self._settings.fovy_deg:g}"}
        about = {"encoder": self._encoder_print, **view, **_SAID}
        with replacing(self._settings.out / "policy.safetensors") as beside:
            save_file(weights, beside, about)

    def _go_on(self) -> None:
        notes = self._learner.load(self._state)
        self._trained_s = float(notes["trained_s"])
        if not self._peers.leads:
            return
        rows = self._curve.read_text(encoding="utf-8").splitlines(keepends=True)
        _write(self._curve, "".join(rows[: self._learner.rounds]))  # what was played after the last save is lost


def make_policy(settings: ImageNavSettings, goals: Tensor) -> RecurrentPolicy:
    """Returns a new policy for these goals' pictures or features."""
    torch.manual_seed(settings.seed)
    policy = RecurrentPolicy(make_encoder(settings.encoder, goals, settings), len(ACTIONS), guesses=GUESSES)
    for name in ("LookUp", "LookDown"):  # CortexBench's agent cannot
        policy.leave_out(ACTIONS.index(name))
    return policy


def make_encoder(name: str, goals: Tensor, settings: ImageNavSettings) -> GoalEncoder:
    """Returns what of a policy sees, for goals' pictures or a frozen encoder's features of them."""
    if name in TRAINED_ALONG:
        size, kind = (settings.side_px, settings.side_px), FusedImageGoal if name == "conv" else ConvImageGoal
        return kind(goals, size, depth=settings.depth, senses=settings.senses)
    return (PatchImageGoal if goals.ndim == 3 else PooledImageGoal)(goals, senses=settings.senses)


def draw_curve(rows: list[dict[str, Any]]) -> str:
    """Draws success in training over frames, while false Stops are passed over and while they end an episode."""
    step = max(1, len(rows) // CURVE_POINTS)
    series = []
    for name, wanted in (("false Stops passed over", False), ("false Stops end", True)):
        chosen = [row for row in rows[::step] if row["ends_at_false_stop"] is wanted and row["ended"]]
        marks = tuple(Mark(row["frames"] / 1e6, *3 * (100 * row["success"],)) for row in chosen)
        series += [Series(name, marks)] if marks else []
    title = f"ImageNav, success in training houses, {rows[-1]['seconds']:.0f} s"
    return line_chart(title, "million frames", "success, %", series, y_range=(0.0, 100.0))


def _write(path: Path, text: str) -> None:
    with replacing(path) as beside:
        beside.write_text(text, encoding="utf-8")
