"""A plain worker: takes submissions to tasks that need no robot and runs their heats, one submission at a time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from queue import SimpleQueue

from sqlalchemy.exc import DBAPIError

from pentathlon.core.errors import DataError
from pentathlon.core.task import Task
from pentathlon.core.trial import Heat, Workspace
from pentathlon.server.disk import await_room, is_full
from pentathlon.server.queue.claims import Claim, Claims
from pentathlon.server.queue.database import Database
from pentathlon.server.queue.jobs import Job, JobListener, JobQueue
from pentathlon.server.settings import ServerSettings
from pentathlon.server.workers.attempt import BrokenOffError, attempt
from pentathlon.server.workers.evaluation import Evaluation
from pentathlon.server.workers.heart import Heart
from pentathlon.server.workers.submitted import open_entrant

DISK_FULL = "The server's disk is full; a worker continues in time."

_log = logging.getLogger(__name__)


class TaskWorker:
    """Runs submissions until the process ends.

    Sandboxes end with the thread that opened them, so heats run in the thread that calls :meth:`run`.
    """

    def __init__(self, settings: ServerSettings, name: str) -> None:
        self._settings, self._name = settings, name
        self._database = Database(settings.database_url, pool_size=3)
        self._queue = JobQueue(settings.database_url)
        self._claims = Claims(self._database, self._queue, "tasks", name, settings.fruitless_claims_limit)
        self._jobs: SimpleQueue[Job] = SimpleQueue()

    def run(self) -> None:
        """Works for ever."""
        JobListener(self._settings.database_url, "tasks", self._name, self._receive).start()
        while True:
            self.work(self._jobs.get())

    def close(self) -> None:
        """Closes all connections."""
        self._queue.close()
        self._database.close()

    def work(self, job: Job) -> None:
        """Does one job."""
        try:
            claim = self._claims.take(job.submission, job.claim)
            if claim is not None:
                self._evaluate(claim)
        except DBAPIError:
            # The heart has stopped for this submission, so the clerk gives it to the next worker.
            _log.exception("The database stayed away; giving %s up.", job.submission)
        finally:
            job.done.set()

    def _receive(self, submission: str, claim: int) -> None:
        """Hands a job over to the worker's thread and waits until it is done."""
        job = Job(submission, claim, threading.Event())
        self._jobs.put(job)
        job.done.wait()

    def _evaluate(self, claim: Claim) -> None:
        held = threading.Event()
        held.set()

        def beat() -> None:
            if not self._claims.beat(claim):
                held.clear()

        evaluation = HeatEvaluation(self._settings, self._database, self._claims, claim, self._name, held)
        with Heart(beat, self._settings.heartbeat_s):
            try:
                attempt(self._claims, claim, evaluation)
                return
            except BrokenOffError:
                evaluation.log("The submission was cancelled or taken over by another worker.")
                return
            except Exception as error:
                if not is_full(error):
                    raise
                _log.warning("The disk is full; giving %s back: %s", claim.submission.id, error)
                self._claims.give_back(claim, DISK_FULL, fruitless=False)
        await_room(self._settings.data)


class HeatEvaluation(Evaluation):
    """The evaluation of one claimed submission by its task's own heats.

    Args:
        settings: of the server.
        database: of the server.
        claims: of the worker.
        claim: what is evaluated.
        worker: its name.
        held: is cleared when the claim is lost.
    """

    def __init__(
        self,
        settings: ServerSettings,
        database: Database,
        claims: Claims,
        claim: Claim,
        worker: str,
        held: threading.Event,
    ) -> None:
        super().__init__(settings, database, claims, claim, worker)
        self._held = held

    def run_heats(self, task: Task, heats: Sequence[Heat]) -> None:
        """Runs each heat with an entrant of its own."""
        folder = self.settings.agent(self.submission.id)
        for heat in heats:
            seed = int(heat.data.get("training_seed", 0))
            with open_entrant(
                self.settings, self.submission, task, seed, folder, self.outputs.log, self._check
            ) as entrant:
                self._run_heat(task, heat, entrant)

    def _run_heat(self, task: Task, heat: Heat, entrant: object) -> None:
        left = set(heat.trials)
        for outcome in task.run(heat, entrant, Workspace(self.outputs.run)):
            self._check()
            if outcome.trial not in left:
                raise DataError(f"{task.id} gave an outcome for {outcome.trial!r}, which was not to be run.")
            left.remove(outcome.trial)
            self.record(outcome)
        if left:
            raise DataError(f"{task.id} ended the heat {heat.id!r} without outcomes for {len(left)} of its trials.")

    def _check(self) -> None:
        if not self._held.is_set():
            raise BrokenOffError("The claim was lost.")
