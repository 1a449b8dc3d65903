"""Tells the operator of system calls that are on no list: a program that needs one may be in the right."""

from __future__ import annotations

import errno
import fcntl
import functools
import logging
import os
import select
import shutil
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pentathlon.server.sandbox.bubblewrap import command
from pentathlon.server.sandbox.syscalls import forbidding_program, listening_program
from pentathlon.server.sizes import MEBIBYTE

LAUNCHER = str(Path(__file__).with_name("launcher.py"))
START_LIMIT_S = 20.0

# struct seccomp_notif: id, process, flags, number, architecture, instruction, six arguments.
_NOTIFICATION = struct.Struct("=QIIiIQ6Q")
# struct seccomp_notif_resp: id, value, error, flags.
_RESPONSE = struct.Struct("=QqiI")
_RECEIVE, _SEND = 0xC0502100, 0xC0182101
_LOOK_EVERY_MS = 500
MOST = 1000
"""Answered for one sandbox; further ones the kernel itself refuses."""
MOST_TOLD = 20
"""Different ones told of one sandbox: the log is the operator's, not the program's to fill."""

_log = logging.getLogger(__name__)


class Refusals:
    """Refuses the calls on no list of one sandbox, and logs each once.

    Args:
        listener: of the filter, taken over.
    """

    def __init__(self, listener: int) -> None:
        self._listener = listener
        self._ended = threading.Event()
        self.names: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="sandbox-refusals", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Leaves further calls to the kernel."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        poll = select.poll()
        poll.register(self._listener, select.POLLIN)
        left = MOST
        try:
            while left and not self._ended.is_set():
                for _, what in poll.poll(_LOOK_EVERY_MS):
                    if not what & select.POLLIN:
                        return
                    with suppress(OSError):
                        self._refuse()
                    left -= 1
        finally:
            os.close(self._listener)

    def _refuse(self) -> None:
        asked = bytearray(_NOTIFICATION.size)
        fcntl.ioctl(self._listener, _RECEIVE, asked)
        number, _, _, call, *_ = _NOTIFICATION.unpack(asked)
        fcntl.ioctl(self._listener, _SEND, _RESPONSE.pack(number, 0, -errno.ENOSYS, 0))
        self._tell(call)

    def _tell(self, call: int) -> None:
        import pyseccomp as seccomp

        try:
            name = seccomp.resolve_syscall(seccomp.system_arch(), call)
        except (ValueError, OSError):
            name = None
        told = name.decode() if isinstance(name, bytes) else str(name or call)
        if told not in self.names and len(self.names) < MOST_TOLD:
            self.names.add(told)
            _log.warning("A sandboxed program made the system call %s, which is on no list; it was refused.", told)


@dataclass(frozen=True)
class Launch:
    """A start through the launcher.

    Attributes:
        words: before those of the program.
        descriptors: that it needs.
    """

    words: tuple[str, ...]
    descriptors: tuple[int, ...]
    _ours: socket.socket

    def listen(self) -> Refusals:
        """Begins to answer, once the program has started.

        Raises:
            OSError: when it has not.
        """
        _, descriptors, _, _ = socket.recv_fds(self._ours, 1, 1)
        if not descriptors:
            raise OSError("The sandbox could not be started: the kernel gave no listener for its filter.")
        return Refusals(descriptors[0])


@contextmanager
def launching() -> Iterator[Launch]:
    """Prepares a start; what was opened for it is closed again with the context."""
    ours, theirs = socket.socketpair()
    with ours, theirs, tempfile.TemporaryFile() as rules:
        rules.write(listening_program())
        rules.seek(0)
        numbers = (theirs.fileno(), rules.fileno())
        ours.settimeout(START_LIMIT_S)
        yield Launch((sys.executable, "-I", "-S", LAUNCHER, *map(str, numbers)), numbers, ours)


@functools.cache
def can_listen() -> bool:
    """Whether calls on no list can be told here: not where another program listens already, or bubblewrap is old.

    Runs Python in a sandbox once; the answer is kept for the life of the process.
    """
    bubblewrap = shutil.which("bwrap")
    if bubblewrap is None or os.stat(bubblewrap).st_mode & stat.S_ISUID:
        return False
    try:
        with launching() as launch, tempfile.TemporaryFile() as rules:
            rules.write(forbidding_program())
            rules.seek(0)
            words = [*launch.words, *command((), MEBIBYTE, {}, rules.fileno()), sys.executable, "-I", "-S", "-c", ""]
            descriptors = (*launch.descriptors, rules.fileno())
            process = subprocess.Popen(words, pass_fds=descriptors, stderr=subprocess.DEVNULL)
            with closing(launch.listen()):
                return process.wait(START_LIMIT_S) == 0
    except (OSError, RuntimeError, ImportError, subprocess.TimeoutExpired):
        return False
