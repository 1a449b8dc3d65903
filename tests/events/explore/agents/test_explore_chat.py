"""A chat model that explores a house, behind a server that answers well or badly."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openai")

sys.path.append(str(Path(__file__).parents[3] / "models" / "chat"))

from chat_server import ChatServer, Reply, chat_server, said

from pentathlon.core import EntrantError, Outcome, Workspace
from pentathlon.events.explore.agents.chat import ChatAgent
from pentathlon.events.explore.agents.chat_words import Plan, read_answer, read_plan
from pentathlon.events.explore.protocol import make_protocol
from pentathlon.events.explore.tasks import ExploreTask
from pentathlon.models.chat import AnswerStore, ChatModel, ChatSettings

QUICK = ChatSettings(timeout_s=5.0, tries=2, per_minute=60_000)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with chat_server() as server:
        yield server


def trial(server: ChatServer, folder: Path) -> Outcome:
    protocol = make_protocol("architect", "sprint", steps=8, reentry_steps=8)
    task = ExploreTask(replace(protocol, size_px=32, questions=2), ("architect-studio",))
    agent = ChatAgent(ChatModel("toy", server.api_base, QUICK, AnswerStore(folder / "answers")))
    (outcome,) = task.run(task.heats()[0], agent, Workspace(folder, videos=False))
    return outcome


def text_of(question: dict[str, Any]) -> str:
    parts = question["messages"][1]["content"]
    return "".join(part.get("text", "") for part in parts)


def explorer(question: dict[str, Any]) -> Reply:
    """Walks a little, says Done in the end, and knows of one red mug."""
    told = text_of(question)
    if "Question:" in told:
        return said("yes" if "a red mug" in told else "no notes")
    if "Step 0 " in told:
        return said('So: {"note": "a red mug in the kitchen", "actions": ["RotateLeft", "grasp 0.25", "RotateLeft"]}')
    return said(json.dumps({"note": "", "actions": ["Done"]}))


def test_it_walks_keeps_notes_returns_and_answers_from_them(server: ChatServer, tmp_path: Path) -> None:
    server.choose = explorer
    outcome = trial(server, tmp_path)
    explore = outcome.details["phases"]["explore"]
    # The grasp of nothing is blocked, so that the turn after it is not made.
    assert explore["actions"] == {"RotateLeft": 1, "Grasp": 1}
    assert explore["ended"] == "Done"
    assert [question["answers"] for question in outcome.details["questions"]] == [["yes", "yes"]] * 2
    assert outcome.details["notes"]["written"] == ["a red mug in the kitchen"] * 2
    returning = [q for q in server.asked if "you answered: yes" in q["messages"][0]["content"]]
    assert returning
    assert outcome.details["questions"][0]["text"] in returning[0]["messages"][0]["content"]


def test_the_same_trial_again_asks_nothing(server: ChatServer, tmp_path: Path) -> None:
    server.choose = explorer
    first = trial(server, tmp_path)
    asked = len(server.asked)
    assert trial(server, tmp_path).metrics == first.metrics
    assert len(server.asked) == asked


def test_what_cannot_be_used_is_asked_again_and_then_an_error(server: ChatServer, tmp_path: Path) -> None:
    server.replies = [said("I would rather not.")]
    with pytest.raises(EntrantError, match="got none in 3 replies"):
        trial(server, tmp_path)
    assert "cannot be used" in json.dumps(server.asked[-1])


def test_replies_are_read() -> None:
    assert read_plan('{"actions": ["moveahead", "Grasp 5.00"]}') == Plan(("MoveAhead", "Grasp 5.00"))
    assert len(read_plan(json.dumps({"actions": ["MoveAhead"] * 99})).actions) == 16
    for bad in ('{"actions": []}', '{"actions": ["Fly"]}', "MoveAhead", '{"actions": "MoveAhead"}'):
        with pytest.raises(EntrantError):
            read_plan(bad)
    assert read_answer("Let me think.\n\nblack and silver\n") == "black and silver"
    assert len(read_answer("x" * 999)) == 200
    with pytest.raises(EntrantError):
        read_answer(" . ")
