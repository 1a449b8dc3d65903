"""Makes namespaces of its own, mounts, changes the root and becomes root by every known way."""

import os
import subprocess

from honest import Honest, attempt, call

CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x20000


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, timeout=5).stdout


def make(**_):
    attempt("unshare", lambda: call("unshare", CLONE_NEWUSER | CLONE_NEWNS))
    attempt("clone", lambda: call("syscall", 56, CLONE_NEWUSER | 17, 0, 0, 0, 0))
    attempt("clone3", lambda: call("syscall", 435, 0, 0))
    attempt("mount", lambda: call("mount", b"none", b"/tmp", b"tmpfs", 0, None))
    attempt("remount", lambda: call("mount", None, b"/usr", None, 32, None))
    attempt("chroot", lambda: os.chroot("/tmp"))
    attempt("become root", lambda: os.setuid(0))
    attempt("become root's group", lambda: os.setgid(0))
    attempt("make a device", lambda: os.mknod("/tmp/disk", 0o60666, os.makedev(254, 0)))
    attempt("unshare by program", lambda: run("/usr/bin/unshare", "-Ur", "/usr/bin/true"))
    attempt("su", lambda: run("/usr/bin/su", "-c", "id"))
    print("user", os.getuid(), os.geteuid(), "groups", os.getgroups())
    with open("/proc/self/status") as file:
        print(file.read())
    return Honest()
