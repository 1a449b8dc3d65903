"""Control groups, versions 1 and 2: memory and processor time of all of a sandbox's processes together."""

from __future__ import annotations

import functools
import os
import secrets
import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

HIERARCHY = Path("/sys/fs/cgroup")
MEMBERSHIP = Path("/proc/self/cgroup")
CPU_PERIOD_US = 100_000
CLOSE_WAIT_S = 5.0
STALE_S = 600.0
PROBE_BYTES = 64 * 2**20


@dataclass(frozen=True)
class ControlGroup:
    """One group: a folder in version 2, a folder for each controller in version 1.

    Attributes:
        folders: the first is the one that limits memory.
        events: the file that counts the processes killed for want of memory.
    """

    folders: tuple[Path, ...]
    events: Path

    @property
    def doors(self) -> tuple[Path, ...]:
        """The files into which a process writes its id to join."""
        return tuple(folder / "cgroup.procs" for folder in self.folders)

    def processes(self) -> list[int]:
        """The ids of its processes."""
        return list(_members(self.doors[0]))

    def memory_kills(self) -> int:
        """How many of its processes the kernel has killed for want of memory."""
        try:
            words = self.events.read_text().split()
        except OSError:
            # Another server may have swept the group away once all its processes had ended.
            return 0
        return int(words[words.index("oom_kill") + 1]) if "oom_kill" in words else 0

    def close(self) -> None:
        """Kills what is left in it and removes it."""
        deadline_s = time.monotonic() + CLOSE_WAIT_S
        while not self._remove() and time.monotonic() < deadline_s:
            for door in self.doors:
                _kill_members(door)
            time.sleep(0.01)

    def _remove(self) -> bool:
        for folder in self.folders:
            try:
                folder.rmdir()
            except FileNotFoundError:
                continue
            except OSError:
                return False
        return True


@functools.cache
def works() -> bool:
    """Whether this process may make groups; the answer is kept for its life."""
    group = create(PROBE_BYTES, 1)
    if group is not None:
        group.close()
    return group is not None


def create(
    memory_bytes: int, cores: int, *, hierarchy: Path = HIERARCHY, membership: Path = MEMBERSHIP
) -> ControlGroup | None:
    """Makes a group below our own with these limits; ``None`` where we may not."""
    try:
        lines = [line.split(":", 2) for line in membership.read_text().splitlines()]
    except OSError:
        return None
    if (hierarchy / "cgroup.controllers").exists():
        unified = next((path for number, _, path in lines if number == "0"), "/")
        return _create_v2(hierarchy / unified.lstrip("/"), hierarchy, memory_bytes, cores)
    paths = {name: path for _, names, path in lines for name in names.split(",")}
    return _create_v1(hierarchy, paths, memory_bytes, cores)


def _create_v1(hierarchy: Path, paths: dict[str, str], memory_bytes: int, cores: int) -> ControlGroup | None:
    memory = _make_folder(
        hierarchy / "memory" / paths.get("memory", "/").lstrip("/"), {"memory.limit_in_bytes": str(memory_bytes)}
    )
    if memory is None:
        return None
    _try_write(memory / "memory.memsw.limit_in_bytes", str(memory_bytes))
    quota = {"cpu.cfs_period_us": str(CPU_PERIOD_US), "cpu.cfs_quota_us": str(cores * CPU_PERIOD_US)}
    cpu = _make_folder(hierarchy / "cpu" / paths.get("cpu", "/").lstrip("/"), quota)
    return ControlGroup((memory, cpu) if cpu else (memory,), memory / "memory.oom_control")


def _create_v2(own: Path, hierarchy: Path, memory_bytes: int, cores: int) -> ControlGroup | None:
    # A group that holds processes cannot limit its children, so a service put into a leaf of its own
    # (systemd: Delegate=yes, DelegateSubgroup=server) makes sandboxes beside itself.
    for parent in (own, own.parent) if own != hierarchy else (own,):
        _pass_on(parent)
        folder = _make_folder(parent, {"memory.max": str(memory_bytes)})
        if folder is not None:
            _try_write(folder / "memory.swap.max", "0")
            _try_write(folder / "cpu.max", f"{cores * CPU_PERIOD_US} {CPU_PERIOD_US}")
            return ControlGroup((folder,), folder / "memory.events")
    return None


def _pass_on(parent: Path) -> None:
    # What a group has it passes on to its children only when told to, which systemd leaves to the service.
    for controller in ("memory", "cpu"):
        _try_write(parent / "cgroup.subtree_control", f"+{controller}")


def _make_folder(parent: Path, limits: dict[str, str]) -> Path | None:
    _sweep(parent)
    folder = parent / f"pentathlon-{secrets.token_hex(8)}"
    try:
        folder.mkdir()
    except OSError:
        return None
    if all(_try_write(folder / name, value) for name, value in limits.items()):
        return folder
    folder.rmdir()
    return None


def _sweep(parent: Path) -> None:
    # What servers that were killed left behind; a group that still holds processes cannot be removed.
    for folder in parent.glob("pentathlon-*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > STALE_S:
                folder.rmdir()


def _try_write(file: Path, text: str) -> bool:
    try:
        # Control files exist from the start; "r+" never makes one.
        with file.open("r+") as opened:
            opened.write(text)
    except OSError:
        return False
    return True


def _kill_members(door: Path) -> None:
    for process_id in _members(door):
        try:
            os.kill(process_id, signal.SIGKILL)
        except ProcessLookupError:
            continue


def _members(door: Path) -> Iterable[int]:
    try:
        return [int(word) for word in door.read_text().split()]
    except OSError:
        return []
