"""Chat models behind a server that is slow, busy, broken, refusing, or well."""

from __future__ import annotations

import base64
import io
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("openai")

sys.path.append(str(Path(__file__).parent))

from chat_server import ChatServer, Reply, chat_server, said
from PIL import Image

from pentathlon.core.errors import EntrantError, MachineError, UsageError
from pentathlon.models.chat import AnswerStore, ChatModel, ChatSettings, Ledger, Prices, picture_part, system, user

KEY = "sk-do-not-write-me-down"
QUICK = ChatSettings(timeout_s=2.0, tries=3, per_minute=60_000)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.setenv("PENTATHLON_API_KEY", KEY)
    with chat_server() as server:
        yield server


def model(server: ChatServer, folder: Path, settings: ChatSettings = QUICK, **limits: Any) -> ChatModel:
    ledger = Ledger(folder / "ledger.jsonl", **limits)
    return ChatModel("toy", server.api_base, settings, AnswerStore(folder / "answers"), ledger)


def question(text: str = "Is the fridge open?") -> list[dict[str, Any]]:
    return [system("Answer with a word."), user(text)]


def test_an_answer_is_asked_for_once(server: ChatServer, tmp_path: Path) -> None:
    first = model(server, tmp_path).ask(question())
    again = model(server, tmp_path).ask(question())
    assert (first.text, first.ending, first.tokens_in, first.tokens_out) == ("yes", "whole", 1000, 100)
    assert again == first
    assert len(server.asked) == 1
    assert server.asked[0]["messages"][1]["content"][0]["text"] == "Is the fridge open?"


@pytest.mark.parametrize("other", ["text", "temperature", "attempt", "model"])
def test_another_question_is_another_answer(server: ChatServer, tmp_path: Path, other: str) -> None:
    model(server, tmp_path).ask(question())
    settings = replace(QUICK, temperature=0.7) if other == "temperature" else QUICK
    asker = model(server, tmp_path, settings)
    asker.model = "toy-2" if other == "model" else "toy"
    asker.ask(question("And now?") if other == "text" else question(), attempt=int(other == "attempt"))
    assert len(server.asked) == 2


@pytest.mark.parametrize(
    "bad",
    [
        Reply(500, b"oops"),
        Reply(429, b"{}", {"Retry-After": "0.01"}),
        Reply(200, b"{not json"),
        Reply(200, b'{"choices": []}'),
        replace(said("yes"), cut_at=20),
        replace(said("yes"), after_s=3.0),
    ],
    ids=["failing", "rate limit", "malformed", "no choice", "truncated body", "slow"],
)
def test_what_may_pass_is_tried_again(server: ChatServer, tmp_path: Path, bad: Reply) -> None:
    server.replies = [bad, said("at last")]
    answer = model(server, tmp_path).ask(question())
    assert (answer.text, answer.tries) == ("at last", 2)
    assert model(server, tmp_path).ask(question()).text == "at last"
    assert len(server.asked) == 2


def test_the_provider_says_how_long_to_wait(server: ChatServer, tmp_path: Path) -> None:
    server.replies = [Reply(429, b"{}", {"Retry-After": "0.8"}), said("yes")]
    model(server, tmp_path).ask(question())
    assert 0.8 <= server.at_s[1] - server.at_s[0] < 2.5


def test_a_provider_that_never_answers_is_no_model_s_failure(server: ChatServer, tmp_path: Path) -> None:
    server.replies = [Reply(503, b"")]
    with pytest.raises(MachineError, match=r"No answer from toy at .* after 3 tries: status 503.* continues"):
        model(server, tmp_path).ask(question())
    assert not list((tmp_path / "answers").rglob("*.json"))


@pytest.mark.parametrize(
    ("status", "kind", "advice"),
    [(401, MachineError, "Set PENTATHLON_API_KEY"), (404, MachineError, "name"), (400, EntrantError, "Mend")],
)
def test_what_will_not_pass_is_told_at_once(
    server: ChatServer, tmp_path: Path, status: int, kind: type[Exception], advice: str
) -> None:
    server.replies = [Reply(status, b'{"error": {"message": "no"}}')]
    with pytest.raises(kind, match=rf"answered {status} to 'toy'\. .*{advice}"):
        model(server, tmp_path).ask(question())
    assert len(server.asked) == 1


