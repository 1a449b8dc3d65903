"""Files are made once, by whoever comes first; what fails is named and keeps nothing else."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pentathlon.core import DataError, UsageError
from pentathlon.core.making import Item
from pentathlon.storage import making
from pentathlon.storage.lock import FolderLock
from pentathlon.storage.making import claim_name, make_missing

CALLS: list[str] = []


def make(path: Path, about: Any) -> None:
    CALLS.append(path.name)
    if about == "fail":
        raise ValueError("no such thing")
    if about != "nothing":
        path.write_text(json.dumps(about))


MAKER = f"{__name__}:make"


def items(folder: Path, abouts: Sequence[Any]) -> list[Item]:
    return [Item(str(folder / "deep" / f"{index}.json"), about) for index, about in enumerate(abouts)]


@pytest.fixture(autouse=True)
def _forget_calls() -> None:
    CALLS.clear()


def test_only_what_is_missing_is_made(tmp_path: Path) -> None:
    told: list[str] = []
    make_missing(MAKER, items(tmp_path, ["a", "b"]), on_made=lambda path: told.append(path.name))
    make_missing(MAKER, items(tmp_path, ["a", "b", {"c": 1}]), on_made=lambda path: told.append(path.name))
    assert CALLS == told == ["0.json", "1.json", "2.json"]
    assert json.loads((tmp_path / "deep" / "2.json").read_text()) == {"c": 1}
    assert sorted(path.name for path in (tmp_path / "deep").iterdir()) == ["0.json", "1.json", "2.json"]


def test_what_is_not_whole_is_made_again(tmp_path: Path) -> None:
    make_missing(MAKER, items(tmp_path, ["a", "b"]))
    (tmp_path / "deep" / "1.json").write_text("")
    make_missing(MAKER, items(tmp_path, ["a", "b"]), is_whole=lambda path: path.stat().st_size > 0)
    assert CALLS == ["0.json", "1.json", "1.json"]
    assert (tmp_path / "deep" / "1.json").read_text() == '"b"'


@pytest.mark.parametrize(
    ("about", "reason"), [("fail", "ValueError: no such thing"), ("nothing", "it was not there after its maker")]
)
def test_what_fails_is_named_and_the_others_are_made(tmp_path: Path, about: str, reason: str) -> None:
    with pytest.raises(DataError, match=f"1 of 3 files could not be made, such as .*0.json: {reason}"):
        make_missing(MAKER, items(tmp_path, [about, "b", "c"]))
    assert sorted(path.name for path in (tmp_path / "deep").iterdir()) == ["1.json", "2.json"]
    make_missing(MAKER, items(tmp_path, ["a", "b", "c"]))
    assert CALLS == ["0.json", "1.json", "2.json", "0.json"]


@pytest.mark.parametrize("given_up", [False, True])
def test_what_another_process_makes_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given_up: bool
) -> None:
    monkeypatch.setattr(making, "WAIT_S", 0.01)
    wanted = items(tmp_path, ["a", "b"])
    first, second = (Path(item.path) for item in wanted)
    first.parent.mkdir()
    other = FolderLock(first.parent, claim_name(first))
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(make_missing, MAKER, wanted)
        while not second.exists():
            time.sleep(0.01)
        time.sleep(0.05)
        assert not waiting.done()
        if not given_up:
            first.write_text("theirs")
        other.close()
        waiting.result(timeout=10)
    assert (["1.json", "0.json"] if given_up else ["1.json"]) == CALLS
    assert first.read_text() == ('"a"' if given_up else "theirs")


def test_an_unknown_maker_is_told_before_anything_is_made(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no_such_maker"):
        make_missing(f"{__name__}:no_such_maker", items(tmp_path, ["a"]))
