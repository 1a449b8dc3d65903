"""One bubblewrap process with its pipes, control group and memory watch; nothing of it outlives ``close``."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

import psutil

from pentathlon.server.sandbox import cgroups
from pentathlon.server.sandbox.archives import open_to_all
from pentathlon.server.sandbox.bubblewrap import command
from pentathlon.server.sandbox.limits import MEBIBYTE, Limits, SandboxError
from pentathlon.server.sandbox.syscalls import filter_program

# Joins the control groups named before "--" and becomes the rest of the words, so that no moment is unlimited.
_JOIN = 'while [ "$1" != -- ]; do echo $$ > "$1" || exit 1; shift; done; shift; exec "$@"'
_LOOK_EVERY_S = 0.1
_INNER_END_WAIT_S = 5.0
_END_WAIT_S = 5.0


class SandboxProcess:
    """Starts the harness in a sandbox that sees ``folder`` and little else."""

    def __init__(self, folder: Path, limits: Limits, window_descriptor: int) -> None:
        self._limits = limits
        self._window = window_descriptor
        self._group: cgroups.ControlGroup | None = None
        self._staging: tempfile.TemporaryDirectory[str] | None = None
        self._next_look_s = 0.0
        self._exceeded = False
        self._closed = threading.Event()
        shown = self._readable(folder)
        self._group = cgroups.create(limits.memory_bytes, limits.cores)
        try:
            self._process = self._start(shown)
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
        """Raises when it has used more memory than it may.

        Raises:
            SandboxError: out of memory.
        """
        if self._group is not None:
            exceeded = self._group.memory_kills() > 0
        else:
            exceeded = self._exceeded or self._takes_too_much()
        if exceeded:
            limit_mib = self._limits.memory_bytes / MEBIBYTE
            raise SandboxError("out_of_memory", f"The agent used more than {limit_mib:.0f} MiB of memory.")

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

    def _start(self, shown: Path) -> subprocess.Popen[bytes]:
        limits = self._limits
        with tempfile.TemporaryFile() as seccomp:
            seccomp.write(filter_program())
            seccomp.seek(0)
            words = command(shown, limits.temporary_bytes, environment(limits), seccomp.fileno())
            words += [sys.executable, "-I", "-u", "-m", "pentathlon.server.sandbox.harness"]
            words += [str(limits.memory_bytes), str(limits.processes), str(limits.temporary_bytes), str(self._window)]
            if self._group is not None:
                words = ["/bin/sh", "-c", _JOIN, "sh", *map(str, self._group.doors), "--", *words]
            pipe = subprocess.PIPE
            # An empty environment also for bubblewrap itself: its own can be read from inside.
            return subprocess.Popen(
                words,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                bufsize=0,
                env={"PATH": os.environ.get("PATH", os.defpath)},
                pass_fds=[seccomp.fileno(), self._window],
                start_new_session=True,
            )

    def _readable(self, folder: Path) -> Path:
        if os.geteuid() != 0 or _open_to_others(folder):
            return folder
        self._staging = tempfile.TemporaryDirectory(prefix="pentathlon-agent-")
        copy = Path(self._staging.name) / "agent"
        shutil.copytree(folder, copy, symlinks=True)
        open_to_all(copy)
        return copy

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

    def _clean_up(self) -> None:
        if self._group is not None:
            self._group.close()
        if self._staging is not None:
            self._staging.cleanup()


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


def _open_to_others(folder: Path) -> bool:
    for path in (folder, *folder.rglob("*")):
        wanted = 0o5 if path.is_dir() else 0o4
        if path.lstat().st_mode & wanted != wanted:
            return False
    return True


def _field_bytes(file: Path, field: str) -> int:
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{field}:"))
