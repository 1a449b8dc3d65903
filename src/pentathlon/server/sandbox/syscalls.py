"""The system calls that a sandboxed program may make, as a filter that bubblewrap loads; all others are refused.

The list is that of what Python, numpy, torch and transformers were seen to call (``bench/sandbox_calls.py``), and of
what does the same by another name on other processors, kernels and C libraries. What nobody needs who only computes is
not on it, however harmless it looks: calls that give memory, slots or events of the host, or a way to other sandboxes.
"""

from __future__ import annotations

import errno
import tempfile
from typing import Any

FILES: tuple[str, ...] = (
    *("read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "preadv2", "pwritev2"),
    *("open", "openat", "openat2", "creat", "close", "close_range", "lseek", "_llseek", "dup", "dup2", "dup3"),
    *("stat", "fstat", "lstat", "newfstatat", "fstatat64", "stat64", "fstat64", "lstat64", "statx"),
    *("statfs", "fstatfs", "statfs64", "fstatfs64", "access", "faccessat", "faccessat2", "readlink", "readlinkat"),
    *("getdents", "getdents64", "getcwd", "chdir", "fchdir", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat"),
    *("rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "umask"),
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("truncate", "ftruncate", "truncate64", "ftruncate64", "fallocate", "fsync", "fdatasync", "sync_file_range"),
    *("utime", "utimes", "utimensat", "futimesat", "fadvise64", "readahead", "sendfile", "sendfile64"),
    *("copy_file_range", "pipe", "pipe2", "getxattr", "lgetxattr", "fgetxattr", "listxattr", "llistxattr"),
    "flistxattr",
)
MEMORY: tuple[str, ...] = (
    *("mmap", "mmap2", "munmap", "mremap", "mprotect", "madvise", "msync", "mincore", "brk", "mseal", "membarrier"),
    *("mlock", "mlock2", "munlock", "mlockall", "munlockall", "pkey_alloc", "pkey_free", "pkey_mprotect"),
    *("get_mempolicy", "set_mempolicy", "map_shadow_stack", "riscv_flush_icache", "riscv_hwprobe", "cacheflush"),
)
PROCESSES: tuple[str, ...] = (
    *("fork", "vfork", "execve", "execveat", "exit", "exit_group", "wait4", "waitid", "waitpid"),
    *("getpid", "getppid", "gettid", "getpgid", "getpgrp", "setpgid", "getsid", "setsid", "prctl", "arch_prctl"),
    *("set_tid_address", "set_thread_area", "get_thread_area", "set_robust_list", "get_robust_list", "rseq"),
    *("futex", "futex_time64", "futex_waitv", "futex_wait", "futex_wake", "futex_requeue", "restart_syscall"),
    *("kill", "tkill", "tgkill", "pidfd_open", "pidfd_send_signal", "pause", "sigaltstack", "sigreturn"),
    *("rt_sigaction", "rt_sigprocmask", "rt_sigpending", "rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait"),
    *("rt_sigqueueinfo", "rt_tgsigqueueinfo", "signalfd", "signalfd4"),
    *("sched_yield", "sched_getaffinity", "sched_setaffinity", "sched_getparam", "sched_setparam"),
    *("sched_getscheduler", "sched_setscheduler", "sched_getattr", "sched_setattr", "sched_get_priority_max"),
    *("sched_get_priority_min", "sched_rr_get_interval", "getpriority", "setpriority", "ioprio_get", "getcpu"),
    *("getrlimit", "ugetrlimit", "setrlimit", "prlimit64", "getrusage", "times", "sysinfo", "uname", "getrandom"),
)
# Without a capability they give nothing away; setpriv gives up its last ones by them, behind this filter.
IDENTITY: tuple[str, ...] = (
    *("getuid", "geteuid", "getgid", "getegid", "getresuid", "getresgid", "getgroups", "setuid", "setgid"),
    *("setreuid", "setregid", "setresuid", "setresgid", "setgroups", "setfsuid", "setfsgid", "capget", "capset"),
)
WAITING: tuple[str, ...] = (
    *("poll", "ppoll", "select", "_newselect", "pselect6", "epoll_create", "epoll_create1", "epoll_ctl"),
    *("epoll_wait", "epoll_pwait", "epoll_pwait2", "eventfd", "eventfd2"),
    *("nanosleep", "clock_nanosleep", "clock_gettime", "clock_getres", "gettimeofday", "time", "alarm"),
    *("getitimer", "setitimer", "timer_create", "timer_settime", "timer_gettime", "timer_getoverrun"),
    *("timer_delete", "timerfd_create", "timerfd_settime", "timerfd_gettime"),
)
# On a pair of sockets, the only ones there are; without sendmsg no descriptor can be passed through them.
PAIRS: tuple[str, ...] = ("sendto", "recvfrom", "shutdown", "getsockopt", "getsockname", "getpeername")
ALLOWED: tuple[str, ...] = (*FILES, *MEMORY, *PROCESSES, *IDENTITY, *WAITING, *PAIRS)

# These are refused as forbidden. What is on neither list is refused as absent, since C libraries then do without it.
FORBIDDEN: tuple[str, ...] = (
    # network and other machines
    *("socket", "connect", "bind", "listen", "accept", "accept4", "sendmsg", "recvmsg", "sendmmsg", "recvmmsg"),
    # other processes' memory and files
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp"),
    # file systems and namespaces
    *("mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "open_tree", "move_mount", "fsopen"),
    *("fsconfig", "fsmount", "fspick", "mount_setattr", "open_by_handle_at", "name_to_handle_at", "fanotify_init"),
    *("quotactl", "swapon", "swapoff", "mknod", "mknodat", "inotify_init", "inotify_init1", "inotify_add_watch"),
    # the kernel itself
    *("bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "seccomp"),
    *("init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "syslog", "acct"),
    *("keyctl", "add_key", "request_key", "iopl", "ioperm", "modify_ldt", "personality", "lookup_dcookie"),
    *("settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname", "vhangup"),
    # memory and slots that are counted to no process
    *("shmget", "shmat", "msgget", "semget", "mq_open", "memfd_secret", "move_pages", "migrate_pages", "mbind"),
    *("io_setup", "io_submit", "vmsplice"),
)

# C libraries ask for these and do without them; clone3 hides its flags from filters, flock is heard by other sandboxes.
ABSENT: tuple[str, ...] = ("clone3", "memfd_create", "flock")

# CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
_NAMESPACES = 0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000
_AF_UNIX = 1
# Pages of the machine's own store, which no memory limit counts.
_MAP_HUGETLB = 0x40000
# Its value is what keeps crashes from the machine's crash reporter; see process.py.
_RLIMIT_CORE = 4
_RLIMITS = 16
# TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, TCGETS2, FICLONE
_IOCTLS = (0x5401, 0x540F, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451, 0x802C542A, 0x40049409)
# By which bubblewrap finds the loopback device.
_SIOCGIFINDEX = 0x8933
# F_DUPFD, GETFD, SETFD, GETFL, SETFL, SETLK, SETLKW, OFD_SETLK, OFD_SETLKW, DUPFD_CLOEXEC, the size of a pipe, seals.
# Not those that tell who holds a lock or watch a folder: other sandboxes see the same files.
_FCNTLS = (0, 1, 2, 3, 4, 6, 7, 37, 38, 1030, 1031, 1032, 1033, 1034)
_ALL_BITS = 0xFFFFFFFF


def filter_program() -> bytes:
    """Compiles the list to the BPF that ``bwrap --seccomp`` takes; other architectures' calls are killed."""
    import pyseccomp as seccomp

    rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.ENOSYS))
    _allow(rules, but=("mmap", "mmap2", "setrlimit", "prlimit64"))
    for name in FORBIDDEN:
        _add(rules, seccomp.ERRNO(errno.EPERM), name)
    _add(rules, seccomp.ALLOW, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, _NAMESPACES, 0))
    for name in ("mmap", "mmap2"):
        _add(rules, seccomp.ALLOW, name, seccomp.Arg(3, seccomp.MASKED_EQ, _MAP_HUGETLB, 0))
    _add(rules, seccomp.ALLOW, "prlimit64", seccomp.Arg(2, seccomp.EQ, 0))
    for limit in set(range(_RLIMITS)) - {_RLIMIT_CORE}:
        _add(rules, seccomp.ALLOW, "setrlimit", seccomp.Arg(0, seccomp.MASKED_EQ, _ALL_BITS, limit))
        _add(rules, seccomp.ALLOW, "prlimit64", seccomp.Arg(1, seccomp.MASKED_EQ, _ALL_BITS, limit))
    return _compiled(rules)


def listening_program() -> bytes:
    """The same list for a filter with a listener, which is asked about all else; bubblewrap itself runs behind it.

    What is forbidden, or known to be missed by nobody, is left to :func:`forbidding_program` and told to nobody.
    """
    import pyseccomp as seccomp

    rules = seccomp.SyscallFilter(seccomp.NOTIFY)
    _allow(rules)
    for name in ("clone", *FORBIDDEN, *ABSENT):
        _add(rules, seccomp.ALLOW, name)
    _add(rules, seccomp.ALLOW, "ioctl", seccomp.Arg(1, seccomp.MASKED_EQ, _ALL_BITS, _SIOCGIFINDEX))
    return _compiled(rules)


def forbidding_program() -> bytes:
    """What bubblewrap loads behind a filter with a listener."""
    import pyseccomp as seccomp

    rules = seccomp.SyscallFilter(seccomp.ALLOW)
    for name in FORBIDDEN:
        _add(rules, seccomp.ERRNO(errno.EPERM), name)
    for name in ABSENT:
        _add(rules, seccomp.ERRNO(errno.ENOSYS), name)
    own = seccomp.Arg(1, seccomp.MASKED_EQ, _ALL_BITS, _SIOCGIFINDEX)
    _add(rules, seccomp.ERRNO(errno.EPERM), "ioctl", own)
    for bit in range(_NAMESPACES.bit_length()):
        if _NAMESPACES >> bit & 1:
            _add(rules, seccomp.ERRNO(errno.EPERM), "clone", seccomp.Arg(0, seccomp.MASKED_EQ, 1 << bit, 1 << bit))
    for name in ("mmap", "mmap2"):
        large = seccomp.Arg(3, seccomp.MASKED_EQ, _MAP_HUGETLB, _MAP_HUGETLB)
        _add(rules, seccomp.ERRNO(errno.EPERM), name, large)
    _add(rules, seccomp.ERRNO(errno.EPERM), "setrlimit", seccomp.Arg(0, seccomp.MASKED_EQ, _ALL_BITS, _RLIMIT_CORE))
    core = (seccomp.Arg(1, seccomp.MASKED_EQ, _ALL_BITS, _RLIMIT_CORE), seccomp.Arg(2, seccomp.NE, 0))
    _add(rules, seccomp.ERRNO(errno.EPERM), "prlimit64", *core)
    return _compiled(rules)


def _allow(rules: Any, but: tuple[str, ...] = ()) -> None:
    import pyseccomp as seccomp

    for name in set(ALLOWED) - set(but):
        _add(rules, seccomp.ALLOW, name)
    _add(rules, seccomp.ALLOW, "socketpair", seccomp.Arg(0, seccomp.MASKED_EQ, _ALL_BITS, _AF_UNIX))
    for request in _IOCTLS:
        _add(rules, seccomp.ALLOW, "ioctl", seccomp.Arg(1, seccomp.MASKED_EQ, _ALL_BITS, request))
    for wanted in _FCNTLS:
        for name in ("fcntl", "fcntl64"):
            _add(rules, seccomp.ALLOW, name, seccomp.Arg(1, seccomp.MASKED_EQ, _ALL_BITS, wanted))


def _compiled(rules: Any) -> bytes:
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def _add(rules: Any, action: int, name: str, *arguments: object) -> None:
    import pyseccomp as seccomp

    # A call that this libseccomp or processor does not know cannot be named.
    if seccomp.resolve_syscall(seccomp.system_arch(), name) >= 0:
        rules.add_rule(action, name, *arguments)
