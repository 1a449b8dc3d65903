"""``pentathlon serve`` as a command: it is killed in the middle of a submission, and the same command finishes it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from live_server import agent_archive, await_that, free_port, python_path

from pentathlon.server.client import Client

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.xdist_group("live server"),
]


@contextmanager
def serving(folder: Path, port: int, database: str = "") -> Iterator[psutil.Process]:
    command = [
        sys.executable,
        "-m",
        "pentathlon",
        "serve",
        "--robots",
        "0",
        "--tasks",
        "act/*-sprint-v1",
        "--data",
        "data",
    ]
    command += ["--port", str(port), "--driver", "stand_in_robot:slow", "--database", database]
    command += ["--public-trials", "--uploads-without-control-groups"]
    environment = {**os.environ, "PYTHONPATH": python_path()}
    with (folder / "output").open("a") as output:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output)
    try:
        yield psutil.Process(process.pid)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


@pytest.mark.parametrize("backend", ["sqlite", "postgresql"])
def test_a_server_that_was_killed_continues(tmp_path: Path, backend: str, request: pytest.FixtureRequest) -> None:
    port = free_port()
    database = request.getfixturevalue("postgresql").new_database() if backend == "postgresql" else ""
    with serving(tmp_path, port, database) as first:
        await_that(lambda: (tmp_path / "output").read_text(), lambda text: "Serving" in text)
        tokens = re.findall(r"pent_\S+", (tmp_path / "output").read_text())
        client = Client(f"http://127.0.0.1:{port}", tokens[0])
        archive = tmp_path / "agent.zip"
        archive.write_bytes(agent_archive())
        submission = client.submit(archive, task="act/pour-sprint-v1", challenge="policy", title="")["id"]
        look = f"/api/submissions/{submission}"
        await_that(lambda: client.get(look), lambda view: view["trials_done"] >= 1)
        children = first.children()
        assert len(children) == 3
        first.send_signal(signal.SIGKILL)
        _, alive = psutil.wait_procs(children, timeout=10)
        assert alive == []
    with serving(tmp_path, port, database):
        view = await_that(lambda: client.get(look), lambda view: view["ended"] is not None)
        assert view["state"] == "finished"
        states = [step["state"] for step in client.get(f"{look}/steps")]
        assert states.count("finished") == 1
    output = (tmp_path / "output").read_text()
    assert len(re.findall(r"pent_\S+", output)) == 1, "the operator's token is shown once"


def serve_again(folder: Path, data: Path, port: int) -> tuple[int, str]:
    """Starts a second server, which must not come up, and returns its status and what it said."""
    command = [sys.executable, "-m", "pentathlon", "serve", "--tasks", "act/*-sprint-v1"]
    command += ["--data", str(data), "--port", str(port)]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
    return ended.returncode, ended.stderr


def test_a_second_server_is_refused_in_one_sentence(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, port):
        await_that(lambda: (tmp_path / "output").read_text(), lambda text: "Serving" in text)
        status, said = serve_again(tmp_path, tmp_path / "data", free_port())
        assert (status, "Another server runs on" in said, len(said.splitlines())) == (2, True, 1)
        client = Client(f"http://127.0.0.1:{port}", "")
        await_that(lambda: client.get("/api/health"), lambda health: bool(health["version"]))
        status, said = serve_again(tmp_path, tmp_path / "other", port)
        assert (status, f"Nobody can listen on 127.0.0.1:{port}" in said, len(said.splitlines())) == (2, True, 1)


def test_data_that_uploads_could_read_is_refused(tmp_path: Path) -> None:
    for shown in (sysconfig.get_paths()["purelib"], "/usr/src"):
        status, said = serve_again(tmp_path, Path(shown) / "act-server", free_port())
        assert (status, "which every uploaded program can read" in said, len(said.splitlines())) == (2, True, 1)
        assert not (Path(shown) / "act-server").exists()
    inside = tmp_path / "link"
    inside.symlink_to("/usr/src")
    assert serve_again(tmp_path, inside / "act-server", free_port())[0] == 2
