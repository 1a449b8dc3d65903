"""How fast the server answers while many users submit, poll and look, and while strangers flood the site.

``python bench/server.py [USERS [SECONDS [DATABASE_URL [ROWS [FLOOD]]]]]``: every user uploads 200 kB within the first
five seconds and then polls every second, twice as often as ``pentathlon submit`` does, over a connection of its own;
every fifth look is one at the standings, which hold ROWS finished submissions. The uploads are no archives, so the
clerk refuses one after the other while the users poll: web, database, queue and state changes are at work, robots are
not. Then FLOOD strangers look at the standings as fast as they are answered, without a limit on their rate, as if each
had an address of its own, while an operator stops a robot five times a second. Each kind of request is set against its
goal, and the CPU time of the web process is told, which a busy machine changes little.
"""

from __future__ import annotations

import asyncio
import itertools
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
import psutil
from sqlalchemy.orm import Session

from pentathlon.core import Score
from pentathlon.server.accounts.tokens import make_account
from pentathlon.server.client import Client
from pentathlon.server.queue.database import Database
from pentathlon.server.queue.results import stored_scores
from pentathlon.server.queue.tables import Account, Submission
from pentathlon.server.robots.drivers import SIMULATED
from pentathlon.server.settings import ServerSettings
from pentathlon.server.supervisor import Supervisor, prepare

HOST, PORT = "127.0.0.1", 8765
POLL_EVERY_S = 1.0
UPLOAD_BYTES = 200_000
PAGE_EVERY = 5
FLOOD_S = 15.0
KINDS = ("poll", "page", "submission", "view in the flood", "stop in the flood")
GOALS_MS = {"poll": 50.0, "page": 100.0, "stop in the flood": 1000.0}


@dataclass
class Times:
    """Seconds that requests took, and how many were not answered with success."""

    took_s: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    refused: int = 0
    ended: int = 0
    web_cpu_s: float = 0.0


async def request(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str, path: str, token: str, body: bytes = b""
) -> tuple[int, bytes]:
    """Sends one request over a kept connection."""
    head = [f"{method} {path} HTTP/1.1", f"Host: {HOST}", *([f"Authorization: Bearer {token}"] if token else [])]
    writer.write("\r\n".join((*head, f"Content-Length: {len(body)}", "", "")).encode() + body)
    await writer.drain()
    answer = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
    length = int(answer.split("content-length: ")[1].split("\r\n")[0])
    return int(answer.split(" ")[1]), await reader.readexactly(length)


async def timed(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str, path: str, token: str, into: list[float]
) -> bool:
    """Sends one request, notes how long it took and returns whether it was refused."""
    started = time.perf_counter()
    status, _ = await request(reader, writer, method, path, token)
    into.append(time.perf_counter() - started)
    return status >= 400


async def stranger(seconds: float, times: Times) -> None:
    """Looks at the standings again and again."""
    reader, writer = await asyncio.open_connection(HOST, PORT)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        times.refused += await timed(reader, writer, "GET", "/", "", times.took_s["view in the flood"])
    writer.close()


