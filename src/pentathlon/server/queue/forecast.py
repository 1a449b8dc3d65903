"""Where a submission stands in the queue and when it may start."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session

from pentathlon.server.queue.tables import RobotRecord, Submission
from pentathlon.server.settings import ServerSettings

RECENT = 20
REFRESH_S = 1.0


@dataclass(frozen=True)
class Outlook:
    """The queue at one moment, and how fast it moves.

    Attributes:
        positions: of each queued submission; 1 is next.
        robots: at work.
        duration_s: how long a submission takes one of them; ``None`` when none has finished yet.
    """

    positions: Mapping[str, int]
    robots: int
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
        self._outlook = Outlook({}, 0, None)

    def place(self, session: Session, submission: Submission) -> Place | None:
        """Returns the place of a queued submission, ``None`` in any other state."""
        if submission.state != "queued":
            return None
        outlook = self._look(session)
        position = outlook.positions.get(submission.id) or _count_ahead(session, submission) + 1
        if outlook.duration_s is None or outlook.robots == 0:
            return Place(position, None)
        # A robot becomes free every duration / robots seconds, the first one after half of that on average.
        return Place(position, (position - 0.5) * outlook.duration_s / outlook.robots)

    def _look(self, session: Session) -> Outlook:
        with self._lock:
            if time.monotonic() - self._read_s > REFRESH_S:
                self._outlook = _read_outlook(session, self._settings)
                self._read_s = time.monotonic()
            return self._outlook


def _count_ahead(session: Session, submission: Submission) -> int:
    """Counts who stands before a submission that has just been queued."""
    earlier = or_(
        Submission.priority < submission.priority,
        and_(Submission.priority == submission.priority, Submission.entered_s < submission.entered_s),
    )
    return session.scalar(select(func.count()).where(Submission.state == "queued", earlier)) or 0


def _read_outlook(session: Session, settings: ServerSettings) -> Outlook:
    alive_s = time.time() - settings.lost_after_s
    robots = select(func.count()).where(RobotRecord.heartbeat_s > alive_s, RobotRecord.order == "run")
    recent = (
        select(Submission.ended_s - Submission.started_s)
        .where(Submission.state == "finished")
        .order_by(Submission.ended_s.desc())
        .limit(RECENT)
    )
    durations_s = [duration_s for duration_s in session.scalars(recent) if duration_s is not None]
    order = (Submission.priority, Submission.entered_s, Submission.id)
    queued = session.scalars(select(Submission.id).where(Submission.state == "queued").order_by(*order))
    return Outlook(
        positions={submission: position for position, submission in enumerate(queued, 1)},
        robots=session.scalar(robots) or 0,
        duration_s=sum(durations_s) / len(durations_s) if durations_s else None,
    )
