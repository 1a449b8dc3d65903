"""Where a submission stands in the queue and when it may start.

The queue is played through: each worker is free when what it runs will be done, as its trials so far tell, and takes
the next one then. The moments are kept, so that an estimate counts down between two looks at the queue.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, func, or_, select

from pentathlon.server.queue.claims import ROBOT_EVENT, needs_robot
from pentathlon.server.queue.database import Reader
from pentathlon.server.queue.tables import RobotRecord, Submission, TrialRecord
from pentathlon.server.settings import ServerSettings

RECENT = 20
REFRESH_S = 1.0


@dataclass(frozen=True)
class Waiting:
    """A queued submission, in the order of its turn."""

    id: str
    trials: int


@dataclass(frozen=True)
class Running:
    """What a worker runs.

    Attributes:
        since_s: when its last trial was recorded, or when it was begun.
        done: trials recorded since it was begun.
        left: trials to be run.
        started_s: when it was begun.
    """

    started_s: float
    since_s: float
    done: int
    left: int

    def ends_s(self, now_s: float, trial_s: float) -> float:
        """When it will have ended, if a trial takes ``trial_s`` where it has shown nothing yet itself."""
        own_s = (self.since_s - self.started_s) / self.done if self.done else trial_s
        # The trial in hand may take longer than others did, and those after it still take their time.
        return max(self.since_s + own_s, now_s) + max(0, self.left - 1) * own_s


@dataclass(frozen=True)
class QueueState:
    """A queue at one moment.

    Attributes:
        positions: of each queued submission; 1 is next.
        starts_s: when each may start; nothing while no submission has finished, or no worker works.
    """

    positions: Mapping[str, int]
    starts_s: Mapping[str, float]


@dataclass(frozen=True)
class Place:
    """A place in the queue: 1 is next. The start is unknown until a submission has finished here."""

    position: int
    starts_in_s: float | None


def play_through(
    waiting: Sequence[Waiting], running: Sequence[Running], workers: int, trial_s: float, now_s: float
) -> dict[str, float]:
    """Returns when each of ``waiting`` may start.

    Args:
        waiting: in the order of their turns.
        running: what workers have in hand.
        workers: at work, busy or not.
        trial_s: how long a trial takes.
        now_s: the present moment.
    """
    free_s = [each.ends_s(now_s, trial_s) for each in running]
    free_s += [now_s] * max(0, workers - len(running))
    heapq.heapify(free_s)
    starts_s = {}
    for each in waiting:
        starts_s[each.id] = heapq.heappop(free_s)
        heapq.heappush(free_s, starts_s[each.id] + each.trials * trial_s)
    return starts_s


class Forecaster:
    """Answers where a submission stands; the queue is read at most once a second, however many ask."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._read_s = float("-inf")
        self._queues: dict[bool, QueueState] = {}

    def place(self, reader: Reader, submission: Submission | Row[Any]) -> Place | None:
        """Returns the place of a queued submission, ``None`` in any other state."""
        if submission.state != "queued":
            return None
        queue = self._look(reader, needs_robot(submission.task))
        position = queue.positions.get(submission.id) or _count_ahead(reader, submission) + 1
        starts_s = queue.starts_s.get(submission.id)
        return Place(position, None if starts_s is None else max(0.0, starts_s - time.time()))

    def _look(self, reader: Reader, robots: bool) -> QueueState:
        with self._lock:
            if time.monotonic() - self._read_s > REFRESH_S:
                self._queues = {each: _read_queue(reader, self._settings, each) for each in (True, False)}
                self._read_s = time.monotonic()
            return self._queues[robots]


def _count_ahead(reader: Reader, submission: Submission | Row[Any]) -> int:
    """Counts who stands before a submission that has just been queued."""
    earlier = or_(
        Submission.priority < submission.priority,
        and_(Submission.priority == submission.priority, Submission.entered_s < submission.entered_s),
    )
    same = _in_queue(needs_robot(submission.task))
    return reader.scalar(select(func.count()).where(Submission.state == "queued", same, earlier)) or 0


def _in_queue(robots: bool) -> ColumnElement[bool]:
    matches = Submission.task.startswith(ROBOT_EVENT)
    return matches if robots else ~matches


def _read_queue(reader: Reader, settings: ServerSettings, robots: bool) -> QueueState:
    waiting = _read_waiting(reader, robots)
    positions = {each.id: position for position, each in enumerate(waiting, 1)}
    trial_s = _trial_s(reader, robots) if waiting else None
    workers = _count_robots(reader, settings) if robots else settings.workers
    if trial_s is None or workers == 0:
        return QueueState(positions, {})
    return QueueState(positions, play_through(waiting, _read_running(reader, robots), workers, trial_s, time.time()))


def _read_waiting(reader: Reader, robots: bool) -> list[Waiting]:
    order = (Submission.priority, Submission.entered_s, Submission.id)
    left = Submission.trials_total - Submission.trials_done
    queued = select(Submission.id, left).where(Submission.state == "queued", _in_queue(robots)).order_by(*order)
    return [Waiting(*row) for row in reader.execute(queued)]


def _read_running(reader: Reader, robots: bool) -> list[Running]:
    """Reads what is run; a submission that goes on after an interruption counts from its last trial."""
    recorded = and_(TrialRecord.submission_id == Submission.id, TrialRecord.recorded_s >= Submission.entered_s)
    left = Submission.trials_total - Submission.trials_done
    statement = (
        select(
            Submission.entered_s,
            func.coalesce(func.max(TrialRecord.recorded_s), Submission.entered_s),
            func.count(TrialRecord.trial),
            left,
        )
        .outerjoin(TrialRecord, recorded)
        .where(Submission.state == "running", _in_queue(robots))
        .group_by(Submission.id)
    )
    return [Running(*row) for row in reader.execute(statement)]


def _trial_s(reader: Reader, robots: bool) -> float | None:
    """How long a trial took in recent submissions, ``None`` when none has finished yet."""
    recent = (
        select(Submission.ended_s - Submission.started_s, Submission.trials_total)
        .where(Submission.state == "finished", Submission.started_s.is_not(None), _in_queue(robots))
        .order_by(Submission.ended_s.desc())
        .limit(RECENT)
    )
    rows = reader.execute(recent).all()
    trials = sum(int(row[1]) for row in rows)
    return sum(float(row[0] or 0.0) for row in rows) / trials if trials else None


def _count_robots(reader: Reader, settings: ServerSettings) -> int:
    alive_s = time.time() - settings.lost_after_s
    robots = select(func.count()).where(RobotRecord.heartbeat_s > alive_s, RobotRecord.order == "run")
    return reader.scalar(robots) or 0
