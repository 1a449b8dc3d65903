"""Who may read the files that a sandbox is shown: started as root, it runs under a user of its own."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def readable(path: Path) -> Iterator[Path]:
    """Gives the file or folder as it is where a sandbox can read it, else a copy for the length of the context."""
    if os.geteuid() != 0 or _open_to_others(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="pentathlon-shown-") as place:
        copy = Path(place) / "shown"
        if path.is_dir():
            shutil.copytree(path, copy, symlinks=True)
        else:
            shutil.copyfile(path, copy)
        open_to_all(copy)
        yield copy


def open_to_all(path: Path) -> None:
    """Lets every user read a file or all of a folder; nothing of it can be executed."""
    for each in (path, *path.rglob("*")):
        if not each.is_symlink():
            each.chmod(0o755 if each.is_dir() else 0o644)


def _open_to_others(path: Path) -> bool:
    for each in (path, *path.rglob("*")):
        wanted = 0o5 if each.is_dir() else 0o4
        if each.lstat().st_mode & wanted != wanted:
            return False
    return True
