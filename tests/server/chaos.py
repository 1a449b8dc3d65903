"""Kills and freezes parts of a running server at random moments, and checks that nothing was lost or done twice.

``python tests/server/chaos.py KILLS [SUBMISSIONS] [SEED]`` does it for longer than the tests do, on both databases.
"""

from __future__ import annotations

import itertools
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from live_server import LiveServer, agent_archive, await_that, live_server
from postgresql_cluster import PostgresqlCluster
from sqlalchemy import select

from pentathlon.events.act.protocol import make_protocol
from pentathlon.server.queue.database import Database
from pentathlon.server.queue.states import FINAL
from pentathlon.server.queue.tables import StateChange, Submission, TrialRecord

DRIVERS = ("stand_in_robot:WiredRobot", "stand_in_robot:WiredRobot")
PATIENCE_S = 300.0
VICTIMS = (
    "web",
    "clerk",
    "robot-1",
    "robot-2",
    "controller",
    "database",
    "frozen web",
    "frozen clerk",
    "frozen robot-1",
)
FROZEN_S = (0.5, 5.0)
"""Shorter and longer than the silence after which a worker counts as lost."""

# Holds the database's write lock in the middle of a transaction that would spoil everything.
SPOILER = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
connection.execute("BEGIN IMMEDIATE")
connection.execute("UPDATE submissions SET state = 'failed', claim = claim + 100")
print("spoilt", flush=True)
time.sleep(600)
"""


class Chaos:
    """Kills or freezes a victim every so often until it is ended; in random order, but each before any again."""

    def __init__(self, server: LiveServer, controllers: Path, cluster: PostgresqlCluster | None, seed: int) -> None:
        self._server, self._controllers, self._cluster = server, controllers, cluster
        self._chance = random.Random(seed)
        self.killed: Counter[str] = Counter()

    def run(self, kills: int) -> None:
        rounds = (self._chance.sample(VICTIMS, len(VICTIMS)) for _ in itertools.count())
        for victim in itertools.chain.from_iterable(rounds):
            if self.killed.total() >= kills:
                return
            time.sleep(self._chance.uniform(0.2, 1.5))
            if self._kill(victim):
                self.killed[victim] += 1

    def _kill(self, victim: str) -> bool:
        if victim == "database":
            return self._kill_database()
        if victim == "controller":
            return self._kill_controller()
        state, _, name = victim.rpartition(" ")
        process = self._server.part(name).process
        if process is None or process.poll() is not None:
            return False
        if state == "frozen":
            process.send_signal(signal.SIGSTOP)
            time.sleep(self._chance.uniform(*FROZEN_S))
        process.send_signal(signal.SIGCONT if state == "frozen" else signal.SIGKILL)
        return True

    def _kill_controller(self) -> bool:
        return any(_kill_sleeper(path) for path in self._controllers.iterdir())

    def _kill_database(self) -> bool:
        if self._cluster is not None:
            self._cluster.kill()
            time.sleep(self._chance.uniform(0.0, 1.0))
            self._cluster.start()
            return True
        path = self._server.settings.data / "pentathlon.db"
        process = subprocess.Popen([sys.executable, "-c", SPOILER, str(path)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(self._chance.uniform(0.0, 0.5))
        process.kill()
        process.wait()
        process.stdout.close()
        return True


def _kill_sleeper(path: Path) -> bool:
    """Ends the controller whose process id names ``path``, if it still lives."""
    with suppress(OSError):
        path.unlink()
        if b"sleep" in Path(f"/proc/{path.name}/cmdline").read_bytes():
            os.kill(int(path.name), signal.SIGKILL)
            return True
    return False


def run_chaos(
    data: Path, *, kills: int, submissions: int, cluster: PostgresqlCluster | None, seed: int
) -> Counter[str]:
    """Submits under fire and checks what became of it; returns how often each part was killed."""
    database_url = cluster.new_database() if cluster else ""
    controllers = data.parent / "controllers"
    controllers.mkdir()
    os.environ["CONTROLLER_FOLDER"] = str(controllers)
    many = {"fruitless_claims_limit": 10**6, "unfinished_limit": 10**6}
    with live_server(data, DRIVERS, database=database_url, **many) as server:
        chaos = Chaos(server, controllers, cluster, seed)
        fire = threading.Thread(target=chaos.run, args=(kills,))
        operator = threading.Thread(target=_resume_robots, args=(server, ended := threading.Event()))
        fire.start()
        operator.start()
        accepted = []
        try:
            for number in range(submissions):
                accepted.append(_submit(server, f"chaos-{seed}-{number}"))
                time.sleep(0.3)
            fire.join()
            for submission in accepted:
                await_that(lambda s=submission: server.look(s), lambda view: view["state"] in FINAL, PATIENCE_S)
        finally:
            fire.join()
            ended.set()
            operator.join()
    for path in controllers.iterdir():
        _kill_sleeper(path)
    database = Database(server.settings.database_url)
    check(database, accepted)
    database.close()
    return chaos.killed


def check(database: Database, accepted: list[str]) -> None:
    """Every accepted submission is there once, ended once and has each trial once, with the right grams."""
    expected = [(trial.id, float(trial.setup.seed % 50)) for trial in make_protocol("pour", "sprint").trials()]
    with database.read() as session:
        assert len(set(accepted)) == len(accepted)
        assert set(session.scalars(select(Submission.id))) == set(accepted)
        for submission in session.scalars(select(Submission)):
            assert submission.state == "finished", (submission.id, submission.state, submission.reason)
            steps = session.scalars(select(StateChange.state).where(StateChange.submission_id == submission.id))
            assert sum(step in FINAL for step in steps) == 1
            statement = select(TrialRecord).where(TrialRecord.submission_id == submission.id)
            records = list(session.scalars(statement.order_by(TrialRecord.position)))
            assert [(record.trial, record.outcome["metrics"]["reward_g"]) for record in records] == expected
            assert submission.trials_done == len(expected)


def _submit(server: LiveServer, key: str) -> str:
    """Sends a submission until it is accepted, as the command line does."""
    headers = {"Idempotency-Key": key}
    view = server.post("/api/submissions?task=act/pour-sprint-v1&challenge=policy", agent_archive(), **headers)
    return str(view["id"])


def _resume_robots(server: LiveServer, ended: threading.Event) -> None:
    """An operator who lets a robot go on after each fault."""
    while not ended.wait(0.3):
        for robot in server.client.get("/api/robots"):
            if robot["state"] == "paused":
                server.post(f"/api/robots/{robot['name']}/resume")


def main() -> None:
    kills, submissions, seed = (int(word) for word in (*sys.argv[1:], 20, 0)[:3]) if len(sys.argv) > 1 else (40, 20, 0)
    cluster = PostgresqlCluster()
    try:
        for name, used in (("SQLite", None), ("PostgreSQL", cluster)):
            with tempfile.TemporaryDirectory() as folder:
                started_s = time.monotonic()
                data = Path(folder) / "data"
                killed = run_chaos(data, kills=kills, submissions=submissions, cluster=used, seed=seed)
                print(f"{name}: {submissions} submissions, killed {dict(killed)}, {time.monotonic() - started_s:.0f} s")
    finally:
        cluster.close()


if __name__ == "__main__":
    main()
