"""Parts of a run that processes without a common scheduler do, each with a journal of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pentathlon.core.errors import UsageError
from pentathlon.core.trial import Heat

_SHARD = re.compile(r"([1-9][0-9]*)/([1-9][0-9]*)")


@dataclass(frozen=True)
class Shard:
    """The ``number``-th of ``count`` parts, counted from 1: every ``count``-th heat."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Reads ``2/8``.

        Raises:
            UsageError: when it is malformed.
        """
        match = _SHARD.fullmatch(text)
        if match is None or int(match[1]) > int(match[2]):
            raise UsageError(f"Expected a shard such as 2/8, the second of eight, got {text!r}.")
        return cls(int(match[1]), int(match[2]))

    @property
    def suffix(self) -> str:
        """What its files are named with."""
        return f"-{self.number}-of-{self.count}"

    def of(self, heats: Sequence[Heat]) -> Sequence[Heat]:
        """Its share of ``heats``."""
        return heats[self.number - 1 :: self.count]
