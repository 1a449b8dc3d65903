"""The registered agents, as rows; nothing is imported until one is built."""

from __future__ import annotations

from pentathlon.core.registry import EntrantEntry, EntrantRows

_row = EntrantRows("agent", "pentathlon.events.explore.", "explore")

TABLE: tuple[EntrantEntry, ...] = (
    _row("explore-random", "baselines:RandomAgent", "stays and guesses: what chance gives", sprint=True),
    _row("explore-language", "baselines:LanguageAgent", "stays and knows the questions' words alone", sprint=True),
    _row(
        "explore-symbolic",
        "agents.symbolic:make_symbolic",
        "maps, opens, weighs and remembers, with true perception: a ceiling, not an entrant",
        sprint=True,
    ),
    _row(
        "explore-symbolic-sighted",
        "sighted.agent:make_sighted",
        "the same by the built-in image-text network and touch; its pose, plans and programs are true",
    ),
)
