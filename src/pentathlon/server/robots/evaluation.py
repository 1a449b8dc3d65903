"""Evaluates one submission on one robot, trial by trial, from the first one not yet recorded."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

import numpy as np
from PIL import Image
from sqlalchemy import select

from pentathlon.core.entrants import Policy
from pentathlon.core.errors import EntrantError
from pentathlon.core.trial import Outcome
from pentathlon.events.act.data.episode_files import write_episode
from pentathlon.events.act.protocol import ActProtocol, Trial, make_protocol
from pentathlon.events.act.trial import WATCH_EVERY_STEPS, run_trial
from pentathlon.server.queue.claims import Claim, Claims
from pentathlon.server.queue.database import Database, patiently
from pentathlon.server.queue.outputs import Outputs
from pentathlon.server.queue.results import summarise
from pentathlon.server.queue.tables import TrialRecord
from pentathlon.server.robots.guard import GuardedRobot
from pentathlon.server.sandbox.entrants import open_entrant
from pentathlon.server.settings import ServerSettings
from pentathlon.storage.files import replacing
from pentathlon.storage.video import write_mp4
from pentathlon.worlds.tabletop.arm.robot import CONTROL_HZ, Sight

VIDEO_FPS = CONTROL_HZ / WATCH_EVERY_STEPS
LIVE_EVERY_S = 0.5


class Evaluation:
    """The evaluation of one claimed submission."""

    def __init__(
        self, settings: ServerSettings, database: Database, claims: Claims, claim: Claim, robot: GuardedRobot
    ) -> None:
        self._settings, self._database = settings, database
        self._claims, self._claim, self._robot = claims, claim, robot
        self._submission = claim.submission
        self._protocol: ActProtocol = make_protocol(self._submission.task, settings.tier)
        self._trials = self._protocol.trials()
        self._outputs = Outputs(settings, claim)
        self._camera = _Camera(settings.live_view(robot.name))

    def run(self) -> bool:
        """Runs what is left and finishes the submission; returns whether the claim held to the end."""
        try:
            return self._run()
        finally:
            self._outputs.clear()

    def log(self, sentence: str) -> None:
        """Adds a line to the log that the submitter reads."""
        self._outputs.note(self._robot.name, sentence)

    def _run(self) -> bool:
        done = {record.trial for record in self._records()}
        left = [(position, trial) for position, trial in enumerate(self._trials) if trial.id not in done]
        self.log(f"{len(left)} of {len(self._trials)} trials to run.")
        for training_seed, group in groupby(left, key=lambda each: each[1].training_seed):
            with self._open(training_seed) as policy:
                for position, trial in group:
                    self._run_trial(policy, position, trial)
        summary = summarise(self._records())
        self.log(f"Finished: {summary.reward_g.value:.1f} g, {summary.success.value:.0f} % successful.")
        return self._claims.end(self._claim, "finished", "", summary=asdict(summary))

    def _open(self, training_seed: int) -> AbstractContextManager[Policy]:
        agent = self._settings.agent(self._submission.id)
        spec = self._protocol.spec
        return open_entrant(self._settings, self._submission, spec, training_seed, agent, self._outputs.log)

    def _run_trial(self, policy: Policy, position: int, trial: Trial) -> None:
        self._camera.begin()
        outcome = run_trial(self._robot, policy, trial, self._protocol, self._camera.watch)
        if outcome.status == "error":
            raise EntrantError(f"Trial {position + 1} ({trial.id}): {outcome.error}")
        write_mp4(self._outputs.video(position), self._camera.film(), VIDEO_FPS)
        if self._settings.keep_trajectories:
            self._keep(position, trial, outcome)
        record = self._record(position, trial, outcome)
        self._claims.record(self._claim, record, lambda: self._outputs.publish_trial(position))
        reward_g = outcome.metrics["reward_g"]
        self.log(f"Trial {position + 1} of {len(self._trials)} ({trial.id}): {reward_g:.1f} g.")

    def _keep(self, position: int, trial: Trial, outcome: Outcome) -> None:
        """Keeps joints, actions and pictures, which only the operator sees."""
        notes: dict[str, object] = {**asdict(trial.setup), "source": "submitted", "training_seed": trial.training_seed}
        episode = self._robot.recorded(outcome.metrics["reward_g"], notes)
        write_episode(self._outputs.episodes, position, episode)

    def _record(self, position: int, trial: Trial, outcome: Outcome) -> TrialRecord:
        return TrialRecord(
            submission_id=self._submission.id,
            trial=trial.id,
            position=position,
            training_seed=trial.training_seed,
            container=trial.setup.container,
            location=trial.setup.location,
            seen_location=trial.seen_location,
            reward_g=outcome.metrics["reward_g"],
            success=bool(outcome.metrics["success"]),
            steps=outcome.steps,
            wall_time_s=outcome.wall_time_s,
            robot=self._robot.name,
            recorded_s=time.time(),
        )

    def _records(self) -> list[TrialRecord]:
        def read() -> list[TrialRecord]:
            statement = select(TrialRecord).where(TrialRecord.submission_id == self._submission.id)
            with self._database.read() as session:
                return list(session.scalars(statement.order_by(TrialRecord.position)))

        return patiently(read)


class _Camera:
    """Films a trial and shows the newest picture."""

    def __init__(self, live: Path) -> None:
        self._live = live
        self._shown_s = float("-inf")
        self.begin()

    def begin(self) -> None:
        self._frames: list[np.ndarray] = []

    def watch(self, sight: Sight) -> None:
        self._frames.append(sight.image)
        if time.monotonic() - self._shown_s > LIVE_EVERY_S:
            self._shown_s = time.monotonic()
            self._live.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self._live) as temporary:
                Image.fromarray(sight.image).save(temporary, "JPEG", quality=80)

    def film(self) -> np.ndarray:
        return np.stack(self._frames)
