"""The paper's figures from recorded problem sets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pentathlon.cli.main import main
from pentathlon.core import Outcome
from pentathlon.events.judge.records import Sheet, sheet_metrics
from pentathlon.events.judge.study import draw_figures, is_drawn, write_table


def outcome(number: int, level: int, group: str, theme: str, right: bool) -> Outcome:
    names = ("a", "b", "c")
    scores = np.eye(3) if right else np.tile([1.0, 0.0, 0.0], (3, 1))
    sheet = Sheet(names, names, tuple((name,) for name in names), scores)
    about = {"environment": "virtual home", "level": level, "group": group, "theme": theme, "descriptions": {}}
    told = {**about, **sheet.plain()}
    return Outcome(f"{level}/{group}/{number}", sheet_metrics(sheet, "match"), details=told)


def run_of(right: bool) -> list[Outcome]:
    found = [outcome(number, 1, "heat", "actions", right) for number in range(3)]
    found += [outcome(number, 1, "objects", "objects", True) for number in range(3)]
    for level in (2, 3):
        found += [outcome(number, level, "permutation", "permutation", right) for number in range(4)]
        found += [outcome(number, level, "remix", "general", True) for number in range(2)]
    return found


def test_table_and_figures_tell_the_same() -> None:
    recorded = {"frames-4@clip": run_of(False), "frames@clip": run_of(True)}
    table = write_table(recorded)
    assert "| virtual home | 3 | permutation | 4 | 0.17" in table
    assert table.count("\n") == 7
    drawn = draw_figures(recorded)
    assert list(drawn) == [
        "3a-themes", "3b-levels", "4-permutation", "4-general", "13a-levels", "13b-groups", "17-objects",
        "5-frames-general", "16-frames-objects", "16-frames-actions",
    ]  # fmt: skip
    assert all(svg.startswith("<svg") for svg in drawn.values())
    assert "majority baseline" in drawn["4-permutation"]


def test_the_built_in_network_has_a_line_over_frames_too() -> None:
    recorded = {"frames-dense-2": run_of(False), "frames-dense": run_of(True), "order": run_of(True)}
    drawn = draw_figures(recorded)["16-frames-actions"]
    assert drawn.count("<circle") == 2
    assert "frames-dense-2" not in draw_figures(recorded)["4-permutation"]
    assert "frames-dense" in draw_figures(recorded)["4-permutation"]


def test_what_was_not_run_is_not_drawn() -> None:
    only = [one for one in run_of(True) if one.details["level"] == 1]
    assert list(draw_figures({"judge-oracle": only})) == ["3a-themes", "13a-levels", "13b-groups", "17-objects"]


def test_each_world_has_its_overview_and_what_the_paper_has_not_is_left_out() -> None:
    elsewhere = [
        replace(one, trial=f"{world}/{one.trial}", details={**one.details, "environment": world})
        for world in ("tabletop", "blocks")
        for one in run_of(True)
    ]
    drawn = draw_figures({"judge-oracle": [*run_of(True), *elsewhere]})
    assert {"13a-levels", "14a-levels", "14b-groups", "15a-levels", "15b-groups"} <= set(drawn)
    assert all(world in drawn["17-objects"] for world in ("virtual home", "tabletop", "blocks"))
    missed = replace(elsewhere[0], details={**elsewhere[0].details, "group": "near_miss"})
    assert [is_drawn(one) for one in (elsewhere[0], missed)] == [True, False]


def test_without_runs_it_says_what_to_do(tmp_path: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["study", "judge-figures", "judge/virtual-home-heat-lite-v1", "-o", str(tmp_path), "--to", str(tmp_path)]
    assert main(words) == 2
    assert "Expected runs of these tasks below" in capsys.readouterr().err
