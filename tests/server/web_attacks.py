"""Attacks on the web side of a running server, by strangers and by an account; each tells what it wrongly got."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections import Counter
from contextlib import ExitStack, closing
from urllib.parse import urlsplit

from live_server import LiveServer, agent_archive

HALF_SENT = b"POST /api/submissions HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n"
ATTACKER = ("127.0.0.9", 0)
FORGERS = 120


def web_problems(server: LiveServer) -> list[str]:
    """Makes every attack and says which succeeded."""
    return half_sent_requests(server) + forged_origins(server) + too_many_submissions(server) + forged_titles(server)


def half_sent_requests(server: LiveServer) -> list[str]:
    """Begins more requests than one host may have connections, and finishes none."""
    place = _place(server)
    with ExitStack() as stack:
        refused = 0
        for _ in range(server.settings.connections_per_host + 20):
            connection = stack.enter_context(closing(socket.create_connection(place, 10, ATTACKER)))
            connection.sendall(HALF_SENT)
        connection.settimeout(10)
        try:
            refused += b" 429 " in connection.recv(100)
        except ConnectionResetError:
            refused += 1
        answered = _get(server, "/api/health", {}, ("127.0.0.1", 0))
    problems = [] if refused else ["one host took all the connections it wanted"]
    return problems + ([] if answered == 200 else [f"half-sent requests of one host gave another status {answered}"])


def forged_origins(server: LiveServer) -> list[str]:
    """Says with each request that another host asks."""
    answers = Counter(
        _get(server, "/api/leaderboard?task=act/pour-sprint-v1", {"X-Forwarded-For": f"192.0.2.{number}"}, ATTACKER)
        for number in range(FORGERS)
    )
    return [] if answers[429] else [f"forged origins were believed: {dict(answers)}"]


def too_many_submissions(server: LiveServer) -> list[str]:
    """Hands in and cancels until the day's number is reached."""
    token = server.post_json("/api/accounts", {"name": "mallory"})["token"]
    answers: list[int] = []
    for _ in range(server.settings.submissions_per_day + 1):
        status, body = _post(server, "/api/submissions?task=act/pour-sprint-v1", token, agent_archive())
        answers.append(status)
        if status == 201:
            _post(server, f"/api/submissions/{json.loads(body)['id']}/cancel", token, b"")
    return [] if answers[-1] == 409 else [f"an account handed in {answers.count(201)} submissions in a day"]


def forged_titles(server: LiveServer) -> list[str]:
    """Hands in under a title that turns the writing around and breaks its line."""
    path = "/api/submissions?task=act/pour-sprint-v1&title=a%E2%80%AEb%E2%80%A8c"
    status, body = _post(server, path, server.client.token, b"no archive")
    title = json.loads(body).get("title")
    return [] if (status, title) == (201, "ab c") else [f"a title is {title!r}"]


def _place(server: LiveServer) -> tuple[str, int]:
    parts = urlsplit(server.client.server)
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port


def _get(server: LiveServer, path: str, headers: dict[str, str], source: tuple[str, int]) -> int:
    with closing(http.client.HTTPConnection(*_place(server), timeout=10, source_address=source)) as connection:
        connection.request("GET", path, headers=headers)
        return connection.getresponse().status


def _post(server: LiveServer, path: str, token: str, body: bytes) -> tuple[int, bytes]:
    while True:
        with closing(http.client.HTTPConnection(*_place(server), timeout=30)) as connection:
            connection.request("POST", path, body, {"Authorization": f"Bearer {token}"})
            answer = connection.getresponse()
            content = answer.read()
        if answer.status != 429:
            return answer.status, content
        time.sleep(0.1)
