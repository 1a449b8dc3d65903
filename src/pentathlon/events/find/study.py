"""The paper's tables 1, 2 and 6: which rows they have, and how runs are laid out in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from pentathlon.core import Metric, Outcome, Score
from pentathlon.core.numbers import MISSING, number
from pentathlon.events.find.episodes.records import Capability
from pentathlon.events.find.metrics import SPL, SUCCESS
from pentathlon.events.find.paper import AVERAGE, PASTURE, TABLE_1, TABLE_2, TABLE_6, Numbers
from pentathlon.models.localizers.opening import BUILTIN
from pentathlon.stats import score_outcomes

TableName = Literal["localizers", "exploration", "prompts"]
Recorded = Mapping[tuple[str, Capability], Sequence[Outcome]]
"""Outcomes by entrant and capability."""

CONTROLS = {
    "find-oracle": "the shortest way",
    "find-true-masks": "true masks, frontiers",
    "find-random-true-masks": "true masks, random walk",
    "find-frontier": "frontiers, no localizer",
    "find-random": "chance",
    "find-stop": "Stop at once",
}
CLIP_KINDS = ("clip-patch", "clip-grad")


class Row(NamedTuple):
    """A row of a table."""

    title: str
    entrant: str


class Column(NamedTuple):
    """A column: episodes of which capabilities, and what is counted."""

    title: str
    of: str
    metric: Metric

    @property
    def capabilities(self) -> tuple[Capability, ...]:
        """Whose episodes it counts."""
        return PASTURE if self.of == AVERAGE else (self.of,)  # type: ignore[return-value]


AVERAGES = (Column("average SPL", AVERAGE, SPL), Column("average", AVERAGE, SUCCESS))
GOALS = (Column("objectnav SPL", "objectnav", SPL), Column("objectnav", "objectnav", SUCCESS))
CAPABILITY_COLUMNS = tuple(Column(name.removeprefix("pasture-"), name, SUCCESS) for name in PASTURE)


@dataclass(frozen=True)
class Table:
    """A table: its rows, its columns and what the paper has there."""

    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    paper: Mapping[str, Numbers]

    @property
    def entrants(self) -> tuple[str, ...]:
        """Who has to run."""
        return tuple(row.entrant for row in self.rows)

    @property
    def capabilities(self) -> tuple[Capability, ...]:
        """What they have to run."""
        return tuple(dict.fromkeys(name for column in self.columns for name in column.capabilities))


def make_table(name: TableName, localizers: Sequence[str] = (BUILTIN,), clip: Sequence[str] = ()) -> Table:
    """Builds a table.

    Args:
        name: ``localizers`` is table 1, ``exploration`` table 2, ``prompts`` table 6.
        localizers: those of tables 1 and 2, such as ``owl:google/owlvit-base-patch32``; table 2 takes the first.
        clip: weights of CLIP for table 6.
    """
    if name == "localizers":
        return Table(tuple(_localizer_rows(localizers)), (*CAPABILITY_COLUMNS, *AVERAGES, *GOALS), TABLE_1)
    if name == "exploration":
        return Table(_explorer_rows(localizers[0]), (*AVERAGES, *GOALS), TABLE_2)
    return Table(tuple(_prompt_rows(clip)), GOALS, TABLE_6)


def _localizer_rows(localizers: Iterable[str]) -> Iterable[Row]:
    for localizer in localizers:
        yield Row(f"{localizer}, whole", _seeing("cow", localizer))
        yield Row(f"{localizer}, centre", _seeing("cow-centre", localizer))
        yield Row(f"{localizer}, oracle's way", _seeing("find-oracle-explorer", localizer))
        yield Row(f"{localizer}, random walk", _seeing("cow-random", localizer))
        if localizer == BUILTIN:
            yield Row(f"{localizer}, relations by the network", "cow-sentence")
    yield from (Row(title, entrant) for entrant, title in CONTROLS.items())


def _explorer_rows(localizer: str) -> tuple[Row, ...]:
    return (
        Row(f"{localizer}, learned (appendix B)", _seeing("cow-learned", localizer)),
        Row(f"{localizer}, random walk", _seeing("cow-random", localizer)),
        Row(f"{localizer}, frontiers as released", _seeing("cow-released", localizer)),
        Row(f"{localizer}, frontiers", _seeing("cow", localizer)),
        Row(f"{localizer}, oracle's way", _seeing("find-oracle-explorer", localizer)),
        Row("true masks, learned", "find-learned-true-masks"),
        Row("true masks, random walk", "find-random-true-masks"),
        Row("true masks, frontiers as released", "find-true-masks-released"),
        Row("true masks, frontiers", "find-true-masks"),
    )


def _prompt_rows(clip: Iterable[str]) -> Iterable[Row]:
    for weights in clip:
        for kind in CLIP_KINDS:
            yield Row(f"{kind}, {weights}, centre, photo", f"cow-centre@{kind}-photo:{weights}")
            yield Row(f"{kind}, {weights}, centre, 80 prompts", f"cow-centre@{kind}:{weights}")


def _seeing(entrant: str, localizer: str) -> str:
    return entrant if localizer == BUILTIN else f"{entrant}@{localizer}"


def lay_out(table: Table, recorded: Recorded) -> str:
    """Writes a table in Markdown, the paper's rows below ours; an average needs all seven capabilities."""
    lines = [
        "| | n | " + " | ".join(f"{column.title}, %" for column in table.columns) + " |",
        "|---" * (2 + len(table.columns)) + "|",
    ]
    for row in table.rows:
        cells = [_text(score_of(column, row.entrant, recorded)) for column in table.columns]
        lines.append(f"| {row.title} | {_count(table, row, recorded)} | " + " | ".join(cells) + " |")
    for title, numbers in table.paper.items():
        values = [numbers.get((column.of, column.metric.name)) for column in table.columns]
        cells = [MISSING if value is None else f"{value:.1f}" for value in values]
        lines.append(f"| *paper: {title}* | | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def score_of(column: Column, entrant: str, recorded: Recorded) -> Score | None:
    """The score of an entrant in a column, pooled over its capabilities; ``None`` where one of them was not run."""
    found = [recorded.get((entrant, capability), ()) for capability in column.capabilities]
    if not all(found):
        return None
    pooled = [outcome for outcomes in found for outcome in outcomes]
    return score_outcomes((column.metric,), pooled)[0]


def _count(table: Table, row: Row, recorded: Recorded) -> str:
    """How many episodes each capability has, and how many ended in an error."""
    found = [recorded.get((row.entrant, capability), ()) for capability in table.capabilities]
    counts = sorted({len(outcomes) for outcomes in found if outcomes})
    errors = sum(outcome.status == "error" for outcomes in found for outcome in outcomes)
    return "–".join(map(str, counts[:: max(1, len(counts) - 1)])) + (f", {errors} errors" if errors else "")


def _text(score: Score | None) -> str:
    return MISSING if score is None else f"{number(score.value, score.low, score.high)} {score.interval_text}"
