"""Runs: scheduling, records, resume, progress.

Names are imported when they are first used, so that a machine which only makes data needs no package of the runner.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pentathlon.engine.pool import WorkerPool, make_pool
    from pentathlon.engine.progress import PlainProgress, Progress, RichProgress, SilentProgress, choose_progress
    from pentathlon.engine.records import read_outcomes
    from pentathlon.engine.run_folder import RunFolder, RunInfo, RunSummary, list_runs
    from pentathlon.engine.runner import RunRequest, run

__all__ = [
    "PlainProgress",
    "Progress",
    "RichProgress",
    "RunFolder",
    "RunInfo",
    "RunRequest",
    "RunSummary",
    "SilentProgress",
    "WorkerPool",
    "choose_progress",
    "list_runs",
    "make_pool",
    "read_outcomes",
    "run",
]

_NAMES = {
    "pool": ("WorkerPool", "make_pool"),
    "progress": ("PlainProgress", "Progress", "RichProgress", "SilentProgress", "choose_progress"),
    "records": ("read_outcomes",),
    "run_folder": ("RunFolder", "RunInfo", "RunSummary", "list_runs"),
    "runner": ("RunRequest", "run"),
}
_MODULE_OF = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
