"""Becomes the program that its words name, after arranging that calls on no list are told to the server.

Started as ``python -I -S launcher.py SOCKET FILTER WORD...``, with the standard library alone, before bubblewrap: the
filter goes with every process that comes of it, and none of them holds the descriptor that answers for it.
"""

from __future__ import annotations

import ctypes
import os
import platform
import socket
import sys

PR_SET_NO_NEW_PRIVS = 38
SECCOMP_SET_MODE_FILTER = 1
SECCOMP_FILTER_FLAG_NEW_LISTENER = 8
SECCOMP = {"x86_64": 317, "aarch64": 277, "riscv64": 277}
INSTRUCTION_BYTES = 8


class Program(ctypes.Structure):
    """What the kernel takes as a filter."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def main(socket_fd: int, filter_fd: int, words: list[str]) -> None:
    """Installs the filter, hands its listener over and runs the words; runs nothing where that fails."""
    with socket.socket(fileno=socket_fd) as server, os.fdopen(filter_fd, "rb") as file:
        listener = _install(file.read())
        if listener < 0:
            sys.exit("the kernel gives no listener")
        socket.send_fds(server, [b"1"], [listener])
        os.close(listener)
    os.execvp(words[0], words)


def _install(instructions: bytes) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    number = SECCOMP.get(platform.machine())
    if number is None or libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return -1
    program = Program(len(instructions) // INSTRUCTION_BYTES, instructions)
    flags = SECCOMP_FILTER_FLAG_NEW_LISTENER
    return int(libc.syscall(number, SECCOMP_SET_MODE_FILTER, flags, ctypes.byref(program)))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
