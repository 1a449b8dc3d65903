"""Chooses where workers live."""

from __future__ import annotations

from pathlib import Path

from pentathlon.core.runs import Place
from pentathlon.engine.workers.executor import Executor
from pentathlon.engine.workers.local import LocalExecutor
from pentathlon.engine.workers.ray_cluster import RayExecutor
from pentathlon.engine.workers.wire import WorkerSetup


def open_executor(setup: WorkerSetup, on: Place, address: str | None, log: Path) -> Executor:
    """Opens the executor whose workers build ``setup``.

    Args:
        setup: what each worker builds.
        on: processes of this machine, or a Ray cluster.
        address: of the Ray cluster.
        log: takes the output of local processes.
    """
    return RayExecutor(setup, address) if on == "ray" else LocalExecutor(setup, log)
