"""Makes system calls through which kernels have been broken before."""

import ctypes
import fcntl
import os
import platform
import socket

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
    "io_setup": 206,
    "inotify_init": 253,
    "inotify_init1": 294,
    "flock": 73,
    "vmsplice": 278,
    "seccomp": 317,
    "quotactl_fd": 443,
    "landlock_create_ruleset": 444,
    "cachestat": 451,
    "a call of the future": 600,
}
AF_INET, AF_NETLINK, AF_VSOCK, AF_TIPC = 2, 16, 40, 30
TIOCSTI, TIOCSETD, TIOCLINUX, FIFREEZE = 0x5412, 0x5423, 0x541C, 0xC0045877
F_GETLK, F_SETLEASE, F_NOTIFY = 5, 1024, 1026


def call(number):
    if LIBC.syscall(number, 0, 0, 0, 0, 0, 0) == -1:
        number = ctypes.get_errno()
        if number not in (1, 38):
            return f"reached the kernel: {os.strerror(number)}"
        raise OSError(number, os.strerror(number))
    return "done"


def pair(family):
    try:
        return socket.socketpair(family)
    except OSError as error:
        # Anything else is the kernel's own answer, which another kernel may give differently.
        if error.errno not in (1, 38):
            return f"reached the kernel: {error}"
        raise


def pass_descriptor():
    left, right = socket.socketpair()
    with open("/dev/null") as file:
        socket.send_fds(left, [b"x"], [file.fileno()])
    return socket.recv_fds(right, 1, 1)


def control(request):
    # The number also with bits above those that the kernel looks at.
    for high in (0, 1 << 32):
        if LIBC.syscall(16, 0, ctypes.c_ulong(high | request), ctypes.byref(ctypes.c_int())) != -1:
            return "done"
    if ctypes.get_errno() not in (1, 38):
        return f"reached the kernel: {os.strerror(ctypes.get_errno())}"
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def look_at_lock(command):
    # Of a file that every sandbox sees: who may know of each other's locks can talk.
    with open("/usr/bin/env", "rb") as file:
        return fcntl.fcntl(file, command, bytes(32))


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
        for request in (TIOCSTI, TIOCSETD, TIOCLINUX, FIFREEZE):
            attempt(f"ioctl {request:#x}", lambda request=request: control(request))
    for family in (AF_INET, AF_NETLINK, AF_VSOCK, AF_TIPC):
        attempt(f"pair of family {family}", lambda family=family: pair(family))
    attempt("pass a descriptor", pass_descriptor)
    for command in (F_GETLK, F_SETLEASE, F_NOTIFY):
        attempt(f"fcntl {command}", lambda command=command: look_at_lock(command))
    return Honest()
