"""Scores of a submission, its run folder, and the order of the leaderboard."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from desk import TRIALS, Desk, trial_record
from visiting import add_result

from pentathlon.core import Score
from pentathlon.engine import RunFolder
from pentathlon.report.standings import build
from pentathlon.server.queue.offers import server_task
from pentathlon.server.queue.results import anonymous, read_outcome, read_scores, stored_scores, write_run
from pentathlon.server.queue.tables import Submission
from pentathlon.server.workers.attempt import attempt
from pentathlon.server.workers.task_worker import HeatEvaluation

BOARD = "/api/leaderboard?task=act/pour-sprint-v1&challenge=policy"
GRAMS = [10.0, 0.0, 30.0, 0.0, 20.0, 6.0]


def finish(desk: Desk, submission: Submission, scores: tuple[Score, ...], ended_s: float) -> None:
    with desk.database.write() as session:
        stored = session.get_one(Submission, submission.id)
        stored.state, stored.ended_s, stored.scores = "finished", ended_s, stored_scores(scores)


def scores(reward_g: float, success: float) -> tuple[Score, ...]:
    return Score("reward_g", reward_g, 0.0, 99.0, 6, unit="g"), Score("success", success, 0.0, 100.0, 6, unit="%")


def test_the_order_of_the_leaderboard_with_ties(desk: Desk) -> None:
    ada = desk.account("ada")[0]
    finished = [(10.0, 50.0, 3.0), (20.0, 40.0, 9.0), (10.0, 50.0, 1.0), (10.0, 60.0, 4.0), (9.99999, 50.0, 2.0)]
    submissions = [desk.submit(ada) for _ in finished]
    for submission, (reward_g, success, ended_s) in zip(submissions, finished, strict=True):
        finish(desk, submission, scores(reward_g, success), ended_s)
    with desk.web() as web:
        rows = web.get(BOARD).json()
    expected = [(1, 1), (2, 3), (3, 2), (3, 4), (3, 0)]
    assert [(row["rank"], row["entry"]) for row in rows] == [
        (rank, anonymous(submissions[index].id)) for rank, index in expected
    ]


def test_a_submission_is_summed_up_by_its_task(desk: Desk) -> None:
    submission = desk.submit(desk.account("ada")[0])
    task = server_task(desk.settings, submission.task)
    outcomes = [read_outcome(trial_record(submission, place, reward_g)) for place, reward_g in enumerate(GRAMS)]
    summed = tuple(task.scores(outcomes))
    assert [score.metric for score in summed[:3]] == ["reward_g", "success", "reward_g, seen locations"]
    assert summed[0].value == pytest.approx(11.0)
    seen = [reward_g for trial, reward_g in zip(TRIALS, GRAMS, strict=True) if trial.seen_location]
    assert summed[2].value == pytest.approx(sum(seen) / len(seen))
    assert read_scores(stored_scores(summed)) == summed


def test_a_run_folder_is_what_standings_read_and_may_be_written_again(desk: Desk, tmp_path: Path) -> None:
    submission = desk.submit(desk.account("ada")[0])
    task = server_task(desk.settings, submission.task)
    outcomes = [read_outcome(trial_record(submission, place, reward_g)) for place, reward_g in enumerate(GRAMS)]
    for _ in range(2):
        write_run(tmp_path / "run", submission, task, outcomes)
    run = RunFolder.open(tmp_path / "run")
    assert list(run.outcomes().values()) == outcomes
    (table,) = build([run]).tables
    (row,) = table.rows
    assert (table.event, row.entrant) == ("act", anonymous(submission.id))
    assert row.complete
    assert row.cells[0] is not None
    assert row.cells[0].scores[0].value == pytest.approx(11.0)


def test_the_leaderboard_is_anonymous_and_apart_by_task_and_challenge(desk: Desk) -> None:
    ada = desk.account("ada")[0]
    submission = add_result(desk, ada, [5.0] * 6)
    desk.submit(ada)
    with desk.web() as web:
        (row,) = web.get(BOARD).json()
        assert web.get(BOARD.replace("pour", "scoop")).json() == []
        assert web.get(BOARD.replace("policy", "representation")).json() == []
        assert web.get(BOARD.replace("-sprint", "")).status_code == 400
    assert (row["rank"], row["scores"][0]["metric"], row["scores"][0]["value"]) == (1, "reward_g", 5.0)
    assert "ada" not in str(row)
    assert submission.id not in str(row)


def test_only_whole_submissions_are_ranked(desk: Desk) -> None:
    submission: Submission = desk.submit(desk.account("ada")[0])
    claims = desk.claims("robot-1")
    claim = claims.take(submission.id, 0)
    assert claim is not None
    claims.record(claim, trial_record(submission, 0, 99.0), lambda: None)
    with desk.web() as web:
        assert web.get(BOARD).json() == []


def test_a_restart_with_another_tier_goes_on_with_no_other_trials(desk: Desk) -> None:
    submission = desk.submit(desk.account("ada")[0])
    claims = desk.claims("robot-1")
    claim = claims.take(submission.id, 0)
    assert claim is not None
    claims.record(claim, trial_record(submission, 0), lambda: None)
    other = replace(desk.settings, tasks=("act/*-lite-v1",))
    attempt(claims, claim, HeatEvaluation(other, desk.database, claims, claim, "robot-1", threading.Event()))
    ended = desk.look(submission)
    assert (ended.state, ended.task, ended.trials_done) == ("failed", "act/pour-sprint-v1", 1)
    assert "does not offer 'act/pour-sprint-v1'" in ended.reason
