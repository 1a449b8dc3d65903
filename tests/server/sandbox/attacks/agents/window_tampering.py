"""Makes the memory in which the server writes observations its own: writable, shorter or longer."""

import ctypes
import mmap
import os

from honest import Honest, attempt

LIBC = ctypes.CDLL(None, use_errno=True)
READ_AND_WRITE = 3


def window():
    with open("/proc/self/maps") as file:
        (line,) = [line for line in file if "memfd:observation" in line]
    start, end = (int(word, 16) for word in line.split()[0].split("-"))
    return start, end


def make_writable():
    start, end = window()
    if LIBC.mprotect(ctypes.c_void_p(start), ctypes.c_size_t(end - start), READ_AND_WRITE) == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "done"


def descriptor():
    for name in os.listdir("/proc/self/fd"):
        if "memfd:observation" in os.readlink(f"/proc/self/fd/{name}"):
            return int(name)
    raise FileNotFoundError("no descriptor of the window")


def reopened():
    return os.open(f"/proc/self/fd/{descriptor()}", os.O_RDWR)


def map_again():
    with mmap.mmap(reopened(), 0) as memory:
        memory[0] = 99
    return "done"


def make(**_):
    attempt("make it writable", make_writable)
    attempt("write to it", lambda: os.write(descriptor(), b"forged"))
    attempt("write to it by another name", lambda: os.write(reopened(), b"forged"))
    attempt("map it again", map_again)
    attempt("shorten it", lambda: os.ftruncate(reopened(), 0))
    attempt("lengthen it", lambda: os.ftruncate(reopened(), 2**40))
    return Honest()
