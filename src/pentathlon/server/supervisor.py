"""Starts the processes of a server and starts them again when they die."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from pentathlon.core.errors import UsageError
from pentathlon.core.tiers import Tier, tier_of
from pentathlon.server.accounts.tokens import first_operator, make_account, reset_tokens
from pentathlon.server.queue.claims import needs_robot
from pentathlon.server.queue.database import Database, patiently
from pentathlon.server.queue.jobs import prepare_queue
from pentathlon.server.queue.offers import offers
from pentathlon.server.queue.tables import RobotRecord
from pentathlon.server.queue.upgrading import FIRST, adopt_files, upgrade
from pentathlon.server.sandbox.bubblewrap import python_folders
from pentathlon.server.server_parts import SETTINGS_VARIABLE
from pentathlon.server.settings import ServerSettings
from pentathlon.server.trial_secret import make_secret
from pentathlon.storage.lock import FolderLock, HeldError

POLL_S = 0.2
RESTART_AFTER_S = 1.0
GRACE_S = 5.0


@dataclass
class Part:
    """One process of the server."""

    name: str
    arguments: tuple[str, ...]
    process: subprocess.Popen[bytes] | None = None
    started_s: float = field(default=float("-inf"))

    @property
    def running(self) -> bool:
        """Whether the process lives."""
        return self.process is not None and self.process.poll() is None


def prepare(
    settings: ServerSettings, tell: Callable[[str], None] = print, *, new_operator_token: bool = False
) -> str | None:
    """Makes folders and brings the database up to date; returns the operator's token when one was made.

    Args:
        settings: of the server.
        tell: is given a sentence when the database was made or upgraded.
        new_operator_token: whether the operator lost it; the former ones stop working.
    """
    settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    database = Database(settings.database_url)
    try:
        done = patiently(lambda: upgrade(database, _old_tier(settings)))
        if done is not None:
            tell(str(done))
            if done.before == FIRST:
                adopt_files(settings, database)
        prepare_queue(settings.database_url)
        with database.write() as session:
            make_secret(session)
            _forget_robots(session, settings)
            return _operator_token(session, settings, new_operator_token)
    finally:
        database.close()


def _operator_token(session: Session, settings: ServerSettings, wanted: bool) -> str | None:
    operator = first_operator(session)
    if operator is None:
        return make_account(session, "operator", "operator", token_days=settings.token_days).secret
    return reset_tokens(session, operator, settings.token_days).secret if wanted else None


def _forget_robots(session: Session, settings: ServerSettings) -> None:
    """Removes what is known of robots that the server no longer has."""
    names = [name for name, _ in robot_names(settings)]
    gone = session.scalars(select(RobotRecord).where(RobotRecord.name.not_in(names))).all()
    for robot in gone:
        session.delete(robot)
        settings.live_view(robot.name).unlink(missing_ok=True)


@contextmanager
def only_server(settings: ServerSettings) -> Iterator[None]:
    """Holds the data folder for the length of a context; two servers on one would run each other's submissions.

    Raises:
        UsageError: when another server holds it.
    """
    try:
        lock = FolderLock(settings.data, "serve.lock")
    except HeldError as error:
        raise UsageError(f"Another server runs on {settings.data}. End it first, or name another --data.") from error
    with lock:
        yield


def check_data(settings: ServerSettings) -> None:
    """Refuses a data folder inside of one that every sandbox is shown, such as that of our Python.

    Raises:
        UsageError: naming both.
    """
    data = settings.data.resolve()
    for shown in (*python_folders(), Path("/usr")):
        if shown in (data, *data.parents):
            raise UsageError(
                f"The data folder {data} lies in {shown}, which every uploaded program can read. Name another --data."
            )


def check_port(host: str, port: int) -> None:
    """Refuses an address that cannot be listened on, before any process would try it again and again.

    Raises:
        UsageError: saying why.
    """
    try:
        family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        raise UsageError(
            f"Nobody can listen on {host}:{port} ({error.strerror}). Name another --port or --host."
        ) from error


def _old_tier(settings: ServerSettings) -> Tier:
    """Of submissions that were handed in before tasks had ids: what the server offers of act, since it had one tier."""
    tiers = {tier_of(task) for task in offers(settings) if task.startswith("act/")}
    return "lite" if tiers == {"lite"} else "full"


class Supervisor:
    """Keeps the web process, the clerk, one process per robot and the plain workers alive.

    Args:
        settings: of the server, already prepared.
        host: address to listen on.
        port: to listen on.
        tell: is given a sentence when a process dies.
    """

    def __init__(self, settings: ServerSettings, host: str, port: int, tell: Callable[[str], None]) -> None:
        self._settings, self._tell = settings, tell
        self._ended = False
        robots = [Part(name, ("robot", name, driver)) for name, driver in robot_names(settings)]
        plain = any(not needs_robot(task) for task in offers(settings))
        names = [f"worker-{number}" for number in range(1, settings.workers * plain + 1)]
        workers = [Part(name, ("worker", name)) for name in names]
        self.parts = [Part("web", ("web", host, str(port))), Part("clerk", ("clerk",)), *robots, *workers]

    def run(self) -> None:
        """Runs until :meth:`end` is called or the process is interrupted, then ends the processes."""
        try:
            while not self._ended:
                for part in self.parts:
                    self._look_after(part)
                time.sleep(POLL_S)
        finally:
            self._end_parts()

    def end(self) -> None:
        """Lets :meth:`run` return; safe in a signal handler."""
        self._ended = True

    def _look_after(self, part: Part) -> None:
        if part.running or time.monotonic() - part.started_s < RESTART_AFTER_S:
            return
        if part.process is not None:
            self._tell(f"The process {part.name!r} ended ({_how(part.process.returncode)}); starting it again.")
        environment = {**os.environ, SETTINGS_VARIABLE: self._settings.to_json(), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-P", "-m", "pentathlon.server.server_parts", *part.arguments]
        # Ctrl-C reaches the supervisor alone, which then ends its processes in order.
        part.process = subprocess.Popen(command, env=environment, start_new_session=True)
        part.started_s = time.monotonic()

    def _end_parts(self) -> None:
        living = [part.process for part in self.parts if part.process is not None and part.running]
        for process in living:
            process.terminate()
        deadline = time.monotonic() + GRACE_S
        for process in living:
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def robot_names(settings: ServerSettings) -> list[tuple[str, str]]:
    """Names each robot and gives its driver."""
    return [(f"robot-{number}", driver) for number, driver in enumerate(settings.drivers, 1)]


def _how(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"status {status}"
