"""Takes what the whole machine has a number of, or what its own programs act upon: none of it counts as memory."""

import ctypes
import mmap
import os
import platform
import resource

from honest import Honest, attempt

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
PRIVATE, ANONYMOUS, HUGE = 0x2, 0x20, 0x40000
SETRLIMIT, PRLIMIT64 = 160, 302
SWITCHES = {
    "/proc/sys/kernel/core_pattern": "|/tmp/x",
    "/proc/sys/vm/drop_caches": "3",
    "/proc/self/oom_score_adj": "-1000",
    "/proc/self/uid_map": "0 0 1",
    "/proc/self/autogroup": "-20",
    "/sys/devices/system/cpu/cpu1/online": "0",
}


def failed():
    number = ctypes.get_errno()
    if number not in (1, 38):
        print(f"reached the kernel: {os.strerror(number)}")
    raise OSError(number, os.strerror(number))


def huge_pages():
    found = LIBC.mmap(None, 2**21, mmap.PROT_READ | mmap.PROT_WRITE, PRIVATE | ANONYMOUS | HUGE, -1, 0)
    return failed() if found == 2**64 - 1 else found


def let_crashes_be_reported(number, *arguments):
    # The number of the limit also with bits above those that the kernel looks at.
    none = (ctypes.c_ulong * 2)(0, 0)
    words = [ctypes.byref(none) if word is None else ctypes.c_ulong(word) for word in arguments]
    return failed() if LIBC.syscall(number, *words, 0) == -1 else resource.getrlimit(resource.RLIMIT_CORE)


def old_system_call():
    """The calls of 32-bit programs, by an instruction that no C library uses here."""
    child = os.fork()
    if child == 0:
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        page.write(bytes.fromhex("b814000000cd80c3"))  # getpid
        ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        raise OSError(f"killed by signal {os.WTERMSIG(status)}")
    return "done"


def write(file, text):
    with open(file, "w") as opened:
        opened.write(text)
    return "written"


def make(**_):
    attempt("terminals", lambda: os.open("/dev/ptmx", os.O_RDWR))
    attempt("a turn before others", lambda: os.nice(-5))
    attempt("a turn before all", lambda: os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1)))
    for file, text in SWITCHES.items():
        attempt(file, lambda file=file, text=text: write(file, text))
    if platform.machine() == "x86_64":
        attempt("huge pages", huge_pages)
        attempt("int 0x80", old_system_call)
        for high in (0, 1 << 32):
            core = high | resource.RLIMIT_CORE
            attempt("crash reports", lambda core=core: let_crashes_be_reported(SETRLIMIT, core, None))
            attempt("crash reports", lambda core=core: let_crashes_be_reported(PRLIMIT64, 0, core, None))
    print("crashes may be", resource.getrlimit(resource.RLIMIT_CORE)[0], "bytes long")
    return Honest()
