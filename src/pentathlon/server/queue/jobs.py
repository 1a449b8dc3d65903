"""The durable job queue: DBOS Transact, in the same database as the submissions.

A job is put into the queue by the very transaction that changes the submission, so there is never one without the
other. A job names a submission and the claim it is for; a job whose claim is no longer the submission's does nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

from dbos import (
    DBOS,
    DBOSClient,
    DBOSConfig,
    DBOSPortableJSONSerializer,
    EnqueueOptions,
    run_dbos_database_migrations,
)
from sqlalchemy.orm import Session

from pentathlon.server.queue.tables import Submission

QueueName = Literal["checks", "robots", "tasks"]

APPLICATION = "pentathlon"
# Jobs are names of submissions, which mean the same in every version of this package.
JOBS_VERSION = "1"
POLL_S = 0.25
CHECKS_AT_ONCE = 4
LIST_AT_ONCE = 500


class Job(NamedTuple):
    """A job that was handed over to another thread; ``done`` is set when it need not be waited for any more."""

    submission: str
    claim: int
    done: threading.Event


class WaitingJob(NamedTuple):
    """A job that was put in and is not done; ``submission`` is what it is for."""

    id: str
    submission: str


def job_id(submission: str, queue: QueueName, claim: int) -> str:
    """Names the one job of a submission, a queue and a claim; the queue takes it once only."""
    return f"{queue}/{submission}/{claim}"


def prepare_queue(database_url: str) -> None:
    """Makes the queue's own tables where they are missing."""
    run_dbos_database_migrations(_plain(database_url))


class JobQueue:
    """The end of the queue where jobs are put in."""

    def __init__(self, database_url: str) -> None:
        self._client = DBOSClient(
            system_database_url=_plain(database_url),
            serializer=DBOSPortableJSONSerializer(),
            application_name=APPLICATION,
            lazy=True,
            # The caller tells the user that the database is away, rather than letting the request hang.
            retry_connection_errors=False,
        )

    def put(self, session: Session, queue: QueueName, submission: Submission) -> None:
        """Puts the submission's present claim into ``queue``, together with what else ``session`` commits."""
        options: EnqueueOptions = {
            "workflow_name": queue,
            "queue_name": queue,
            "workflow_id": job_id(submission.id, queue, submission.claim),
            "app_version": JOBS_VERSION,
            "priority": submission.priority,
        }
        if queue == "checks":
            options["queue_partition_key"] = submission.account_id
        self._client.enqueue_in_transaction(session, options, submission.id, submission.claim)

    def waiting(self, jobs: Sequence[str]) -> set[str]:
        """Returns those of ``jobs`` that still wait in a queue."""
        if not jobs:
            return set()
        found = self._client.list_workflows(
            workflow_ids=list(jobs), status="ENQUEUED", load_input=False, load_output=False
        )
        return {job.workflow_id for job in found}

    def remove_done(self, before_s: float) -> None:
        """Removes the jobs that were done before a moment."""
        done = {"status": ["SUCCESS", "ERROR", "CANCELLED"], "completed_before": _written(before_s)}
        while jobs := self._list(done):
            self.remove(jobs)

    def waiting_since(self, before_s: float) -> list[WaitingJob]:
        """Lists jobs that were put in before a moment and are not done."""
        jobs = self._list({"status": ["ENQUEUED", "PENDING"], "end_time": _written(before_s)})
        return [WaitingJob(job, job.split("/")[1]) for job in jobs]

    def remove(self, jobs: Sequence[str]) -> None:
        """Removes jobs, with all that the queue kept of them."""
        if jobs:
            self._client.delete_workflows(list(jobs))

    def _list(self, wanted: dict[str, Any]) -> list[str]:
        found = self._client.list_workflows(**wanted, limit=LIST_AT_ONCE, load_input=False, load_output=False)
        return [job.workflow_id for job in found]

    def close(self) -> None:
        """Closes the connections."""
        self._client.destroy()


class JobListener:
    """The end of the queue where jobs are taken out, one at a time and the lowest priority number first.

    Checks are taken out several at a time, but one of each account, so that a slow one delays its owner alone.

    Args:
        database_url: of the server's database.
        queue: the queue to serve.
        name: of this worker; one that starts again under the same name is given its unfinished job again.
        handle: is called with submission and claim, from a thread of the queue; the job is done when it returns.
    """

    def __init__(self, database_url: str, queue: QueueName, name: str, handle: Callable[[str, int], None]) -> None:
        config: DBOSConfig = {
            "name": APPLICATION,
            "system_database_url": _plain(database_url),
            "executor_id": name,
            "application_version": JOBS_VERSION,
            "serializer": DBOSPortableJSONSerializer(),
            "run_migrations": False,
            "log_level": "ERROR",
            "scheduler_polling_interval_sec": 3600.0,
        }
        DBOS(config=config)
        # The clerk gives lost submissions back, and counts how often; the queue need not.
        DBOS.workflow(name=queue, max_recovery_attempts=None)(lambda submission, claim: handle(submission, claim))
        DBOS.listen_queues([queue])
        self._queue = queue

    def start(self) -> None:
        """Begins to take jobs."""
        DBOS.launch()
        checks = self._queue == "checks"
        DBOS.register_queue(
            self._queue,
            worker_concurrency=CHECKS_AT_ONCE if checks else 1,
            partition_worker_concurrency=1 if checks else None,
            polling_interval_sec=POLL_S,
            on_conflict="always_update",
        )

    def stop(self) -> None:
        """Takes no more jobs; one in hand is given up."""
        DBOS.destroy(destroy_registry=True)


def _written(moment_s: float) -> str:
    return datetime.fromtimestamp(moment_s, UTC).isoformat()


def _plain(database_url: str) -> str:
    return database_url.replace("postgresql+psycopg://", "postgresql://")
