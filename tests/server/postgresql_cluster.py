"""A PostgreSQL server of the test's own, which may be killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

import psutil
import psycopg

from pentathlon.server.queue.jobs import prepare_queue


def binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


def postgresql_problem() -> str | None:
    """Why no PostgreSQL can be started here."""
    if binaries() is None:
        return "PostgreSQL's initdb is not installed"
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        return "PostgreSQL refuses to run as root, and setpriv is not installed"
    return None


def _is_gone(process: psutil.Process) -> bool:
    """Whether a process has ended; where nobody collects orphans it remains as a zombie."""
    try:
        return bool(process.status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


class PostgresqlCluster:
    """One cluster in a temporary folder, reached by a Unix socket only."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pentathlon-pg-"))
        self._as_user: list[str] = []
        self._has_template = False
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            self._as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        self._run("initdb", "-D", str(self.folder / "data"), "-U", "postgres", "-A", "trust", "--no-sync")
        self.start()

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses= -c max_connections=60 -c shared_buffers=16MB"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-l", log, "-o", options, "-w", "start")

    def kill(self) -> None:
        """Ends the server and all its processes with SIGKILL, as a power cut would."""
        pid = int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0])
        postmaster = psutil.Process(pid)
        family = [postmaster, *postmaster.children(recursive=True)]
        for process in family:
            process.send_signal(signal.SIGKILL)
        deadline = time.monotonic() + 10
        while not all(_is_gone(process) for process in family):
            assert time.monotonic() < deadline, "PostgreSQL outlived SIGKILL"
            time.sleep(0.02)

    def new_database(self) -> str:
        """Makes a database that has the queue's tables already, because making those takes seconds."""
        if not self._has_template:
            prepare_queue(self._make("queue_tables", "template1"))
            self._has_template = True
        return self._make(f"test_{uuid.uuid4().hex[:8]}", "queue_tables")

    def _make(self, name: str, template: str) -> str:
        with psycopg.connect(f"host={self.folder} user=postgres dbname=postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self.folder)

    def _run(self, name: str, *arguments: str) -> None:
        folder = binaries()
        assert folder is not None
        command = [*self._as_user, str(folder / name), *arguments]
        deadline = time.monotonic() + 30
        while (status := subprocess.run(command, stdout=subprocess.DEVNULL, cwd="/").returncode) != 0:
            # After a kill, the shared memory of the dead server may take a moment to go.
            assert name == "pg_ctl", f"{name} ended with {status}"
            assert time.monotonic() < deadline, f"{name} ended with {status}"
            time.sleep(0.3)
