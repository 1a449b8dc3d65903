"""Teleoperation without a browser: the arm follows the helm, and what is done becomes a dataset."""

from __future__ import annotations

import errno
import time
from pathlib import Path

import numpy as np
import pytest

from pentathlon.events.act.data.dataset import finish, open_dataset
from pentathlon.events.act.data.episode_files import Recorded, to_png
from pentathlon.events.act.data.merging import merge
from pentathlon.events.act.data.recording import record
from pentathlon.server.pages.play.episodes import keep_episode
from pentathlon.server.pages.play.play_messages import BenchOrder, News, Problem, Saved
from pentathlon.server.pages.play.player_bench import Bench
from pentathlon.server.pages.play.teleoperator import MOVE_HOLDS_S, SPEEDS, AbandonedError, Helm, Teleoperator
from pentathlon.worlds.tabletop.arm.robot import CONTROL_HZ, Joints, Setup
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot

SETUP = Setup("pour", "white_bowl_cup", "hazelnuts", "back_centre", 3)


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps follow each other at once."""
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)


@pytest.fixture(scope="module")
def robot() -> SimulatedRobot:
    return SimulatedRobot(image_size=(24, 32))


class Player:
    """Steers by what it sees: turn the cup aside, bring it over the other, tilt, wait."""

    def __init__(self, robot: SimulatedRobot) -> None:
        self._robot, self._helm = robot, Helm()
        self._hands = Teleoperator(robot, self._helm)
        scene, data = robot.bench.scene, robot.bench.data
        above = np.array([0.0, 0.0, scene.container.height_m + 0.04])
        self._goal = scene.container_pose(data).position_m + above
        self._wait = 30

    def act(self, joints: Joints) -> Joints | None:
        behind = self._goal - np.array(self._hands.place_m)
        near = np.linalg.norm(behind) < 0.005
        poured = near and self._hands.tilt_rad > 1.7
        self._wait -= bool(poured)
        if self._wait < 0:
            self._helm.finish()
        # The helm's first two axes are those of the picture, turned against the base's.
        right, near_side = np.linalg.solve(_picture_axes(), behind[:2])
        speeds = np.array([right, near_side, behind[2], self._aside_rad(), 0.0]) * CONTROL_HZ / SPEEDS
        speeds[4] = float(near and not poured)
        self._helm.move(tuple(np.clip(speeds, -1, 1).tolist()))
        return self._hands.act(joints)

    def _aside_rad(self) -> float:
        """How far the cup is still to be turned; straight ahead the arm would have to bend over itself."""
        ahead = self._robot.bench.scene.tool_pose(self._robot.bench.data).rotation[:, 0]
        return float(np.radians(80) - np.arctan2(ahead[1], ahead[0])) if self._hands.tilt_rad < 0.3 else 0.0


def _picture_axes() -> np.ndarray:
    x, y = np.array([1.34 - 0.40, 0.42 - 0.02]) / np.hypot(1.34 - 0.40, 0.42 - 0.02)
    return np.array([[-y, x], [x, y]])


def test_a_player_can_pour(robot: SimulatedRobot) -> None:
    robot.prepare(SETUP)
    episode = record(robot, Player(robot), frame_every=100, notes={})
    assert 100 < len(episode) < 1000
    assert episode.rewards[-1] > 10.0
    assert not episode.rewards[:-1].any()
    assert np.abs(np.diff(episode.actions, axis=0)).max() * CONTROL_HZ < 2.1


def test_the_arm_moves_as_the_picture_shows(robot: SimulatedRobot) -> None:
    """Right in the picture is to the robot's left, and the axes have their speeds."""
    robot.prepare(SETUP)
    helm = Helm()
    hands = Teleoperator(robot, helm)
    start = np.array(hands.place_m)
    for _ in range(15):
        helm.move((1.0, 0.0, 0.0, 0.0, 0.0))
        robot.command(hands.act(robot.sense_joints()))
    moved = np.array(hands.place_m) - start
    assert moved[1] > 0.9 * np.linalg.norm(moved)
    assert np.linalg.norm(moved) == pytest.approx(15 * SPEEDS[0] / CONTROL_HZ)