def test_refused_and_cut_answers_are_kept_and_counted(server: ChatServer, tmp_path: Path) -> None:
    server.replies = [said(None, refusal="I cannot."), said("", "content_filter"), said("First, we", "length")]
    asker = model(server, tmp_path)
    endings = [asker.ask(question(text)).ending for text in ("a", "b", "c")]
    assert endings == ["refused", "refused", "cut short"]
    totals = Ledger(tmp_path / "ledger.jsonl").totals()
    assert (totals.answers, totals.refused, totals.cut_short) == (3, 2, 1)


def test_no_question_is_asked_beyond_the_limit(server: ChatServer, tmp_path: Path) -> None:
    prices = Prices(per_million_in=1.0, per_million_out=10.0)
    asker = model(server, tmp_path, prices=prices, max_cost=0.005)
    asker.ask(question("a"))
    asker.ask(question("b"))
    asker.ask(question("c"))
    with pytest.raises(MachineError, match=r"at most 0\.005, 0\.006 is spent.* higher limit continues"):
        asker.ask(question("d"))
    assert asker.ask(question("a")).text == "yes"  # what is kept costs nothing
    assert len(server.asked) == 3
    assert asker._ledger is not None
    assert asker._ledger.totals().cost == pytest.approx(0.006)


def test_a_limit_needs_prices(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Expected prices with the cost limit of 3"):
        Ledger(tmp_path / "ledger.jsonl", max_cost=3.0)


def test_a_torn_line_of_the_ledger_is_left_out(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.jsonl", Prices(1.0, 1.0))
    ledger.record("whole", 10, 10)
    with ledger.path.open("ab") as file:
        file.write(b'{"ending":"who')
    assert ledger.totals().answers == 1


def test_questions_are_spaced(server: ChatServer, tmp_path: Path) -> None:
    asker = model(server, tmp_path, replace(QUICK, per_minute=300))
    for number in range(4):
        asker.ask(question(str(number)))
    assert server.at_s[-1] - server.at_s[0] >= 0.55


def test_the_key_reaches_the_server_and_no_file(server: ChatServer, tmp_path: Path) -> None:
    server.replies = [Reply(500, KEY.encode()), said("yes")]
    model(server, tmp_path).ask(question())
    assert set(server.keys) == {f"Bearer {KEY}"}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 2
    assert not any(KEY.encode() in path.read_bytes() for path in files)


def test_openai_itself_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PENTATHLON_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UsageError, match="Expected a key in PENTATHLON_API_KEY"):
        ChatModel("gpt-4o")


KILLED = """
import os, sys
from pathlib import Path
from pentathlon.models.chat import AnswerStore, ChatModel, Ledger, user
folder = Path(sys.argv[2])
asker = ChatModel("toy", sys.argv[1], store=AnswerStore(folder / "answers"), ledger=Ledger(folder / "ledger.jsonl"))
for number in range(5):
    if number == int(sys.argv[3]):
        os.kill(os.getpid(), 9)
    asker.ask([user(str(number))])
"""


def test_a_kill_loses_no_answer(server: ChatServer, tmp_path: Path) -> None:
    words = [sys.executable, "-c", KILLED, server.api_base, str(tmp_path)]
    assert subprocess.run([*words, "3"]).returncode == -9
    assert subprocess.run([*words, "9"]).returncode == 0
    assert len(server.asked) == 5
    assert Ledger(tmp_path / "ledger.jsonl").totals().answers == 5


def test_a_picture_travels_as_it_is() -> None:
    image = np.zeros((48, 64, 3), np.uint8)
    image[:, 32:] = (200, 40, 40)
    part = picture_part(image)
    assert part["image_url"]["detail"] == "low"
    data = base64.b64decode(part["image_url"]["url"].split(",")[1])
    seen = np.asarray(Image.open(io.BytesIO(data)))
    assert seen.shape == image.shape
    assert np.abs(seen.astype(int) - image).mean() < 2.0
