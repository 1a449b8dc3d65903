"""The Python API: objects and ids are evaluated alike, records are kept where asked for, and nothing is left behind."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pentathlon_cartpole import CrashingAgent, RandomAgent, ScriptedAgent

import pentathlon
from pentathlon.core import EncoderSpec, Features, RunFolderError, SpecMismatchError, UnknownIdError, UsageError

TASK = "example/cartpole-v1"


class Named(RandomAgent):
    """Tells what it is."""

    def __init__(self, fingerprint: str) -> None:
        self.fingerprint = fingerprint


class Encoder:
    """Of another kind than cartpole tests."""

    spec = EncoderSpec(dim=1, image_size=(8, 8))

    def encode(self, images: Any) -> Features:
        return Features(np.zeros((len(images), 1), np.float32))


def test_an_object_is_evaluated_here_and_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    agent = ScriptedAgent()
    evaluation = pentathlon.evaluate(TASK, agent, limit=3)
    assert (evaluation.task, evaluation.entrant) == (TASK, "pentathlon_cartpole:ScriptedAgent")
    assert (evaluation.score.value, evaluation.score.n, evaluation.complete) == (100.0, 3, False)
    assert evaluation.score.low < 100.0
    assert evaluation.folder is None
    assert not any(tmp_path.iterdir())


def test_trials_are_a_table() -> None:
    evaluation = pentathlon.evaluate(TASK, CrashingAgent(), limit=12)
    assert 0 < evaluation.errors < 12
    rows = evaluation.rows
    assert [row["trial"] for row in rows] == [f"episode-{index:03d}" for index in range(12)]
    broken = [row for row in rows if row["status"] == "error"]
    assert {row["error"] for row in broken} == {"RuntimeError: the pole leans too far for me"}
    assert {row["metric.success"] for row in broken} == {None}
    assert all(row["seed"] for row in rows)
    table = evaluation.to_arrow()
    assert table.column_names == list(rows[0])
    assert table.to_pylist() == rows
    assert f"{evaluation.errors} of 12 trials ended in an error" in str(evaluation)


def test_pandas_is_asked_for_only_where_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = pentathlon.evaluate(TASK, RandomAgent(), limit=1)
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(pentathlon.core.MissingDependencyError, match="pip install pandas"):
        evaluation.to_pandas()


def test_an_id_gives_the_same_trials_as_the_object() -> None:
    here = pentathlon.evaluate(TASK, RandomAgent(), limit=4)
    there = pentathlon.evaluate(TASK, "cartpole-random", limit=4, workers=2)
    assert [(row["trial"], row["metric.steps"]) for row in here.rows] == [
        (row["trial"], row["metric.steps"]) for row in there.rows
    ]
    assert here.scores == there.scores


def test_records_are_kept_where_asked_for(tmp_path: Path) -> None:
    scripted = pentathlon.evaluate(TASK, ScriptedAgent(), limit=4, out=tmp_path, name="scripted", videos=False)
    (chance,) = pentathlon.run("example/*", "cartpole-random", limit=4, out=tmp_path, progress=False, videos=False)
    assert scripted.folder is not None
    assert pentathlon.load_run(scripted.folder) == scripted
    (table,) = pentathlon.standings(tmp_path).tables
    assert [row.entrant for row in table.rows] == ["cartpole-random", "scripted"]
    comparison = pentathlon.compare(scripted, chance.folder or "")
    assert (comparison.first, comparison.second, comparison.n) == ("scripted", "cartpole-random", 4)
    assert comparison.metrics[0].difference == 100.0
    with pytest.raises(UsageError, match="one without a folder. Evaluate with out=FOLDER"):
        pentathlon.compare(scripted, pentathlon.evaluate(TASK, RandomAgent(), limit=1))


def test_an_interrupted_run_is_scored_on_what_it_has(tmp_path: Path) -> None:
    how: dict[str, Any] = {"limit": 3, "out": tmp_path, "videos": False}
    whole = pentathlon.evaluate(TASK, RandomAgent(), gravity=1.6, **how)
    assert whole.folder is not None
    (whole.folder / "summary.json").unlink()
    assert pentathlon.load_run(whole.folder) == whole


def test_a_fingerprint_tells_whether_to_continue(tmp_path: Path) -> None:
    def evaluate(fingerprint: str, limit: int) -> pentathlon.Evaluation:
        return pentathlon.evaluate(TASK, Named(fingerprint), limit=limit, out=tmp_path, name="mine", videos=False)

    first, longer, other = evaluate("a", 2), evaluate("a", 4), evaluate("b", 2)
    assert first.folder == longer.folder != other.folder
    assert [len(one.trials) for one in (first, longer, other)] == [2, 4, 2]
    assert longer.trials[:2] == first.trials


def test_without_a_fingerprint_a_name_is_good_for_one_run(tmp_path: Path) -> None:
    how: dict[str, Any] = {"limit": 2, "out": tmp_path, "name": "mine", "videos": False}
    pentathlon.evaluate(TASK, RandomAgent(), **how)
    with pytest.raises(RunFolderError, match="without a fingerprint nobody can tell. Give it another name"):
        pentathlon.evaluate(TASK, RandomAgent(), **how)
    assert len(pentathlon.evaluate(TASK, RandomAgent(), fresh=True, **how).trials) == 2


def test_options_of_the_event_are_keywords() -> None:
    moon = pentathlon.evaluate(TASK, RandomAgent(), limit=4, gravity=1.6)
    earth = pentathlon.evaluate(TASK, RandomAgent(), limit=4)
    assert moon.scores != earth.scores
    assert len(pentathlon.evaluate(TASK, RandomAgent(), rehearse=True).trials) == 2
    unrehearsed = dataclasses.replace(pentathlon.tasks(TASK)[0], rehearsal={})
    with pytest.raises(UsageError, match="Expected a task that can be rehearsed"):
        pentathlon.evaluate(unrehearsed, RandomAgent(), rehearse=True)


@pytest.mark.parametrize(
    ("call", "error", "sentence"),
    [
        (lambda: pentathlon.evaluate("see/*", RandomAgent()), UsageError, "names 17. Use run()"),
        (lambda: pentathlon.evaluate(TASK, Encoder()), UsageError, "tests entrants of kind 'agent'"),
        (lambda: pentathlon.evaluate(TASK, object()), pentathlon.core.EntrantError, "object is no entrant"),
        (lambda: pentathlon.evaluate(TASK, RandomAgent(), adapt="e2e"), UsageError, "Expected a task of see for"),
        (lambda: pentathlon.evaluate(TASK, RandomAgent(), limt=3), UnknownIdError, "Unknown option 'limt'"),
        (lambda: pentathlon.evaluate(TASK, "cartpole-random", name="x"), UsageError, "Expected a name for an object"),
        (
            lambda: pentathlon.evaluate("act/pour-lite-v1", Clumsy()),
            SpecMismatchError,
            "in 'action.shape'",
        ),
    ],
)
def test_wrong_calls_end_in_a_sentence(call: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence.replace("(", r"\(").replace(")", r"\)")):
        call()


class Clumsy:
    """A policy with too many joints."""

    spec = pentathlon.core.InteractionSpec((), pentathlon.core.ArraySpec("joint_targets", (9,), "float32"))

    def reset(self) -> None: ...

    def predict(self, observation: Any) -> Any: ...


def test_tasks_and_entrants_are_listed() -> None:
    assert TASK in [row.id for row in pentathlon.tasks()]
    assert {row.event for row in pentathlon.tasks("act/*-lite-v1")} == {"act"}
    assert {row.kind for row in pentathlon.entrants("policy")} == {"policy"}
    assert len(pentathlon.entrants()) > len(pentathlon.entrants("policy"))


def measured_apart(what: str) -> Any:
    program = str(Path(__file__).with_name("leaks.py"))
    done = subprocess.run([sys.executable, program, what], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_fifty_calls_leave_nothing_behind() -> None:
    measured = measured_apart("object")
    assert measured["after"] == measured["before"]
    assert measured["before"][2] == 0
    assert measured["grown_bytes"] < 16 * 2**20


def test_workers_of_an_id_are_gone_afterwards() -> None:
    measured = measured_apart("id")
    assert measured["after"] == measured["before"]
    assert measured["before"][2] == 0
