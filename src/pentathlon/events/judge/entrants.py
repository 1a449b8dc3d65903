"""The judges to measure others by, as rows; nothing is imported until one is built."""

from __future__ import annotations

from pentathlon.core.registry import EntrantEntry


def _row(id: str, name: str, summary: str, *, sprint: bool = False) -> EntrantEntry:
    return EntrantEntry(
        id=id,
        kind="judge",
        summary=summary,
        factory=f"pentathlon.events.judge.baselines:{name}",
        sprint=("judge",) if sprint else (),
    )


TABLE: tuple[EntrantEntry, ...] = (
    _row("judge-oracle", "OracleJudge", "reads the log: a ceiling, not an entrant", sprint=True),
    _row(
        "judge-order-blind", "OrderBlindOracle", "knows every step and no order: a ceiling for averaging", sprint=True
    ),
    _row("judge-objects-only", "ObjectsOnlyOracle", "knows the things and places alone: what recognition can reach"),
    _row("judge-majority", "MajorityJudge", "always says the most frequent label: the paper's baseline"),
    _row("judge-random", "RandomJudge", "draws its scores: what chance gives"),
)
