"""Tasks for an agent, a judge and an encoder, as another package would register them by its entry point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pentathlon.core import (
    ArraySpec,
    Briefing,
    ChoiceSpec,
    Heat,
    InteractionSpec,
    JudgeSpec,
    Metric,
    Outcome,
    Score,
    TaskEntry,
    Workspace,
)
from pentathlon.core.entrants import Kind
from pentathlon.core.trial import Origin
from pentathlon.stats import score_outcomes

SUCCESS = Metric("success", "success", scale=100.0, unit="%")
DISTRIBUTION = "toy_tasks-1.dist-info"


def _heat(id: str, trials: tuple[str, ...], data: dict[str, str] | None = None) -> Heat:
    return Heat(id, trials, data or {}, origins={trial: Origin(id) for trial in trials})


class _ToyTask:
    metrics = (SUCCESS,)

    def scores(self, outcomes: Sequence[Outcome]) -> tuple[Score, ...]:
        return score_outcomes(self.metrics, outcomes)


class WalkTask(_ToyTask):
    """The agent is told which way to go and must go there."""

    id = "example/toy-walk-v1"
    kind: Kind = "agent"
    protocol = ("three steps",)
    spec = InteractionSpec((ArraySpec("place", (1,), "float32"),), ChoiceSpec(("left", "right")))

    def heats(self) -> Sequence[Heat]:
        return [_heat(way, (f"{way}-0", f"{way}-1"), {"way": way}) for way in ("left", "right")]

    def run(self, heat: Heat, entrant: Any, workspace: Workspace) -> Iterator[Outcome]:
        way = str(heat.data["way"])
        for trial in heat.trials:
            entrant.reset(Briefing(f"Go {way}.", 7, {"length": 3}))
            place = np.zeros(1, np.float32)
            for _ in range(3):
                action = entrant.act({"place": place, "goal": way, "unused": np.zeros(3)})
                place += 1.0 if action == "right" else -1.0
            went = entrant.answer("Which way did you go?")
            success = float(place[0]) == (3.0 if way == "right" else -3.0) and went == way
            yield Outcome(trial, {"success": float(success)}, cluster=heat.id, steps=3)


class BrightnessTask(_ToyTask):
    """The judge must tell bright clips from dark ones."""

    id = "example/toy-brightness-v1"
    kind: Kind = "judge"
    protocol = ("four frames",)
    spec = JudgeSpec()

    def heats(self) -> Sequence[Heat]:
        return [_heat("all", ("dark", "bright"))]

    def run(self, heat: Heat, entrant: Any, workspace: Workspace) -> Iterator[Outcome]:
        for trial in heat.trials:
            clip = np.full((4, 8, 8, 3), 250 if trial == "bright" else 5, np.uint8)
            bright, dark = entrant.score(clip, ["it is bright", "it is dark"])
            yield Outcome(trial, {"success": float((bright > dark) == (trial == "bright"))}, cluster=heat.id)


class ShadesTask(_ToyTask):
    """The encoder must tell a bright picture from a dark one by its first feature."""

    id = "example/toy-shades-v1"
    kind: Kind = "encoder"
    protocol = ("ten pictures",)
    spec = None

    def heats(self) -> Sequence[Heat]:
        return [_heat("all", ("few", "many"))]

    def run(self, heat: Heat, entrant: Any, workspace: Workspace) -> Iterator[Outcome]:
        for trial in heat.trials:
            shades = np.arange(0, 250, 25 if trial == "many" else 100).astype(np.uint8)
            features = entrant.encode(np.broadcast_to(shades[:, None, None, None], (len(shades), 16, 16, 3)).copy())
            success = np.allclose(features.pooled[:, 0] * 255, shades, atol=0.1)
            yield Outcome(trial, {"success": float(success)}, cluster=heat.id)


TABLE = (
    TaskEntry("example/toy-walk-v1", "go where you are told", "toy_tasks:WalkTask"),
    TaskEntry("example/toy-brightness-v1", "is it bright?", "toy_tasks:BrightnessTask"),
    TaskEntry("example/toy-shades-v1", "how bright is it?", "toy_tasks:ShadesTask"),
)


def install(folder: Path) -> None:
    """Makes this module findable as an installed package is: by its metadata in a folder on Python's path."""
    metadata = folder / DISTRIBUTION
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-tasks\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[pentathlon.tasks]\ntoy = toy_tasks:TABLE\n")
