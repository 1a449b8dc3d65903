"""Scores whole tiers of judge on frames as they are rendered, without video files: for machines with many cores.

    python bench/judge_full.py look OUT [--tasks 'judge/*-v1'] [--workers 16] [--minutes 12] [--turns 5] [--known OLD …]
    python bench/judge_full.py sum ROWS.jsonl … --runs runs > scores.csv

``look`` goes through tasks in the order given, renders only the frames that judges ask for, lets every network score
them, and appends a row per film to ``OUT/rows.jsonl``; it goes on where it stopped. ``sum`` runs the tasks themselves
with the scores kept, and with judges that need no picture; it leaves whole run folders, for ``pentathlon study
judge-figures``, ``report`` and ``rescore``, and prints a row per task, judge and metric.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from pentathlon.core import EntrantError, resolve_entrant
from pentathlon.core.entrants import Briefing, Floats, Images
from pentathlon.core.errors import DataError
from pentathlon.core.registry import TaskEntry, match_tasks
from pentathlon.core.specs import JudgeSpec
from pentathlon.engine.runner import RunRequest, run
from pentathlon.events.judge import trial
from pentathlon.events.judge.data import films
from pentathlon.events.judge.data.frames import Frames, even_places
from pentathlon.events.judge.data.problem_sets import Clip, ProblemSet, StepWords
from pentathlon.events.judge.films.shooting import Take, film_log, never
from pentathlon.events.judge.protocol import PREFIXES
from pentathlon.events.judge.tasks import JudgeTask

NETWORKS = ("order", "frames-dense", "frames-dense-2", "frames-dense-4", "frames-dense-8", "frames-dense-32")
OF_PREFIXES = ("order", "frames-dense")
TOLD = ("judge-oracle", "judge-order-blind", "judge-objects-only", "judge-majority", "judge-random")
TASKS = ("judge/*-v1",)
PART = 9
Key = tuple[str, str, str]


class Part(NamedTuple):
    """Some films of a problem set."""

    task: str
    measure: str
    problem_set: ProblemSet
    clips: tuple[Clip, ...]


def task_rows(patterns: Sequence[str]) -> list[TaskEntry]:
    """The full tier's tasks in the order of the patterns."""
    found = {row.id: row for pattern in patterns for row in match_tasks([pattern])}
    return [row for name, row in found.items() if "-lite-" not in name and "-sprint-" not in name]


def build(row: TaskEntry) -> JudgeTask:
    """Builds a task."""
    task = row.make()
    assert isinstance(task, JudgeTask)
    return task


# --- look ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def network(name: str) -> Any:
    """Builds a judge once in each process."""
    return resolve_entrant(name).make()


def shown_lengths(total: int, measure: str) -> list[int]:
    """How long the parts of a film are that are judged."""
    return [round(total * (one + 1) / PREFIXES) for one in range(PREFIXES)] if measure == "progress" else [total]


class Film:
    """A film of which only some frames were looked at."""

    def __init__(self, problem_set: ProblemSet, clip: Clip, measure: str, counts: Sequence[int]) -> None:
        maker = import_module(problem_set.maker.partition(":")[0])
        recipe = msgspec.convert(clip.recipe, maker.Recipe)
        self.total = len(maker.shoot(recipe, look=never).frames)
        self.lengths = shown_lengths(self.total, measure)
        wanted = {int(at) for length in self.lengths for count in counts for at in even_places(length, count)}
        take: Take = maker.shoot(recipe, look=wanted.__contains__)
        self._frames, self.steps = take.frames, take.steps

    def at(self, length: int, count: int) -> Frames:
        """Evenly spaced frames of its beginning."""
        return self._frames[even_places(length, count)]


def look_at(part: Part, deadline_s: float) -> list[dict[str, Any]]:
    """Renders and scores the films of a part, as long as there is time."""
    rows = []
    for clip in part.clips:
        if time.time() < deadline_s:
            rows.append(_row(part, clip))
    return rows


