"""Evaluates one submission on one robot, trial by trial."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path
from random import SystemRandom

import numpy as np
from PIL import Image

from pentathlon.core.entrants import Policy
from pentathlon.core.task import Task
from pentathlon.core.trial import Heat, Outcome, Workspace
from pentathlon.events.act.data.episode_files import write_episode
from pentathlon.events.act.protocol import ActProtocol, HiddenActProtocol, Trial
from pentathlon.events.act.trial import TOLERANCE_RAD, WATCH_EVERY_STEPS, run_trial
from pentathlon.server.queue.claims import Claim, Claims
from pentathlon.server.queue.database import Database
from pentathlon.server.robots.guard import GuardedRobot
from pentathlon.server.settings import ServerSettings
from pentathlon.server.workers.evaluation import Evaluation
from pentathlon.server.workers.submitted import open_entrant
from pentathlon.storage.files import replacing
from pentathlon.storage.video import write_mp4
from pentathlon.worlds.tabletop.arm.robot import CONTROL_HZ, Sight

VIDEO_FPS = CONTROL_HZ / WATCH_EVERY_STEPS
LIVE_EVERY_S = 0.5
HIDDEN_LOG_BYTES = 4096
"""Of what a policy prints in hidden trials of one training seed: enough to see what fails, not to take them home."""


class RobotEvaluation(Evaluation):
    """The evaluation of one claimed submission to a task of act."""

    def __init__(
        self, settings: ServerSettings, database: Database, claims: Claims, claim: Claim, robot: GuardedRobot
    ) -> None:
        super().__init__(settings, database, claims, claim, robot.name)
        self._robot = robot
        self._camera = _Camera(settings.live_view(robot.name))
        self._told_clamped = False
        self._dataset = claim.submission.task.partition("/")[2]

    def run_heats(self, task: Task, heats: Sequence[Heat]) -> None:
        """Runs the trials of each training seed with the policy of that seed."""
        protocol: ActProtocol = task.protocol
        folder = self.settings.agent(self.submission.id)
        kept_bytes = HIDDEN_LOG_BYTES if isinstance(protocol, HiddenActProtocol) else None
        for training_seed, trials in _by_training_seed(protocol, heats):
            with open_entrant(
                self.settings, self.submission, task, training_seed, folder, self.outputs.log, kept_bytes=kept_bytes
            ) as policy:
                for trial in trials:
                    self._run_trial(policy, trial, protocol)

    def publish(self, outcome: Outcome) -> None:
        """Puts the video and the episode where they belong."""
        super().publish(outcome)
        self.outputs.publish_episode(self._dataset, self.position(outcome.trial))

    def _run_trial(self, policy: Policy, trial: Trial, protocol: ActProtocol) -> None:
        self._camera.begin()
        outcome = run_trial(self._robot, policy, trial, protocol, self._camera.watch)
        self._tell_clamped(outcome)
        workspace = Workspace(self.outputs.run)
        video = workspace.artifact(trial.id, "video.mp4")
        write_mp4(video, self._camera.film(), VIDEO_FPS)
        if self.settings.keep_trajectories and outcome.status == "ok":
            self._keep(trial, outcome)
        self.record(replace(outcome, artifacts={"video": workspace.relative(video)}))

    def _tell_clamped(self, outcome: Outcome) -> None:
        clamped_rad = outcome.details.get("clamped_rad")
        if clamped_rad and not self._told_clamped:
            self._told_clamped = True
            self.log(
                f"A joint target lay {clamped_rad:.4f} rad outside of the joint's limits and was moved to them, as all "
                f"are that lie outside by at most {TOLERANCE_RAD:g} rad. This is said once."
            )

    def _keep(self, trial: Trial, outcome: Outcome) -> None:
        """Keeps joints, actions and pictures, which only the operator sees."""
        notes: dict[str, object] = {**asdict(trial.setup), "source": "submitted", "training_seed": trial.training_seed}
        episode = self._robot.recorded(outcome.metrics["reward_g"], notes)
        write_episode(self.outputs.episodes, self.position(trial.id), episode)


def _by_training_seed(protocol: ActProtocol, heats: Sequence[Heat]) -> Iterator[tuple[int, list[Trial]]]:
    trials = {trial.id: trial for trial in protocol.trials()}
    left = [trials[trial] for heat in heats for trial in heat.trials]
    for training_seed, group in groupby(left, key=lambda trial: trial.training_seed):
        chosen = list(group)
        if isinstance(protocol, HiddenActProtocol):
            # Whoever counts its trials must not know by that where the container stands.
            SystemRandom().shuffle(chosen)
        yield training_seed, chosen


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
