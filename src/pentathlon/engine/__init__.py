"""Runs: scheduling, records, resume, progress.

Names are imported when they are first used, so that a machine which only makes data needs no package of the runner.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pentathlon.engine.folders.records import read_outcomes
    from pentathlon.engine.folders.run_folder import RunFolder, list_runs
    from pentathlon.engine.folders.run_info import RunInfo, RunSummary
    from pentathlon.engine.folders.shards import Shard
    from pentathlon.engine.progress import PlainProgress, Progress, RichProgress, SilentProgress, choose_progress
    from pentathlon.engine.runner import RunRequest, run
    from pentathlon.engine.summing import rescore
    from pentathlon.engine.workers.pool import WorkerPool, make_pool

__all__ = [
    "PlainProgress",
    "Progress",
    "RichProgress",
    "RunFolder",
    "RunInfo",
    "RunRequest",
    "RunSummary",
    "Shard",
    "SilentProgress",
    "WorkerPool",
    "choose_progress",
    "list_runs",
    "make_pool",
    "read_outcomes",
    "rescore",
    "run",
]

_NAMES = {
    "workers.pool": ("WorkerPool", "make_pool"),
    "progress": ("PlainProgress", "Progress", "RichProgress", "SilentProgress", "choose_progress"),
    "folders.records": ("read_outcomes",),
    "folders.run_folder": ("RunFolder", "list_runs"),
    "folders.run_info": ("RunInfo", "RunSummary"),
    "runner": ("RunRequest", "run"),
    "folders.shards": ("Shard",),
    "summing": ("rescore",),
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
