"""Encoders, agents and judges in the sandbox: what they give is what they would give outside, or is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import entrant_code
import numpy as np
import pytest
from live_server import entrant_files
from toy_tasks import BrightnessTask, WalkTask

from pentathlon.core import Briefing, EncoderSpec, Workspace
from pentathlon.core.entrant_folder import load_entrant
from pentathlon.core.entrants import Kind
from pentathlon.core.specs import Spec
from pentathlon.server.sandbox import Limits, SandboxError, open_sandboxed, sandbox_problem
from pentathlon.server.sandbox.kinds.stubs import try_out

pytestmark = pytest.mark.skipif(sandbox_problem() is not None, reason=str(sandbox_problem()))

WALK, BRIGHTNESS = WalkTask(), BrightnessTask()


def write(folder: Path, kind: str, code: str) -> Path:
    folder.mkdir()
    for name, content in entrant_files(kind, code).items():
        (folder / name).write_text(content)
    return folder


def opened(tmp_path: Path, kind: Kind, code: str, spec: Spec | None, **options: Any) -> Any:
    folder = write(tmp_path / "entrant", kind, code)
    return open_sandboxed(kind, folder, limits=Limits(), log=tmp_path / "log.txt", spec=spec, **options)


def test_an_encoder_gives_what_it_gives_outside(tmp_path: Path) -> None:
    images = np.random.default_rng(0).integers(0, 256, (19, 24, 32, 3), np.uint8)
    with opened(tmp_path, "encoder", entrant_code.encoder(), None, fingerprint="upload-1") as encoder:
        features = encoder.encode(images)
        none = encoder.encode(images[:0])
    outside = load_entrant(tmp_path / "entrant", "encoder")
    expected = np.concatenate([outside.encode(images[start : start + 8]).pooled for start in (0, 8, 16)])
    np.testing.assert_array_equal(features.pooled, expected)
    assert features.patches is None
    assert none.pooled.shape == (0, 6)
    assert encoder.spec == EncoderSpec(6, (8, 8))
    assert encoder.fingerprint == "upload-1"


def test_an_agent_walks_and_answers(tmp_path: Path) -> None:
    with opened(tmp_path, "agent", entrant_code.agent(), WALK.spec) as agent:
        outcomes = [outcome for heat in WALK.heats() for outcome in WALK.run(heat, agent, Workspace(tmp_path))]
    assert [outcome.metrics["success"] for outcome in outcomes] == [1.0] * 4


def test_an_agent_keeps_what_it_was_told_from_phase_to_phase(tmp_path: Path) -> None:
    spec = replace(WALK.spec, answers=True)
    with opened(tmp_path, "agent", entrant_code.phased_agent(), spec) as agent:
        agent.reset(Briefing("Go left.", 0))
        agent.brief(Briefing("Go right.", 0, {"questions": ["Which way?"], "answers": ["left"]}))
        assert agent.spec.answers
        assert agent.answer("Which way?") == "Go left. Go right."


def test_an_answer_that_is_no_text_ends_the_sandbox(tmp_path: Path) -> None:
    spec = replace(WALK.spec, answers=True)
    with opened(tmp_path, "agent", entrant_code.phased_agent("object()"), spec) as agent:
        agent.reset(Briefing("Go left.", 0))
        with pytest.raises(SandboxError, match="neither text nor a number: got object") as error:
            agent.answer("Which way?")
    assert error.value.state == "bad_answer"


def test_a_judge_tells_bright_from_dark(tmp_path: Path) -> None:
    with opened(tmp_path, "judge", entrant_code.judge(), BRIGHTNESS.spec) as judge:
        outcomes = list(BRIGHTNESS.run(BRIGHTNESS.heats()[0], judge, Workspace(tmp_path)))
    assert [outcome.metrics["success"] for outcome in outcomes] == [1.0, 1.0]


BAD: list[tuple[Kind, Callable[[str], str], str, str]] = [
    ("encoder", entrant_code.encoder, "pooled", "features of dtype float32"),
    ("encoder", entrant_code.encoder, "pooled.astype(np.float32)[:, :5]", "shape [4, 6], got [4, 5]"),
    ("encoder", entrant_code.encoder, "(pooled * np.nan).astype(np.float32)", "got nan or infinity"),
    ("encoder", entrant_code.encoder, "[object()]", "no array of numbers"),
    ("encoder", entrant_code.encoder, "np.zeros((4, 10**6), np.float32)", "too long to be sent"),
    ("agent", entrant_code.agent, "'up'", "one of the actions left, right, got 'up'"),
    ("judge", entrant_code.judge, "np.array(scores)", "scores of dtype float32"),
    ("judge", entrant_code.judge, "np.zeros(3, np.float32)", "shape [2], got [3]"),
    ("judge", entrant_code.judge, "np.full(2, np.inf, np.float32)", "got nan or infinity"),
]


@pytest.mark.parametrize(("kind", "code", "answer", "words"), BAD)
def test_a_bad_answer_ends_the_sandbox(
    tmp_path: Path, kind: Kind, code: Callable[[str], str], answer: str, words: str
) -> None:
    spec = {"encoder": None, "agent": WALK.spec, "judge": BRIGHTNESS.spec, "policy": None}[kind]
    # With float64 in place of float32 a plain name would do.
    made = code(answer).replace("astype(np.float32) / 255", "astype(np.float64) / 255")
    with pytest.raises(SandboxError) as error, opened(tmp_path, kind, made, spec) as entrant:
        try_out(entrant, kind, spec)
    assert error.value.state == "bad_answer"
    assert words in str(error.value)
    assert f"[sandbox] bad_answer: {error.value}" in (tmp_path / "log.txt").read_text()


def test_a_number_in_place_of_a_label_is_no_answer(tmp_path: Path) -> None:
    with opened(tmp_path, "agent", entrant_code.agent("1"), WALK.spec) as agent:
        agent.reset(Briefing("Go left.", 0))
        with pytest.raises(SandboxError) as error:
            agent.act({"place": np.zeros(1, np.float32)})
    assert error.value.state == "crashed"
    assert "answered act with Chosen" in str(error.value)


def test_a_folder_of_another_kind_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "entrant", "judge", entrant_code.judge())
    opening = open_sandboxed("encoder", folder, limits=Limits(), log=tmp_path / "log.txt", spec=None)
    with pytest.raises(SandboxError, match="expected an entrant of kind 'encoder', got 'judge'") as error, opening:
        pytest.fail("it was opened")
    assert error.value.state == "refused"


def test_whoever_holds_no_claim_breaks_off(tmp_path: Path) -> None:
    """A worker learns between two questions, and while it waits, that it is no longer wanted."""
    lost: list[bool] = []

    def interrupted() -> None:
        if lost:
            raise RuntimeError("not wanted any more")

    code = entrant_code.encoder().replace("self.calls += 1", "import time; time.sleep(60)")
    with opened(tmp_path, "encoder", code, None, interrupted=interrupted) as encoder:
        lost.append(True)
        with pytest.raises(RuntimeError, match="not wanted"):
            encoder.encode(np.zeros((1, 8, 8, 3), np.uint8))


def test_a_judge_that_wants_endless_frames_is_refused(tmp_path: Path) -> None:
    """They would be read and held by the server."""
    code = entrant_code.judge().replace("frames=4", "frames=10**9")
    with pytest.raises(SandboxError, match="1000000000 frames for a clip, expected 1 to 256") as error:
        opened(tmp_path, "judge", code, BRIGHTNESS.spec).__enter__()
    assert error.value.state == "refused"


def test_whatever_checking_an_answer_raises_is_the_entrants_failure(tmp_path: Path) -> None:
    def check() -> None:
        raise OverflowError("nobody thought of it")

    with (
        opened(tmp_path, "judge", entrant_code.judge(), BRIGHTNESS.spec) as judge,
        pytest.raises(SandboxError, match=r"cannot be checked \(OverflowError") as error,
    ):
        judge.session.check(check)
    assert error.value.state == "bad_answer"
