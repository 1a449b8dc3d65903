"""Encoders, agents and judges behind a WebSocket: they do on tasks as if they were here, and fail with a sentence."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

import entrant_code
import pytest
import toy_tasks
from live_server import built
from websockets.sync.server import ServerConnection

import pentathlon
from pentathlon.core.entrants import Kind
from pentathlon.core.registry import TaskEntry
from pentathlon.core.specs import EncoderSpec, JudgeSpec, Spec
from pentathlon.models.remote import remote_wire as wire
from pentathlon.models.remote.connection import Terms
from pentathlon.models.remote.remote_entrants import connect
from pentathlon.models.remote.serving import open_server
from web_sockets import served

SEE = "see/metaworld-drawer-open-sprint-v1"
WALK, BRIGHTNESS, SHADES = toy_tasks.TABLE
SLOW = "__import__('time').sleep(1) or "


def hanging_up(kind: Kind, spec: Spec) -> AbstractContextManager[str]:
    """A server that says hello and hangs up at the first question."""

    def handle(connection: ServerConnection) -> None:
        connection.recv()
        connection.send(wire.to_bytes(wire.hello(kind, spec)))
        connection.recv()

    return served(handle)


def errors(url: str, task: TaskEntry, kind: Kind) -> list[str]:
    """What the trials of a task record as errors of the entrant at ``url``."""
    with connect(url, kind, task.make().spec, terms=Terms(step_limit_s=0.3)) as entrant:
        evaluation = pentathlon.evaluate(task, entrant)
    assert evaluation.errors == len(evaluation.trials)
    return [str(trial.error) for trial in evaluation.trials]


@pytest.mark.parametrize(
    ("task", "kind", "code"),
    [
        (SHADES, "encoder", entrant_code.encoder()),
        (WALK, "agent", entrant_code.agent()),
        (BRIGHTNESS, "judge", entrant_code.judge()),
    ],
)
def test_a_served_entrant_does_as_well_as_here(tmp_path: Path, task: TaskEntry, kind: Kind, code: str) -> None:
    with (
        open_server(built(tmp_path, kind, code)) as url,
        connect(url, kind, task.make().spec) as entrant,
    ):
        evaluation = pentathlon.evaluate(task, entrant)
    assert (evaluation.errors, evaluation.score.value) == (0, 100.0)


@pytest.mark.parametrize(
    ("task", "kind", "code", "words"),
    [
        (SHADES, "encoder", entrant_code.encoder("pooled[:, :5].astype(np.float32)"), "features of shape [3, 6]"),
        (SHADES, "encoder", entrant_code.encoder("pooled.astype(np.float64)"), "dtype float32, got float64"),
        (SHADES, "encoder", entrant_code.encoder("(pooled * np.nan).astype(np.float32)"), "Expected finite features"),
        (SHADES, "encoder", entrant_code.encoder(SLOW + "pooled"), "did not answer within 0.3 s"),
        (SHADES, "encoder", entrant_code.encoder("1 / 0"), "raised: ZeroDivisionError"),
        (WALK, "agent", entrant_code.agent("'up'"), "Expected one of the actions left, right, got 'up'"),
        (WALK, "agent", entrant_code.agent("observation['place']"), "expected Picked with the same ticket"),
        (WALK, "agent", entrant_code.agent(SLOW + "self._way"), "did not answer within 0.3 s"),
        (BRIGHTNESS, "judge", entrant_code.judge("np.zeros(3, np.float32)"), "scores of shape [2], got [3]"),
        (BRIGHTNESS, "judge", entrant_code.judge("np.full(2, np.nan, np.float32)"), "Expected finite scores"),
        (BRIGHTNESS, "judge", entrant_code.judge(SLOW + "np.zeros(2)"), "did not answer within 0.3 s"),
    ],
)
def test_a_bad_answer_is_the_error_of_its_trial(
    tmp_path: Path, task: TaskEntry, kind: Kind, code: str, words: str
) -> None:
    # A function rather than an object: one that is still asleep must not keep the next connection waiting.
    with open_server(lambda: built(tmp_path, kind, code)) as url:
        assert words in errors(url, task, kind)[0]


@pytest.mark.parametrize(
    ("task", "kind", "spec"),
    [
        (SHADES, "encoder", EncoderSpec(6, (8, 8))),
        (WALK, "agent", toy_tasks.WalkTask.spec),
        (BRIGHTNESS, "judge", JudgeSpec(4)),
    ],
)
def test_a_server_that_hangs_up_is_the_error_of_its_trials(task: TaskEntry, kind: Kind, spec: Spec) -> None:
    with hanging_up(kind, spec) as url:
        assert all("is lost" in error for error in errors(url, task, kind))


def test_a_run_names_an_encoder_by_its_address(tmp_path: Path) -> None:
    make = entrant_code.encoder()
    with open_server(lambda: built(tmp_path, "encoder", make)) as url:
        evaluation = pentathlon.evaluate(SEE, f"remote@{url}", rehearse=True, workers=1)
    assert evaluation.errors == 0
    assert len(evaluation.trials) > 0
