"""``chat:MODEL``: which entrant it is in an event, and what tells its runs apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pentathlon.cli.main import main
from pentathlon.core import EVENTS, TASKS, UsageError
from pentathlon.core.events import EventEntry
from pentathlon.engine.folders.run_info import RunInfo
from pentathlon.models.chat import ChatTerms, enter_chat, is_chat, open_chat

EVENT = EventEntry("find", "", chat="module:factory")


def test_a_model_is_what_the_event_makes_of_it(tmp_path: Path) -> None:
    entry = enter_chat("chat:maker/model:7b", EVENT, ChatTerms(api_base="http://x/v1"), tmp_path)
    assert (entry.id, entry.factory) == ("chat:maker/model:7b", "module:factory")
    assert entry.options == {"model": "maker/model:7b", "api_base": "http://x/v1"}
    assert entry.terms["ledger"] == str(tmp_path / "chat-ledger.jsonl")


def test_prices_and_limits_do_not_tell_runs_apart(tmp_path: Path) -> None:
    task, event = TASKS.get("find/objectnav-sprint-v1").make(), EVENTS.get("find")
    terms = ChatTerms(api_base="http://x/v1")
    entries = [
        enter_chat("chat:toy", event, one, folder)
        for one, folder in (
            (terms, tmp_path),
            (replace(terms, price_in=1.0, max_cost=3.0), tmp_path / "elsewhere"),
            (replace(terms, api_base="http://y/v1"), tmp_path),
        )
    ]
    same, dearer, other = (RunInfo.describe(task, entry).location for entry in entries)
    assert same == dearer
    assert same != other


def test_what_is_no_chat_model_is_refused(tmp_path: Path) -> None:
    assert not is_chat("my_package:chat")
    with pytest.raises(UsageError, match=r"Expected chat:MODEL, got 'chat:'"):
        enter_chat("chat:", EVENT, ChatTerms(), tmp_path)
    with pytest.raises(UsageError, match="Expected an event that chat models can enter, got 'see'"):
        enter_chat("chat:toy", EventEntry("see", ""), ChatTerms(), tmp_path)
    with pytest.raises(UsageError, match="Expected a ledger with the cost limit"):
        open_chat("toy", api_base="http://x/v1", price_in=1.0, max_cost=1.0)


def test_terms_without_a_chat_model_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "find/objectnav-sprint-v1", "--entrant", "find-stop", "--max-cost", "3"]
    assert main(words) == 2
    assert "Expected an entrant chat:MODEL" in capsys.readouterr().err
