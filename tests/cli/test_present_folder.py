"""Commands in a stranger's folder: a file that is called as a module of ours never runs, but one that is named does."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from pentathlon.core.registry import present_folder, resolve_entrant, resolve_named

BAIT = "import os\nwith open({canary!r}, 'a') as file:\n    file.write(f'{{__name__}} by {{os.getpid()}}\\n')\n"
POLICY = """
import numpy as np
from pentathlon.worlds.tabletop.arm.robot import interaction

class Still:
    spec = interaction(120, 160)
    def reset(self): pass
    def predict(self, observation): return observation['joints']
"""
PENTATHLON = str(Path(sys.executable).parent / "pentathlon")


@pytest.fixture
def baited(tmp_path: Path) -> Path:
    """A folder with a file for every module that could be imported, of Python's and of installed packages."""
    folder = tmp_path / "stranger"
    folder.mkdir()
    bait = BAIT.format(canary=str(tmp_path / "canary"))
    installed = {name for name in packages_distributions() if name.isidentifier()}
    for name in {*sys.stdlib_module_names, *installed} - {"pentathlon", "pentathlon_cartpole", "cartpole"}:
        (folder / f"{name}.py").write_text(bait)
    return folder


def caught(folder: Path) -> str:
    canary = folder.parent / "canary"
    return canary.read_text() if canary.exists() else ""


# Without the variable that Python itself would obey: what we start must be safe without it.
UNSAFE = {**os.environ, "PYTHONSAFEPATH": ""}


def run_in(folder: Path, *words: str, limit_s: float = 120, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=limit_s, check=False, **options)


def write_policy(folder: Path) -> None:
    manifest = {"format": "pentathlon-entrant-v1", "kind": "policy", "factory": "still:Still"}
    (folder / "entrant.json").write_text(json.dumps(manifest))
    (folder / "still.py").write_text(POLICY)


@pytest.mark.sandbox
def test_a_stranger_is_checked_from_within_its_folder(baited: Path) -> None:
    write_policy(baited)
    words = ("check-entrant", ".", "--task", "act/pour-sprint-v1", "--steps", "2", "--no-episode")
    checked = run_in(baited, PENTATHLON, *words)
    # In the sandbox the folder comes first, so that the entrant falls over its own files, and nobody else does.
    assert "fail" in checked.stdout, checked.stderr
    assert caught(baited) == ""


@pytest.mark.sandbox
def test_a_folder_is_checked_from_a_stranger_folder(baited: Path) -> None:
    (baited / "mine").mkdir()
    write_policy(baited / "mine")
    checked = run_in(
        baited, PENTATHLON, "check-entrant", "mine", "--task", "act/pour-sprint-v1", "--steps", "2", "--no-episode"
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert caught(baited) == ""


def test_workers_search_no_stranger_folder(baited: Path) -> None:
    run = run_in(baited, PENTATHLON, "run", "example/cartpole-v1", "-e", "cartpole-random", "--limit", "1", env=UNSAFE)
    assert run.returncode == 0, run.stderr
    assert caught(baited) == ""


# The libraries of a robot start Python too, which only the variable keeps from the folder.
@pytest.mark.parametrize(("robots", "environment"), [("1", None), ("0", UNSAFE)])
def test_a_server_searches_no_stranger_folder(baited: Path, robots: str, environment: dict[str, str] | None) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    words = ["serve", "--robots", robots, "--tasks", "act/*-sprint-v1", "--port", port]
    with (baited.parent / "output").open("w+") as output:
        server = subprocess.Popen([PENTATHLON, *words], cwd=baited, env=environment, stdout=output, stderr=output)
    try:
        deadline_s = time.monotonic() + 60
        while (b"robot-1" if robots == "1" else b"[]") not in asked(f"http://127.0.0.1:{port}/api/robots"):
            assert time.monotonic() < deadline_s, (baited.parent / "output").read_text()
            time.sleep(0.2)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)
    ran = {line.split()[0] for line in caught(baited).splitlines()}
    assert ran <= (set() if environment is None else {"ctypes"}), ran


def asked(url: str) -> bytes:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            content: bytes = answer.read()
            return content
    except OSError:
        return b""


def test_a_model_of_the_present_folder_can_be_named(baited: Path) -> None:
    (baited / "my_helper.py").write_text("from pentathlon_cartpole import RandomAgent\n")
    code = "def make():\n    import my_helper\n    return my_helper.RandomAgent()\n"
    (baited / "my_model.py").write_text(code)
    run = run_in(baited, PENTATHLON, "run", "example/cartpole-v1", "-e", "my_model:make", "--limit", "1", env=UNSAFE)
    assert run.returncode == 0, run.stderr
    assert caught(baited) == ""


def test_the_present_folder_comes_last_and_for_a_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model_of_this_test.py").write_text("import sys\nplace = sys.path.index(__file__.rpartition('/')[0])\n")
    before = list(sys.path)
    assert resolve_named("model_of_this_test:place") == len(before)
    assert sys.path == before
    assert resolve_entrant("model_of_this_test:place").is_reference
    with present_folder(), present_folder():
        assert sys.path.count(os.getcwd()) == 1
    assert sys.path == before
