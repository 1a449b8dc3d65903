"""Files made by workers: the same as in this process, whatever dies."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import toy_making
from toy_making import MAKER, items

from pentathlon.core import DataError, UsageError
from pentathlon.engine import make_pool
from pentathlon.engine.workers.pool import LOG_FILE
from pentathlon.storage.making import SERIAL, make_missing


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir() if path.suffix == ".txt"}


@pytest.mark.parametrize("workers", [0, 2])
def test_workers_make_what_one_process_makes(tmp_path: Path, workers: int) -> None:
    make_missing(MAKER, items(tmp_path / "alone", 5))
    make_missing(MAKER, items(tmp_path / "shared", 5), pool=make_pool(workers))
    assert contents(tmp_path / "shared") == contents(tmp_path / "alone") == {f"0{n}.txt": str(n * n) for n in range(5)}
    assert len(list((tmp_path / "shared").iterdir())) == 5


@pytest.mark.parametrize(("fault", "reason"), [("raise", "ValueError: cannot square"), ("die", "exited with status 7")])
def test_what_a_worker_dies_of_keeps_nothing_else(tmp_path: Path, fault: str, reason: str) -> None:
    with pytest.raises(DataError, match=f"1 of 4 files could not be made, such as .*01.txt: .*{reason}"):
        make_missing(MAKER, items(tmp_path, 4, {1: fault}), pool=make_pool(2))
    assert contents(tmp_path) == {"00.txt": "0", "02.txt": "4", "03.txt": "9"}
    assert (tmp_path / LOG_FILE).exists()
    make_missing(MAKER, items(tmp_path, 4), pool=make_pool(2))
    assert contents(tmp_path)["01.txt"] == "1"


def start(folder: Path, **settings: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, toy_making.__file__, str(folder), json.dumps(settings)])


def test_a_killed_process_is_continued_by_the_same_command(tmp_path: Path) -> None:
    process = start(tmp_path, count=6, workers=2, faults=dict.fromkeys((2, 3, 4, 5), "gated"))
    try:
        deadline_s = time.monotonic() + 60
        while len(contents(tmp_path)) < 2:
            assert time.monotonic() < deadline_s
            assert process.poll() is None
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir() if path.suffix == ".txt"}
    assert sorted(path.name for path in before) == ["00.txt", "01.txt"]
    (tmp_path / "open").touch()
    make_missing(MAKER, items(tmp_path, 6), pool=make_pool(2))
    assert contents(tmp_path) == {f"0{number}.txt": str(number**2) for number in range(6)}
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_an_unknown_maker_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no_such_maker"):
        make_missing("toy_making:no_such_maker", items(tmp_path, 1), pool=make_pool(2))


def test_options_that_do_not_go_together_are_refused() -> None:
    assert make_pool(1) is SERIAL
    with pytest.raises(UsageError, match="Expected --on ray with --address"):
        make_pool(2, address="127.0.0.1:1")
    with pytest.raises(UsageError, match="0 or more workers"):
        make_pool(-1)
