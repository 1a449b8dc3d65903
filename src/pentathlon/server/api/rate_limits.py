"""How often somebody may ask: a token bucket per caller."""

from __future__ import annotations

import threading
import time

from pentathlon.server.errors import TooManyError

FORGET_ABOVE = 10_000


class RateLimiter:
    """Lets each caller make ``burst`` requests at once and ``per_second`` on average."""

    def __init__(self, per_second: float, burst: int) -> None:
        self._per_second = per_second
        self._burst = burst
        self._lock = threading.Lock()
        self._buckets: dict[str, tuple[float, float]] = {}

    def check(self, caller: str) -> None:
        """Counts one request.

        Raises:
            TooManyError: when the caller has to wait.
        """
        now_s = time.monotonic()
        with self._lock:
            left, at_s = self._buckets.get(caller, (float(self._burst), now_s))
            left = min(self._burst, left + (now_s - at_s) * self._per_second)
            self._buckets[caller] = (max(left - 1, 0.0) if left >= 1 else left, now_s)
            if len(self._buckets) > FORGET_ABOVE:
                self._forget(now_s)
        if left < 1:
            raise TooManyError(f"Too many requests; at most {self._per_second:g} a second. Wait a moment.")

    def _forget(self, now_s: float) -> None:
        """Drops callers whose bucket is full again."""
        full_after_s = self._burst / self._per_second
        self._buckets = {who: entry for who, entry in self._buckets.items() if now_s - entry[1] < full_after_s}
