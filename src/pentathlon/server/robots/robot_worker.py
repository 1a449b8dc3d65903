"""The process of one robot: takes submissions from the queue and runs them, as its operator lets it."""

from __future__ import annotations

import logging
import threading
import time
from queue import Empty, SimpleQueue
from typing import Any

from sqlalchemy import update
from sqlalchemy.exc import DBAPIError

from pentathlon.core.registry import resolve_named
from pentathlon.server.disk import has_room, is_full
from pentathlon.server.queue.claims import Claim, Claims
from pentathlon.server.queue.database import Database, patiently
from pentathlon.server.queue.jobs import Job, JobListener, JobQueue
from pentathlon.server.queue.offers import robot_image_size
from pentathlon.server.queue.submissions import told
from pentathlon.server.queue.tables import Order, RobotRecord
from pentathlon.server.robots.drivers import Driver
from pentathlon.server.robots.guard import GuardedRobot, InterruptedTrialError, RobotFaultError
from pentathlon.server.robots.robot_evaluation import RobotEvaluation
from pentathlon.server.settings import ServerSettings
from pentathlon.server.workers.attempt import attempt
from pentathlon.server.workers.heart import Heart
from pentathlon.worlds.tabletop.arm.robot import Setup

CONFIRM_POLL_S = 0.2
DISK_FULL = "The server's disk is full; the robot goes on by itself when there is room again."

_log = logging.getLogger(__name__)


