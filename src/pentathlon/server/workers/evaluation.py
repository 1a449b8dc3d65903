"""Evaluates one claimed submission, from the first trial not yet recorded; how a trial is run is left to others."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

import msgspec

from pentathlon.core.task import Task
from pentathlon.core.trial import Heat, Outcome
from pentathlon.engine.folders.records import ENCODER
from pentathlon.server.queue.claims import Claim, Claims
from pentathlon.server.queue.database import Database, patiently
from pentathlon.server.queue.offers import find_offer, server_task, trial_ids
from pentathlon.server.queue.outputs import Outputs
from pentathlon.server.queue.results import read_outcome, records_of, stored_scores, write_run
from pentathlon.server.queue.tables import TrialRecord
from pentathlon.server.settings import ServerSettings


class Evaluation(ABC):
    """What all evaluations share: which trials are left, recording each once, and summing up.

    Args:
        settings: of the server.
        database: of the server.
        claims: of the worker.
        claim: what is evaluated.
        worker: its name, told in the log.
    """

    def __init__(self, settings: ServerSettings, database: Database, claims: Claims, claim: Claim, worker: str) -> None:
        self.settings, self.submission = settings, claim.submission
        self.outputs = Outputs(settings, claim)
        self._database, self._claims, self._claim, self._worker = database, claims, claim, worker

    @abstractmethod
    def run_heats(self, task: Task, heats: Sequence[Heat]) -> None:
        """Runs the trials that are left and calls :meth:`record` for each."""

    def run(self) -> bool:
        """Runs what is left and finishes the submission; returns whether the claim held to the end.

        Raises:
            PentathlonError: when the entrant misbehaves, or the server no longer offers the task.
        """
        try:
            find_offer(self.settings, self.submission.task)
            task = server_task(self.settings, self.submission.task)
            self._positions = {trial: position for position, trial in enumerate(trial_ids(task))}
            done = {outcome.trial for outcome in self._outcomes()}
            self.log(f"{len(self._positions) - len(done)} of {len(self._positions)} trials to run.")
            self.run_heats(task, list(_left(task.heats(), done)))
            return self._finish(task)
        finally:
            self.outputs.clear()

    def log(self, sentence: str) -> None:
        """Adds a line to the log that the submitter reads."""
        self.outputs.note(self._worker, sentence)

    def position(self, trial: str) -> int:
        """The place of a trial in its task."""
        return self._positions[trial]

    def record(self, outcome: Outcome) -> None:
        """Records a trial once and publishes what belongs to it while the claim holds.

        Raises:
            ClaimLostError: when the claim is no longer held.
        """
        position = self.position(outcome.trial)
        record = TrialRecord(
            submission_id=self.submission.id,
            trial=outcome.trial,
            position=position,
            outcome=msgspec.json.decode(ENCODER.encode(outcome)),
            worker=self._worker,
            recorded_s=time.time(),
        )
        self._claims.record(self._claim, record, lambda: self.publish(outcome))
        self.log(f"Trial {position + 1} of {len(self._positions)} ({outcome.trial}): {_told(outcome)}.")

    def publish(self, outcome: Outcome) -> None:
        """Puts the files of a trial where they belong; called while the claim is known to hold, perhaps again."""
        self.outputs.publish_trial(outcome)

    def _finish(self, task: Task) -> bool:
        outcomes = self._outcomes()
        scores = tuple(task.scores(outcomes))
        self.log(f"Finished: {', '.join(f'{score.metric} {score}' for score in scores)}.")
        run = self.settings.run(self.submission.id)
        return self._claims.end(
            self._claim,
            "finished",
            "",
            lambda: write_run(run, self.submission, task, outcomes),
            scores=stored_scores(scores),
        )

    def _outcomes(self) -> list[Outcome]:
        def read() -> list[Outcome]:
            with self._database.read() as session:
                return [read_outcome(record) for record in records_of(session, self.submission)]

        return patiently(read)


def _left(heats: Sequence[Heat], done: set[str]) -> Sequence[Heat]:
    left = (replace(heat, trials=tuple(trial for trial in heat.trials if trial not in done)) for heat in heats)
    return [heat for heat in left if heat.trials]


def _told(outcome: Outcome) -> str:
    if outcome.status == "error":
        return f"error: {outcome.error}"
    return ", ".join(f"{name} {value:.4g}" for name, value in outcome.metrics.items())
