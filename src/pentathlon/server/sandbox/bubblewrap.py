"""The bubblewrap command: what a sandboxed program sees of the machine, and whether it can run here at all."""

from __future__ import annotations

import functools
import os
import secrets
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

import pentathlon
from pentathlon.server.sandbox import cgroups
from pentathlon.server.sizes import MEBIBYTE

INSTALL = "apt install bubblewrap"
PROBE_TIME_LIMIT_S = 20.0

_NAMESPACES = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
_FIRST_UID = 1_500_000_000
_UIDS = 500_000_000


def read_only(path: Path, seen_as: str) -> tuple[str, ...]:
    """The words that show a file or folder, which cannot be changed."""
    return ("--ro-bind", str(path), seen_as)


def writable(folder: Path, seen_as: str) -> tuple[str, ...]:
    """The words that show a folder into which the program may write."""
    return ("--bind", str(folder), seen_as)


def command(mounts: Iterable[str], temporary_bytes: int, environment: dict[str, str], seccomp_fd: int) -> list[str]:
    """Returns the words before the program's own: read-only system, our Python, a temporary folder and ``mounts``.

    Started as root the program runs under a user id that nobody else has; otherwise as nobody in a user namespace.
    """
    words = ["bwrap", *_NAMESPACES, "--die-with-parent", "--new-session", "--clearenv", "--hostname", "sandbox"]
    words += ["--cap-drop", "ALL"]
    if os.geteuid() == 0:
        # What setpriv needs to give everything up, these three included.
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
    else:
        words += ["--unshare-user", "--uid", "65534", "--gid", "65534", "--disable-userns"]
    for name, value in environment.items():
        words += ["--setenv", name, value]
    words += _file_system(mounts, temporary_bytes)
    words += ["--seccomp", str(seccomp_fd), "--chdir", "/tmp", "--"]
    return words + (_drop_user() if os.geteuid() == 0 else [])


@functools.cache
def sandbox_problem() -> str | None:
    """Says in one sentence why uploads cannot be run on this machine; ``None`` when they can.

    Runs Python in a sandbox once; the answer is kept for the life of the process.
    """
    if shutil.which("bwrap") is None:
        return f"Uploads cannot be run: bubblewrap is not installed. Install it with: {INSTALL}"
    try:
        import pyseccomp  # noqa: F401 - loads the system's libseccomp
    except (ImportError, RuntimeError, OSError) as error:
        return (
            f"Uploads cannot be run: pyseccomp could not be loaded ({error}). "
            "Install it with: pip install pyseccomp, and libseccomp2 from your distribution."
        )
    return _try_sandbox()


def upload_problem(without_control_groups: bool) -> str | None:
    """Says why the uploads of strangers are not run here; ``None`` when they are.

    Args:
        without_control_groups: whether the operator wants them run also where their memory cannot be limited.
    """
    if (problem := sandbox_problem()) is not None or without_control_groups or cgroups.works():
        return problem
    return (
        "Uploads are not run: this server may not make control groups, and without them nothing limits the memory of "
        "an upload. Its operator can delegate one to it, or start it with --uploads-without-control-groups."
    )


def python_folders() -> tuple[Path, ...]:
    """The folders that our Python needs: interpreter, packages and Pentathlon itself, without those below others."""
    paths = sysconfig.get_paths()
    wanted = [sys.base_prefix, sys.prefix, paths["purelib"], paths["platlib"], *pentathlon.__path__]
    folders = sorted({Path(name).resolve() for name in wanted})
    return tuple(folder for folder in folders if not any(other in folder.parents for other in [*folders, Path("/usr")]))


def _file_system(mounts: Iterable[str], temporary_bytes: int) -> list[str]:
    words = ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        path = Path("/") / name
        if path.is_symlink():
            words += ["--symlink", os.readlink(path), str(path)]
        elif path.is_dir():
            words += ["--ro-bind", str(path), str(path)]
    words += ["--proc", "/proc", "--dev", "/dev"]
    words += ["--perms", "1777", "--size", str(temporary_bytes), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    # Terminals are counted for the whole machine, so there are none.
    words += ["--perms", "0555", "--size", "4096", "--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts"]
    words += ["--perms", "1777", "--size", str(temporary_bytes), "--tmpfs", "/tmp"]
    for path in (Path("/etc/ld.so.cache"), Path("/sys/devices/system/cpu"), *python_folders()):
        if path.exists() and path != Path("/usr"):
            words += [*_open_parents(path), "--ro-bind", str(path), str(path)]
    return [*words, *mounts, "--remount-ro", "/"]


def _open_parents(path: Path) -> Iterable[str]:
    # bubblewrap makes missing parents unreadable to others; ours are empty but for what is bound below them.
    for parent in reversed(path.parents[:-1]):
        yield from ("--perms", "0755", "--dir", str(parent))


def _drop_user() -> list[str]:
    # The process limit counts by user id, so each sandbox has one of its own.
    user = str(_FIRST_UID + secrets.randbelow(_UIDS))
    setpriv = shutil.which("setpriv") or "setpriv"
    give_up = ["--clear-groups", "--no-new-privs", "--inh-caps", "-all", "--ambient-caps", "-all"]
    return [setpriv, "--reuid", user, "--regid", user, *give_up, "--bounding-set", "-all"]


def _try_sandbox() -> str | None:
    from pentathlon.server.sandbox.syscalls import filter_program

    read_fd, write_fd = os.pipe()
    try:
        os.write(write_fd, filter_program())
        os.close(write_fd)
        words = [*command((), MEBIBYTE, {}, read_fd), sys.executable, "-I", "-c", "import numpy"]
        trial = subprocess.run(
            words, pass_fds=[read_fd], capture_output=True, text=True, timeout=PROBE_TIME_LIMIT_S, env={}, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"Uploads cannot be run: bubblewrap could not be started ({error})."
    finally:
        os.close(read_fd)
    if trial.returncode == 0:
        return None
    last = (trial.stderr.strip().splitlines() or ["no message"])[-1]
    return f"Uploads cannot be run: bubblewrap does not work here ({last}). User namespaces must be allowed."
