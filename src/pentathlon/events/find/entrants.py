"""The registered agents, as rows; nothing is imported until one is built."""

from __future__ import annotations

from typing import Any

from pentathlon.core.registry import EntrantEntry


def _row(id: str, factory: str, summary: str, *, sprint: bool = False, **options: Any) -> EntrantEntry:
    return EntrantEntry(
        id=id,
        kind="agent",
        summary=summary,
        factory=f"pentathlon.events.find.{factory}",
        options=options,
        sprint=("find",) if sprint else (),
    )


TABLE: tuple[EntrantEntry, ...] = (
    _row("find-oracle", "baselines:OracleAgent", "walks the shortest way: a ceiling, not an entrant", sprint=True),
    _row("find-random", "baselines:RandomAgent", "acts at random: what chance gives", sprint=True),
    _row("find-stop", "baselines:StopAgent", "stops at once: what standing still gives"),
)
