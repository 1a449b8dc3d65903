"""Rehearses an entrant on made-up questions, in the same sandbox as the real evaluation."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pentathlon.core.entrant_folder import load_entrant
from pentathlon.core.errors import PentathlonError
from pentathlon.core.specs import EncoderSpec, InteractionSpec, JudgeSpec, compare_specs
from pentathlon.core.task import Task
from pentathlon.events.act.policies.folder import load_policy
from pentathlon.events.act.tasks import ActTask
from pentathlon.events.act.trial import check_actions, for_seed, run_trial
from pentathlon.server.robots.drivers import simulated
from pentathlon.server.sandbox.kinds.opening import open_sandboxed
from pentathlon.server.sandbox.kinds.stubs import Episode, ask_all
from pentathlon.server.sandbox.limits import Limits
from pentathlon.server.sandbox.unpacking.archives import extract
from pentathlon.server.sandbox.unpacking.unpack import unpack
from pentathlon.server.sizes import MEBIBYTE
from pentathlon.worlds.tabletop.arm.robot import CONTROL_HZ

Verdict = Literal["pass", "warn", "fail"]


@dataclass(frozen=True)
class Finding:
    """What one check found."""

    check: str
    verdict: Verdict
    text: str


def rehearse(
    entrant: Path, task: Task, *, limits: Limits, log: Path, steps: int, sandboxed: bool = True, episode: bool = True
) -> Iterator[Finding]:
    """Builds the entrant, asks it the same questions twice, and tells of each check as it is done.

    Args:
        entrant: a folder, or an archive as it would be uploaded.
        task: that it is for.
        limits: of the real evaluation.
        log: takes what the entrant prints.
        steps: questions in each of the two rounds.
        sandboxed: without, the entrant runs in this process and nothing limits it.
        episode: whether a policy also runs a whole trial of the task on a simulated robot.
    """
    try:
        with _unpacked(entrant, limits, sandboxed) as folder:
            yield from _rehearse(folder, task, limits, log, steps, sandboxed, episode)
    except PentathlonError as error:
        state = getattr(error, "state", type(error).__name__)
        yield Finding("ends in good order", "fail", f"{state}: {error}")


def _rehearse(
    folder: Path, task: Task, limits: Limits, log: Path, steps: int, sandboxed: bool, episode: bool
) -> Iterator[Finding]:
    started_s = time.monotonic()
    with _opened(folder, task, limits, log, sandboxed) as entrant:
        load_s = time.monotonic() - started_s
        yield Finding("is built", "pass", f"in {load_s:.1f} s of {limits.start_s:g} s")
        if task.spec is not None:
            compare_specs(task.spec, entrant.spec)
        yield Finding("fits the task", "pass", _declares(entrant.spec))
        first = ask_all(entrant, task.kind, task.spec, steps)
        yield _answers(first, task)
        yield _latency(first, limits, task)
        yield _determinism(first, ask_all(entrant, task.kind, task.spec, steps))
        if episode and isinstance(task, ActTask):
            yield _whole_trial(entrant, task)
        yield _memory(entrant, limits)
    yield Finding("ends in good order", "pass", "")


@contextmanager
def _opened(folder: Path, task: Task, limits: Limits, log: Path, sandboxed: bool) -> Iterator[Any]:
    if sandboxed:
        with open_sandboxed(task.kind, folder, limits=limits, log=log, spec=task.spec) as entrant:
            yield entrant
    elif task.kind == "policy":
        yield for_seed(load_policy(folder), 0)
    else:
        yield load_entrant(folder, task.kind)


@contextmanager
def _unpacked(entrant: Path, limits: Limits, sandboxed: bool) -> Iterator[Path]:
    if entrant.is_dir():
        yield entrant
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "entrant"
        (unpack if sandboxed else extract)(entrant, folder, limits)
        yield folder


def _declares(spec: InteractionSpec | EncoderSpec | JudgeSpec) -> str:
    if isinstance(spec, InteractionSpec):
        return "uses " + ", ".join(f"{array.name} {list(array.shape)}" for array in spec.observations)
    if isinstance(spec, EncoderSpec):
        return f"gives features of length {spec.dim}"
    return f"takes {spec.frames or 'any number of'} frames"


def _answers(episode: Episode, task: Task) -> Finding:
    if isinstance(task, ActTask):
        lengths = sorted({len(check_actions(answer, step)) for step, answer in enumerate(episode.answers)})
        range_ = " to ".join(map(str, sorted({lengths[0], lengths[-1]})))
        several = "one action" if lengths == [1] else f"{range_} actions"
        return Finding("moves the robot", "pass", f"{len(episode.answers)} answers of {several}, all within reach")
    shapes = {str(list(answer.shape)) for answer in episode.answers}
    return Finding("answers", "pass", f"{len(episode.answers)} times, with shape {' or '.join(sorted(shapes))}")


def _latency(episode: Episode, limits: Limits, task: Task) -> Finding:
    seconds = np.array(episode.seconds)
    mean_ms, p95_ms = 1000 * seconds.mean(), 1000 * np.percentile(seconds, 95)
    text = f"mean {mean_ms:.1f} ms, p95 {p95_ms:.1f} ms"
    if not isinstance(task, ActTask):
        return Finding("keeps up", "pass", f"{text}; an answer may take {limits.step_s:g} s")
    # A chunk is followed for its whole length before the next answer is needed.
    budget_ms = 1000 / CONTROL_HZ * min(len(np.atleast_2d(answer)) for answer in episode.answers)
    text += f"; {budget_ms:.0f} ms pass until the next answer is needed"
    if p95_ms <= budget_ms:
        return Finding("keeps up", "pass", text)
    return Finding("keeps up", "warn", f"{text}: a simulated robot waits up to {limits.step_s:g} s, a real one jerks")


def _whole_trial(policy: Any, task: ActTask) -> Finding:
    trial = task.protocol.trials()[0]
    outcome = run_trial(simulated("rehearsal", task.protocol.image_size), policy, trial, task.protocol)
    if outcome.status == "error":
        return Finding("runs a whole trial", "fail", outcome.error)
    text = f"{outcome.steps} steps on a simulated robot, {outcome.metrics['reward_g']:.1f} g"
    if clamped_rad := outcome.details.get("clamped_rad"):
        text += f"; targets up to {clamped_rad:.4f} rad outside of the limits were moved to them"
    return Finding("runs a whole trial", "pass", text)


def _determinism(first: Episode, second: Episode) -> Finding:
    pairs = list(zip(first.answers, second.answers, strict=True))
    if all(a.shape == b.shape and (a == b).all() for a, b in pairs):
        return Finding("repeats itself", "pass", "the same answers to the same questions after reset")
    numbers = [(a, b) for a, b in pairs if a.shape == b.shape and a.dtype.kind == "f"]
    most = max((float(np.abs(a - b).max()) for a, b in numbers), default=0.0)
    how = f"by up to {most:.2g}" if len(numbers) == len(pairs) else "in length or choice"
    return Finding("repeats itself", "warn", f"answers differ {how}: trials cannot be repeated exactly")


def _memory(entrant: Any, limits: Limits) -> Finding:
    session = getattr(entrant, "session", None)
    if session is None:
        return Finding("memory", "warn", "not measured without the sandbox")
    peak_mib, limit_mib = session.peak_memory_bytes() / MEBIBYTE, limits.memory_bytes / MEBIBYTE
    return Finding("memory", "pass", f"peak {peak_mib:,.0f} MiB of {limit_mib:,.0f} MiB")
