"""Rehearses an agent on a stub of the robot, in the same sandbox as the real evaluation."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pentathlon.core.entrants import Floats, Policy
from pentathlon.core.errors import PentathlonError
from pentathlon.core.specs import InteractionSpec, compare_specs
from pentathlon.events.act.policies.folder import load_policy
from pentathlon.events.act.trial import check_actions, for_seed
from pentathlon.server.sandbox.archives import extract
from pentathlon.server.sandbox.limits import Limits
from pentathlon.server.sandbox.policy import SandboxedPolicy, open_policy
from pentathlon.server.sandbox.unpacking import unpack
from pentathlon.server.sizes import MEBIBYTE
from pentathlon.worlds.tabletop.arm.robot import CONTROL_HZ, TOTO_START_RAD

Verdict = Literal["pass", "warn", "fail"]


@dataclass(frozen=True)
class Finding:
    """What one check found."""

    check: str
    verdict: Verdict
    text: str


@dataclass(frozen=True)
class Episode:
    """What an agent answered, and how long each answer took."""

    chunks: tuple[Floats, ...]
    seconds: tuple[float, ...]


def rehearse(
    agent: Path, spec: InteractionSpec, *, limits: Limits, log: Path, steps: int, sandboxed: bool = True
) -> Iterator[Finding]:
    """Builds the agent, lets it act twice on the same observations, and tells of each check as it is done.

    Args:
        agent: a folder, or an archive as it would be uploaded.
        spec: what the robot offers and takes.
        limits: of the real evaluation.
        log: takes what the agent prints.
        steps: predictions in each of the two episodes.
        sandboxed: without, the agent runs in this process and nothing limits it.
    """
    try:
        with _unpacked(agent, limits, sandboxed) as folder:
            yield from _rehearse(folder, spec, limits, log, steps, sandboxed)
    except PentathlonError as error:
        state = getattr(error, "state", type(error).__name__)
        yield Finding("ends in good order", "fail", f"{state}: {error}")


def _rehearse(
    folder: Path, spec: InteractionSpec, limits: Limits, log: Path, steps: int, sandboxed: bool
) -> Iterator[Finding]:
    started_s = time.monotonic()
    with _opened(folder, spec, limits, log, sandboxed) as policy:
        load_s = time.monotonic() - started_s
        yield Finding("is built", "pass", f"in {load_s:.1f} s of {limits.start_s:g} s")
        compare_specs(spec, policy.spec)
        used = ", ".join(f"{array.name} {list(array.shape)}" for array in policy.spec.observations)
        yield Finding("fits the robot", "pass", f"uses {used}")
        first = _act(policy, spec, steps)
        yield _shapes(first)
        yield _latency(first, limits)
        yield _determinism(first, _act(policy, spec, steps))
        yield _memory(policy, limits)
    yield Finding("ends in good order", "pass", "")


@contextmanager
def _opened(folder: Path, spec: InteractionSpec, limits: Limits, log: Path, sandboxed: bool) -> Iterator[Policy]:
    if sandboxed:
        with open_policy(folder, limits=limits, log=log, spec=spec) as policy:
            yield policy
    else:
        yield for_seed(load_policy(folder), 0)


@contextmanager
def _unpacked(agent: Path, limits: Limits, sandboxed: bool) -> Iterator[Path]:
    if agent.is_dir():
        yield agent
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "agent"
        (unpack if sandboxed else extract)(agent, folder, limits)
        yield folder


def _act(policy: Policy, spec: InteractionSpec, steps: int) -> Episode:
    policy.reset()
    chunks, seconds = [], []
    for step in range(steps):
        observation = stub_observation(spec, step)
        started_s = time.perf_counter()
        predicted = policy.predict(observation)
        seconds.append(time.perf_counter() - started_s)
        chunks.append(check_actions(predicted, step))
    return Episode(tuple(chunks), tuple(seconds))


def stub_observation(spec: InteractionSpec, step: int) -> dict[str, Any]:
    """Makes up what the robot might see at a step: noise for pictures, a metre of depth, TOTO's start pose drifting."""
    rng = np.random.default_rng(step)
    observation: dict[str, Any] = {}
    for array in spec.observations:
        shape = tuple(length or 1 for length in array.shape)
        if array.name == "joints":
            observation[array.name] = (np.array(TOTO_START_RAD) + 0.001 * step).astype(np.float32)
        elif array.dtype == "uint8":
            observation[array.name] = rng.integers(0, 256, shape, np.uint8)
        else:
            observation[array.name] = np.ones(shape, array.dtype)
    return observation


def _shapes(episode: Episode) -> Finding:
    lengths = sorted({len(chunk) for chunk in episode.chunks})
    several = "one action" if lengths == [1] else f"{' to '.join(map(str, sorted({lengths[0], lengths[-1]})))} actions"
    return Finding("moves the robot", "pass", f"{len(episode.chunks)} answers of {several}, all within reach")


def _latency(episode: Episode, limits: Limits) -> Finding:
    seconds = np.array(episode.seconds)
    mean_ms, p95_ms = 1000 * seconds.mean(), 1000 * np.percentile(seconds, 95)
    # A chunk is followed for its whole length before the next answer is needed.
    budget_ms = 1000 / CONTROL_HZ * min(len(chunk) for chunk in episode.chunks)
    text = f"mean {mean_ms:.1f} ms, p95 {p95_ms:.1f} ms; {budget_ms:.0f} ms pass until the next answer is needed"
    if p95_ms <= budget_ms:
        return Finding("keeps up", "pass", text)
    return Finding("keeps up", "warn", f"{text}: a simulated robot waits up to {limits.step_s:g} s, a real one jerks")


def _determinism(first: Episode, second: Episode) -> Finding:
    pairs = list(zip(first.chunks, second.chunks, strict=True))
    if any(a.shape != b.shape for a, b in pairs):
        return Finding("repeats itself", "warn", "answers differ in length: trials cannot be repeated exactly")
    difference_rad = max(float(np.abs(a - b).max()) for a, b in pairs)
    if difference_rad == 0.0:
        return Finding("repeats itself", "pass", "the same answers to the same observations after reset")
    text = f"answers differ by up to {difference_rad:.2g} rad: trials cannot be repeated exactly"
    return Finding("repeats itself", "warn", text)


def _memory(policy: Policy, limits: Limits) -> Finding:
    if not isinstance(policy, SandboxedPolicy):
        return Finding("memory", "warn", "not measured without the sandbox")
    peak_mib, limit_mib = policy.peak_memory_bytes() / MEBIBYTE, limits.memory_bytes / MEBIBYTE
    return Finding("memory", "pass", f"peak {peak_mib:,.0f} MiB of {limit_mib:,.0f} MiB")
