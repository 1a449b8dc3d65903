"""A whole server with its processes, for tests."""

from __future__ import annotations

import io
import json
import os
import socket
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pentathlon
from pentathlon.core.entrant_folder import load_entrant
from pentathlon.core.entrants import Kind
from pentathlon.server.client import Client
from pentathlon.server.queue.states import FINAL
from pentathlon.server.settings import ServerSettings
from pentathlon.server.supervisor import Part, Supervisor, prepare

AGENT = """
import numpy as np
from pentathlon.worlds.tabletop.arm.robot import interaction

class Agent:
    spec = interaction(120, 160)
    calls = 0
    def reset(self):
        print("a new trial")
    def predict(self, observation):
        self.calls += 1
        assert self.calls < {calls}, "tired of it"
        chunk = np.tile(observation["joints"], (50, 1))
        chunk[:, 0] = 0.2
        return chunk.astype(np.float32)

def make():
    return Agent()
"""


@dataclass(frozen=True)
class LiveServer:
    settings: ServerSettings
    supervisor: Supervisor
    client: Client

    def post(self, path: str, body: bytes = b"", **headers: str) -> Any:
        return json.loads(self.client._patiently(lambda: self.client._request("POST", path, io.BytesIO(body), headers)))

    def post_json(self, path: str, content: Any) -> Any:
        return self.post(path, json.dumps(content).encode(), **{"Content-Type": "application/json"})

    def submit(self, archive: bytes, task: str = "act/pour-sprint-v1") -> str:
        view = self.post(f"/api/submissions?task={task}", archive)
        return str(view["id"])

    def look(self, submission: str) -> Any:
        return self.client.get(f"/api/submissions/{submission}")

    def robot(self, name: str) -> Any:
        return next(robot for robot in self.client.get("/api/robots") if robot["name"] == name)

    def wait(self, submission: str, until: Callable[[Any], bool], timeout_s: float = 60) -> Any:
        return await_that(lambda: self.look(submission), until, timeout_s)

    def wait_for_end(self, submission: str) -> Any:
        return self.wait(submission, lambda view: view["state"] in FINAL)

    def part(self, name: str) -> Part:
        return next(part for part in self.supervisor.parts if part.name == name)


def await_that(look: Callable[[], Any], until: Callable[[Any], bool], timeout_s: float = 60) -> Any:
    deadline = time.monotonic() + timeout_s
    while not until(seen := look()):
        assert time.monotonic() < deadline, f"still {seen}"
        time.sleep(0.1)
    return seen


def agent_files(calls: int = 10**9) -> dict[str, str]:
    """An agent folder; the agent fails at the given call."""
    manifest = {"format": "pentathlon-entrant-v1", "kind": "policy", "factory": "agent:make"}
    return {"entrant.json": json.dumps(manifest), "agent.py": AGENT.format(calls=calls)}


def agent_archive(calls: int = 10**9) -> bytes:
    return pack_files(agent_files(calls))


def entrant_files(kind: str, code: str) -> dict[str, str]:
    """The folder of an entrant of any kind, whose code has a function ``make``."""
    manifest = {"format": "pentathlon-entrant-v1", "kind": kind, "factory": "entrant:make"}
    return {"entrant.json": json.dumps(manifest), "entrant.py": code}


def built(folder: Path, kind: Kind, code: str) -> Any:
    """Builds an entrant from a folder of this kind in this process."""
    place = Path(tempfile.mkdtemp(dir=folder))
    for name, content in entrant_files(kind, code).items():
        (place / name).write_text(content)
    return load_entrant(place, kind)


def pack_files(files: dict[str, str]) -> bytes:
    """Packs files without pressing them, so that what is in them can be found in the archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@contextmanager
def live_server(
    data: Path, drivers: tuple[str, ...], search_path: tuple[Path, ...] = (), **changes: Any
) -> Iterator[LiveServer]:
    """A server with its processes, which find packages in ``search_path`` too."""
    quick = {
        "tasks": ("act/*-sprint-v1",),
        "public_trials": True,
        "uploads_without_control_groups": True,
        "heartbeat_s": 0.2,
        "lost_after_s": 2.0,
        "requests_per_second": 1000.0,
        "request_burst": 1000,
    }
    settings = ServerSettings(data=data, drivers=drivers, **{**quick, **changes})
    token = prepare(settings)
    assert token is not None
    port = free_port()
    supervisor = Supervisor(settings, "127.0.0.1", port, print)
    thread = threading.Thread(target=supervisor.run)
    with patch.dict(os.environ, PYTHONPATH=python_path(*search_path)):
        thread.start()
        try:
            server = LiveServer(settings, supervisor, Client(f"http://127.0.0.1:{port}", token))
            await_that(lambda: server.client.get("/api/robots"), lambda robots: len(robots) == len(drivers))
            yield server
        finally:
            supervisor.end()
            thread.join()


def python_path(*places: Path) -> str:
    """Where the processes of a server look first: the code under test, the stand-ins, and other places."""
    return os.pathsep.join(map(str, (Path(pentathlon.__file__).parents[1], Path(__file__).parent, *places)))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
