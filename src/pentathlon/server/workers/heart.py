"""Beats beside the work: tells the database that a worker lives, and the worker what changed meanwhile."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from types import TracebackType

from sqlalchemy.exc import DBAPIError

_log = logging.getLogger(__name__)


class Heart:
    """Calls ``beat`` every ``period_s`` seconds in a thread of its own, within a ``with`` block.

    A database that is away is no reason to end: the work goes on, and whether it still counts is decided when it is
    recorded. Nor is an arm that fails to stop, or no later order would reach it.
    """

    def __init__(self, beat: Callable[[], None], period_s: float) -> None:
        self._beat, self._period_s = beat, period_s
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heart", daemon=True)

    def __enter__(self) -> Heart:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        missed = 0
        while not self._ended.wait(self._period_s):
            try:
                self._beat()
                missed = 0
            except DBAPIError as error:
                missed += 1
                if missed == 1:
                    _log.warning("No heartbeat while the database is away: %s", error.orig)
            except Exception:
                _log.exception("A heartbeat failed")
