"""The log that a submitter reads: what the agent printed, made harmless, and how it ended."""

from __future__ import annotations

import re
from pathlib import Path

from pentathlon.server.sandbox.limits import SandboxError

# Escape sequences could repaint the terminal of whoever reads the log.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class AgentLog:
    """Appends an agent's output to a file, up to a length."""

    def __init__(self, file: Path, most_bytes: int) -> None:
        self._left = most_bytes
        self._most = most_bytes
        self._file = file.open("a", encoding="utf-8")

    def write(self, printed: bytes) -> None:
        """Appends what the agent printed.

        Raises:
            SandboxError: when it has printed more than it may.
        """
        kept = printed[: max(self._left, 0)]
        self._left -= len(printed)
        self._append(kept.decode("utf-8", "replace"))
        if self._left < 0:
            raise SandboxError("crashed", f"The agent printed more than {self._most:,} bytes. Print less.")

    def conclude(self, sentence: str) -> None:
        """Appends a line of our own."""
        self._append(f"[sandbox] {sentence}\n")

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _append(self, text: str) -> None:
        self._file.write(printable(text))
        self._file.flush()


def printable(text: str) -> str:
    """Replaces control characters, but line ends and tabs."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)
