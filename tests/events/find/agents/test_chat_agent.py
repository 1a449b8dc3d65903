"""A chat model that searches a house, behind a server that answers well, badly, slowly or not at all."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openai")

sys.path.append(str(Path(__file__).parents[3] / "models" / "chat"))

from chat_server import ChatServer, Reply, chat_server, said

from pentathlon.cli.main import main
from pentathlon.core import Briefing, EntrantError, MachineError
from pentathlon.events.find.agents.chat import ChatAgent
from pentathlon.events.find.agents.chat_words import Choice, Pixel, read_choice
from pentathlon.events.find.episodes.records import FindEpisode, Place
from pentathlon.events.find.heats import find_goal, open_navigator
from pentathlon.events.find.protocol import FindProtocol
from pentathlon.events.find.trial import run_trial
from pentathlon.models.chat import AnswerStore, ChatModel, ChatSettings
from pentathlon.worlds.houses.bodies.navigator import Navigator
from pentathlon.worlds.houses.house import House

QUICK = ChatSettings(timeout_s=2.0, tries=2, per_minute=60_000)
PROTOCOL = FindProtocol("objectnav", "full", 1, size_px=64, steps=40, episodes_hash="", noisy=False)
EPISODE = FindEpisode("e", "small", "fridge", "Fridge", "fridge", "white fridge", Place(3.0, 1.0, 90.0), 1.0)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ChatServer]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with chat_server() as server:
        yield server


@pytest.fixture(scope="module")
def navigator(small_house: House) -> Iterator[Navigator]:
    made = open_navigator(PROTOCOL, small_house)
    yield made
    made.close()


def agent_of(server: ChatServer, folder: Path, settings: ChatSettings = QUICK) -> ChatAgent:
    return ChatAgent(ChatModel("toy", server.api_base, settings, AnswerStore(folder / "answers")))


def search(navigator: Navigator, agent: ChatAgent) -> Any:
    return run_trial(navigator, find_goal(navigator, EPISODE, PROTOCOL), EPISODE, agent, PROTOCOL)


def chosen(**choice: Any) -> Reply:
    return said(f"I think so.\n```json\n{json.dumps(choice)}\n```")


def words(question: dict[str, Any]) -> str:
    return str(question["messages"][1]["content"][0]["text"])


def test_it_does_what_the_model_says(navigator: Navigator, server: ChatServer, tmp_path: Path) -> None:
    server.replies = [chosen(action="RotateLeft", thought="a wall"), chosen(action="moveahead"), chosen(action="Stop")]
    agent = agent_of(server, tmp_path)
    outcome = search(navigator, agent)
    assert outcome.details["actions"] == "lms"
    assert "Find: white fridge\nStep 1 of 40. Before:\nnothing yet" in words(server.asked[0])
    assert "step 1: RotateLeft: a wall\nstep 2: MoveAhead" in words(server.asked[2])
    assert server.asked[0]["messages"][1]["content"][1]["image_url"]["url"].startswith("data:image/jpeg;base64,")
    assert "MoveAhead (0.25 m)" in server.asked[0]["messages"][0]["content"]
    assert agent.notes["questions"] == 3
    assert agent.notes["tokens"] == [3000, 300]


def test_a_point_is_walked_to_without_further_questions(
    navigator: Navigator, server: ChatServer, tmp_path: Path
) -> None:
    server.replies = [chosen(point=[32, 44]), chosen(action="Stop")]
    outcome = search(navigator, agent_of(server, tmp_path))
    assert len(server.asked) == 2
    assert outcome.details["phases"][-1] == ["ask", 1]
    start, end = np.array(outcome.details["path"][0][:2]), np.array(outcome.details["path"][-1][:2])
    # Row 44 of 64 lies 0.87 / tan(...) = 0.87 * 32 / 12.5 m ahead on the floor, and one walks to half a metre of it.
    assert 1.5 < end[1] - start[1] < 2.4
    assert abs(end[0] - start[0]) < 0.4
    assert "walked to the point [32, 44]" in words(server.asked[1])


def test_a_blocked_move_is_told(navigator: Navigator, server: ChatServer, tmp_path: Path) -> None:
    server.choose = lambda question: chosen(action="Stop" if "blocked" in words(question) else "MoveAhead")
    outcome = search(navigator, agent_of(server, tmp_path))
    assert outcome.details["blocked"].endswith("x")
    assert outcome.details["actions"].endswith("ms")


def test_what_is_no_answer_is_asked_for_again(navigator: Navigator, server: ChatServer, tmp_path: Path) -> None:
    server.replies = [said("Jump! Jump!"), chosen(point=[900, 1]), chosen(action="Stop")]
    agent = agent_of(server, tmp_path)
    assert search(navigator, agent).details["actions"] == "s"
    assert agent.notes["unusable"] == 2
    again = server.asked[2]["messages"]
    assert [message["role"] for message in again] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert "Expected a point [0..63, 0..63] of the picture, got [900, 1]" in again[-1]["content"][0]["text"]


@pytest.mark.parametrize(
    ("reply", "refused"),
    [(said("I would rather not."), 0), (said(None, refusal="I cannot."), 3), (said("", "content_filter"), 3)],
    ids=["malformed", "refusing", "filtered"],
)
def test_who_never_answers_ends_the_trial(
    navigator: Navigator, server: ChatServer, tmp_path: Path, reply: Reply, refused: int
) -> None:
    server.replies = [reply]
    agent = agent_of(server, tmp_path)
    with pytest.raises(EntrantError, match="Expected an action or a point from toy at step 1, got none in 3 answers"):
        search(navigator, agent)
    assert (agent.notes["unusable"], agent.notes["refused"]) == (3, refused)


def test_a_slow_provider_is_tried_again_and_is_nobody_s_fault(
    navigator: Navigator, server: ChatServer, tmp_path: Path
) -> None:
    hasty = replace(QUICK, timeout_s=0.3)
    server.replies = [replace(chosen(action="Stop"), after_s=1.0), chosen(action="Stop")]
    assert search(navigator, agent_of(server, tmp_path, hasty)).steps == 1
    server.replies = [replace(chosen(action="Stop"), after_s=1.0)]
    with pytest.raises(MachineError, match="No answer from toy"):
        search(navigator, agent_of(server, tmp_path / "anew", hasty))


def test_a_point_without_a_distance_is_no_answer(server: ChatServer, tmp_path: Path) -> None:
    server.replies = [chosen(point=[3, 3]), chosen(action="RotateRight")]
    agent = agent_of(server, tmp_path)
    agent.reset(Briefing("mug", 0))
    dark = {"rgb": np.zeros((8, 8, 3), np.uint8), "depth_m": np.full((8, 8), np.nan, np.float32)}
    assert agent.act(dark) == "RotateRight"
    assert agent.notes["unusable"] == 1


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ('{"action": "Stop"}', "Stop"),
        ("I see it. Stop", "Stop"),
        ('First {"action": "LookUp"}, no: {"action": " lookdown "}', "LookDown"),
        ('{"thought": "{", "point": [1, 2.7]}', Pixel(1, 2)),
        ('{"action": null, "point": [0, 0]}', Pixel(0, 0)),
    ],
)
def test_answers_are_read(text: str, wish: Any) -> None:
    assert read_choice(text, 10, 10).wish == wish


def test_thoughts_are_kept_short() -> None:
    assert read_choice('{"action": "Stop", "thought": "there"}', 9, 9) == Choice("Stop", "there")
    assert len(read_choice(json.dumps({"action": "Stop", "thought": "x" * 999}), 9, 9).thought) == 160


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Stop or MoveAhead",
        '{"action": "Jump"}',
        '{"action": ["Stop"]}',
        '{"point": [10, 0]}',
        '{"point": [-1, 0]}',
        '{"point": [NaN, 0]}',
        '{"point": [true, 0]}',
        '{"point": "1, 2"}',
        '{"point": [1]}',
        "{" * 5000,
    ],
)
def test_other_answers_are_none(text: str) -> None:
    with pytest.raises(EntrantError, match="Expected"):
        read_choice(text, 10, 10)


def test_a_run_stops_at_the_cost_limit_and_goes_on_with_a_higher_one(
    server: ChatServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENTATHLON_API_KEY", "sk-do-not-write-me-down")
    server.choose = lambda question: chosen(action="Stop" if "Step 3" in words(question) else "RotateLeft")
    command = ["run", "find/objectnav-sprint-v1", "--entrant", "chat:toy", "--api-base", server.api_base, "--rehearse"]
    command += ["-o", str(tmp_path / "runs"), "--no-videos", "--workers", "1", "--price-in", "1", "--price-out", "1"]
    assert main([*command, "--max-cost", "0.004"]) == 2
    assert "at most 0.004, 0.0044 is spent" in capsys.readouterr().err
    assert len(server.asked) == 4
    assert main([*command, "--max-cost", "1"]) == 0
    (trials,) = (tmp_path / "runs").rglob("trials.jsonl")
    records = [json.loads(line) for line in trials.read_text().splitlines()]
    outcomes = [record.get("outcome", record) for record in records if "details" in str(record)]
    assert [outcome["details"]["actions"] for outcome in outcomes] == ["lls", "lls"]
    assert outcomes[0]["details"]["notes"]["questions"] == 3
    assert len(server.asked) == 6
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not any(b"sk-do-not-write-me-down" in path.read_bytes() for path in written)
