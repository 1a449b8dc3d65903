"""The registered agents, as rows; nothing is imported until one is built."""

from __future__ import annotations

from pentathlon.core.registry import EntrantEntry, EntrantRows

_row = EntrantRows("agent", "pentathlon.events.find.", "find")

TABLE: tuple[EntrantEntry, ...] = (
    _row("find-oracle", "baselines:OracleAgent", "walks the shortest way: a ceiling, not an entrant"),
    _row("find-random", "baselines:RandomAgent", "acts at random: what chance gives", sprint=True),
    _row("find-stop", "baselines:StopAgent", "stops at once: what standing still gives"),
)
