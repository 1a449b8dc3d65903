"""Where a submission stands in the queue and when it may start."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from sqlalchemy import and_, func, or_, select
from sqlalchemy.orm import Session

from pentathlon.server.settings import ServerSettings
from pentathlon.server.tables import RobotRecord, Submission

RECENT = 20
REFRESH_S = 1.0


@dataclass(frozen=True)
class Pace:
    """How fast the queue moves: robots at work, and how long a submission takes one of them."""

    robots: int
    duration_s: float | None


@dataclass(frozen=True)
class Place:
    """A place in the queue: 1 is next. The start is unknown until a submission has finished here."""

    position: int
    starts_in_s: float | None


class Forecaster:
    """Answers where a submission stands; the pace of the queue is read at most once a second."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._read_s = float("-inf")
        self._pace = Pace(0, None)

    def place(self, session: Session, submission: Submission) -> Place | None:
        """Returns the place of a queued submission, ``None`` in any other state."""
        if submission.state != "queued":
            return None
        earlier = or_(
            Submission.priority < submission.priority,
            and_(Submission.priority == submission.priority, Submission.entered_s < submission.entered_s),
        )
        ahead = session.scalar(select(func.count()).where(Submission.state == "queued", earlier)) or 0
        pace = self.pace(session)
        if pace.duration_s is None or pace.robots == 0:
            return Place(ahead + 1, None)
        # A robot becomes free every duration / robots seconds, the first one after half of that on average.
        return Place(ahead + 1, (ahead + 0.5) * pace.duration_s / pace.robots)

    def pace(self, session: Session) -> Pace:
        """Returns the present pace."""
        with self._lock:
            if time.monotonic() - self._read_s > REFRESH_S:
                self._pace = _read_pace(session, self._settings)
                self._read_s = time.monotonic()
            return self._pace


def _read_pace(session: Session, settings: ServerSettings) -> Pace:
    alive_s = time.time() - settings.lost_after_s
    robots = select(func.count()).where(RobotRecord.heartbeat_s > alive_s, RobotRecord.order == "run")
    recent = (
        select(Submission.ended_s - Submission.started_s)
        .where(Submission.state == "finished")
        .order_by(Submission.ended_s.desc())
        .limit(RECENT)
    )
    durations_s = [duration_s for duration_s in session.scalars(recent) if duration_s is not None]
    return Pace(session.scalar(robots) or 0, sum(durations_s) / len(durations_s) if durations_s else None)
