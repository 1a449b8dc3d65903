"""One bubblewrap process with its pipes, control group and memory watch; nothing of it outlives ``close``."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import psutil

import pentathlon
from pentathlon.server.sandbox import cgroups
from pentathlon.server.sandbox.bubblewrap import command
from pentathlon.server.sandbox.limits import Limits, SandboxError, without_core_dumps
from pentathlon.server.sandbox.refusals import Refusals, can_listen, launching
from pentathlon.server.sandbox.syscalls import filter_program, forbidding_program
from pentathlon.server.sandbox.temporary import TemporaryFiles
from pentathlon.server.sizes import MEBIBYTE

# Joins the control groups named before "--" and becomes the rest of the words, so that no moment is unlimited.
_JOIN = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"'
# An isolated Python finds installed packages alone; the server may run from elsewhere.
_RUN = """import runpy, sys
place, module = sys.argv.pop(1), sys.argv.pop(1)
if place not in sys.path:
    sys.path.insert(0, place)
runpy.run_module(module, run_name="__main__", alter_sys=True)"""
_LOOK_EVERY_S = 0.1
_INNER_END_WAIT_S = 5.0
_END_WAIT_S = 5.0


@dataclass(frozen=True)
class Program:
    """What runs in a sandbox.

    Attributes:
        words: for our Python, such as those of :func:`run_module`; those of :func:`limit_process` follow.
        mounts: what it sees besides the system and our Python; ``read_only`` and ``writable`` make them.
        file_bytes: the longest file it can write.
        descriptors: that it inherits, besides the standard streams; their numbers follow the limits.
    """

    words: tuple[str, ...]
    mounts: tuple[str, ...]
    file_bytes: int
    descriptors: tuple[int, ...] = ()


class SandboxProcess:
    """Starts a program in a sandbox that sees little of the machine."""

    def __init__(self, program: Program, limits: Limits) -> None:
        self._limits = limits
        self._next_look_s = 0.0
        self._exceeded = False
        self._closed = threading.Event()
        self._refusals: Refusals | None = None
        self._files = TemporaryFiles(limits.temporary_bytes)
        self._group = cgroups.create(limits.memory_bytes, limits.cores)
        try:
            self._process = self._start(program)
        except BaseException:
            self._clean_up()
            raise
        if self._group is None:
            threading.Thread(target=self._watch, name="sandbox-memory", daemon=True).start()

    @property
    def pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        """Its input, output and error streams."""
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None
        return stdin, stdout, stderr

    def watch_memory(self) -> None:
        """Checks the memory a few times a second at most; to be called while waiting."""
        if time.monotonic() >= self._next_look_s:
            self._next_look_s = time.monotonic() + _LOOK_EVERY_S
            self.check_memory()

    def check_memory(self) -> None:
        """Raises when it has used more memory than it may, or made more temporary files.

        Raises:
            SandboxError: out of memory.
        """
        if self._group is not None:
            exceeded = self._group.memory_kills() > 0
        else:
            exceeded = self._exceeded or self._takes_too_much()
        if exceeded:
            limit_mib = self._limits.memory_bytes / MEBIBYTE
            raise SandboxError("out_of_memory", f"The entrant used more than {limit_mib:.0f} MiB of memory.")
        if self._files.count(self._process_ids()) > (most := self._limits.temporary_files):
            raise SandboxError("out_of_memory", f"The entrant made more than {most:,} temporary files.")

    def peak_memory_bytes(self) -> int:
        """The largest resident memory of each of its processes so far, added up."""
        return self._memory_bytes("status", "VmHWM")

    def exit_status(self) -> int | None:
        """How it ended by itself, once it has: 128 + n when signal n ended it."""
        try:
            return self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """Ends every process in it and waits until they are gone.

        The first process of a namespace takes all others along, and bubblewrap waits for it; it is killed itself only
        where that does not happen, for then its children are left to the system to clear away.
        """
        for first in self._inside(recursive=False):
            with suppress(psutil.NoSuchProcess):
                first.kill()
        try:
            self._process.wait(_INNER_END_WAIT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(_END_WAIT_S)

    def close(self) -> None:
        """Kills it and removes all that was made for it."""
        self._closed.set()
        self.kill()
        for pipe in self.pipes:
            pipe.close()
        self._clean_up()

    def _watch(self) -> None:
        """Ends the sandbox when it takes too much, also while nobody waits for its answer."""
        while not self._closed.wait(_LOOK_EVERY_S):
            try:
                self.check_memory()
            except SandboxError:
                self._exceeded = True
                self.kill()
                return

    def _start(self, program: Program) -> subprocess.Popen[bytes]:
        if not can_listen():
            return self._popen(program, filter_program(), (), ())
        with launching() as launch:
            process = self._popen(program, forbidding_program(), launch.words, launch.descriptors)
            try:
                self._refusals = launch.listen()
            except BaseException:
                process.kill()
                process.wait(_END_WAIT_S)
                raise
            return process

    def _popen(
        self, program: Program, rules: bytes, launcher: tuple[str, ...], descriptors: tuple[int, ...]
    ) -> subprocess.Popen[bytes]:
        limits = self._limits
        with tempfile.TemporaryFile() as seccomp:
            seccomp.write(rules)
            seccomp.seek(0)
            words = [*launcher, *command(program.mounts, limits.temporary_bytes, environment(limits), seccomp.fileno())]
            words += [sys.executable, "-I", "-u", *program.words]
            words += map(str, (limits.memory_bytes, limits.processes, program.file_bytes, *program.descriptors))
            if self._group is not None:
                words = ["/bin/sh", "-c", _JOIN, "sh", *map(str, self._group.doors), "--", *words]
            pipe = subprocess.PIPE
            # An empty environment also for bubblewrap itself: its own can be read from inside.
            with without_core_dumps():
                return subprocess.Popen(
                    words,
                    stdin=pipe,
                    stdout=pipe,
                    stderr=pipe,
                    bufsize=0,
                    env={"PATH": os.environ.get("PATH", os.defpath)},
                    pass_fds=[seccomp.fileno(), *descriptors, *program.descriptors],
                    start_new_session=True,
                )

    def _takes_too_much(self) -> bool:
        # Pages that processes share are counted once only by the slower of the two sums.
        most = self._limits.memory_bytes
        return self._memory_bytes("status", "VmRSS") > most and self._memory_bytes("smaps_rollup", "Pss") > most

    def _memory_bytes(self, file: str, field: str) -> int:
        return sum(_field_bytes(Path(f"/proc/{process.pid}/{file}"), field) for process in self._inside())

    def _inside(self, *, recursive: bool = True) -> list[psutil.Process]:
        try:
            return list(psutil.Process(self._process.pid).children(recursive))
        except psutil.NoSuchProcess:
            return []

    def _process_ids(self) -> Iterable[int]:
        if self._group is not None:
            yield from self._group.processes()
        else:
            yield from (process.pid for process in self._inside())

    def _clean_up(self) -> None:
        if self._refusals is not None:
            self._refusals.close()
        self._files.close()
        if self._group is not None:
            self._group.close()


def run_module(name: str) -> tuple[str, ...]:
    """The words that run a module of the Pentathlon that this process runs, wherever it was found."""
    (place,) = pentathlon.__path__
    return ("-c", _RUN, str(Path(place).resolve().parent), name)


def environment(limits: Limits) -> dict[str, str]:
    """The whole environment of a sandboxed agent; no variable of the server is among it."""
    threads = str(limits.cores)
    return {
        "HOME": "/tmp",
        "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
        "TMPDIR": "/tmp",
        "USER": "agent",
        "MKL_NUM_THREADS": threads,
        "OMP_NUM_THREADS": threads,
        "OPENBLAS_NUM_THREADS": threads,
    }


def _field_bytes(file: Path, field: str) -> int:
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))
