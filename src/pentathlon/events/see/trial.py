"""Runs one heat of see: clone a policy with one seed, evaluate it as it learns, keep what each evaluation gave."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pentathlon.core import Heat, Outcome, Workspace, derive_seed
from pentathlon.core.entrants import Encoder
from pentathlon.events.see.learners import Learned, learn
from pentathlon.events.see.lessons import Lesson
from pentathlon.events.see.metrics import held_out_scores
from pentathlon.events.see.pictures import attention_sheet, shows_attention
from pentathlon.events.see.protocol import SeeProtocol
from pentathlon.events.see.rollouts import Evaluation, play
from pentathlon.models.encoders.crew import Crew
from pentathlon.models.weights import write_checkpoint
from pentathlon.stats.charts import learning_curve
from pentathlon.storage import ArrayCache, write_mp4
from pentathlon.worlds.control.env import ControlEnv

FILM_FPS = 10
FRAMES_OF_ATTENTION = 3


@dataclass(frozen=True)
class Point:
    """One point of the learning curve."""

    epoch: int
    loss: float
    score: float


def run_heat(
    protocol: SeeProtocol, heat: Heat, encoder: Encoder, workspace: Workspace, given: Sequence[Lesson] = ()
) -> Iterator[Outcome]:
    """Trains, on ``given`` demonstrations if there are, and evaluates; yields each episode's scores."""
    started = time.perf_counter()
    seed = derive_seed(protocol.task.name, int(heat.data["seed"]))
    files = HeatFiles(workspace, heat)
    with ExitStack() as stack:
        crew = stack.enter_context(Crew())
        environments = [
            stack.enter_context(closing(open_environment(protocol))) for _ in range(protocol.evaluation_episodes)
        ]
        curve, evaluations, best = [], [], None
        for learned in learn(protocol, encoder, environments[0], seed, ArrayCache(), crew, given):
            if learned.epoch % protocol.evaluate_every_epochs and learned.epoch != protocol.recipe.epochs:
                continue
            evaluation = play(environments, protocol.episode_seeds, learned.encoder, learned.policy, crew)
            curve.append(Point(learned.epoch, learned.loss, evaluation.mean))
            evaluations.append(evaluation.scores)
            if best is None or evaluation.mean > best.mean:
                best = evaluation
                files.keep(learned, encoder, evaluation)
    assert best is not None
    files.draw_curve(curve)
    scores = {"score": best.scores, "held_out_score": held_out_scores(evaluations), "last_score": evaluations[-1]}
    yield from _outcomes(protocol, heat, scores, files, encoder_details(encoder), time.perf_counter() - started)


def encoder_details(encoder: Encoder) -> dict[str, Any]:
    """What each trial records of the encoder, where it can tell: the fingerprint of its weights and their number."""
    module = getattr(encoder, "module", None)
    known = {
        "encoder": getattr(encoder, "fingerprint", None),
        "parameters": None if module is None else sum(parameter.numel() for parameter in module.parameters()),
    }
    return {name: value for name, value in known.items() if value is not None}


@dataclass(frozen=True)
class HeatFiles:
    """The artifacts of a heat, in the folder of its first trial."""

    workspace: Workspace
    heat: Heat

    def keep(self, learned: Learned, before: Encoder, evaluation: Evaluation) -> None:
        """Writes what belongs to the best evaluation so far, over what belonged to the one before."""
        write_checkpoint(self._path("policy.safetensors"), learned.policy.state_dict(), {"epoch": learned.epoch})
        if self.workspace.videos:
            write_mp4(self._path("video.mp4"), evaluation.film, fps=FILM_FPS)
        if learned.encoder is not before:
            write_checkpoint(self._path("encoder.safetensors"), learned.encoder.module.state_dict(), {})  # type: ignore[attr-defined]
            if shows_attention(before) and shows_attention(learned.encoder):
                chosen = evaluation.film[:: -(-len(evaluation.film) // FRAMES_OF_ATTENTION)]
                attention_sheet(self._path("attention.png"), chosen, {"before": before, "fine-tuned": learned.encoder})

    def draw_curve(self, curve: Sequence[Point]) -> None:
        """Writes the learning curve as numbers and as a picture."""
        self._path("learning_curve.json").write_text(json.dumps([vars(point) for point in curve], indent=1))
        points = [(point.epoch, point.score) for point in curve]
        losses = [(point.epoch, point.loss) for point in curve]
        self._path("learning_curve.svg").write_text(learning_curve(points, losses))

    def listing(self) -> dict[str, str]:
        """Names every file for the record."""
        names = {
            "video": "video.mp4",
            "learning curve": "learning_curve.svg",
            "learning curve (numbers)": "learning_curve.json",
            "attention": "attention.png",
            "policy": "policy.safetensors",
            "encoder": "encoder.safetensors",
        }
        paths = {name: self._path(file) for name, file in names.items()}
        return {name: self.workspace.relative(path) for name, path in paths.items() if path.exists()}

    def _path(self, name: str) -> Path:
        return self.workspace.artifact(self.heat.trials[0], name)


def open_environment(protocol: SeeProtocol) -> ControlEnv:
    """Opens the protocol's task with its eyes; frames are drawn on demand."""
    setting = protocol.render_setting.split("-")[0]
    return ControlEnv(protocol.task, images=False, renderer=protocol.renderer, setting=setting)


def _outcomes(
    protocol: SeeProtocol,
    heat: Heat,
    scores: Mapping[str, Sequence[float]],
    files: HeatFiles,
    details: dict[str, Any],
    wall_time_s: float,
) -> Iterator[Outcome]:
    for trial in heat.trials:
        # A resumed or limited heat holds some of the episodes; all were played, since they choose the best together.
        episode = int(trial.rpartition("-")[2])
        outcome = Outcome(
            trial=trial,
            metrics={name: float(percent[episode]) / 100.0 for name, percent in scores.items()},
            steps=protocol.task.horizon,
            wall_time_s=wall_time_s / len(heat.trials),
            artifacts=files.listing() if trial == heat.trials[0] else {},
            details=details,
        )
        yield heat.stamped(outcome)
