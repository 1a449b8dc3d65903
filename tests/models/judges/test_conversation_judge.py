"""The talking judge against a local server that speaks the chat protocol, well and badly."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[1] / "chat"))

from chat_server import ChatServer, Reply, chat_server, said

from pentathlon.core import Briefing
from pentathlon.core.errors import MachineError
from pentathlon.models.chat import AnswerStore, ChatModel, ChatSettings, Ledger, Prices
from pentathlon.models.chat import answers as answers_module
from pentathlon.models.judges.chat import make_chat
from pentathlon.models.judges.conversation import ConversationJudge
from pentathlon.models.judges.prompts import SYSTEM, read_scores

CLIP = np.random.default_rng(0).integers(0, 255, (16, 24, 24, 3), dtype=np.uint8)
SENTENCES = ("We heat the mug", "We cool the mug")
LABELS = {"labels": ["label_0", "label_1"]}
SECRET = "sk-very-secret"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.setenv("PENTATHLON_API_KEY", SECRET)
    with chat_server() as running:
        running.choose = answer_by_turn
        yield running


def answer_by_turn(question: dict[str, Any]) -> Reply:
    """Describes, matches or scores, by what is asked."""
    text = str(question["messages"][-1]["content"])
    if "Describe each frame separately" in text:
        return said("1. A mug goes into the microwave.")
    if "Break down each" in text:
        return said("label_0 matches frame 1.")
    return said("Final Scores\n- (label_0) 5\n- (label_1) 1.5")


def judge_of(server: ChatServer, folder: Path, ledger: Ledger | None = None, **how: Any) -> ConversationJudge:
    settings = ChatSettings(timeout_s=1.0, tries=3, per_minute=1e6)
    model = ChatModel("toy", server.api_base, settings, AnswerStore(folder / "answers"), ledger)
    judge = ConversationJudge(model, **how)
    judge.brief(Briefing("Describe the kitchen.", 1, {**LABELS, "example": "Like this.", "environment": "real world"}))
    return judge


def test_three_messages_in_two_conversations(server: ChatServer, tmp_path: Path) -> None:
    judge = judge_of(server, tmp_path)
    np.testing.assert_allclose(judge.score(CLIP, SENTENCES), [5.0, 1.5])
    first, second, third = (question["messages"] for question in server.asked)
    assert [len(messages) for messages in (first, second, third)] == [2, 2, 4]
    assert first[0] == {"role": "system", "content": SYSTEM}
    words = first[1]["content"][0]["text"]
    assert words.startswith("You will be given 16 frames")
    assert "Describe the kitchen." in words
    assert "Like this." in words
    pictures = [part for part in first[1]["content"] if part["type"] == "image_url"]
    assert len(pictures) == 16
    assert all(part["image_url"]["detail"] == "low" for part in pictures)
    assert "1. A mug goes into the microwave." in second[1]["content"][0]["text"]
    assert "- (label_0) We heat the mug\n- (label_1) We cool the mug" in second[1]["content"][0]["text"]
    assert "image_url" not in str(second)
    assert third[2] == {"role": "assistant", "content": "label_0 matches frame 1."}
    assert judge.remarks["counts"] == {
        "refused": 0, "cut short": 0, "unscored": 0, "tokens in": 3000, "tokens out": 300,
    }  # fmt: skip


def test_zero_shot_shows_no_example(server: ChatServer, tmp_path: Path) -> None:
    judge_of(server, tmp_path, one_shot=False).score(CLIP, SENTENCES)
    assert "Like this." not in str(server.asked)


@pytest.mark.parametrize("environment", ["minecraft", "blocks"])
@pytest.mark.parametrize(("several", "words"), [(False, "exactly one 'correct'"), (True, "could be more than one")])
def test_worlds_of_blocks_are_scored_with_the_frames_in_sight(
    server: ChatServer, tmp_path: Path, several: bool, words: str, environment: str
) -> None:
    judge = judge_of(server, tmp_path)
    judge.brief(Briefing("# TASK", 1, {**LABELS, "environment": environment, "multi_label": several}))
    server.choose = lambda asked: said("- (label_0) 0.25\n- (label_1) 1")
    np.testing.assert_allclose(judge.score(CLIP, SENTENCES), [0.25, 1.0])
    assert len(server.asked) == 2
    assert words in server.asked[1]["messages"][2]["content"][0]["text"]
    assert "image_url" in str(server.asked[1]["messages"][0])


def test_a_refusal_scores_nothing_and_is_counted(server: ChatServer, tmp_path: Path) -> None:
    server.choose = lambda asked: said(None, refusal="I cannot look at this")
    judge = judge_of(server, tmp_path)
    np.testing.assert_allclose(judge.score(CLIP, SENTENCES), [-0.1, -0.1])
    assert judge.remarks["counts"]["refused"] == 1
    assert len(server.asked) == 1


def test_what_is_missing_or_cut_short_is_counted(server: ChatServer, tmp_path: Path) -> None:
    server.choose = lambda asked: said("- (label_1) 4\nand then", finish="length")
    judge = judge_of(server, tmp_path)
    np.testing.assert_allclose(judge.score(CLIP, SENTENCES), [-0.1, 4.0])
    assert judge.remarks["counts"]["unscored"] == 1
    assert judge.remarks["counts"]["cut short"] == 3


def test_slow_failing_limiting_and_torn_answers_are_asked_for_again(server: ChatServer, tmp_path: Path) -> None:
    bad = [
        Reply(500, b"oops"),
        Reply(429, b"slow down", {"retry-after": "0.01"}),
        Reply(200, b"not json"),
        Reply(200, b'{"choices": []}'),
        Reply(200, said("x").body, cut_at=20),
    ]
    turns = {"n": 0}

    def choose(question: dict[str, Any]) -> Reply:
        turns["n"] += 1
        return bad[turns["n"] // 2] if turns["n"] % 2 == 0 and turns["n"] // 2 < len(bad) else answer_by_turn(question)

    server.choose = choose
    judge = judge_of(server, tmp_path)
    for _ in range(2):
        np.testing.assert_allclose(judge.score(CLIP[: 4 + _], SENTENCES), [5.0, 1.5])
    assert turns["n"] > 6


def test_nothing_is_lost_or_paid_twice_after_a_kill(server: ChatServer, tmp_path: Path) -> None:
    """The third question fails for good; the next process asks only that one."""
    ledger = Ledger(tmp_path / "ledger.jsonl", Prices(1.0, 1.0))
    server.choose = lambda asked: Reply(503) if "score the summaries" in str(asked) else answer_by_turn(asked)
    with pytest.raises(MachineError):
        judge_of(server, tmp_path, ledger).score(CLIP, SENTENCES)
    asked = len(server.asked)
    server.choose = answer_by_turn
    np.testing.assert_allclose(judge_of(server, tmp_path, ledger).score(CLIP, SENTENCES), [5.0, 1.5])
    assert len(server.asked) == asked + 1
    assert ledger.totals().answers == 3


def test_the_cost_limit_ends_it(server: ChatServer, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl", Prices(100.0, 100.0), max_cost=0.15)
    with pytest.raises(MachineError, match=r"Expected to spend at most 0\.15"):
        judge_of(server, tmp_path, ledger).score(CLIP, SENTENCES)
    assert len(server.asked) == 2


def test_no_file_holds_the_key(server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers_module, "default_folder", lambda: tmp_path / "answers")
    judge = make_chat("zero-shot/toy", api_base=server.api_base, ledger=str(tmp_path / "ledger.jsonl"))
    judge.score(CLIP, SENTENCES)
    assert server.asked[0]["model"] == "toy"
    assert server.keys[0] == f"Bearer {SECRET}"
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 4
    assert not any(SECRET.encode() in path.read_bytes() for path in files)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- (a) 3\n- (b) 0", [3.0, 0.0]),
        ("(a) was 5 first\nFinal Scores:\n- (a) 2\n- (b) 4.5", [2.0, 4.5]),
        ("- (a) score: 1 of 5\n- (b)", [5.0, None]),
        ("a: 3, b: 4", [None, None]),
        ("- (a) 1\n- (a) 4\n- (b) -0.1", [4.0, -0.1]),
        ("", [None, None]),
    ],
)
def test_scores_are_read_as_released(text: str, expected: list[float | None]) -> None:
    assert list(read_scores(text, ["a", "b"]).values()) == expected


def test_labels_with_numbers_are_not_scores() -> None:
    assert read_scores("- (label_7) 2", ["label_7"]) == {"label_7": 2.0}
    assert re.search("label", SYSTEM) is None
