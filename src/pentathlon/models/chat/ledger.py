"""What asking has cost: a line per answer in a file that all processes of a run share, and a limit for all of them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pentathlon.core.errors import MachineError, UsageError
from pentathlon.storage.files import disk_errors

MILLION = 1_000_000


@dataclass(frozen=True)
class Prices:
    """Money per million tokens, in whatever currency the provider bills."""

    per_million_in: float = 0.0
    per_million_out: float = 0.0

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """The price of one answer."""
        return (tokens_in * self.per_million_in + tokens_out * self.per_million_out) / MILLION


@dataclass(frozen=True)
class Totals:
    """Sums over answers that were paid for; those that were remembered cost nothing."""

    answers: int = 0
    refused: int = 0
    cut_short: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0


class _Line(msgspec.Struct, frozen=True):
    ending: str
    tokens_in: int
    tokens_out: int
    cost: float


class Ledger:
    """Appends what each answer cost and refuses to go beyond ``max_cost``."""

    def __init__(self, path: Path, prices: Prices | None = None, max_cost: float | None = None) -> None:
        """Opens the ledger, which need not exist.

        Raises:
            UsageError: when a limit is given without prices, since it could never be reached.
        """
        self.path, self.prices, self.max_cost = path, prices or Prices(), max_cost
        if max_cost is not None and self.prices == Prices():
            raise UsageError(f"Expected prices with the cost limit of {max_cost:g}, got none. Give both, or no limit.")

    def totals(self) -> Totals:
        """Adds up what all processes wrote; a torn last line is left out."""
        try:
            rows = self.path.read_bytes().split(b"\n")[:-1]
        except FileNotFoundError:
            return Totals()
        lines = [line for row in rows if (line := _decode(row)) is not None]
        return Totals(
            answers=len(lines),
            refused=sum(line.ending == "refused" for line in lines),
            cut_short=sum(line.ending == "cut short" for line in lines),
            tokens_in=sum(line.tokens_in for line in lines),
            tokens_out=sum(line.tokens_out for line in lines),
            cost=sum(line.cost for line in lines),
        )

    def check(self) -> None:
        """Refuses the next question once the limit is reached.

        Raises:
            MachineError: naming what was spent; the trial in turn is not to blame.
        """
        if self.max_cost is None:
            return
        spent = self.totals().cost
        if spent >= self.max_cost:
            raise MachineError(
                f"Expected to spend at most {self.max_cost:g}, {spent:.4g} is spent. What was answered is kept: the "
                "same command with a higher limit continues."
            )

    def record(self, ending: str, tokens_in: int, tokens_out: int) -> None:
        """Adds a line, whole even when several processes write at once."""
        line = _Line(ending, tokens_in, tokens_out, self.prices.cost(tokens_in, tokens_out))
        with disk_errors(self.path.parent):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                os.write(descriptor, msgspec.json.encode(line) + b"\n")
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def _decode(row: bytes) -> _Line | None:
    try:
        return msgspec.json.decode(row, type=_Line)
    except msgspec.DecodeError:
        return None