def test_nothing_heard_for_a_while_means_standing_still() -> None:
    helm = Helm()
    helm.move((0.5, 0.0, 0.0, 0.0, 1.0))
    assert helm.axes().tolist() == [0.5, 0.0, 0.0, 0.0, 1.0]
    helm._moved_s -= MOVE_HOLDS_S
    assert not helm.axes().any()


def test_out_of_reach_the_wish_does_not_run_away(robot: SimulatedRobot) -> None:
    robot.prepare(SETUP)
    helm = Helm()
    hands = Teleoperator(robot, helm)
    for _ in range(400):
        helm.move((0.0, 0.0, 1.0, 0.0, 0.0))
        hands.act(robot.sense_joints())
    highest_m = hands.place_m[2]
    assert highest_m < 1.2
    for _ in range(10):
        helm.move((0.0, 0.0, -1.0, 0.0, 0.0))
        hands.act(robot.sense_joints())
    assert hands.place_m[2] == pytest.approx(highest_m - 10 * SPEEDS[2] / CONTROL_HZ)


def test_an_abandoned_episode_ends(robot: SimulatedRobot) -> None:
    robot.prepare(SETUP)
    helm = Helm()
    hands = Teleoperator(robot, helm)
    helm.abandon()
    with pytest.raises(AbandonedError):
        hands.act(robot.sense_joints())


def made_up_episode(grams: float) -> Recorded:
    steps = 7
    rewards = np.zeros(steps, np.float32)
    rewards[-1] = grams
    picture = to_png(np.zeros((240, 320, 3), np.uint8))
    numbers = np.full((steps, 7), 0.1, np.float32)
    notes = {"source": "teleop", "container": "red_cup", "material": "beans", "location": "front_left", "seed": 1}
    return Recorded(numbers, numbers + 1, rewards, {0: picture, 3: picture, 6: picture}, notes)


def test_kept_episodes_are_a_dataset_that_grows(tmp_path: Path) -> None:
    kept = [keep_episode(tmp_path, "pour", "lite", made_up_episode(grams)) for grams in (1.0, 2.0)]
    assert [(each.dataset, each.index) for each in kept] == [("pour-lite-1", 0), ("pour-lite-1", 1)]
    folder = tmp_path / "pour-lite-1"
    assert [trajectory.total_reward_g for trajectory in open_dataset(folder).trajectories()] == [1.0, 2.0]
    finish(folder)
    finished = open_dataset(folder)
    assert finished.finished
    first = finished.trajectories()[0]
    assert (first.source, first.facts["container"], first.total_reward_g) == ("teleop", "red_cup", 1.0)
    assert len(list(finished.frames(0))) == 7
    again = keep_episode(tmp_path, "pour", "lite", made_up_episode(3.0))
    assert (again.dataset, again.index) == ("pour-lite-2", 0)
    grown = merge(finished, [tmp_path / "pour-lite-2" / "episodes"], tmp_path / "grown")
    assert [trajectory.total_reward_g for trajectory in grown.trajectories()] == [1.0, 2.0, 3.0]


def test_an_episode_that_could_not_be_saved_can_be_saved_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Told:
        def __init__(self) -> None:
            self.news: list[News] = []

        def tell(self, news: News) -> None:
            self.news.append(news)

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    line = Told()
    bench = Bench(BenchOrder("lite", str(tmp_path), "ada"), line, Helm())  # type: ignore[arg-type]
    bench._finished = made_up_episode(1.0)
    bench._finished.notes["task"] = "pour"
    with monkeypatch.context() as full:
        full.setattr("pentathlon.server.pages.play.player_bench.keep_episode", fail)
        bench._save()
    bench._save()
    problem, saved = line.news
    assert isinstance(problem, Problem)
    assert "could not be saved (No space left on device)" in problem.error
    assert saved == Saved("pour-lite-1", 0)
