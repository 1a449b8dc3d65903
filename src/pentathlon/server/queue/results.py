"""From recorded outcomes to the scores of a submission, its run folder and the leaderboard."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from pentathlon.core import EntrantEntry, Outcome, Score, Task, to_plain
from pentathlon.engine import RunFolder, RunInfo
from pentathlon.engine.summing import sum_up
from pentathlon.events.act.protocol import HiddenActProtocol
from pentathlon.server.queue.tables import Submission, TrialRecord
from pentathlon.stats import Ranked, rank_rows


@dataclass(frozen=True)
class Finished:
    """A finished submission, without its owner."""

    id: str
    scores: tuple[Score, ...]
    ended_s: float


def read_outcome(record: TrialRecord) -> Outcome:
    """Reads an outcome as the database keeps it."""
    return msgspec.convert(record.outcome, Outcome)


def read_scores(stored: Sequence[dict[str, Any]]) -> tuple[Score, ...]:
    """Reads scores as the database keeps them."""
    return msgspec.convert(stored, tuple[Score, ...])


def stored_scores(scores: Sequence[Score]) -> list[dict[str, Any]]:
    """Writes scores as the database keeps them."""
    return [to_plain(score) for score in scores]


def records_of(session: Session, submission: Submission) -> list[TrialRecord]:
    """Reads what is recorded of a submission, in the order of its task."""
    statement = select(TrialRecord).where(TrialRecord.submission_id == submission.id)
    return list(session.scalars(statement.order_by(TrialRecord.position)))


def write_run(path: Path, submission: Submission, task: Task, outcomes: Sequence[Outcome]) -> None:
    """Completes the run folder of a submission whose artifacts lie there already; may be repeated."""
    entrant = EntrantEntry(
        id=anonymous(submission.id),
        kind=task.kind,
        summary="",
        factory=f"submission:{submission.source}",
        options={"url": submission.url} if submission.url else {},
    )
    # With them others of its runs can be compared and scored again; the secret itself is not among them.
    drawn = {"seeds": task.protocol.seeds} if isinstance(task.protocol, HiddenActProtocol) else {}
    info = replace(RunInfo.describe(task, entrant, drawn), content={"archive": submission.sha256})
    with RunFolder.create_or_open(path, info) as folder:
        with closing(folder.journal()) as journal:
            journal.append(list(outcomes))
            journal.commit()
        sum_up(folder, task, task.heats())


def leaderboard(session: Session, task: str, challenge: str) -> list[Ranked[Finished]]:
    """Ranks the finished submissions of a task and challenge as standings do; of equals the earlier stands first."""
    statement = select(Submission.id, Submission.scores, Submission.ended_s).where(
        Submission.state == "finished", Submission.task == task, Submission.challenge == challenge
    )
    earliest_first = statement.order_by(Submission.ended_s, Submission.id)
    rows = [Finished(row.id, read_scores(row.scores), row.ended_s) for row in session.execute(earliest_first)]
    return rank_rows(rows, lambda row: row.scores)


def anonymous(submission: str) -> str:
    """The name of a submission on the leaderboard; only its owner knows the whole id."""
    # Forty bits: no two of ten thousand entries will share a name.
    return f"entry-{submission[:10]}"
