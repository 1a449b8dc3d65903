"""What a person did in a trial so far, so that a stop loses nothing: when the trial begins again, it is done again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from pentathlon.core.errors import MachineError


class _Entry(msgspec.Struct, array_like=True):
    seen: int
    given: str


class Logbook:
    """One trial's choices and answers, in a file that grows line by line.

    Each is kept with a checksum of what was seen. Where a trial goes otherwise than it did, as with another version or
    on another processor, the person goes on from there, and what came after is set aside in a file beside.

    Attributes:
        set_aside: that file, where there is one.
        lost: how much lies in it.
    """

    def __init__(self, path: Path) -> None:
        """Reads the file and makes sure that it can be written.

        Raises:
            MachineError: when it cannot be.
        """
        self._path, self._done = path, 0
        self.set_aside: Path | None = None
        self.lost = 0
        with _told(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            data = path.read_bytes() if path.is_file() else b""
            self._kept = list(_whole(data))
            if (written := _lines(self._kept)) != data:
                self._set_aside(data[len(written) :].count(b"\n"))
                path.write_bytes(written)
            path.open("ab").close()
        self._left = deque(self._kept)

    @property
    def left(self) -> int:
        """How much is done again before it is the person's turn."""
        return len(self._left)

    def recall(self, seen: int) -> str | None:
        """Returns what was given at this moment before; ``None`` where it is the person's turn."""
        if not self._left:
            return None
        if self._left[0].seen != seen:
            with _told(self._path):
                self._set_aside(len(self._left))
                self._path.write_bytes(_lines(self._kept[: self._done]))
            self._left.clear()
            return None
        self._done += 1
        return self._left.popleft().given

    def keep(self, seen: int, given: str) -> None:
        """Appends what was given."""
        with _told(self._path), self._path.open("ab") as file:
            file.write(_lines([_Entry(seen, given)]))

    def _set_aside(self, lost: int) -> None:
        """Copies the file as it is to a name of its own; a torn last line alone is not worth it."""
        if not lost:
            return
        number = 1
        while (copy := self._path.with_name(f"{self._path.name}.aside-{number}")).exists():
            number += 1
        copy.write_bytes(self._path.read_bytes())
        self.set_aside, self.lost = copy, lost


def _lines(entries: Sequence[_Entry]) -> bytes:
    return b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries)


def _whole(data: bytes) -> Iterator[_Entry]:
    """Reads lines as far as they are whole."""
    for line in data.splitlines(keepends=True):
        try:
            if line.endswith(b"\n"):
                yield msgspec.json.decode(line, type=_Entry)
                continue
        except (msgspec.MsgspecError, UnicodeDecodeError):
            pass
        return


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise MachineError(
            f"Expected to write what is played to {path}, got {error.strerror}. Mend it or use --out."
        ) from None