def _row(part: Part, clip: Clip) -> dict[str, Any]:
    began_s = time.process_time()
    names = OF_PREFIXES if part.measure == "progress" else NETWORKS
    key = {"task": part.task, "set": part.problem_set.id, "clip": clip.name}
    counts = [network(name).spec.frames for name in names]
    try:
        film = Film(part.problem_set, clip, part.measure, counts)
    except DataError as error:
        return {**key, "problem": str(error)}
    rendered_s = time.process_time()
    sentences = list(part.problem_set.descriptions.values())
    scores: dict[str, Any] = {}
    remarks: dict[str, Any] = {}
    for name in names:
        judge = network(name)
        given = [judge.score(film.at(length, judge.spec.frames), sentences) for length in film.lengths]
        scores[name] = [[float(f"{one:.7g}") for one in row] for row in given]
        remarks |= {name: judge.remarks} if getattr(judge, "remarks", None) else {}
    return {
        **key, "frames": film.total, "steps": film.steps, "scores": scores, "remarks": remarks,
        "fingerprints": {name: network(name).fingerprint for name in names},
        "cpu_s": [round(rendered_s - began_s, 2), round(time.process_time() - rendered_s, 2)],
    }  # fmt: skip


def _key(row: dict[str, Any]) -> Key:
    return row["task"], row["set"], row["clip"]


def read_rows(paths: Sequence[Path]) -> Iterator[dict[str, Any]]:
    """Reads rows; the last may be cut short."""
    for path in paths:
        for line in path.read_text().splitlines() if path.exists() else ():
            if line.endswith("}"):
                yield json.loads(line)


def parts_left(rows: Sequence[TaskEntry], done: set[Key], turns: int) -> Iterator[Part]:
    """What is to be looked at: task after task, or some sets of every task in turn, spread evenly over its sets."""
    tasks = [build(row) for row in rows]
    for turn in range(turns):
        for task in tasks:
            for one in task.problem_sets[turn::turns]:
                left = [clip for clip in one.clips if (task.id, one.id, clip.name) not in done]
                for at in range(0, len(left), PART):
                    yield Part(task.id, task.protocol.measure, one, tuple(left[at : at + PART]))


def _look(given: tuple[Part, float]) -> list[dict[str, Any]]:
    return look_at(*given)


def look(out: Path, rows: Sequence[TaskEntry], workers: int, minutes: float, known: Sequence[Path], turns: int) -> None:
    """Renders and scores what is missing, as far as time allows."""
    out.mkdir(parents=True, exist_ok=True)
    began_s, path = time.time(), out / "rows.jsonl"
    deadline_s = began_s + 60.0 * minutes
    done = {_key(row) for row in read_rows([path, *known]) if "scores" in row}
    parts = [(part, deadline_s) for part in parts_left(rows, done, turns)]
    made, spent_s = 0, np.zeros(2)
    with path.open("a") as file, multiprocessing.get_context("spawn").Pool(workers) as pool:
        for found in pool.imap_unordered(_look, parts):
            for row in found:
                file.write(json.dumps(row) + "\n")
                made, spent_s = made + 1, spent_s + row.get("cpu_s", (0.0, 0.0))
            file.flush()
            if found:
                films_left = sum(len(part.clips) for part, _ in parts) - made
                spent = f"{spent_s[0]:.0f} + {spent_s[1]:.0f} CPU s"
                told = f"{made} films, {films_left} left, {spent}, {found[-1]['task']}"
                print(f"{time.time() - began_s:.0f} s: {told}", flush=True)
    print("out of time" if time.time() > deadline_s else "all done", flush=True)


# --- sum ----------------------------------------------------------------------------------------------------------


