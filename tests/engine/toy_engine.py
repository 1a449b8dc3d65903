"""A tiny task and entrants that the engine's tests run in worker processes, with every kind of misbehaviour."""

from __future__ import annotations

import errno
import os
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pentathlon.core import (
    ArraySpec,
    Briefing,
    ChoiceSpec,
    EncoderSpec,
    Features,
    Heat,
    InteractionSpec,
    Metric,
    Origin,
    Outcome,
    Score,
    Workspace,
    derive_seed,
)
from pentathlon.storage import write_mp4

TASK_ID = "example/toy-v1"
SPEC = InteractionSpec(
    observations=(ArraySpec("number", (), "float64"), ArraySpec("image", (8, 8, 3), "uint8")),
    action=ChoiceSpec(("left", "right")),
)


@dataclass(frozen=True)
class ToyProtocol:
    trials: int = 12
    heat_size: int = 4
    joint: bool = False
    revision: int = 1


class ToyTask:
    """Each trial asks for one action on a number that follows from the trial's id.

    ``faults`` maps trial ids to what goes wrong there; it is no part of the protocol, so a run can be continued
    without them.
    """

    id = TASK_ID
    kind = "agent"
    spec = SPEC
    metrics = (Metric("success", "success"), Metric("number"))

    def __init__(self, faults: dict[str, str] | None = None, pause_s: float = 0.0, **protocol: Any) -> None:
        self.protocol = ToyProtocol(**protocol)
        self._faults = faults or {}
        self._pause_s = pause_s

    def heats(self) -> Sequence[Heat]:
        names = [f"t{index:04}" for index in range(self.protocol.trials)]
        size = self.protocol.heat_size
        return [
            self._heat(f"h{start // size}", names[start : start + size], start) for start in range(0, len(names), size)
        ]

    def _heat(self, name: str, trials: Sequence[str], start: int) -> Heat:
        origins = {trial: Origin(cluster=name, seed=derive_seed(self.id, trial)) for trial in trials}
        return Heat(name, tuple(trials), {"start": start}, self.protocol.joint, origins)

    def run(self, heat: Heat, entrant: Any, workspace: Workspace) -> Iterator[Outcome]:
        for trial in heat.trials:
            fault = self._faults.get(trial, "")
            if fault == "silent":
                continue
            time.sleep(self._pause_s)
            yield self._trial(heat, trial, entrant, workspace, fault)
            if fault == "twice":
                yield Outcome(trial, {"success": 1.0, "number": 0.0})
            if fault == "late":
                raise OSError("cannot close the world")

    def _trial(self, heat: Heat, trial: str, entrant: Any, workspace: Workspace, fault: str) -> Outcome:
        seed = heat.origins[trial].seed
        number = float(np.random.default_rng(seed).random())
        misbehave(fault, workspace.folder / f"{trial}.died")
        entrant.reset(Briefing("go right of one half", seed))
        right = entrant.act({"number": number}) == "right"
        artifacts = film(workspace, trial) if fault == "film" else {}
        return Outcome(
            trial=f"x{trial}" if fault == "renamed" else trial,
            metrics={
                "success": float(right == (number > 0.5)),
                "number": np.float64("inf" if fault == "infinite" else number),
            },
            cluster="elsewhere" if fault == "astray" else "",
            steps=1,
            artifacts=artifacts,
            details={"start": heat.data["start"], "odd": object() if fault == "odd" else np.arange(2)},
        )

    def scores(self, outcomes: Sequence[Outcome]) -> tuple[Score, ...]:
        wins = sum(outcome.metrics.get("success", 0.0) for outcome in outcomes)
        return (Score("success", 100 * wins / len(outcomes), 0.0, 100.0, len(outcomes), unit="%"),)


def film(workspace: Workspace, trial: str) -> dict[str, str]:
    path = workspace.artifact(trial, "video.mp4")
    write_mp4(path, np.random.default_rng(0).integers(0, 256, (4, 96, 96, 3), dtype=np.uint8), fps=10)
    return {"video": workspace.relative(path)}


def misbehave(fault: str, mark: Path) -> None:
    match fault:
        case "raise":
            raise ValueError("the toy broke")
        case "raise twice":
            with mark.open("a", encoding="utf-8") as file:
                file.write("x")
            if mark.stat().st_size <= 2:
                raise ValueError("the toy broke")
        case "hang":
            time.sleep(600)
        case "gated":
            while not (mark.parent / "open").exists():
                time.sleep(0.02)
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "segfault":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "killed once" if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        case "full disk":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        case "full disk elsewhere":
            raise RuntimeError("write failed: No space left on device (os error 28)")
        case "no memory":
            raise MemoryError
        case "wrapped":
            try:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            except OSError as error:
                raise ValueError("the video could not be written") from error
        case "die once" if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGSEGV)
        case "die with child":
            if (child := os.fork()) == 0:
                time.sleep(600)
            with mark.open("a", encoding="utf-8") as file:
                print(child, file=file)
            os.kill(os.getpid(), signal.SIGSEGV)
        case "exit":
            os._exit(7)


class ToyAgent:
    spec = InteractionSpec(observations=(ArraySpec("number", (), "float64"),), action=SPEC.action)

    def __init__(self, threshold: float = 0.5) -> None:
        self._threshold = threshold

    def reset(self, briefing: Briefing) -> None:
        self._seed = briefing.seed

    def act(self, observation: Any) -> str:
        return "right" if observation["number"] > self._threshold else "left"


class WrongActions(ToyAgent):
    spec = InteractionSpec(observations=(), action=ChoiceSpec(("up", "down")))


class ToyEncoder:
    spec = EncoderSpec(dim=1, image_size=(8, 8))

    def encode(self, images: np.ndarray) -> Features:
        return Features(images.mean(axis=(1, 2), dtype=np.float32))


def broken_agent() -> ToyAgent:
    raise RuntimeError("no weights here")


def endless_agent() -> ToyAgent:
    time.sleep(600)
    raise AssertionError


def deadly_agent() -> ToyAgent:
    os.kill(os.getpid(), signal.SIGABRT)
    raise AssertionError
