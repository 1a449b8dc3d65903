"""Checks beside each other: a submission that dawdles delays nobody but its owner."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from live_server import LiveServer, await_that, live_server

from pentathlon.server.client import Client
from pentathlon.server.queue.jobs import CHECKS_AT_ONCE
from pentathlon.server.queue.states import FINAL

pytestmark = pytest.mark.xdist_group("live server")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("live") / "data", (), remote_hosts=("127.0.0.1",)) as server:
        yield server


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a server that takes every connection and never says a word."""
    with closing(socket.create_server(("127.0.0.1", 0), backlog=50)) as listener:
        yield f"ws://127.0.0.1:{listener.getsockname()[1]}"


def client_of(server: LiveServer, name: str) -> Client:
    return Client(server.client.server, server.post_json("/api/accounts", {"name": name})["token"])


def hand_in(client: Client, url: str) -> str:
    where = {"task": "act/pour-sprint-v1", "challenge": "policy", "title": ""}
    return str(client.register(url, source="remote", token="", **where)["id"])


def state(client: Client, submission: str) -> str:
    return str(client.get(f"/api/submissions/{submission}")["state"])


@pytest.mark.timeout(120)
def test_one_who_never_answers_delays_nobody_else(server: LiveServer, silent: str, tmp_path: Path) -> None:
    mallory, ada = client_of(server, "mallory"), client_of(server, "ada")
    slow = [hand_in(mallory, silent) for _ in range(CHECKS_AT_ONCE + 1)]
    await_that(lambda: state(mallory, slow[0]), lambda seen: seen == "checking")
    archive = tmp_path / "none.zip"
    archive.write_bytes(b"no archive")
    quick = ada.submit(archive, task="act/pour-sprint-v1", challenge="policy", title="")["id"]
    assert await_that(lambda: state(ada, quick), lambda seen: seen in FINAL) == "refused"
    # One by one, ten seconds each: all but the first still wait.
    assert [state(mallory, submission) for submission in slow[2:]] == ["received"] * (len(slow) - 2)
    for submission in slow:
        mallory._request("POST", f"/api/submissions/{submission}/cancel")
