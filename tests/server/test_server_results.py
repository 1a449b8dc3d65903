"""Results of a submission and the order of the leaderboard."""

from __future__ import annotations

from dataclasses import asdict

import pytest
from desk import Desk, trial_record

from pentathlon.server.queue.results import Number, Summary, rank, read_summary, summarise
from pentathlon.server.queue.tables import Submission
from pentathlon.stats import wilson_interval


def summary(reward_g: float, success: float) -> Summary:
    reward, rate = Number(reward_g, 0.0, 0.0, 36), Number(success, 0.0, 0.0, 36)
    return Summary(reward, rate, None, None, None, None)


def test_the_order_of_the_leaderboard_with_ties() -> None:
    finished = [
        ("c" * 16, summary(10.0, 50.0), 3.0),
        ("a" * 16, summary(20.0, 40.0), 9.0),
        ("e" * 16, summary(10.0, 50.0), 1.0),
        ("d" * 16, summary(10.0, 60.0), 4.0),
        ("b" * 16, summary(9.9999, 50.0), 2.0),
        ("f" * 16, summary(0.0, 0.0), 5.0),
        ("g" * 16, summary(0.0, 0.0), 5.0),
    ]
    standings = rank(finished)
    assert [(row.rank, row.entry) for row in standings] == [
        (1, "entry-aaaaaaaaaa"),
        (2, "entry-dddddddddd"),
        (3, "entry-eeeeeeeeee"),
        (3, "entry-bbbbbbbbbb"),
        (3, "entry-cccccccccc"),
        (6, "entry-ffffffffff"),
        (6, "entry-gggggggggg"),
    ]
    assert rank(reversed(finished)) == standings


def test_a_submission_is_summed_up_over_all_trials_and_apart_by_location(desk: Desk) -> None:
    submission = desk.submit(desk.account("ada")[0])
    grams = [10.0, 0.0, 30.0, 0.0, 20.0, 6.0]
    records = [trial_record(submission, position, reward_g) for position, reward_g in enumerate(grams)]
    summed = summarise(records)
    assert summed.reward_g.value == pytest.approx(11.0)
    assert summed.reward_g.low < 11.0 < summed.reward_g.high
    assert summed.seen_reward_g is not None
    assert summed.unseen_reward_g is not None
    assert (summed.seen_reward_g.value, summed.unseen_reward_g.value) == (pytest.approx(20.0), pytest.approx(2.0))
    expected = wilson_interval(4, 6)
    assert (summed.success.low, summed.success.high) == (
        pytest.approx(100 * expected.low),
        pytest.approx(100 * expected.high),
    )
    assert read_summary(asdict(summed)) == summed


def test_the_leaderboard_is_anonymous_and_apart_by_task_and_challenge(desk: Desk) -> None:
    ada = desk.account("ada")[0]
    submission = desk.submit(ada)
    claims = desk.claims("robot-1")
    claim = claims.take(submission.id, 0)
    assert claim is not None
    claims.end(claim, "finished", "", summary=asdict(summary(5.0, 50.0)))
    desk.submit(ada)
    with desk.web() as web:
        (row,) = web.get("/api/leaderboard?task=pour&challenge=policy").json()
        assert web.get("/api/leaderboard?task=scoop&challenge=policy").json() == []
        assert web.get("/api/leaderboard?task=pour&challenge=representation").json() == []
    assert (row["rank"], row["summary"]["reward_g"]["value"]) == (1, 5.0)
    assert "ada" not in str(row)
    assert submission.id not in str(row)


def test_nothing_to_sum_up_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one trial"):
        summarise([])


def test_only_whole_submissions_are_ranked(desk: Desk) -> None:
    submission: Submission = desk.submit(desk.account("ada")[0])
    claims = desk.claims("robot-1")
    claim = claims.take(submission.id, 0)
    assert claim is not None
    claims.record(claim, trial_record(submission, 0, 99.0), lambda: None)
    with desk.web() as web:
        assert web.get("/api/leaderboard").json() == []