async def operator(token: str, seconds: float, times: Times) -> None:
    """Stops a robot five times a second, each time as somebody who has just come."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        started = time.perf_counter()
        reader, writer = await asyncio.open_connection(HOST, PORT)
        status, _ = await request(reader, writer, "POST", "/api/robots/robot-1/stop", token)
        times.took_s["stop in the flood"].append(time.perf_counter() - started)
        times.refused += status >= 400
        writer.close()
        await asyncio.sleep(0.2)


async def flood(strangers: int, token: str, seconds: float, times: Times) -> None:
    """Lets strangers come while the operator stops a robot."""
    await asyncio.gather(operator(token, seconds, times), *(stranger(seconds, times) for _ in range(strangers)))


async def user(number: int, token: str, seconds: float, times: Times) -> None:
    """Submits once, at a moment of its own, and polls."""
    await asyncio.sleep(POLL_EVERY_S * 5 * (number * 0.618 % 1))
    deadline = time.monotonic() + seconds
    reader, writer = await asyncio.open_connection(HOST, PORT)
    started = time.perf_counter()
    path = "/api/submissions?task=act/pour-sprint-v1&challenge=policy"
    status, answer = await request(reader, writer, "POST", path, token, os.urandom(UPLOAD_BYTES))
    times.took_s["submission"].append(time.perf_counter() - started)
    times.refused += status >= 400
    look = f"/api/submissions/{json.loads(answer)['id']}"
    for count in itertools.count(number):
        await asyncio.sleep(POLL_EVERY_S * random.uniform(0.75, 1.25))
        page = count % PAGE_EVERY == 0
        times.refused += await timed(
            reader, writer, "GET", "/" if page else look, token, times.took_s["page" if page else "poll"]
        )
        if time.monotonic() > deadline:
            break
    _, answer = await request(reader, writer, "GET", look, token)
    times.ended += json.loads(answer)["ended"] is not None
    writer.close()


async def crowd(tokens: list[str], seconds: float) -> Times:
    """Lets all users come at once."""
    times = Times()
    await asyncio.gather(*(user(number, token, seconds, times) for number, token in enumerate(tokens)))
    return times


def add_rows(session: Session, account: Account, rows: int) -> None:
    """Fills the standings with made-up results."""
    for number in range(rows):
        scores = [Score(name, number / 7 % 50, 0.0, 60.0, 6, unit="g") for name in ("reward_g", "success")]
        empty = {
            "request_key": None,
            "title": "",
            "sha256": "",
            "url": "",
            "remote_token": "",
            "reason": "",
            "worker": "",
        }
        when = {"heartbeat_s": 0.0, "created_s": 0.0, "entered_s": 0.0, "started_s": 0.0, "ended_s": float(number)}
        counts = {
            "size_bytes": 0,
            "priority": 0,
            "claim": 0,
            "fruitless_claims": 0,
            "trials_done": 6,
            "trials_total": 6,
        }
        place = {"source": "remote", "challenge": "policy", "task": "act/pour-sprint-v1", "state": "finished"}
        kept = {"id": f"{number:032x}", "account_id": account.id, "scores": stored_scores(scores)}
        session.add(Submission(**empty, **when, **counts, **place, **kept))


def main(users: int, seconds: float, database_url: str, rows: int, strangers: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings = ServerSettings(
            Path(folder),
            database_url,
            tasks=("act/*-sprint-v1",),
            public_trials=True,
            drivers=(SIMULATED,),
            requests_per_second=1e6,
        )
        boss = prepare(settings)
        assert boss is not None
        database = Database(settings.database_url)
        with database.write() as session:
            made = [make_account(session, f"user-{number}") for number in range(users)]
            add_rows(session, made[0].account, rows)
        supervisor = Supervisor(settings, HOST, PORT, print)
        thread = threading.Thread(target=supervisor.run)
        thread.start()
        try:
            client = Client(f"http://{HOST}:{PORT}", "")
            while client.get("/api/health")["robots"] == 0:
                time.sleep(0.2)
            before_s = web_cpu_s(supervisor)
            times = asyncio.run(crowd([account.secret for account in made], seconds))
            times.web_cpu_s = web_cpu_s(supervisor) - before_s
            asyncio.run(flood(strangers, boss, FLOOD_S, times))
        finally:
            supervisor.end()
            thread.join()
            database.close()
    report(users, times)


def web_cpu_s(supervisor: Supervisor) -> float:
    """CPU time of the web process since it began."""
    (web,) = (part.process for part in supervisor.parts if part.name == "web")
    assert web is not None
    used = psutil.Process(web.pid).cpu_times()
    return float(used.user + used.system)


def report(users: int, times: Times) -> None:
    for name, values_s in times.took_s.items():
        p50, p95, p99 = (1000 * np.quantile(values_s, share) for share in (0.5, 0.95, 0.99))
        goal_ms = GOALS_MS.get(name)
        verdict = "" if goal_ms is None else f"; goal p95 < {goal_ms:g} ms: {'met' if p95 < goal_ms else 'missed'}"
        print(f"{name}: n={len(values_s)} p50 {p50:.1f} ms, p95 {p95:.1f} ms, p99 {p99:.1f} ms{verdict}")
    requests = sum(len(times.took_s[kind]) for kind in KINDS[:3])
    print(f"web process before the flood: {1000 * times.web_cpu_s / requests:.2f} ms of CPU a request (n={requests})")
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    print(f"{users} users, {times.refused} refused, {times.ended} ended; load average {load} on {os.cpu_count()} cores")


if __name__ == "__main__":
    words = [*sys.argv[1:], *("200", "30", "", "2000", "64")[len(sys.argv) - 1 :]]
    main(int(words[0]), float(words[1]), words[2], int(words[3]), int(words[4]))
