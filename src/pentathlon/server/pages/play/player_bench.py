"""The process of one player's bench: a simulated robot that follows the player and records what happens."""

from __future__ import annotations

import io
import math
import os
import shutil
import sys
import time
from dataclasses import asdict
from pathlib import Path

import msgspec
from PIL import Image

from pentathlon.core.errors import PentathlonError, UsageError
from pentathlon.events.act.data.episode_files import Recorded
from pentathlon.events.act.data.plan import DataRecipe, make_recipe
from pentathlon.events.act.data.recording import MOST_STEPS, record
from pentathlon.server.pages.play.episodes import keep_episode
from pentathlon.server.pages.play.play_messages import (
    BenchOrder,
    Discard,
    Problem,
    Ready,
    Result,
    Save,
    Saved,
    Start,
    Status,
)
from pentathlon.server.pages.play.player_line import Line
from pentathlon.server.pages.play.teleoperator import AbandonedError, Helm, Teleoperator
from pentathlon.server.settings import SPARE_BYTES
from pentathlon.worlds.tabletop.arm.robot import CONTROL_HZ, Joints, Setup, Sight
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot
from pentathlon.worlds.tabletop.bench.tables import CONTAINERS, LOCATIONS, MATERIALS, check_setup

SHOW_EVERY_S = 1 / 15
NICENESS = 5


class Bench:
    """Plays one episode after another until the player is gone."""

    def __init__(self, order: BenchOrder, line: Line, helm: Helm) -> None:
        self._order, self._line, self._helm = order, line, helm
        recipe = make_recipe("pour", order.tier)
        self._robot = _ShownRobot(recipe.image_size, line)
        self._finished: Recorded | None = None

    def run(self) -> None:
        """Does what the player wishes."""
        while (wish := self._line.next_wish()) is not None:
            try:
                match wish:
                    case Start():
                        self._play(wish.setup())
                    case Save():
                        self._save()
                    case Discard():
                        self._finished = None
            except PentathlonError as error:
                self._line.tell(Problem(str(error)))

    def _play(self, setup: Setup) -> None:
        self._finished = None
        _check_training(setup)
        self._helm.let_go()
        recipe: DataRecipe = make_recipe(setup.task, self._order.tier)
        self._robot.prepare(setup)
        self._robot.sense()
        self._line.tell(Ready(setup.task, MOST_STEPS / CONTROL_HZ))
        self._robot.teleoperator = operator = Teleoperator(self._robot, self._helm)
        self._helm.await_touch()
        if not self._helm.touched:
            if not self._helm.abandoned:
                self._line.tell(Problem("Nothing was recorded, because the arm was not moved."))
            return
        notes = {"source": "teleop", **asdict(setup), "noise_rad": 0.0, "player": self._order.player}
        try:
            self._finished = record(self._robot, operator, frame_every=recipe.frame_every, notes=notes)
        except AbandonedError:
            return
        finally:
            self._robot.teleoperator = None
        self._line.tell(Result(float(self._finished.rewards[-1]), len(self._finished)))

    def _save(self) -> None:
        if self._finished is None:
            self._line.tell(Problem("There is no finished episode to save."))
            return
        folder = Path(self._order.folder)
        folder.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(folder).free < SPARE_BYTES:
            self._line.tell(Problem("The server's disk is nearly full, so the episode cannot be saved."))
            return
        try:
            kept = keep_episode(folder, self._finished.notes["task"], self._order.tier, self._finished)
        except OSError as error:
            self._line.tell(Problem(f"The episode could not be saved ({error.strerror}); try again later."))
            return
        self._finished = None
        self._line.tell(Saved(kept.dataset, kept.index))


class _ShownRobot(SimulatedRobot):
    """A simulated robot whose pictures go to the player too."""

    def __init__(self, image_size: tuple[int, int], line: Line) -> None:
        super().__init__("play", image_size)
        self._line = line
        self._shown_s = float("-inf")
        self._steps = 0
        self.teleoperator: Teleoperator | None = None

    def prepare(self, setup: Setup) -> None:
        super().prepare(setup)
        self._shown_s, self._steps = float("-inf"), 0

    def command(self, joint_targets_rad: Joints) -> None:
        super().command(joint_targets_rad)
        self._steps += 1

    def sense(self) -> Sight:
        sight = super().sense()
        if time.monotonic() - self._shown_s >= SHOW_EVERY_S:
            self._shown_s = time.monotonic()
            buffer = io.BytesIO()
            Image.fromarray(sight.image).save(buffer, "JPEG", quality=85)
            self._line.show(buffer.getvalue())
            if self.teleoperator is not None:
                self._line.tell(self._status(self.teleoperator))
        return sight

    def _status(self, operator: Teleoperator) -> Status:
        return Status(
            time_s=round(self._steps / CONTROL_HZ, 2),
            grams=round(self.weigh_g(), 2),
            place_m=operator.place_m,
            tilt_deg=round(math.degrees(operator.tilt_rad), 1),
            pace=round(operator.pace, 2),
        )


def _check_training(setup: Setup) -> None:
    """Refuses what policies are tested on, because episodes become training data."""
    check_setup(setup)
    rows = (CONTAINERS[setup.container], MATERIALS[setup.material], LOCATIONS[setup.location])
    unseen = [row.name for row in rows if not row.training]
    if unseen:
        raise UsageError(f"Expected things that training may see, got {unseen[0]!r}, on which policies are tested.")


def main() -> None:
    """Speaks over the standard streams; whatever else is printed goes to the log."""
    order = msgspec.json.decode(sys.argv[1], type=BenchOrder)
    tells = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    # Evaluations and the site come first.
    os.nice(NICENESS)
    helm = Helm()
    Bench(order, Line(sys.stdin.buffer, tells, helm), helm).run()


if __name__ == "__main__":
    main()
