"""Scores whole tiers of judge on frames as they are rendered, without video files: for machines with many cores.

    python bench/judge_full.py make STORE [--tasks 'judge/virtual-home-*'] [--workers 16]
    python bench/judge_full.py score STORE --out rows.jsonl [--judges order frames-dense judge-oracle …]

``make`` looks only at the frames that judges will ask for, which takes a fifth of the time of a film; it goes on where
it stopped. ``score`` runs the tasks themselves; only where frames come from differs. A row per task, judge and metric
is printed as CSV, raw scores go to ``--out``.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import msgspec
import numpy as np

from pentathlon.core import Workspace, resolve_entrant
from pentathlon.core.errors import DataError
from pentathlon.core.registry import match_tasks
from pentathlon.events.judge import trial
from pentathlon.events.judge.data import films
from pentathlon.events.judge.data.frames import Frames, even_places
from pentathlon.events.judge.data.problem_sets import Clip, ProblemSet
from pentathlon.events.judge.films.home.making import shoot
from pentathlon.events.judge.films.home.recipe import WORLD, Recipe
from pentathlon.events.judge.films.shooting import film_log, never
from pentathlon.events.judge.protocol import PREFIXES
from pentathlon.events.judge.tasks import JudgeTask

COUNTS = (1, 16, 32)
JUDGES = ("order", "frames-dense", "judge-oracle", "judge-order-blind", "judge-objects-only", "judge-majority",
          "judge-random")  # fmt: skip


def tasks(patterns: Sequence[str]) -> Iterator[JudgeTask]:
    """Builds tasks on films of a virtual home."""
    for row in match_tasks(patterns):
        task = row.make()
        assert isinstance(task, JudgeTask)
        yield task


def wanted_places(total: int, prefixes: bool) -> list[int]:
    """Every frame that some judge asks for."""
    lengths = [round(total * (one + 1) / PREFIXES) for one in range(PREFIXES)] if prefixes else [total]
    return sorted({int(place) for length in lengths for count in COUNTS for place in even_places(length, count)})


def make_set(store: Path, prefixes: bool, clips: Sequence[Clip]) -> list[str]:
    """Renders the films of one problem set; returns why some could not be."""
    problems = []
    for clip in clips:
        path = store / f"{clip.path.stem}{'-all' if prefixes else ''}.npz"
        if path.exists():
            continue
        recipe = msgspec.convert(clip.recipe, Recipe)
        try:
            total = len(shoot(recipe, look=never).frames)
            places = wanted_places(total, prefixes)
            frames, steps = shoot(recipe, look=frozenset(places).__contains__)
        except DataError as error:
            problems.append(str(error))
            continue
        log = msgspec.json.encode(film_log(WORLD, recipe, total, steps))
        partial_path = path.with_suffix(".partial.npz")
        np.savez(partial_path, frames=frames[places], places=places, log=np.frombuffer(log, np.uint8))
        partial_path.replace(path)
    return problems


def make(store: Path, found: Sequence[JudgeTask], workers: int) -> None:
    """Renders what is missing."""
    store.mkdir(parents=True, exist_ok=True)
    began_s = time.time()
    for prefixes in (False, True):
        sets = [one for task in found if (task.protocol.measure == "progress") == prefixes for one in task.problem_sets]
        # Those of level 1 have many films, each with a kitchen of its own.
        parts = [one.clips[at : at + 9] for one in sets for at in range(0, len(one.clips), 9)]
        with multiprocessing.get_context("spawn").Pool(workers) as pool:
            for done, problems in enumerate(pool.imap_unordered(partial(make_set, store, prefixes), parts), start=1):
                for problem in problems:
                    print("left out:", problem, flush=True)
                if done % 50 == 0 or done == len(parts):
                    print(f"{done}/{len(parts)} parts, {time.time() - began_s:.0f} s", flush=True)


class Store:
    """Frames and logs that were made, in place of videos."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        trial.make_films = self.make_films  # type: ignore[attr-defined]
        trial.read_frames = self.read_frames  # type: ignore[attr-defined]
        trial.read_prefixes = self.read_prefixes  # type: ignore[attr-defined]
        trial.read_log = self.read_log  # type: ignore[attr-defined,assignment]
        trial.has_log = lambda film: True  # type: ignore[attr-defined]

    def make_films(self, problem_set: ProblemSet) -> None:
        """Nothing is left to make."""

    def read_log(self, path: Path) -> films.FilmLog:
        """Reads a log."""
        return msgspec.json.decode(bytes(self._open(path)["log"]), type=films.FilmLog)

    def read_frames(self, path: Path, count: int) -> Frames:
        """Reads evenly spaced frames."""
        return self._at(path, [even_places(self.read_log(path).frames, count).tolist()])[0]

    def read_prefixes(self, path: Path, count: int, prefixes: int) -> list[Frames]:
        """Reads evenly spaced frames of each prefix."""
        total = self.read_log(path).frames
        rows = [even_places(round(total * (one + 1) / prefixes), count).tolist() for one in range(prefixes)]
        return self._at(path, rows, "-all")

    def _at(self, path: Path, rows: Sequence[Sequence[int]], mark: str = "") -> list[Frames]:
        found = self._open(path, mark)
        number = {int(place): i for i, place in enumerate(found["places"])}
        frames = found["frames"]
        return [frames[[number[place] for place in row]] for row in rows]

    def _open(self, path: Path, mark: str = "") -> dict[str, Frames]:
        both = [self._folder / f"{path.stem}{one}.npz" for one in (mark, "" if mark else "-all")]
        return np.load(next(one for one in both if one.exists()))  # type: ignore[no-any-return]

    def holds(self, problem_set: ProblemSet) -> bool:
        """Whether all of a set's films were made."""
        return all(any(self._folder.glob(f"{clip.path.stem}*.npz")) for clip in problem_set.clips)


def score(store: Store, found: Sequence[JudgeTask], judges: Sequence[str], out: Path) -> None:
    """Runs every task with every judge."""
    print("task,judge,metric,value,low,high,problem_sets")
    with out.open("w") as file:
        for name in judges:
            judge, shown = resolve_entrant(name).make(), name.partition("@")[0]
            for task in found:
                outcomes = []
                for problem_set in task.problem_sets:
                    if store.holds(problem_set):
                        workspace = Workspace(out.parent, videos=False)
                        outcomes.append(trial.run_trial(problem_set, judge, task.protocol, workspace))
                for outcome in outcomes:
                    file.write(json.dumps({"task": task.id, "judge": shown, **dataclasses.asdict(outcome)}) + "\n")
                for one in task.scores(outcomes) if outcomes else ():
                    ends = ["" if end is None else f"{end:.4f}" for end in (one.low, one.high)]
                    row = (task.id, shown, one.metric, f"{one.value:.4f}", *ends, str(len(outcomes)))
                    print(",".join(row), flush=True)


def main() -> int:
    """Parses and does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "score"))
    parser.add_argument("store", type=Path)
    parser.add_argument("--tasks", nargs="+", default=["judge/virtual-home-*", "judge/near-miss-*", "judge/progress-*"])
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--judges", nargs="+", default=list(JUDGES))
    parser.add_argument("--out", type=Path, default=Path("rows.jsonl"))
    given = parser.parse_args()
    found = list(tasks(given.tasks))
    if given.what == "make":
        make(given.store, found, given.workers)
    else:
        score(Store(given.store), found, given.judges, given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
