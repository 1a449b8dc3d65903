"""The options of every command that makes data: how many workers, and where they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro

from pentathlon.core.making import Pool
from pentathlon.core.runs import Place, Runs


@dataclass(frozen=True, kw_only=True)
class PoolOptions:
    """Who makes files; they do not depend on it."""

    workers: Annotated[int, tyro.conf.arg(aliases=["-w"])] = 1
    """Processes that make what is missing; 0 takes one per core."""
    on: Place = "local"
    """Where they run: this machine, or a Ray cluster whose nodes share the folder that is written to."""
    address: str | None = None
    """Address of the Ray cluster; none starts a local one."""

    def pool(self, runs: Runs) -> Pool:
        """Opens the pool that the options describe."""
        return runs.pool(self.workers, self.on, self.address)
