"""Runs one heat of see: clone a policy with one seed, evaluate it as it learns, keep the best evaluation."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from safetensors.torch import save_file

from pentathlon.core import Heat, Outcome, Workspace, derive_seed
from pentathlon.core.entrants import Encoder
from pentathlon.engine import ArrayCache, write_mp4
from pentathlon.events.see.features import training_set
from pentathlon.events.see.protocol import SeeProtocol
from pentathlon.events.see.rollouts import Evaluation, play
from pentathlon.learning.cloning import clone
from pentathlon.worlds.control.env import ControlEnv

FILM_FPS = 10


@dataclass(frozen=True)
class Point:
    """One point of the learning curve."""

    epoch: int
    loss: float
    score: float


def run_heat(protocol: SeeProtocol, heat: Heat, encoder: Encoder, workspace: Workspace) -> Iterator[Outcome]:
    """Trains and evaluates; yields the episodes of the best evaluation."""
    started = time.perf_counter()
    seed = int(heat.data["seed"])
    with ExitStack() as stack:
        environments = [_open(stack, protocol) for _ in range(protocol.evaluation_episodes)]
        # Evaluation episodes are the same for every entrant and every training seed, so that runs compare in pairs.
        seeds = [derive_seed(protocol.task.name, "evaluation", index) for index in range(len(environments))]
        data = training_set(protocol, encoder, environments[0], ArrayCache())
        curve, best = [], None
        for epoch in clone(data.inputs, data.actions, protocol.recipe, derive_seed(protocol.task.name, seed)):
            if epoch.number % protocol.evaluate_every_epochs and epoch.number != protocol.recipe.epochs:
                continue
            evaluation = play(environments, seeds, encoder, epoch.policy)
            curve.append(Point(epoch.number, epoch.loss, evaluation.mean))
            if best is None or evaluation.mean > best.mean:
                best = evaluation
                save_file(epoch.policy.state_dict(), _artifact(workspace, heat, "policy.safetensors"))
    assert best is not None
    yield from _outcomes(protocol, heat, best, curve, workspace, time.perf_counter() - started)


def _open(stack: ExitStack, protocol: SeeProtocol) -> ControlEnv:
    environment = ControlEnv(
        protocol.task, images=False, renderer=protocol.renderer, setting=protocol.render_setting.split("-")[0]
    )
    return stack.enter_context(closing(environment))


def _outcomes(
    protocol: SeeProtocol, heat: Heat, best: Evaluation, curve: list[Point], workspace: Workspace, wall_time_s: float
) -> Iterator[Outcome]:
    curve_path = _artifact(workspace, heat, "learning_curve.json")
    curve_path.write_text(json.dumps([vars(point) for point in curve], indent=1))
    shared = {
        "policy": workspace.relative(_artifact(workspace, heat, "policy.safetensors")),
        "learning curve": workspace.relative(curve_path),
    }
    if workspace.videos:
        film = _artifact(workspace, heat, "video.mp4")
        write_mp4(film, best.film, fps=FILM_FPS)
        shared["video"] = workspace.relative(film)
    for index, (trial, score) in enumerate(zip(heat.trials, best.scores, strict=True)):
        yield Outcome(
            trial=trial,
            metrics={"score": score / 100.0},
            cluster=f"seed-{heat.data['seed']}",
            seed=derive_seed(protocol.task.name, "evaluation", index),
            steps=protocol.task.horizon,
            wall_time_s=wall_time_s / len(heat.trials),
            artifacts=shared if index == 0 else {},
            details={"learning_curve": [vars(point) for point in curve]} if index == 0 else {},
        )


def _artifact(workspace: Workspace, heat: Heat, name: str) -> Path:
    return workspace.artifact(heat.trials[0], name)
