"""Makes files on the workers that runs use: processes of this machine, or a Ray cluster."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from pentathlon.core.errors import UsageError
from pentathlon.core.making import Item, Pool, Result, Tell
from pentathlon.core.runs import Place
from pentathlon.core.trial import Heat, Outcome
from pentathlon.engine.interrupts import deferred_interrupts
from pentathlon.engine.scheduler import Scheduler
from pentathlon.engine.workers.executors import open_executor
from pentathlon.engine.workers.wire import MakingSetup
from pentathlon.storage.making import SERIAL

LOG_FILE = ".workers.log"
_PATIENCE_S = 0.25


@dataclass(frozen=True)
class WorkerPool:
    """Starts workers for each call of :meth:`run` and ends them after it.

    Attributes:
        workers: processes or actors; 0 takes one per CPU.
        address: of the Ray cluster.
    """

    workers: int = 0
    on: Place = "local"
    address: str | None = None

    def run(self, maker: str, items: Sequence[Item], tell: Tell) -> None:
        """Makes every item; what its worker dies of fails the item, not the others."""
        heats = [Heat(item.path, (item.path,), {"about": item.about}) for item in items]
        log = Path(os.path.commonpath([Path(item.path).parent for item in items])) / LOG_FILE
        log.parent.mkdir(parents=True, exist_ok=True)
        failed = False
        with closing(open_executor(MakingSetup(maker, sys.path), self.on, self.address, log)) as executor:
            workers = min(self.workers or executor.capacity(), len(heats))
            scheduler = Scheduler(executor, heats, workers)
            with deferred_interrupts() as interrupts:
                while not scheduler.done:
                    interrupts.check()
                    for outcome in scheduler.step(_PATIENCE_S):
                        failed = failed or outcome.status == "error"
                        tell(_result(outcome))
                scheduler.refuse_set_aside()
        if not failed:
            log.unlink(missing_ok=True)


def make_pool(workers: int, on: Place = "local", address: str | None = None) -> Pool:
    """Chooses who makes files: this process alone, several, or a cluster.

    Raises:
        UsageError: when the options do not go together.
    """
    if workers < 0:
        raise UsageError(f"Expected 0 or more workers, got {workers}. 0 takes one per CPU.")
    if address is not None and on != "ray":
        raise UsageError(
            f"Expected --on ray with --address {address}, got --on {on}. Add it, or leave the address out."
        )
    return SERIAL if workers == 1 and on == "local" else WorkerPool(workers, on, address)


def _result(outcome: Outcome) -> Result:
    if outcome.status == "error":
        return Result(outcome.trial, "failed", outcome.error)
    return Result(outcome.trial, outcome.details["making"])
