"""Makes files in parallel, each of them once: what is there stays, and the same call again goes on where it stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from pentathlon.core.errors import DataError
from pentathlon.core.making import Item, Pool, Result, Tell
from pentathlon.core.registry import resolve
from pentathlon.storage.lock import FolderLock, HeldError

WAIT_S = 0.5

Maker: TypeAlias = Callable[[Path, Any], None]
"""Makes the file at a path, whole or not at all, from plain values that say what it holds."""


class SerialPool:
    """Makes one file after the other in this process."""

    def run(self, maker: str, items: Sequence[Item], tell: Tell) -> None:
        """Makes every item."""
        make: Maker = resolve(maker)
        for item in items:
            tell(make_item(make, item))


SERIAL = SerialPool()


def make_counted(
    maker: str,
    items: Sequence[Item],
    *,
    pool: Pool = SERIAL,
    progress: Callable[[int, int], None] = lambda there, wanted: None,
) -> int:
    """Makes the files that are not there and returns how many; ``progress`` hears how many are there and wanted."""
    before = sum(Path(item.path).exists() for item in items)
    made = 0

    def tell(path: Path) -> None:
        nonlocal made
        made += 1
        progress(before + made, len(items))

    progress(before, len(items))
    make_missing(maker, items, pool=pool, on_made=tell)
    return made


def make_missing(
    maker: str,
    items: Sequence[Item],
    *,
    pool: Pool = SERIAL,
    is_whole: Callable[[Path], bool] = Path.exists,
    on_made: Callable[[Path], None] = lambda path: None,
) -> None:
    """Makes the files that are not there; processes that call this at once share the work.

    Files do not depend on the pool, since each follows from its item alone. One that fails does not keep the others.

    Args:
        maker: ``module:function`` of a :data:`Maker`.
        items: what to make.
        pool: who makes it.
        is_whole: whether a file that is there is a good one; others are removed and made again.
        on_made: called for every file that was missing, once it is there.

    Raises:
        DataError: naming the first file that could not be made, after all others are there.
    """
    failures: dict[str, str] = {}
    left = [item for item in items if not _is_there(item, is_whole)]
    while left:
        held: list[Item] = []
        by_path = {item.path: item for item in left}

        def tell(result: Result, held: list[Item] = held, by_path: Mapping[str, Item] = by_path) -> None:
            if result.status == "made":
                on_made(Path(result.path))
            elif result.status == "held":
                held.append(by_path[result.path])
            else:
                failures[result.path] = result.error

        pool.run(maker, left, tell)
        left = _await_others(held, on_made)
    if failures:
        path, error = min(failures.items())
        raise DataError(
            f"{len(failures)} of {len(items)} files could not be made, such as {path}: {error}. The others are there; "
            "mend the cause and run the same command again."
        )


def make_item(make: Maker, item: Item) -> Result:
    """Makes one file, unless it is there or another process is making it; whatever goes wrong is told."""
    path = Path(item.path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        claim = FolderLock(path.parent, claim_name(path))
    except HeldError:
        return Result(item.path, "held")
    except Exception as error:
        return Result(item.path, "failed", f"{type(error).__name__}: {error}")
    try:
        if not path.exists():
            make(path, item.about)
        if not path.exists():
            return Result(item.path, "failed", "it was not there after its maker had returned")
        return Result(item.path, "made")
    except Exception as error:
        return Result(item.path, "failed", f"{type(error).__name__}: {error}")
    finally:
        (path.parent / claim_name(path)).unlink(missing_ok=True)
        claim.close()


def _await_others(held: Sequence[Item], on_made: Callable[[Path], None]) -> list[Item]:
    """Waits while other processes make all of ``held``; returns those that are not there."""
    while held and all(_is_held(Path(item.path)) for item in held):
        time.sleep(WAIT_S)
    left = []
    for item in held:
        if Path(item.path).exists():
            on_made(Path(item.path))
        else:
            left.append(item)
    return left


def _is_held(path: Path) -> bool:
    if path.exists() or not (path.parent / claim_name(path)).exists():
        return False
    try:
        FolderLock(path.parent, claim_name(path)).close()
    except HeldError:
        return True
    return False


def claim_name(path: Path) -> str:
    """The lock that a process holds while it makes ``path``, beside it."""
    return f".{path.name}.lock"


def _is_there(item: Item, is_whole: Callable[[Path], bool]) -> bool:
    path = Path(item.path)
    if not path.exists():
        return False
    if not is_whole(path):
        path.unlink(missing_ok=True)
        return False
    return True
