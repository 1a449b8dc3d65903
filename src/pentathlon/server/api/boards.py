"""The leaderboards as they stand, read anew only when a result came or went, however many look at them."""

from __future__ import annotations

import threading
import time

from sqlalchemy import func, select

from pentathlon.server.queue.database import Database
from pentathlon.server.queue.results import Finished, leaderboard
from pentathlon.server.queue.tables import Submission
from pentathlon.stats import Ranked

REFRESH_S = 1.0
KEPT_CHARACTERS = 2**25


class Boards:
    """Keeps the ranked rows of every board, and pages made of them, until the results change.

    Args:
        database: of the server.
        refresh_s: how often it is looked whether they changed.
    """

    def __init__(self, database: Database, refresh_s: float = REFRESH_S) -> None:
        self._database, self._refresh_s = database, refresh_s
        self._lock = threading.Lock()
        self._looked_s = float("-inf")
        self._stamp: tuple[object, ...] = ()
        self._rows: dict[tuple[str, str], list[Ranked[Finished]]] = {}
        self._pages: dict[tuple[object, ...], str] = {}
        self._characters = 0

    def rows(self, task: str, challenge: str) -> list[Ranked[Finished]]:
        """Ranks the finished submissions of a task and challenge."""
        with self._lock:
            self._look()
            if (task, challenge) not in self._rows:
                with self._database.read() as session:
                    self._rows[task, challenge] = leaderboard(session, task, challenge)
            return self._rows[task, challenge]

    def page(self, key: tuple[object, ...]) -> str | None:
        """Returns a page that was kept, unless it may be out of date; waits for nothing."""
        return self._pages.get(key) if time.monotonic() - self._looked_s < self._refresh_s else None

    def keep(self, key: tuple[object, ...], page: str) -> None:
        """Keeps a page until the results change."""
        with self._lock:
            if self._characters + len(page) > KEPT_CHARACTERS:
                self._forget_pages()
            self._characters += len(page) - len(self._pages.get(key, ""))
            self._pages[key] = page

    def _look(self) -> None:
        if time.monotonic() - self._looked_s < self._refresh_s:
            return
        finished = Submission.state == "finished"
        with self._database.read() as session:
            stamp = tuple(session.execute(select(func.count(), func.max(Submission.ended_s)).where(finished)).one())
        if stamp != self._stamp:
            self._stamp, self._rows = stamp, {}
            self._forget_pages()
        self._looked_s = time.monotonic()

    def _forget_pages(self) -> None:
        self._pages, self._characters = {}, 0
