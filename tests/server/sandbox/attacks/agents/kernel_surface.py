"""Makes system calls through which kernels have been broken before."""

import ctypes
import os
import platform

from honest import Honest, attempt

LIBC = ctypes.CDLL(None, use_errno=True)
X86_64 = {
    "bpf": 321,
    "perf_event_open": 298,
    "userfaultfd": 323,
    "io_uring_setup": 425,
    "keyctl": 250,
    "open_by_handle_at": 304,
    "process_vm_writev": 311,
    "kexec_load": 246,
    "finit_module": 313,
    "pidfd_getfd": 438,
    "fsopen": 430,
    "setns": 308,
    "add_key": 248,
    "shmget": 29,
    "memfd_create": 319,
    "personality": 135,
}


def call(number):
    if LIBC.syscall(number, 0, 0, 0, 0, 0, 0) == -1:
        number = ctypes.get_errno()
        if number not in (1, 38):
            return f"reached the kernel: {os.strerror(number)}"
        raise OSError(number, os.strerror(number))
    return "done"


def other_calling_convention():
    # The x32 numbers reach the same kernel functions past a careless filter.
    child = os.fork()
    if child == 0:
        LIBC.syscall(0x40000000 + 39)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        raise OSError(f"killed by signal {os.WTERMSIG(status)}")
    return "done"


def make(**_):
    if platform.machine() == "x86_64":
        attempt("x32", other_calling_convention)
        for name, number in X86_64.items():
            attempt(name, lambda number=number: call(number))
    return Honest()
