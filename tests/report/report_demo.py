"""Fabricated runs, written by the engine's own writer: successes, failures, errors, videos, a run cut short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from pentathlon.core import (
    TASKS,
    EntrantEntry,
    Heat,
    Metric,
    Outcome,
    PaperValue,
    Score,
    TaskEntry,
    Workspace,
)
from pentathlon.core.identity import derive_seed
from pentathlon.engine import RunFolder, RunInfo, RunSummary, list_runs
from pentathlon.stats import score_outcomes
from pentathlon.storage import write_mp4

HOSTILE = 'evil:<img src=x onerror="document.title=1">'
CONTROL = ("toyworld-hammer", "toyworld-assembly", "dmc-walker-walk", "toyhand-pen")
SKILLS = {"vit-tiny-mae": 0.78, "vit-tiny-random": 0.12, "mobilenet-v2": 0.66, HOSTILE: 0.4}
PAPERS = {
    "toyworld-hammer": PaperValue(
        88.8, "CortexBench Table 4, VC-1 ViT-L", "the suite's mean, a larger encoder and OpenGL frames."
    ),
    "toyhand-pen": PaperValue(59.3, "CortexBench Table 4, VC-1 ViT-L", "the paper keeps the best of 20 evaluations."),
}
CEILINGS = {"toyworld-hammer": 97.25}


@dataclass(frozen=True)
class DemoProtocol:
    episodes: int = 60
    camera: str = "top"
    image_size: tuple[int, int] = (64, 48)
    renderer: str = "fast"


class DemoTask:
    """Only described and scored here; never run."""

    kind = "encoder"
    spec = None

    def __init__(self, name: str, episodes: int = 60, renderer: str = "fast") -> None:
        self.id = name
        self.protocol = DemoProtocol(episodes=episodes, renderer=renderer)
        short = name.split("/")[1].rsplit("-v", 1)[0]
        self.metrics = (
            Metric("success", "success", scale=100, unit="%", paper=PAPERS.get(short), ceiling=CEILINGS.get(short)),
            Metric("distance", unit="m", error_value=2.0, higher_is_better=False),
        )

    def heats(self) -> Sequence[Heat]:
        return [Heat("all", tuple(trial_id(index) for index in range(self.protocol.episodes)))]

    def run(self, heat: Heat, entrant: Any, workspace: Workspace) -> Iterator[Outcome]:
        raise NotImplementedError

    def scores(self, outcomes: Sequence[Outcome]) -> tuple[Score, ...]:
        return score_outcomes(self.metrics, outcomes)


def trial_id(index: int) -> str:
    return f"seed-{index % 3}/episode-{index:04d}"


def register() -> None:
    """Makes the demo tasks known to this process."""
    for name in [*(f"see/{name}-v1" for name in CONTROL), "find/pasture-imagined-v1", "see/dmc-walker-walk-lite-v1"]:
        summary = f"Fabricated trials of {name.split('/')[1]}."
        TASKS.register(TaskEntry(name, summary, "report_demo:DemoTask", {"name": name}))


def make_runs(out: Path, episodes: int = 60) -> list[RunFolder]:
    """Writes about twenty runs and returns them."""
    register()
    for entrant, skill in SKILLS.items():
        for name in CONTROL:
            if (entrant, name) != (HOSTILE, "toyhand-pen"):
                write_run(out, DemoTask(f"see/{name}-v1", episodes), entrant, skill)
    lite = DemoTask("see/dmc-walker-walk-lite-v1", 10)
    write_run(out, lite, "vit-tiny-mae", 0.5)
    write_run(out, DemoTask("see/dmc-walker-walk-v1", episodes, renderer="opengl"), "vit-tiny-mae", 0.8)
    find = DemoTask("find/pasture-imagined-v1", episodes)
    write_run(out, find, "cow-owl", 0.3)
    write_run(out, find, "cow-clip", 0.2, recorded=episodes // 2)
    write_run(out, find, "frontier-only", 0.1, recorded=7, summarised=False)
    return list_runs(out)


def write_run(
    out: Path,
    task: DemoTask,
    entrant: str,
    skill: float,
    *,
    recorded: int | None = None,
    summarised: bool = True,
    weights: str = "",
) -> RunFolder:
    """Writes one run through the engine's journal."""
    info = RunInfo.describe(task, EntrantEntry(entrant, "encoder", "", f"demo:{entrant}", {"weights": weights}))
    path = out / info.location
    n = task.protocol.episodes if recorded is None else recorded
    generator = np.random.default_rng(derive_seed(task.id, entrant))
    with RunFolder.create_or_open(path, info) as folder:
        outcomes = [_outcome(Workspace(path), index, skill, generator) for index in range(n)]
        journal = folder.journal()
        journal.append(outcomes)
        journal.commit()
        journal.close()
        if summarised:
            errors = sum(outcome.status == "error" for outcome in outcomes)
            expected = task.protocol.episodes
            scores = task.scores(outcomes)
            folder.write_summary(RunSummary(task.id, entrant, expected, n, errors, scores, 9.5, n == expected))
    return RunFolder.open(path)


def _outcome(workspace: Workspace, index: int, skill: float, generator: np.random.Generator) -> Outcome:
    trial, cluster = trial_id(index), f"seed-{index % 3}"
    common = {"cluster": cluster, "seed": derive_seed(trial), "wall_time_s": float(generator.gamma(4, 0.3))}
    if index % 17 == 5:
        text = "Traceback (most recent call last):\n  ...\nValueError: features hold <script>alert(1)</script> NaN"
        return Outcome(trial, status="error", error=text, **common)
    success = float(generator.random() < skill)
    artifacts = _artifacts(workspace, trial, generator) if index < 3 else {}
    if index == 3:
        artifacts = {"gone": "artifacts/gone.mp4", "outside": "../../../../etc/passwd"}
    return Outcome(
        trial,
        metrics={"success": success, "distance": float(generator.gamma(2, 0.3 - 0.2 * success))},
        steps=int(generator.integers(40, 500)),
        artifacts=artifacts,
        details={
            "actions": ["forward", "forward", "left", "grasp </script>"],
            "judge": "The arm lifts the hammer,\nthen drops it.",
            "goal": {"object": "hammer", "position_m": [0.1, 0.4, 0.02]},
        },
        **common,
    )


def _artifacts(workspace: Workspace, trial: str, generator: np.random.Generator) -> dict[str, str]:
    video = workspace.artifact(trial, "video.mp4")
    write_mp4(video, _frames(generator), fps=12)
    picture = workspace.artifact(trial, "last frame.png")
    Image.fromarray(_frames(generator)[-1]).save(picture)
    states = workspace.artifact(trial, "states.npz")
    np.savez(states, states=np.zeros(3))
    paths = {"video": video, "last frame": picture, "states": states}
    return {name: workspace.relative(path) for name, path in paths.items()}


def _frames(generator: np.random.Generator) -> np.ndarray:
    """A ball that crosses a field: something to look at in a browser."""
    y, x = np.mgrid[0:120, 0:160]
    field = np.stack([60 + x // 3, 90 + y // 2, np.full_like(x, 120)], axis=-1).astype(np.uint8)
    frames = np.repeat(field[None], 24, axis=0)
    row = int(generator.integers(30, 90))
    for step, frame in enumerate(frames):
        frame[(x - 6 * step - 10) ** 2 + (y - row) ** 2 < 120] = (240, 170, 60)
    return frames