class RobotWorker:
    """Runs one robot until the process ends.

    The robot is used from the thread that calls :meth:`run`; the queue and the heart have threads of their own.
    """

    def __init__(self, settings: ServerSettings, name: str, driver: str) -> None:
        self._settings, self._name, self._driver = settings, name, driver
        self._database = Database(settings.database_url, pool_size=3)
        self._queue = JobQueue(settings.database_url)
        self._claims = Claims(self._database, self._queue, "robots", name, settings.fruitless_claims_limit)
        self._jobs: SimpleQueue[Job] = SimpleQueue()
        self._claim: Claim | None = None
        self._order: Order = "run"
        self._ordering = threading.Lock()
        make: Driver = resolve_named(driver)
        self._driven = make(name, robot_image_size(settings))
        self._robot = GuardedRobot(self._driven, self._confirm, keep_pictures=settings.keep_trajectories)

    def run(self) -> None:
        """Works for ever."""
        patiently(self._register)
        with Heart(self._beat, self._settings.heartbeat_s):
            while True:
                self._wait_until_allowed()
                self._serve_queue()

    def stop_robot(self) -> None:
        """Stops the arm, before the process ends."""
        self._driven.stop()

    def _serve_queue(self) -> None:
        """Takes submissions until the operator orders otherwise."""
        listener = JobListener(self._settings.database_url, "robots", self._name, self._receive)
        listener.start()
        try:
            while self._order == "run":
                try:
                    job = self._jobs.get(timeout=self._settings.heartbeat_s)
                except Empty:
                    continue
                self._work(job)
        finally:
            listener.stop()
        while not self._jobs.empty():
            job = self._jobs.get()
            self._claims.pass_on(job.submission, job.claim)
            job.done.set()

    def _receive(self, submission: str, claim: int) -> None:
        """Hands a job over to the robot's thread and waits until it is done."""
        done = threading.Event()
        self._jobs.put(Job(submission, claim, done))
        done.wait()

    def _work(self, job: Job) -> None:
        try:
            if self._order != "run":
                # Ordered while the job was on its way; to begin it would let a stopped arm move again.
                self._claims.pass_on(job.submission, job.claim)
                return
            claim = self._claims.take(job.submission, job.claim)
            if claim is not None:
                self._claim = claim
                self._evaluate(claim)
        except DBAPIError:
            # The heart has stopped for this submission, so the clerk gives it to the next worker.
            _log.exception("The database stayed away; giving %s up.", job.submission)
        finally:
            self._claim = None
            job.done.set()

    def _evaluate(self, claim: Claim) -> None:
        try:
            self._attempt(claim)
        except Exception as error:
            if not is_full(error):
                raise
            _log.warning("The disk is full; giving %s back: %s", claim.submission.id, error)
            self._hold("wait", DISK_FULL)
            self._claims.give_back(claim, "The server's disk is full; a robot continues in time.", fruitless=False)

    def _attempt(self, claim: Claim) -> None:
        evaluation = RobotEvaluation(self._settings, self._database, self._claims, claim, self._robot)
        self._robot.allow()
        if self._order == "stop":
            self._robot.interrupt("stopped")
        try:
            attempt(self._claims, claim, evaluation)
        except InterruptedTrialError as interruption:
            if interruption.cause == "stopped":
                evaluation.log("The operator stopped the robot; the submission goes back to the queue.")
                self._claims.give_back(claim, "The operator stopped the robot.", fruitless=False)
        except RobotFaultError as fault:
            evaluation.log(str(fault))
            self._hold("pause", str(fault))
            self._claims.give_back(claim, "The robot had a fault; another continues.", fruitless=False)

    def _wait_until_allowed(self) -> None:
        while self._order != "run":
            time.sleep(self._settings.heartbeat_s)
            if self._order == "wait" and has_room(self._settings.data):
                self._change_order("wait", "run", note="")

    def _hold(self, order: Order, note: str) -> None:
        """Takes no further submission; what the operator ordered meanwhile counts for more, but a fault is noted."""
        if not self._change_order("run", order, told(note)) and order == "pause":
            self._update(note=told(note))

    def _change_order(self, present: Order, wanted: Order, note: str) -> bool:
        """Gives the robot an order in place of ``present``; returns whether that still was its order."""

        def write() -> bool:
            with self._ordering, self._database.write() as session:
                record = session.get_one(RobotRecord, self._name, with_for_update=True)
                changes = record.order == present
                if changes:
                    record.order, record.note = wanted, note
                self._order = record.order
                return changes

        return patiently(write)

    def _beat(self) -> None:
        claim = self._claim
        # Read and kept as one, or an order that this worker gives itself meanwhile would be forgotten for a beat.
        with self._ordering, self._database.write() as session:
            record = session.get(RobotRecord, self._name)
            if record is None:
                return
            record.heartbeat_s = time.time()
            record.submission_id = claim.submission.id if claim else ""
            self._order = record.order
        if self._order == "stop":
            self._robot.interrupt("stopped")
        if claim is not None and not self._claims.beat(claim) and claim is self._claim:
            self._robot.interrupt("ended")

    def _confirm(self, setup: Setup) -> None:
        """Waits, where the driver wants it, until a person says that the bench is set up."""
        if not getattr(self._driven, "needs_confirmation", False):
            return
        wanted = f"{setup.container} with {setup.material} at {setup.location}"
        self._update(awaiting=wanted, confirmed="")
        try:
            while self._confirmed() != wanted:
                self._robot.check()
                time.sleep(CONFIRM_POLL_S)
        finally:
            self._update(awaiting="", confirmed="")

    def _confirmed(self) -> str:
        def read() -> str:
            with self._database.read() as session:
                record = session.get(RobotRecord, self._name)
                return record.confirmed if record else ""

        return patiently(read)

    def _register(self) -> None:
        with self._database.write() as session:
            record = session.get(RobotRecord, self._name)
            if record is None:
                record = RobotRecord(name=self._name, order="run", note="")
                session.add(record)
            record.driver, record.heartbeat_s = self._driver, time.time()
            record.submission_id = record.awaiting = record.confirmed = ""
            self._order = record.order

    def _update(self, **changes: Any) -> None:
        def write() -> None:
            with self._database.write() as session:
                session.execute(update(RobotRecord).where(RobotRecord.name == self._name).values(**changes))

        patiently(write)
