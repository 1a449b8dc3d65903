"""How fast the server answers while many users submit and poll.

``python bench/server.py [USERS [SECONDS [DATABASE_URL]]]``: every user uploads 200 kB within the first five seconds and
then polls every second, twice as often as ``pentathlon submit`` does, over a connection of its own. The uploads are no
archives, so the clerk refuses one after the other while the users poll: web, database, queue and state changes are at
work, robots are not.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pentathlon.server.client import Client
from pentathlon.server.queue.accounts import make_account
from pentathlon.server.queue.database import Database
from pentathlon.server.settings import ServerSettings
from pentathlon.server.supervisor import Supervisor, prepare

HOST, PORT = "127.0.0.1", 8765
POLL_EVERY_S = 1.0
UPLOAD_BYTES = 200_000


@dataclass
class Times:
    """Seconds that requests took, and how many were not answered with success."""

    polls_s: list[float] = field(default_factory=list)
    submissions_s: list[float] = field(default_factory=list)
    refused: int = 0
    ended: int = 0


async def request(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str, path: str, token: str, body: bytes = b""
) -> tuple[int, dict[str, object]]:
    """Sends one request over a kept connection."""
    head = (f"{method} {path} HTTP/1.1", f"Host: {HOST}", f"Authorization: Bearer {token}")
    writer.write("\r\n".join((*head, f"Content-Length: {len(body)}", "", "")).encode() + body)
    await writer.drain()
    answer = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = int(answer.split("content-length: ")[1].split("\r\n")[0])
    return int(answer.split(" ")[1]), json.loads(await reader.readexactly(length))


async def user(number: int, token: str, seconds: float, times: Times) -> None:
    """Submits once, at a moment of its own, and polls."""
    await asyncio.sleep(POLL_EVERY_S * 5 * (number * 0.618 % 1))
    deadline = time.monotonic() + seconds
    reader, writer = await asyncio.open_connection(HOST, PORT)
    started = time.perf_counter()
    path = "/api/submissions?task=act/pour-sprint-v1&challenge=policy"
    status, view = await request(reader, writer, "POST", path, token, os.urandom(UPLOAD_BYTES))
    times.submissions_s.append(time.perf_counter() - started)
    times.refused += status >= 400
    while time.monotonic() < deadline:
        await asyncio.sleep(POLL_EVERY_S * random.uniform(0.75, 1.25))
        started = time.perf_counter()
        status, seen = await request(reader, writer, "GET", f"/api/submissions/{view['id']}", token)
        times.polls_s.append(time.perf_counter() - started)
        times.refused += status >= 400
    times.ended += seen["ended"] is not None
    writer.close()


async def crowd(tokens: list[str], seconds: float) -> Times:
    """Lets all users come at once."""
    times = Times()
    await asyncio.gather(*(user(number, token, seconds, times) for number, token in enumerate(tokens)))
    return times


def main(users: int, seconds: float, database_url: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = ServerSettings(Path(folder), database_url, tasks=("act/*-sprint-v1",))
        prepare(settings)
        database = Database(settings.database_url)
        with database.write() as session:
            tokens = [make_account(session, f"user-{number}").secret for number in range(users)]
        supervisor = Supervisor(settings, HOST, PORT, print)
        thread = threading.Thread(target=supervisor.run)
        thread.start()
        try:
            Client(f"http://{HOST}:{PORT}", "").get("/api/health")
            times = asyncio.run(crowd(tokens, seconds))
        finally:
            supervisor.end()
            thread.join()
            database.close()
    report(users, times)


def report(users: int, times: Times) -> None:
    for name, values_s in (("poll", times.polls_s), ("submission", times.submissions_s)):
        p50, p95, p99 = (1000 * np.quantile(values_s, share) for share in (0.5, 0.95, 0.99))
        print(f"{name}: n={len(values_s)} p50 {p50:.1f} ms, p95 {p95:.1f} ms, p99 {p99:.1f} ms")
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{users} users, {times.refused} refused, {times.ended} ended; load average {load} on {os.cpu_count()} cores")


if __name__ == "__main__":
    users, seconds, database_url = [*sys.argv[1:], *("200", "30", "")[len(sys.argv) - 1 :]]
    main(int(users), float(seconds), database_url)
