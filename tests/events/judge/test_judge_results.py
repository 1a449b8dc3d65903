"""What docs/judge.md says must hold, held against the measured rows in docs/results."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import NamedTuple

import pytest

DOCS = Path(__file__).parents[3] / "docs"
CSV = DOCS / "results" / "judge-full.csv"
FIGURES = DOCS / "pictures" / "judge" / "figures"
FRAMES = tuple(f"frames-dense{ending}" for ending in ("", "-2", "-4", "-8", "-32"))
TOLD = ("judge-order-blind", "judge-objects-only")


class Row(NamedTuple):
    value: float
    low: float
    high: float


@pytest.fixture(scope="module")
def rows() -> dict[tuple[str, str, str], Row]:
    with CSV.open(newline="") as file:
        return {
            (row["task"], row["judge"], row["metric"]): Row(*(float(row[end] or "nan") for end in Row._fields))
            for row in csv.DictReader(file)
        }


def permutations(rows: dict[tuple[str, str, str], Row], world: str = "") -> list[str]:
    return sorted({task for task, _, _ in rows if "-permutation-" in task and world in task})


@pytest.mark.parametrize(("judges", "metric"), [(TOLD, "macro_f1"), (TOLD + FRAMES, "macro_f1_raw")])
def test_who_sees_no_order_is_within_the_majority_s_interval(
    rows: dict[tuple[str, str, str], Row], judges: tuple[str, ...], metric: str
) -> None:
    tasks = permutations(rows)
    assert len(tasks) == 9
    for task in tasks:
        majority = rows[task, "judge-majority", metric]
        assert all(majority.low <= rows[task, judge, metric].value <= majority.high for judge in judges)


def test_who_sees_order_beats_all_who_do_not_outside_the_intervals(rows: dict[tuple[str, str, str], Row]) -> None:
    for task in permutations(rows, "virtual-home"):
        best = max(rows[task, judge, "macro_f1"].high for judge in FRAMES + TOLD)
        assert rows[task, "order", "macro_f1"].low > best


def test_who_reads_the_log_is_always_right(rows: dict[tuple[str, str, str], Row]) -> None:
    wanted = ("macro_f1", "auroc", "value_order_correlation")
    found = [row.value for (_, judge, metric), row in rows.items() if judge == "judge-oracle" and metric in wanted]
    assert len(found) == 39
    assert set(found) == {1.0}


@pytest.mark.parametrize(("figure", "kind"), [("4-permutation", "permutation"), ("4-general", "general")])
def test_figures_over_worlds_show_all_problem_sets(figure: str, kind: str) -> None:
    with CSV.open(newline="") as file:
        sets = {row["task"]: int(row["problem_sets"]) for row in csv.DictReader(file) if f"-{kind}-v1" in row["task"]}
    by_level = [sum(count for task, count in sets.items() if f"-level-{level}-" in task) for level in range(2, 9)]
    shown = re.findall(r" n=(\d+): ", (FIGURES / f"judge-{figure}.svg").read_text())
    assert [int(count) for count in shown[:7]] == by_level
    assert shown[:7] * (len(shown) // 7) == shown
