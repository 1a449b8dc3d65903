"""Control groups of version 2 as folders of a disk: what the kernel does with them, as far as a sandbox needs it.

Its rules were compared with those of a real hierarchy (``test_control_groups.py``): a group has the controllers that
its parent passes on, it passes on those it has, and one that holds processes passes on nothing, but for the root.
"""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path
from typing import Any

import pytest

FILES = {
    "memory": ("memory.max", "memory.swap.max", "memory.events"),
    "cpu": ("cpu.max",),
    "pids": ("pids.max",),
}
CORE = ("cgroup.procs", "cgroup.controllers", "cgroup.subtree_control")


class MadeUpGroups:
    """A hierarchy below ``root`` that has these controllers."""

    def __init__(self, root: Path, controllers: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self._mkdir, self._open, self._rmdir = Path.mkdir, Path.open, Path.rmdir
        self._fill(root, controllers)
        patched = self
        monkeypatch.setattr(Path, "mkdir", lambda path, *words, **options: patched.make(path, *words, **options))
        monkeypatch.setattr(Path, "open", lambda path, *words, **options: patched.open(path, *words, **options))
        monkeypatch.setattr(Path, "rmdir", lambda path: patched.remove(path))

    def put(self, group: str, *processes: int) -> Path:
        """Makes a group that holds these processes, and returns its folder."""
        folder = self.root / group
        folder.mkdir()
        (folder / "cgroup.procs").write_text("".join(f"{number}\n" for number in processes))
        return folder

    def make(self, folder: Path, *words: Any, **options: Any) -> None:
        self._mkdir(folder, *words, **options)
        if self.root in folder.parents:
            self._fill(folder, (folder.parent / "cgroup.subtree_control").read_text())

    def open(self, file: Path, mode: str = "r", *words: Any, **options: Any) -> Any:
        if self.root in file.parents and file.name == "cgroup.subtree_control" and mode != "r":
            return Wish(self, file)
        return self._open(file, mode, *words, **options)

    def remove(self, folder: Path) -> None:
        if self.root in folder.parents:
            if (folder / "cgroup.procs").read_text() or any(path.is_dir() for path in folder.iterdir()):
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
            for file in folder.iterdir():
                file.unlink()
        self._rmdir(folder)

    def pass_on(self, file: Path, wish: str) -> None:
        """Obeys what was written to a group, such as ``+cpu +memory``."""
        folder, wanted = file.parent, {word.removeprefix("+") for word in wish.split()}
        if not wanted <= {*(folder / "cgroup.controllers").read_text().split()}:
            raise OSError(errno.ENOENT, os.strerror(errno.ENOENT))
        if folder != self.root and (folder / "cgroup.procs").read_text():
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        held = sorted({*file.read_text().split(), *wanted})
        with self._open(file, "w") as opened:
            opened.write(" ".join(held))

    def _fill(self, folder: Path, controllers: str) -> None:
        names = [*CORE, *(name for each in controllers.split() for name in FILES[each])]
        for name in names:
            (folder / name).touch()
        with self._open(folder / "cgroup.controllers", "w") as opened:
            opened.write(controllers)


class Wish(io.StringIO):
    """A control file that is open for writing; the kernel obeys when it is closed."""

    def __init__(self, groups: MadeUpGroups, file: Path) -> None:
        super().__init__()
        self._groups, self._place = groups, file

    def close(self) -> None:
        if not self.closed:
            wish = self.getvalue()
            super().close()
            self._groups.pass_on(self._place, wish)
