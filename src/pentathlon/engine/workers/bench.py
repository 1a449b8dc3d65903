"""What a worker runs heats with: the task and entrant of a run, or a function that makes files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from pentathlon.core.making import Item
from pentathlon.core.registry import resolve
from pentathlon.core.trial import Heat, Outcome, Status
from pentathlon.engine.workers.wire import Faulted, Finished, MakingSetup, Ready, RunSetup, WorkerSetup
from pentathlon.engine.workers.workbench import Workbench
from pentathlon.storage.making import Maker, make_item


class Bench(Protocol):
    """Runs heats."""

    def ready(self) -> Ready:
        """Tells what was built."""
        ...

    def messages(self, heat: Heat) -> Iterator[Finished | Faulted]:
        """Runs the heat and says so trial by trial, or that the machine failed."""
        ...


@dataclass(frozen=True)
class MakingBench:
    """Makes a file for each heat, whose one trial is the file's path."""

    make: Maker

    def ready(self) -> Ready:
        """Has nothing to tell."""
        return Ready()

    def messages(self, heat: Heat) -> Iterator[Finished]:
        """Makes the file and says how that ended."""
        (path,) = heat.trials
        result = make_item(self.make, Item(path, heat.data["about"]))
        status: Status = "error" if result.status == "failed" else "ok"
        yield Finished(Outcome(path, status=status, error=result.error, details={"making": result.status}), last=True)


def build_bench(setup: WorkerSetup) -> Bench:
    """Builds what ``setup`` names.

    Raises:
        PentathlonError: when it cannot be built.
    """
    match setup:
        case RunSetup():
            return Workbench.build(setup)
        case MakingSetup(maker):
            return MakingBench(resolve(maker))
