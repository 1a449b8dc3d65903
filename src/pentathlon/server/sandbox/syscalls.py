"""The system calls that a sandboxed agent may not make, as a filter that bubblewrap loads."""

from __future__ import annotations

import errno
import tempfile
from typing import Any

# Everything an agent that only computes has no need of and that has been a way out of a container before.
DENIED: tuple[str, ...] = (
    # network and other machines
    *("socket", "connect", "bind", "listen", "accept", "accept4"),
    # other processes' memory and files
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp"),
    # file systems and namespaces
    *("mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "open_tree", "move_mount", "fsopen"),
    *("fsconfig", "fsmount", "fspick", "mount_setattr", "open_by_handle_at", "name_to_handle_at", "fanotify_init"),
    *("quotactl", "swapon", "swapoff", "mknod", "mknodat"),
    # the kernel itself
    *("bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "syslog", "acct"),
    *("keyctl", "add_key", "request_key", "iopl", "ioperm", "modify_ldt", "personality", "lookup_dcookie"),
    *("settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname", "vhangup"),
    # memory that is counted to no process
    *("shmget", "shmat", "msgget", "semget", "mq_open", "memfd_secret", "move_pages", "migrate_pages", "mbind"),
)

# glibc and libffi fall back to older calls on ENOSYS; clone3 hides its flags from filters.
ABSENT: tuple[str, ...] = ("clone3", "memfd_create")

# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_NAMESPACE_FLAGS = (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)
_TERMINAL_INJECTION = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX


def filter_program() -> bytes:
    """Compiles the filter to the BPF that ``bwrap --seccomp`` takes; other architectures' calls are killed."""
    import pyseccomp as seccomp

    refusal = seccomp.ERRNO(errno.EPERM)
    rules = seccomp.SyscallFilter(seccomp.ALLOW)
    for name in DENIED:
        _add(rules, refusal, name)
    for name in ABSENT:
        _add(rules, seccomp.ERRNO(errno.ENOSYS), name)
    for flag in _NAMESPACE_FLAGS:
        _add(rules, refusal, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, flag, flag))
    for request in _TERMINAL_INJECTION:
        _add(rules, refusal, "ioctl", seccomp.Arg(1, seccomp.MASKED_EQ, 0xFFFFFFFF, request))
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def _add(rules: Any, action: int, name: str, *arguments: object) -> None:
    import pyseccomp as seccomp

    # A call that this libseccomp or processor does not know cannot be named; bubblewrap's namespaces still hold.
    if seccomp.resolve_syscall(seccomp.system_arch(), name) >= 0:
        rules.add_rule(action, name, *arguments)