class Kept:
    """Logs and scores that were kept, in place of videos and networks."""

    def __init__(self, rows: Sequence[dict[str, Any]]) -> None:
        self.rows = {_key(row): row for row in rows}
        self._logs = {row["clip"]: row for row in rows if "problem" not in row}
        self._recipes: dict[str, tuple[ProblemSet, Clip]] = {}
        patched: Any = trial
        patched.make_films = lambda problem_set: None
        patched.read_frames = lambda path, count: np.zeros((count, 1, 1, 3), np.uint8)
        patched.read_prefixes = lambda path, count, prefixes: [np.zeros((count, 1, 1, 3), np.uint8)] * prefixes
        patched.read_log, patched.has_log = self.read_log, lambda film: True

    def whole(self, task: JudgeTask) -> list[ProblemSet]:
        """The problem sets whose films were all judged."""
        found = [
            one
            for one in task.problem_sets
            if all("scores" in self.rows.get((task.id, one.id, clip.name), {}) for clip in one.clips)
        ]
        self._recipes |= {clip.path.name: (one, clip) for one in found for clip in one.clips}
        return found

    def networks(self, task: JudgeTask, sets: Sequence[ProblemSet]) -> list[str]:
        """The networks that scored every film of these sets."""
        scored = [self.rows[task.id, one.id, clip.name]["scores"] for one in sets for clip in one.clips]
        return [name for name in NETWORKS if all(name in row for row in scored)]

    def read_log(self, path: Path) -> films.FilmLog:
        """The log as it would lie beside the film."""
        row, (problem_set, clip) = self._logs[path.name], self._recipes[path.name]
        maker = import_module(problem_set.maker.partition(":")[0])
        steps = tuple((StepWords(*words), begin, end) for words, begin, end in row["steps"])
        return film_log(maker.WORLD, msgspec.convert(clip.recipe, maker.Recipe), row["frames"], steps)


class Replayed:
    """A network whose scores were kept; parts of a film are asked for in order."""

    spec = JudgeSpec(frames=1)

    def __init__(self, name: str, kept: Kept, task: JudgeTask, sets: Sequence[ProblemSet]) -> None:
        first = kept.rows[task.id, sets[0].id, sets[0].clips[0].name]
        self.fingerprint = first["fingerprints"][name]
        self.remarks: Any = None
        self._name = name
        self._rows = {
            (tuple(one.descriptions.values()), clip.name): kept.rows[task.id, one.id, clip.name]
            for one in sets
            for clip in one.clips
        }
        self._clip, self._place = "", 0

    def brief(self, briefing: Briefing) -> None:
        """Listens to which film it is."""
        clip = str(briefing.facts["clip"])
        self._place = self._place + 1 if clip == self._clip else 0
        self._clip = clip

    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """The scores that were kept."""
        row = self._rows[tuple(descriptions), self._clip]
        if row["fingerprints"][self._name] != self.fingerprint:
            raise EntrantError(f"Rows of two different networks named {self._name}. Look again.")
        self.remarks = row["remarks"].get(self._name)
        return np.array(row["scores"][self._name][self._place], np.float64)


def sum_up(paths: Sequence[Path], rows: Sequence[TaskEntry], runs: Path) -> None:
    """Runs every task with every judge on what was kept."""
    kept = Kept(list(read_rows(paths)))
    print("task,judge,metric,value,low,high,problem_sets,of")
    for row in rows:
        task = build(row)
        sets = kept.whole(task)
        for name in (*kept.networks(task, sets), *TOLD) if sets else ():
            entrant = resolve_entrant(name)
            judge = entrant.make() if name in TOLD else Replayed(name, kept, task, sets)
            only = tuple(trial.trial_id(one) for one in sets)
            summary = run(RunRequest(task=row, entrant=entrant, out=runs, only=only, built=judge, videos=False))
            for one in summary.scores:
                ends = ["" if end is None else f"{end:.4f}" for end in (one.low, one.high)]
                counts = (str(len(sets)), str(len(task.problem_sets)))
                print(",".join((task.id, name, one.metric, f"{one.value:.4f}", *ends, *counts)), flush=True)


def main() -> int:
    """Parses and does."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="what", required=True)
    looking, summing = commands.add_parser("look"), commands.add_parser("sum")
    looking.add_argument("out", type=Path)
    looking.add_argument("--workers", type=int, default=1)
    looking.add_argument("--minutes", type=float, default=600.0)
    looking.add_argument("--known", nargs="*", type=Path, default=[], help="files of rows that are not made again")
    looking.add_argument("--turns", type=int, default=1, help="rounds through all tasks, each with some of their sets")
    summing.add_argument("rows", nargs="+", type=Path)
    summing.add_argument("--runs", type=Path, default=Path("runs"))
    for one in (looking, summing):
        one.add_argument("--tasks", nargs="+", default=list(TASKS))
    given = parser.parse_args()
    chosen = task_rows(given.tasks)
    if given.what == "look":
        look(given.out, chosen, given.workers, given.minutes, given.known, given.turns)
    else:
        sum_up(given.rows, chosen, given.runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
