"""Locks of folders that others remove, move or share meanwhile."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from pentathlon.storage.lock import LOCK_FILE, FolderLock, HeldError


def waiter(folder: Path) -> tuple[threading.Thread, list[FolderLock]]:
    """A thread that waits for the lock that is held."""
    taken: list[FolderLock] = []
    thread = threading.Thread(target=lambda: taken.append(FolderLock(folder, wait=True)))
    thread.start()
    thread.join(0.2)
    assert thread.is_alive()
    return thread, taken


def test_whoever_waited_for_a_removed_lock_locks_the_new_one(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    first = FolderLock(folder)
    thread, taken = waiter(folder)
    (folder / LOCK_FILE).unlink()
    folder.rmdir()
    first.close()
    thread.join(10)
    with pytest.raises(HeldError):
        FolderLock(folder)
    taken[0].close()
    FolderLock(folder).close()


def test_whoever_waited_for_a_moved_folder_locks_the_new_one(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    first = FolderLock(folder)
    thread, taken = waiter(folder)
    folder.rename(tmp_path / "aside")
    first.close()
    thread.join(10)
    assert (folder / LOCK_FILE).exists()
    FolderLock(tmp_path / "aside").close()
    with pytest.raises(HeldError):
        FolderLock(folder)
    taken[0].close()


def test_shared_locks_keep_an_exclusive_one_out(tmp_path: Path) -> None:
    with FolderLock(tmp_path, shared=True) as one:
        with FolderLock(tmp_path, shared=True), pytest.raises(HeldError):
            FolderLock(tmp_path)
        with FolderLock(tmp_path, shared=True):
            assert not one.make_exclusive()
        assert one.make_exclusive()
        with pytest.raises(HeldError):
            FolderLock(tmp_path, shared=True)
    FolderLock(tmp_path).close()
