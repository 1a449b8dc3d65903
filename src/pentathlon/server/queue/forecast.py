"""Where a submission stands in the queue and when it may start."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.orm import Session

from pentathlon.server.queue.claims import ROBOT_EVENT, needs_robot
from pentathlon.server.queue.tables import RobotRecord, Submission
from pentathlon.server.settings import ServerSettings

RECENT = 20
REFRESH_S = 1.0


@dataclass(frozen=True)
class QueueState:
    """A queue at one moment, and how fast it moves.

    Attributes:
        positions: of each queued submission; 1 is next.
        workers: at work.
        duration_s: how long a submission takes one of them; ``None`` when none has finished yet.
    """

    positions: Mapping[str, int]
    workers: int
    duration_s: float | None


@dataclass(frozen=True)
class Place:
    """A place in the queue: 1 is next. The start is unknown until a submission has finished here."""

    position: int
    starts_in_s: float | None


class Forecaster:
    """Answers where a submission stands; the queue is read at most once a second, however many ask."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._read_s = float("-inf")
        self._queues: dict[bool, QueueState] = {}

    def place(self, session: Session, submission: Submission) -> Place | None:
        """Returns the place of a queued submission, ``None`` in any other state."""
        if submission.state != "queued":
            return None
        queue = self._look(session, needs_robot(submission.task))
        position = queue.positions.get(submission.id) or _count_ahead(session, submission) + 1
        if queue.duration_s is None or queue.workers == 0:
            return Place(position, None)
        # A worker becomes free every duration / workers seconds, the first one after half of that on average.
        return Place(position, (position - 0.5) * queue.duration_s / queue.workers)

    def _look(self, session: Session, robots: bool) -> QueueState:
        with self._lock:
            if time.monotonic() - self._read_s > REFRESH_S:
                self._queues = {each: _read_queue(session, self._settings, each) for each in (True, False)}
                self._read_s = time.monotonic()
            return self._queues[robots]


def _count_ahead(session: Session, submission: Submission) -> int:
    """Counts who stands before a submission that has just been queued."""
    earlier = or_(
        Submission.priority < submission.priority,
        and_(Submission.priority == submission.priority, Submission.entered_s < submission.entered_s),
    )
    same = _in_queue(needs_robot(submission.task))
    return session.scalar(select(func.count()).where(Submission.state == "queued", same, earlier)) or 0


def _in_queue(robots: bool) -> ColumnElement[bool]:
    matches = Submission.task.startswith(ROBOT_EVENT)
    return matches if robots else ~matches


def _read_queue(session: Session, settings: ServerSettings, robots: bool) -> QueueState:
    same = _in_queue(robots)
    recent = (
        select(Submission.ended_s - Submission.started_s)
        .where(Submission.state == "finished", same)
        .order_by(Submission.ended_s.desc())
        .limit(RECENT)
    )
    durations_s = [duration_s for duration_s in session.scalars(recent) if duration_s is not None]
    order = (Submission.priority, Submission.entered_s, Submission.id)
    queued = session.scalars(select(Submission.id).where(Submission.state == "queued", same).order_by(*order))
    return QueueState(
        positions={submission: position for position, submission in enumerate(queued, 1)},
        workers=_count_robots(session, settings) if robots else settings.workers,
        duration_s=sum(durations_s) / len(durations_s) if durations_s else None,
    )


def _count_robots(session: Session, settings: ServerSettings) -> int:
    alive_s = time.time() - settings.lost_after_s
    robots = select(func.count()).where(RobotRecord.heartbeat_s > alive_s, RobotRecord.order == "run")
    return session.scalar(robots) or 0
