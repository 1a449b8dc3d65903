"""The log that a submitter reads: what the agent printed, made harmless, and how it ended."""

from __future__ import annotations

import re
from pathlib import Path

from pentathlon.server.sandbox.limits import SandboxError

# Escape sequences could repaint the terminal of whoever reads the log.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

# Every line of an entrant begins with the second, so that none looks like one of the server's.
_MARK = "[sandbox]"
_ENTRANT = "[entrant] "
LONGEST_LINE_BYTES = 64 * 1024
_CUT = b" ... (what is printed in hidden trials is kept up to a few kilobytes)\n"


class EntrantLog:
    """Appends an agent's output to a file line by line, up to a length."""

    def __init__(self, file: Path, most_bytes: int) -> None:
        self._left = most_bytes
        self._most = most_bytes
        self._line = b""
        self._at_start = True
        self._kept: int | None = None
        self._file = file.open("a", encoding="utf-8")

    def keep_only(self, most_bytes: int) -> None:
        """Keeps so many bytes of what is printed from now on, and says so where there is more."""
        self._kept = most_bytes

    def write(self, printed: bytes) -> None:
        """Appends what the agent printed.

        Raises:
            SandboxError: when it has printed more than it may.
        """
        # Marks count too, or empty lines would make the log many times as long as it may be.
        longest = max(self._left, 0) // (1 + len(_ENTRANT))
        self._left -= len(printed) + len(_ENTRANT) * printed.count(b"\n")
        kept = self._line + self._cut(printed if self._left >= 0 else printed[:longest])
        whole = len(kept) if len(kept) > LONGEST_LINE_BYTES else kept.rfind(b"\n") + 1
        self._line = kept[whole:]
        self._append(kept[:whole])
        if self._left < 0:
            raise SandboxError("crashed", f"The entrant printed more than {self._most:,} bytes. Print less.")

    def _cut(self, printed: bytes) -> bytes:
        if self._kept is None or not printed:
            return printed
        before, self._kept = self._kept, max(0, self._kept - len(printed))
        return printed if before >= len(printed) else printed[:before] + (_CUT if before else b"")

    def conclude(self, sentence: str) -> None:
        """Appends a line of our own."""
        self._append(self._line)
        self._line = b""
        line = f"{_MARK} {quoted(sentence)}\n"
        self._file.write(line if self._at_start else f"\n{line}")
        self._file.flush()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _append(self, output: bytes) -> None:
        if not output:
            return
        text = printable(output.decode("utf-8", "replace"))
        lines = text.removesuffix("\n").replace("\n", f"\n{_ENTRANT}")
        self._file.write((_ENTRANT if self._at_start else "") + lines + ("\n" if text.endswith("\n") else ""))
        self._at_start = text.endswith("\n")
        self._file.flush()


def printable(text: str) -> str:
    """Replaces control characters, but line ends and tabs."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def quoted(sentence: str) -> str:
    """Makes a sentence of ours fit to be logged: what others said in it can begin no line."""
    return printable(sentence).replace("\n", "\n  | ")
