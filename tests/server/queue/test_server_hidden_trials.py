"""Trials that a server draws in secret: what everybody can derive says nothing about them."""

from __future__ import annotations

import json
import threading
from collections import Counter
from pathlib import Path

import pytest
from desk import Desk, DeskMaker
from live_server import entrant_files
from stand_in_agent import open_still
from visiting import text_of

from pentathlon.core import TASKS, UnknownIdError, UsageError
from pentathlon.core.registry import match_tasks
from pentathlon.core.tiers import hidden_id, public_id
from pentathlon.engine import RunFolder, rescore
from pentathlon.events.act.protocol import draw_seeds, make_protocol
from pentathlon.events.act.tasks import make_task
from pentathlon.report.compare import compare
from pentathlon.server.queue.jobs import Job
from pentathlon.server.queue.offers import offers, server_task
from pentathlon.server.queue.outputs import read_log
from pentathlon.server.queue.tables import Submission
from pentathlon.server.robots import robot_evaluation
from pentathlon.server.robots.robot_worker import RobotWorker

HIDDEN = "act/pour-hidden-sprint-v1"


@pytest.fixture
def hiding(desk_for: DeskMaker) -> Desk:
    return desk_for(public_trials=False)


def run(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Submission:
    monkeypatch.setattr(robot_evaluation, "open_entrant", open_still)
    submission = desk.submit(desk.account(f"ada-{id(object())}")[0], task=HIDDEN)
    worker = RobotWorker(desk.settings, "robot-1", "stand_in_robot:StandInRobot")
    worker._register()
    worker._work(Job(submission.id, 0, threading.Event()))
    assert desk.look(submission).state == "finished", desk.look(submission).reason
    return desk.look(submission)


@pytest.mark.parametrize("task", ["act/pour-v1", "act/scoop-lite-v1", "act/pour-sprint-v1"])
def test_a_hidden_variant_has_an_id_of_its_own(task: str) -> None:
    assert public_id(task) == task
    assert hidden_id(task).replace("-hidden", "") == task
    assert public_id(hidden_id(task)) == task


def test_only_what_can_be_drawn_has_a_hidden_variant() -> None:
    assert TASKS.get(HIDDEN).make().id == "act/pour-sprint-v1"
    with pytest.raises(UnknownIdError):
        TASKS.get("see/metaworld-hammer-hidden-v1")
    with pytest.raises(UnknownIdError):
        match_tasks([HIDDEN])


def test_servers_draw_trials_of_their_own(desk_for: DeskMaker) -> None:
    one, other = desk_for(public_trials=False), desk_for(public_trials=False)
    assert set(offers(one.settings)) == {"act/pour-hidden-sprint-v1", "act/scoop-hidden-sprint-v1"}
    drawn = [server_task(desk.settings, HIDDEN).protocol.trials() for desk in (one, other)]
    public = make_protocol("pour", "sprint").trials()
    assert [trial.id for trial in drawn[0]] == [trial.id for trial in public]
    seeds = [trial.setup.seed for trials in (*drawn, public) for trial in trials]
    assert len(set(seeds)) == len(seeds)


def test_the_secret_stays_with_the_database(hiding: Desk) -> None:
    drawn = server_task(hiding.settings, HIDDEN).protocol
    server_task.cache_clear()
    assert server_task(hiding.settings, HIDDEN).protocol == drawn


def test_seeds_tell_neither_the_secret_nor_each_other() -> None:
    full = draw_seeds("a", "pour", "full")["seeds"]
    assert draw_seeds("a", "pour", "lite")["seeds"] == full
    assert not set(full.values()) & set(draw_seeds("b", "pour", "full")["seeds"].values())
    assert all(2**31 < seed < 2**53 for seed in full.values())
    # Start poses are equal across training seeds, as in the public trials.
    trials = make_task("pour", "full", seeds=full).protocol.trials()
    assert set(Counter(trial.setup.seed for trial in trials).values()) == {3}


def test_nothing_that_a_submitter_can_read_holds_a_seed(hiding: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    submission = run(hiding, monkeypatch)
    seeds = {str(trial.setup.seed) for trial in server_task(hiding.settings, HIDDEN).protocol.trials()}
    with hiding.database.read() as session:
        owner = submission.account_id
        assert session.get(Submission, submission.id) is not None
    _, boss = hiding.account("boss", role="operator")
    assert owner
    with hiding.web(boss) as web:
        paths = ["", "/steps", "/trials", "/log"]
        read = [web.get(f"/api/submissions/{submission.id}{path}").text for path in paths]
        read += [
            web.get(path).text for path in ("/", f"/submissions/{submission.id}", "/api/tasks", "/api/leaderboard")
        ]
    assert "front_left" in read[2]
    assert not [seed for seed in seeds for text in read if seed in text]


def test_trials_come_in_another_order_every_time(hiding: Desk) -> None:
    task = server_task(hiding.settings, HIDDEN)
    orders = {
        tuple(
            trial.id
            for _, trials in robot_evaluation._by_training_seed(task.protocol, task.heats())
            for trial in trials
        )
        for _ in range(20)
    }
    assert len(orders) > 1
    assert all(sorted(order) == sorted(trial.id for trial in task.protocol.trials()) for order in orders)


def test_runs_of_hidden_trials_are_compared_and_scored_again(hiding: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = (RunFolder.open(hiding.settings.run(run(hiding, monkeypatch).id)) for _ in range(2))
    assert compare(first, second).n == 6
    assert rescore(first).complete
    assert first.info.task == HIDDEN
    secret = json.dumps(json.loads((first.path / "run.json").read_text()))
    with hiding.database.read() as session:
        from pentathlon.server.queue.tables import Secret

        assert session.get_one(Secret, "trials").value not in secret


def test_a_run_folder_without_the_seeds_is_no_hidden_run() -> None:
    from pentathlon.core import DataError
    from pentathlon.engine.workers.workbench import build_task

    with pytest.raises(DataError, match="expected 'act/pour-hidden-sprint-v1'"):
        build_task(TASKS.get(HIDDEN), {})


TALKER = """
import numpy as np
from pentathlon.worlds.tabletop.arm.robot import interaction

class Talker:
    spec = interaction(120, 160)
    def reset(self): pass
    def predict(self, observation):
        print("joints", observation["joints"].tolist(), flush=True)
        return np.tile(observation["joints"], (10, 1)).astype(np.float32)

def make():
    print("built " + "x" * 10_000)
    return Talker()
"""


@pytest.mark.sandbox
@pytest.mark.parametrize("public", [True, False])
def test_what_is_printed_in_hidden_trials_is_cut(desk_for: DeskMaker, public: bool) -> None:
    desk = desk_for(public_trials=public)
    task = "act/pour-sprint-v1" if public else HIDDEN
    submission = desk.submit(desk.account("ada")[0], task=task)
    with desk.database.write() as session:
        session.get_one(Submission, submission.id).source = "upload"
    folder = desk.settings.agent(submission.id)
    folder.mkdir(parents=True)
    for name, content in entrant_files("policy", TALKER).items():
        (folder / name).write_text(content)
    worker = RobotWorker(desk.settings, "robot-1", "stand_in_robot:StandInRobot")
    worker._register()
    worker._work(Job(submission.id, 0, threading.Event()))
    assert desk.look(submission).state == "finished", desk.look(submission).reason
    log = read_log(desk.settings.logs(submission.id), 10**6)
    assert "x" * 10_000 in log
    printed = sum(len(line) for line in log.splitlines() if line.startswith("[entrant] joints"))
    assert printed > 5000 if public else 1000 < printed < 5000
    assert ("kept up to a few kilobytes" in log) != public
    assert "Finished: " in log


@pytest.mark.parametrize(("public", "words"), [(False, "drawn in secret"), (True, "plan them without looking")])
def test_the_page_says_what_a_seed_is_worth(desk_for: DeskMaker, public: bool, words: str) -> None:
    with desk_for(public_trials=public).web() as web:
        assert words in text_of(web.get("/").text)


def test_two_tiers_still_need_two_servers(tmp_path: Path) -> None:
    from pentathlon.server.settings import ServerSettings

    with pytest.raises(UsageError, match="one tier"):
        offers(ServerSettings(tmp_path, tasks=("act/pour-v1", "act/*-lite-v1")))
