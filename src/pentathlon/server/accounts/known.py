"""Who was let in a moment ago, so that most requests ask the database nothing."""

from __future__ import annotations

import time
from typing import Literal

from pentathlon.server.accounts.credentials import digest
from pentathlon.server.queue.tables import Account

KNOWN_FOR_S = 10.0
KNOWN_AT_MOST = 10_000

Shown = Literal["token", "cookie"]


class KnownVisitors:
    """Remembers for a few seconds which tokens and cookies are good; kept as digests only.

    Whatever makes one of them worthless forgets them all; a server has one web process, so that holds at once.
    """

    def __init__(self, for_s: float = KNOWN_FOR_S) -> None:
        self._for_s = for_s
        self._accounts: dict[tuple[Shown, str], tuple[Account, float]] = {}

    def get(self, shown: Shown, presented: str) -> Account | None:
        """Returns the account of what was good a moment ago."""
        account, until_s = self._accounts.get((shown, digest(presented)), (None, 0.0))
        return account if time.monotonic() < until_s else None

    def add(self, shown: Shown, presented: str, account: Account) -> None:
        """Remembers a good one."""
        now_s = time.monotonic()
        if len(self._accounts) > KNOWN_AT_MOST:
            self._accounts = {known: entry for known, entry in self._accounts.items() if entry[1] > now_s}
        self._accounts[shown, digest(presented)] = (account, now_s + self._for_s)

    def forget(self) -> None:
        """Forgets all."""
        self._accounts = {}
