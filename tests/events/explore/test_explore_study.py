"""The study of explore as a command: what is recorded becomes Table 2 and figures, and nothing is run twice."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from pentathlon.cli.main import main
from pentathlon.core import Outcome
from pentathlon.events.explore import study


def test_a_study_runs_what_is_missing_and_lays_it_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    places = ["--out", str(tmp_path / "runs"), "--to", str(tmp_path / "study")]
    command = [
        "study",
        "explore",
        "--tier",
        "sprint",
        "--rehearse",
        "--workers",
        "1",
        "--entrants",
        "explore-random",
        "explore-symbolic",
    ]
    assert main([*command, *places]) == 0
    table = (tmp_path / "study" / "explore-sprint.md").read_text()
    assert "explore-random" in table
    assert "needs touch" in table
    for figure in ("seen.svg", "touch.svg"):
        assert ElementTree.parse(tmp_path / "study" / figure).getroot().tag.endswith("svg")
    trials = sorted((tmp_path / "runs").rglob("trials.jsonl"))
    before = [path.read_bytes() for path in trials]
    capsys.readouterr()
    assert main([*command, *places, "--recorded-only"]) == 0
    assert [path.read_bytes() for path in trials] == before
    assert (tmp_path / "study" / "explore-sprint.md").read_text() == table


def test_a_house_where_nothing_was_lifted_counts_as_nothing() -> None:
    def outcome(lifted: dict[str, list[float]]) -> Outcome:
        details = {"objects": 4, "phases": {"explore": {"lifted": lifted}}}
        return Outcome("a", {"exqa": 0.0}, cluster="a", details=details)

    recorded = {("me", "architect"): [outcome({"cup": [10, 0.5], "pan": [50, 1.0]}), outcome({})]}
    marks = study._mean_curve("me", recorded, study._share_of("lifted"), points=3)
    assert [(mark.x, mark.y) for mark in marks] == [(0, 0.0), (25, 12.5), (50, 25.0)]
    assert study._mean_curve("me", {("me", "architect"): [outcome({})]}, study._share_of("lifted")) == ()


def test_a_study_without_runs_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "explore", "--recorded-only", "--out", str(tmp_path)]) != 0
    assert "Expected runs of" in capsys.readouterr().err
