"""How far a run has come: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Protocol, TextIO

from pentathlon.core.trial import Outcome

if TYPE_CHECKING:
    from rich.progress import Progress as RichBar


TRIALS_BEFORE_ETA = 5
"""The first trials take longer than the others, and a few tell little of the rest."""


class Progress(Protocol):
    """Is told about a run; every outcome it hears of is on disk."""

    def note(self, text: str) -> None:
        """Tells the user something before the run begins."""
        ...

    def start(self, total: int, done: int) -> None:
        """Begins with ``done`` of ``total`` trials recorded before."""
        ...

    def advance(self, outcome: Outcome) -> None:
        """Counts a trial."""
        ...

    def finish(self) -> None:
        """Ends, also after an interruption."""
        ...


class SilentProgress:
    """Shows nothing."""

    def note(self, text: str) -> None:
        """Ignores what there is to tell."""

    def start(self, total: int, done: int) -> None:
        """Ignores the beginning."""

    def advance(self, outcome: Outcome) -> None:
        """Ignores a trial."""

    def finish(self) -> None:
        """Ignores the end."""


class PlainProgress:
    """Prints a line every few seconds: done, errors, rate and time left."""

    def __init__(self, label: str, stream: TextIO | None = None, every_s: float = 5.0) -> None:
        self._label = label
        self._stream = sys.stderr if stream is None else stream
        self._every_s = every_s

    def note(self, text: str) -> None:
        """Prints the sentence."""
        print(text, file=self._stream, flush=True)

    def start(self, total: int, done: int) -> None:
        """Prints where the run begins."""
        self._total, self._done, self._before, self._errors = total, done, done, 0
        self._started_s = self._printed_s = time.monotonic()
        print(f"{self._label}: {done}/{total} trials recorded", file=self._stream, flush=True)

    def advance(self, outcome: Outcome) -> None:
        """Counts a trial and prints if the last line is old."""
        self._done += 1
        self._errors += outcome.status == "error"
        if time.monotonic() - self._printed_s >= self._every_s:
            self._print()

    def finish(self) -> None:
        """Prints the last line."""
        self._print()

    def _print(self) -> None:
        self._printed_s = time.monotonic()
        rate = (self._done - self._before) / max(self._printed_s - self._started_s, 1e-9)
        line = f"{self._label}: {self._done}/{self._total} trials, {_count_errors(self._errors)}, {rate:.1f}/s"
        if self._done < self._total and self._done - self._before >= TRIALS_BEFORE_ETA:
            line += f", {_left(self._total - self._done, rate)}"
        print(line, file=self._stream, flush=True)


class RichProgress:
    """Shows a bar with errors, rate and time left."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._errors = 0

    def note(self, text: str) -> None:
        """Prints the sentence above the bar."""
        print(text, file=sys.stderr, flush=True)

    def start(self, total: int, done: int) -> None:
        """Draws the bar."""
        self._bar = _make_bar()
        self._row = self._bar.add_task(
            self._label, total=total, completed=done, errors=_count_errors(0), rate="", left=""
        )
        self._started_s = time.monotonic()
        self._total, self._before, self._new = total, done, 0
        self._bar.start()

    def advance(self, outcome: Outcome) -> None:
        """Moves the bar."""
        self._new += 1
        self._errors += outcome.status == "error"
        rate = self._new / max(time.monotonic() - self._started_s, 1e-9)
        left = _left(self._total - self._before - self._new, rate) if self._new >= TRIALS_BEFORE_ETA else ""
        errors = _count_errors(self._errors)
        self._bar.update(self._row, advance=1, errors=errors, rate=f"{rate:.1f}/s", left=left)

    def finish(self) -> None:
        """Leaves the bar as it stands."""
        self._bar.stop()


def choose_progress(label: str) -> Progress:
    """Returns the bar on a terminal and plain lines elsewhere."""
    return RichProgress(label) if sys.stderr.isatty() else PlainProgress(label)


def _make_bar() -> RichBar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[errors]}"),
        TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[left]}"),
        console=Console(stderr=True),
    )


def _count_errors(errors: int) -> str:
    return f"{errors} error" + ("" if errors == 1 else "s")


def _left(trials: int, rate: float) -> str:
    return f"{_duration(trials / rate)} left" if trials else ""


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
