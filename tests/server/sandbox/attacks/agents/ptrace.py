"""Attaches to other processes and reads their memory."""

import ctypes
import os

from honest import Honest, attempt, call

PTRACE_ATTACH, PTRACE_TRACEME = 16, 0


def make(host_pid, **_):
    for pid in (1, os.getppid(), host_pid):
        attempt(f"attach to {pid}", lambda pid=pid: call("ptrace", PTRACE_ATTACH, pid, 0, 0))
        attempt(f"open the memory of {pid}", lambda pid=pid: open(f"/proc/{pid}/mem", "rb+").read(1))
        vector = (ctypes.c_size_t * 2)(0, 1)
        attempt(f"read {pid}", lambda pid=pid, v=vector: call("process_vm_readv", pid, v, 1, v, 1, 0))
    attempt("be traced", lambda: call("ptrace", PTRACE_TRACEME, 0, 0, 0))
    return Honest()
