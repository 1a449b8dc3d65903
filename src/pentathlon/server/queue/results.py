"""From recorded trials to the results of a submission, and from those to the leaderboard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from pentathlon.core import Outcome, Score
from pentathlon.events.act.metrics import REWARD, SUCCESS
from pentathlon.server.queue.tables import Submission, TrialRecord
from pentathlon.stats import score_outcomes


@dataclass(frozen=True)
class Number:
    """A number with its 95 % interval and the trials behind it."""

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class Summary:
    """Results of a submission: grams and success rate (percent), over all trials and apart by location."""

    reward_g: Number
    success: Number
    seen_reward_g: Number | None
    seen_success: Number | None
    unseen_reward_g: Number | None
    unseen_success: Number | None


@dataclass(frozen=True)
class Standing:
    """One row of the leaderboard; equal results share a rank."""

    rank: int
    entry: str
    summary: Summary
    ended_s: float


def summarise(records: Sequence[TrialRecord]) -> Summary:
    """Sums the trials of a submission up (section III-D); needs at least one."""
    reward_g, success = _scores(records)
    seen_reward_g, seen_success = _scores([record for record in records if record.seen_location])
    unseen_reward_g, unseen_success = _scores([record for record in records if not record.seen_location])
    if reward_g is None or success is None:
        raise ValueError("Expected at least one trial, got none.")
    return Summary(
        reward_g=reward_g,
        success=success,
        seen_reward_g=seen_reward_g,
        seen_success=seen_success,
        unseen_reward_g=unseen_reward_g,
        unseen_success=unseen_success,
    )


def read_summary(stored: dict[str, Any]) -> Summary:
    """Reads a summary as the database keeps it."""
    return msgspec.convert(stored, Summary)


def leaderboard(session: Session, task: str, challenge: str) -> list[Standing]:
    """Ranks the finished submissions of a task and challenge, without names."""
    statement = select(Submission.id, Submission.summary, Submission.ended_s).where(
        Submission.state == "finished", Submission.task == task, Submission.challenge == challenge
    )
    return rank((row.id, read_summary(row.summary), row.ended_s) for row in session.execute(statement))


def rank(finished: Iterable[tuple[str, Summary, float]]) -> list[Standing]:
    """Orders by mean reward, then by success rate; what is equal in both shares a rank, the earlier one first.

    Args:
        finished: id, summary and end of each submission.
    """
    rows = sorted(finished, key=lambda row: (_merit(row[1]), row[2], row[0]))
    standings: list[Standing] = []
    for place, (submission, summary, ended_s) in enumerate(rows, 1):
        tied = standings and _merit(standings[-1].summary) == _merit(summary)
        standings.append(Standing(standings[-1].rank if tied else place, anonymous(submission), summary, ended_s))
    return standings


def anonymous(submission: str) -> str:
    """The name of a submission on the leaderboard; only its owner knows the whole id."""
    # Forty bits: no two of ten thousand entries will share a name.
    return f"entry-{submission[:10]}"


def _merit(summary: Summary) -> tuple[float, float]:
    """Sorts the best first. Scales and simulations do not weigh finer than a milligram."""
    return (-round(summary.reward_g.value, 3), -round(summary.success.value, 3))


def _scores(records: Sequence[TrialRecord]) -> tuple[Number, Number] | tuple[None, None]:
    if not records:
        return None, None
    reward, success = score_outcomes((REWARD, SUCCESS), [_outcome(record) for record in records])
    return _number(reward), _number(success)


def _number(score: Score) -> Number:
    return Number(value=score.value, low=score.low, high=score.high, n=score.n)


def _outcome(record: TrialRecord) -> Outcome:
    metrics = {"reward_g": record.reward_g, "success": float(record.success)}
    return Outcome(record.trial, metrics, cluster=f"{record.container}-{record.location}")
