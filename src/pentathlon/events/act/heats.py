"""Runs a heat of act on a simulated robot: a few trials of one training seed, each with its video."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np

from pentathlon.core import Heat, Outcome, Workspace
from pentathlon.core.entrants import Images, Policy
from pentathlon.events.act.protocol import ActProtocol, Trial
from pentathlon.events.act.trial import WATCH_EVERY_STEPS, for_seed, run_trial
from pentathlon.storage import write_mp4
from pentathlon.worlds.tabletop.arm.robot import CONTROL_HZ, Robot, Sight
from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot


def run_heat(protocol: ActProtocol, heat: Heat, policy: Policy, workspace: Workspace) -> Iterator[Outcome]:
    """Runs the heat's trials one after the other; none depends on those before it."""
    chosen = for_seed(policy, int(heat.data["training_seed"]))
    trials = {trial.id: trial for trial in protocol.trials()}
    with closing(open_robot(protocol)) as robot:
        for trial_id in heat.trials:
            yield _run(robot, for_trial(chosen, robot, trials[trial_id]), trials[trial_id], protocol, workspace)


def open_robot(protocol: ActProtocol) -> SimulatedRobot:
    """Opens the robot that the protocol describes."""
    setting = protocol.render_setting.split("-")[0]
    return SimulatedRobot("sim", image_size=protocol.image_size, renderer=protocol.renderer, setting=setting)


def for_trial(policy: Policy, robot: Robot, trial: Trial) -> Policy:
    """Gives an oracle what it must know; only local runs do, so that nothing handed in can be one."""
    tell = getattr(policy, "for_trial", None)
    return policy if tell is None else tell(robot, trial)


def _run(robot: Robot, policy: Policy, trial: Trial, protocol: ActProtocol, workspace: Workspace) -> Outcome:
    film: list[Images] = []

    def watch(sight: Sight) -> None:
        film.append(sight.image)

    outcome = run_trial(robot, policy, trial, protocol, watch if workspace.videos else None)
    artifacts: dict[str, Any] = {}
    if film:
        path = workspace.artifact(trial.id, "video.mp4")
        write_mp4(path, np.stack(film), fps=CONTROL_HZ / WATCH_EVERY_STEPS)
        artifacts["video"] = workspace.relative(path)
    fingerprint = getattr(policy, "fingerprint", None)
    known = {} if fingerprint is None else {"policy": fingerprint}
    return replace(outcome, artifacts=artifacts, details={**outcome.details, **known})
