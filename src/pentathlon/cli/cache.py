"""``pentathlon cache``: look at and trim the cache of computed arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import tyro

from pentathlon.core import UsageError
from pentathlon.storage import ArrayCache

GIBIBYTE = 2**30


@dataclass(frozen=True)
class Cache:
    """Show the cache of computed arrays, or trim it."""

    action: tyro.conf.Positional[Literal["show", "trim"]] = "show"
    """Show its size, or delete what was used longest ago."""
    to_gib: float | None = None
    """With trim, which asks for it: the size to trim to, in GiB; 0 empties the cache."""

    def run(self) -> int:
        """Shows or trims."""
        cache = ArrayCache()
        if self.action == "trim":
            if self.to_gib is None or not self.to_gib >= 0:
                raise UsageError(
                    f"Expected a size of 0 GiB or more to trim to, got {self.to_gib}. Say how much may stay, "
                    "such as --to-gib 10; 0 empties the cache."
                )
            freed_bytes = cache.trim(int(self.to_gib * GIBIBYTE))
            print(f"Freed {freed_bytes / GIBIBYTE:.2f} GiB.")
        stats = cache.stats()
        used_gib, limit_gib = stats.bytes / GIBIBYTE, stats.limit_bytes / GIBIBYTE
        print(f"{stats.folder}: {stats.entries} arrays, {used_gib:.2f} of {limit_gib:.0f} GiB")
        return 0
