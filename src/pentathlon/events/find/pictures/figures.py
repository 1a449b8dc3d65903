"""The paper's figures 5 and 6, drawn from runs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pentathlon.events.find.episodes.records import CAPABILITIES, Capability
from pentathlon.events.find.metrics import ENDINGS, SUCCESS, ending_shares
from pentathlon.events.find.study import Column, Recorded, score_of
from pentathlon.stats.charts import Mark, Series, scatter_chart, stacked_bars

PANELS: dict[str, tuple[Capability, ...]] = {
    "a": ("pasture-appearance", "pasture-space"),
    "b": ("pasture-appearance-distract", "pasture-space-distract"),
    "c": ("pasture-hidden",),
    "d": ("pasture-hidden-distract",),
}


def figure_5(entrants: Sequence[str], recorded: Recorded) -> dict[str, str]:
    """Draws success with descriptions over success on object goals, four panels by file name.

    A panel is left out where no entrant ran both.
    """
    drawn = {}
    for panel, capabilities in PANELS.items():
        series = [Series(name.removeprefix("pasture-"), _marks(name, entrants, recorded)) for name in capabilities]
        if any(one.marks for one in series):
            title = f"Figure 5 ({panel}): {' and '.join(one.label for one in series)}"
            drawn[f"figure5{panel}.svg"] = scatter_chart(title, "success on object goals, %", "success, %", series)
    return drawn


def _marks(capability: Capability, entrants: Sequence[str], recorded: Recorded) -> tuple[Mark, ...]:
    marks = []
    for entrant in entrants:
        goals = score_of(Column("", "objectnav", SUCCESS), entrant, recorded)
        found = score_of(Column("", capability, SUCCESS), entrant, recorded)
        if goals is not None and found is not None:
            low, high = (found.value if end is None else end for end in (found.low, found.high))
            marks.append(Mark(goals.value, found.value, low, high, entrant))
    return tuple(marks)


def figure_6(entrants: Sequence[str], recorded: Recorded) -> dict[str, str]:
    """Draws how the trials of each entrant ended, a bar for each capability, by file name."""
    drawn = {}
    for entrant in entrants:
        rows: dict[str, tuple[float, ...]] = {
            name: ending_shares(found) for name in CAPABILITIES if (found := recorded.get((entrant, name), ()))
        }
        if rows:
            file = f"figure6-{re.sub('[^a-z0-9]+', '-', entrant.lower()).strip('-')}.svg"
            drawn[file] = stacked_bars(f"Figure 6: how trials of {entrant} end, %", ENDINGS, rows)
    return drawn
