"""Runs one trial of judge: a judge looks at every video of a problem set and scores every description of it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from pentathlon.core import Briefing, Outcome, Workspace, derive_seed
from pentathlon.core.entrants import Judge
from pentathlon.events.judge.data.films import FilmLog, has_log, make_films, progress_at, read_log
from pentathlon.events.judge.data.frames import Frames, read_frames, read_prefixes
from pentathlon.events.judge.data.problem_sets import Clip, ProblemSet
from pentathlon.events.judge.metrics import Numbers, checked_scores
from pentathlon.events.judge.pictures import FrameStrips
from pentathlon.events.judge.protocol import JudgeProtocol
from pentathlon.events.judge.records import Sheet, about, sheet_metrics

AHEAD = 2
"""Videos that are decoded while a judge looks at another."""


def run_trial(problem_set: ProblemSet, judge: Judge, protocol: JudgeProtocol, workspace: Workspace) -> Outcome:
    """Makes the films that are not there, lets the judge score each, and keeps every score.

    Raises:
        EntrantError: when the judge gives other than one finite number for each description.
        DataError: naming the video that cannot be made or read.
    """
    started = time.perf_counter()
    make_films(problem_set)
    rows, remarks = [], []
    strips = FrameStrips(workspace, trial_id(problem_set))
    for clip, parts in _frames(problem_set.clips, judge.spec.frames or protocol.frames, protocol):
        rows.append(_score(judge, problem_set, clip, parts))
        remarks.append(getattr(judge, "remarks", None))
        strips.add(parts[-1])
    sheet = _sheet(problem_set, rows, protocol)
    details = {
        **about(problem_set),
        **sheet.plain(),
        "misses": [clip.miss for clip in problem_set.clips],
        "told": list(judge.spec.told),
    }
    if any(remark is not None for remark in remarks):
        details |= {"remarks": remarks, "counts": _totals(remarks)}
    return Outcome(
        trial=trial_id(problem_set),
        metrics=sheet_metrics(sheet, protocol.measure),
        seed=trial_seed(problem_set),
        cluster=trial_id(problem_set),
        steps=len(problem_set.clips),
        wall_time_s=time.perf_counter() - started,
        artifacts=strips.artifacts,
        details=details,
    )


def _totals(remarks: Sequence[Any]) -> dict[str, int]:
    """Adds up what a judge counts for each video, such as refusals and tokens."""
    totals: Counter[str] = Counter()
    for remark in remarks:
        totals.update(remark.get("counts", {}) if isinstance(remark, dict) else {})
    return dict(totals)


def trial_id(problem_set: ProblemSet) -> str:
    """The id of a problem set, as runs name their trials."""
    return problem_set.id


def trial_seed(problem_set: ProblemSet) -> int:
    """The seed of a judge's randomness on a problem set."""
    return derive_seed("judge", problem_set.id) % 2**31 or 1


def _frames(clips: Sequence[Clip], count: int, protocol: JudgeProtocol) -> Iterator[tuple[Clip, Sequence[Frames]]]:
    """Yields each clip with what the judge is to see: the whole of it, or its prefixes."""

    def read(clip: Clip) -> Sequence[Frames]:
        if protocol.measure == "progress":
            return read_prefixes(clip.path, count, protocol.prefixes)
        return [read_frames(clip.path, count)]

    with ThreadPoolExecutor(AHEAD) as readers:
        waiting: list[Future[Sequence[Frames]]] = [readers.submit(read, clip) for clip in clips[:AHEAD]]
        for place, clip in enumerate(clips):
            frames = waiting.pop(0).result()
            if place + AHEAD < len(clips):
                waiting.append(readers.submit(read, clips[place + AHEAD]))
            yield clip, frames


def _brief(judge: Judge, problem_set: ProblemSet, clip: Clip, share: float) -> None:
    """Tells a judge that listens what the problem is about, and one that says so what is true of the clip."""
    listen = getattr(judge, "brief", None)
    if listen is None:
        return
    facts: dict[str, Any] = {
        "labels": list(problem_set.descriptions),
        "example": problem_set.example,
        "environment": problem_set.environment,
        "multi_label": problem_set.multi_label,
        "clip": clip.name,
    }
    makers: dict[str, Callable[[], Any]] = {
        "true_labels": lambda: list(clip.labels),
        "all_true_labels": lambda: [list(one.labels) for one in problem_set.clips],
        "log": lambda: read_log(clip.path) if has_log(clip.path) else None,
        "steps": lambda: [problem_set.steps.get(label, ()) for label in problem_set.descriptions],
        "share": lambda: share,
    }
    told = {name: makers[name]() for name in judge.spec.told}
    listen(Briefing(problem_set.instruction, trial_seed(problem_set), {**facts, **told}))


def _score(judge: Judge, problem_set: ProblemSet, clip: Clip, parts: Sequence[Frames]) -> Numbers:
    """One number per description of the whole clip; of prefixes, one per prefix."""
    sentences = list(problem_set.descriptions.values())
    rows = []
    for number, frames in enumerate(parts, start=1):
        _brief(judge, problem_set, clip, number / len(parts))
        given = judge.score(frames, sentences)
        rows.append(checked_scores(given, len(sentences), f"{clip.name} in {problem_set.id}"))
    return rows[0] if len(rows) == 1 else np.stack(rows)[:, 0]


def _sheet(problem_set: ProblemSet, rows: Sequence[Numbers], protocol: JudgeProtocol) -> Sheet:
    progress = None
    if protocol.measure == "progress":
        progress = np.stack([true_progress(read_log(clip.path), protocol.prefixes) for clip in problem_set.clips])
    return Sheet(
        tuple(problem_set.descriptions),
        tuple(clip.name for clip in problem_set.clips),
        tuple(clip.labels for clip in problem_set.clips),
        np.stack(rows),
        progress,
    )


def true_progress(log: FilmLog, prefixes: int) -> Numbers:
    """The share of the steps that are done at the end of each prefix; of a step under way, its share of time."""
    return np.array([progress_at(log, number / prefixes) for number in range(1, prefixes + 1)])
