"""Workers as processes of this machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path

from pentathlon.core.trial import Heat
from pentathlon.engine.workers.executor import WorkerMessage
from pentathlon.engine.workers.wire import Lost, WorkerSetup, decode_message, encode
from pentathlon.storage.cpus import usable_cpus
from pentathlon.storage.files import disk_errors

# One thread each: cores are shared out by workers, and sums do not depend on how many there are.
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
_CODE = "import sys; from pentathlon.engine.workers.worker import main; main(int(sys.argv[1]))"
# What ends a process from outside; a crash of its own comes with another signal or a status.
_FROM_OUTSIDE = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_LIVENESS_S = 0.5
_MESSAGES_AT_ONCE = 200
_STOP_S = 3.0


@dataclass(frozen=True)
class _Worker:
    process: subprocess.Popen[bytes]
    channel: Connection


class LocalExecutor:
    """Starts worker processes, each the head of its own process group, with their output in a log file."""

    def __init__(self, setup: WorkerSetup, log: Path) -> None:
        self._setup = encode(setup)
        self._log = log
        self._workers: dict[int, _Worker] = {}
        self._started = 0
        self._next_check_s = 0.0

    def capacity(self) -> int:
        """Counts the CPUs that this process may use."""
        return usable_cpus()

    def start(self) -> int:
        """Starts a process."""
        ours, theirs = Pipe()
        environment = {**dict.fromkeys(_THREADS, "1"), **os.environ}
        with disk_errors(self._log.parent), self._log.open("ab") as log, theirs:
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", _CODE, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        self._started += 1
        self._workers[self._started] = _Worker(process, ours)
        self._send(self._started, self._setup)
        return self._started

    def assign(self, worker: int, heat: Heat) -> None:
        """Sends the heat."""
        self._send(worker, encode(heat))

    def poll(self, timeout_s: float) -> list[WorkerMessage]:
        """Collects what the processes sent and which of them ended."""
        channels = {entry.channel: worker for worker, entry in self._workers.items()}
        speaking = wait(list(channels), min(timeout_s, _LIVENESS_S))
        heard = [message for channel in speaking for message in self._hear(channels[channel])]  # type: ignore[index]
        if time.monotonic() >= self._next_check_s:
            heard += self._find_dead()
        return heard

    def kill(self, worker: int) -> None:
        """Kills the process group."""
        self._end(self._workers.pop(worker))

    def close(self) -> None:
        """Hangs up, gives idle processes a moment to end and kills the rest."""
        workers = list(self._workers.values())
        self._workers.clear()
        for entry in workers:
            entry.channel.close()
        for entry in workers:
            try:
                entry.process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                self._end(entry)

    def _send(self, worker: int, data: bytes) -> None:
        try:
            self._workers[worker].channel.send_bytes(data)
        except OSError:
            return  # The worker is dead; the next poll tells.

    def _hear(self, worker: int) -> Iterator[WorkerMessage]:
        channel = self._workers[worker].channel
        try:
            for _ in range(_MESSAGES_AT_ONCE):
                if not channel.poll():
                    return
                yield WorkerMessage(worker, decode_message(channel.recv_bytes()))
        except (EOFError, OSError):
            yield self._bury(worker)

    def _find_dead(self) -> list[WorkerMessage]:
        """Finds workers whose channel a forked child keeps open after their death."""
        self._next_check_s = time.monotonic() + _LIVENESS_S
        dead = [worker for worker, entry in self._workers.items() if entry.process.poll() is not None]
        return [self._bury(worker) for worker in dead if not self._workers[worker].channel.poll()]

    def _bury(self, worker: int) -> WorkerMessage:
        entry = self._workers.pop(worker)
        with suppress(subprocess.TimeoutExpired):
            entry.process.wait(_STOP_S)
        status = entry.process.poll()
        self._end(entry)
        reason = f"{_describe(status)}; its last words may be in {self._log.name}"
        return WorkerMessage(worker, Lost(reason, by_machine=status is not None and -status in _FROM_OUTSIDE))

    def _end(self, entry: _Worker) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(entry.process.pid, signal.SIGKILL)
        entry.process.wait()
        entry.channel.close()


def _describe(status: int | None) -> str:
    if status is None:
        return "The worker hung up"
    if status >= 0:
        return f"The worker exited with status {status}"
    name = signal.Signals(-status).name
    return f"The worker was ended by {name}" + (" (often: out of memory)" if name == "SIGKILL" else "")
