"""Runs: scheduling, records, resume, cache, video, progress."""

from pentathlon.engine.cache import ArrayCache, CacheStats
from pentathlon.engine.progress import PlainProgress, Progress, RichProgress, SilentProgress, choose_progress
from pentathlon.engine.records import read_outcomes
from pentathlon.engine.run_folder import RunFolder, RunInfo, RunSummary, list_runs
from pentathlon.engine.runner import RunRequest, run
from pentathlon.engine.video import read_mp4, write_mp4

__all__ = [
    "ArrayCache",
    "CacheStats",
    "PlainProgress",
    "Progress",
    "RichProgress",
    "RunFolder",
    "RunInfo",
    "RunRequest",
    "RunSummary",
    "SilentProgress",
    "choose_progress",
    "list_runs",
    "read_mp4",
    "read_outcomes",
    "run",
    "write_mp4",
]
