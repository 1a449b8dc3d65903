"""What a person did in a trial so far, so that a stop loses nothing: when the trial begins again, it is done again."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import msgspec


class _Entry(msgspec.Struct, array_like=True):
    seen: int
    given: str


class Logbook:
    """One trial's choices and answers, in a file that grows line by line.

    Each is kept with a checksum of what was seen. Where a trial goes otherwise than it did, the person goes on from
    there, and the rest is forgotten.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._left = deque(_read(path))
        self._kept = list(self._left)
        self._done = 0

    @property
    def left(self) -> int:
        """How much is done again before it is the person's turn."""
        return len(self._left)

    def recall(self, seen: int) -> str | None:
        """Returns what was given at this moment before; ``None`` where it is the person's turn."""
        if not self._left:
            return None
        if self._left[0].seen != seen:
            self._left.clear()
            self._path.write_bytes(b"".join(map(_line, self._kept[: self._done])))
            return None
        self._done += 1
        return self._left.popleft().given

    def keep(self, seen: int, given: str) -> None:
        """Appends what was given."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            file.write(_line(_Entry(seen, given)))

    def end(self) -> None:
        """Forgets the trial, which is over."""
        self._path.unlink(missing_ok=True)


def _line(entry: _Entry) -> bytes:
    return msgspec.json.encode(entry) + b"\n"


def _read(path: Path) -> list[_Entry]:
    """Reads whole lines; a torn last one is cut off."""
    if not path.is_file():
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        path.write_bytes(whole)
    return [msgspec.json.decode(line, type=_Entry) for line in whole.splitlines()]
