"""Notices that an entrant is no longer the one that made a run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pentathlon.core.errors import EntrantError
from pentathlon.engine.folders.run_folder import RunFolder, list_runs
from pentathlon.engine.folders.run_info import RunInfo
from pentathlon.engine.workers.wire import Ready

_NAMES_SHOWN = 3


class ChangedEntrantError(EntrantError):
    """A worker built another entrant than the one that made the records of the run."""

    def __init__(self, entrant: str, fingerprint: str) -> None:
        super().__init__(
            f"Entrant {entrant!r} gave the fingerprint {fingerprint!r}, which was another when the run began. Have it "
            "follow from weights and code alone, do not edit them meanwhile, and run the same command again."
        )
        self.fingerprint = fingerprint


def tell_change(out: Path, info: RunInfo) -> str:
    """Says in one sentence what has changed since the last run of an entrant of this name; empty when nothing has."""
    if (out / info.location).exists():
        return ""
    before = _last_run(out / info.location.parent, info)
    if before is None:
        return ""
    changed = _differing(before.info.content, info.content)
    what = ", ".join(changed[:_NAMES_SHOWN]) + (", ..." if len(changed) > _NAMES_SHOWN else "")
    return f"{info.entrant} has changed since run {before.path.name} ({what}): beginning a new run."


def check_built(folder: RunFolder, ready: Ready) -> None:
    """Refuses a worker whose entrant is not the one of the run, before it gets a heat.

    Raises:
        ChangedEntrantError: when it calls itself otherwise than before.
        EntrantError: when its code is not what this process sees.
    """
    info = folder.info
    if not ready.code.items() <= info.content.items():
        raise EntrantError(
            f"The code of {info.entrant!r} is not the same in every worker: it was edited while the run was under way, "
            "or other machines have another version. What was recorded is safe: run the same command again."
        )
    folder.keep_fingerprint(ready.fingerprint)
    if folder.info.fingerprint != ready.fingerprint:
        raise ChangedEntrantError(info.entrant, ready.fingerprint)


def _last_run(parent: Path, info: RunInfo) -> RunFolder | None:
    alike = ("task", "entrant", "factory", "options", "protocol_hash")
    runs = [
        run
        for run in list_runs(parent, on_problem=lambda problem: None)
        if all(getattr(run.info, name) == getattr(info, name) for name in alike) and run.info.content != info.content
    ]
    return max(runs, key=lambda run: run.path.stat().st_mtime_ns, default=None)


def _differing(before: Mapping[str, str], now: Mapping[str, str]) -> list[str]:
    return sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
