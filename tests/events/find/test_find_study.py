"""The paper's tables and figures: laid out from hand-made records, and rehearsed for real."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pentathlon.cli.main import main, parse
from pentathlon.core import Outcome, resolve_entrant
from pentathlon.events.find.commands.categories import category_table
from pentathlon.events.find.commands.study import Figures, Sources, Tables
from pentathlon.events.find.metrics import ending, ending_shares
from pentathlon.events.find.paper import PASTURE, TABLE_1, TABLE_2, TABLE_6
from pentathlon.events.find.pictures.figures import figure_5, figure_6
from pentathlon.events.find.study import lay_out, make_table


def outcome(number: int, success: bool, category: str = "mug", **details: Any) -> Outcome:
    failure = {} if success else {"failure": "planning"}
    return Outcome(
        trial=f"t{number}",
        metrics={"success": float(success), "spl": 0.5 * success},
        cluster=f"house-{number % 3}",
        details={"category": category, **failure, **details},
    )


def trials(successes: int, count: int = 12) -> list[Outcome]:
    return [outcome(number, number < successes) for number in range(count)]


def rows_of(text: str) -> dict[str, list[str]]:
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()]
    return {line[0]: line[1:] for line in lines[2:]}


def test_table_1_has_built_in_rows_controls_and_the_paper_s() -> None:
    table = make_table("localizers", ("builtin", "owl:FOLDER"))
    assert table.entrants[:9] == (
        "cow",
        "cow-centre",
        "find-oracle-explorer",
        "cow-random",
        "cow-sentence",
        "cow@owl:FOLDER",
        "cow-centre@owl:FOLDER",
        "find-oracle-explorer@owl:FOLDER",
        "cow-random@owl:FOLDER",
    )
    assert {"find-oracle", "find-true-masks", "find-random-true-masks", "find-random", "find-stop"} < set(
        table.entrants
    )
    assert all(resolve_entrant(entrant).kind == "agent" for entrant in table.entrants)
    assert table.capabilities == (*PASTURE, "objectnav")
    recorded = {("cow", name): trials(6) for name in (*PASTURE, "objectnav")}
    recorded["cow-centre", "pasture-space"] = trials(3, 9)
    rows = rows_of(lay_out(table, recorded))
    assert len(rows) == 9 + 6 + 18
    assert rows["builtin, whole"][0] == "12"
    assert all(cell.startswith(("50.0 [", "25.0 [")) for cell in rows["builtin, whole"][1:])
    assert rows["builtin, centre"][0] == "9"
    assert rows["builtin, centre"][3].startswith("33.3 [")
    assert rows["builtin, centre"][1] == rows["builtin, centre"][-1] == "–"
    paper = "32.8 26.4 19.4 19.4 16.1 19.2 14.4 12.6 21.1 16.9 26.7"
    assert " ".join(rows["*paper: OWL B/32, centre*"][1:]) == paper


def test_errors_are_failures_and_are_counted() -> None:
    broken = Outcome(trial="x", metrics={}, cluster="house-1", status="error", error="oops")
    table = make_table("exploration")
    rows = rows_of(lay_out(table, {("cow", "objectnav"): [outcome(0, True), broken]}))
    assert rows["builtin, frontiers"][0] == "2, 1 errors"
    assert rows["builtin, frontiers"][-1].startswith("50.0")
    assert rows["builtin, learned (appendix B)"][1:] == ["–"] * 4


def test_the_paper_s_averages_are_those_of_its_columns() -> None:
    assert len(TABLE_1) == 18
    for numbers in TABLE_1.values():
        mean = sum(numbers[name, "success"] for name in PASTURE) / 7
        assert numbers["average", "success"] == pytest.approx(mean, abs=0.11)
    best = TABLE_1["OWL B/32, centre"]
    frontiers = TABLE_2["OWL B/32, centre, frontiers"]
    assert all(best[key] == value for key, value in frontiers.items())
    prompts = TABLE_6["CLIP-Grad B/32, centre, 80 prompts"]
    assert all(TABLE_1["CLIP-Grad B/32, centre"][key] == value for key, value in prompts.items())


def test_table_6_compares_prompts() -> None:
    table = make_table("prompts", clip=("FOLDER",))
    assert table.entrants == (
        "cow-centre@clip-patch-photo:FOLDER",
        "cow-centre@clip-patch:FOLDER",
        "cow-centre@clip-grad-photo:FOLDER",
        "cow-centre@clip-grad:FOLDER",
    )


def test_endings_tell_what_was_never_noticed() -> None:
    assert ending(outcome(0, True)) == "success"
    assert ending(outcome(0, False, phases=[["spin", 9], ["explore", 241]])) == "never noticed"
    assert ending(outcome(0, False, phases=[["explore", 200], ["exploit", 50]])) == "planning"
    assert ending(outcome(0, False, phases=[["", 250]])) == "planning"
    assert ending(outcome(0, False, failure="exploration")) == "exploration"
    assert ending(outcome(0, False, failure="localisation", seen_step=3)) == "wrong Stop"
    assert ending(outcome(0, False, failure="localisation")) == "Stop unseen"
    assert ending(Outcome(trial="x", metrics={}, status="error", error="oops")) == "error"
    assert sum(ending_shares(trials(5))) == pytest.approx(1.0)


def test_figures_are_drawn_of_what_was_run() -> None:
    recorded: dict[Any, Any] = {("cow", name): trials(3) for name in ("objectnav", "pasture-space")}
    panels = figure_5(["cow", "find-oracle"], recorded)
    assert list(panels) == ["figure5a.svg"]
    titles = [
        title.text for title in ElementTree.fromstring(panels["figure5a.svg"]).iter() if title.tag.endswith("title")
    ]
    assert "cow: 25.0, 25.0" in titles
    bars = figure_6(["cow@owl:A/B", "cow"], {**recorded, ("cow@owl:A/B", "objectnav"): trials(12)})
    assert list(bars) == ["figure6-cow-owl-a-b.svg", "figure6-cow.svg"]
    assert "objectnav, success: 100.0 %" in bars["figure6-cow-owl-a-b.svg"]
    assert "pasture-space, planning: 75.0 %" in bars["figure6-cow.svg"]


def test_categories_are_counted_apart() -> None:
    mixed = [outcome(0, True), outcome(1, False), outcome(2, False, "vase", phases=[["explore", 9]])]
    rows = rows_of(category_table(mixed))
    assert rows["mug"][0].startswith("50.0 %")
    assert rows["mug"][0].endswith("n=2")
    assert rows["vase"][2:] == ["0", "0", "1", "0", "0", "0"]
    assert rows["all"][2:] == ["0", "0", "1", "0", "1", "0"]


def test_commands_parse() -> None:
    tables: Any = parse(["study", "find-tables", "localizers", "--tier", "lite", "--recorded-only"])
    assert tables.action == Tables("localizers", sources=Sources(tier="lite", recorded_only=True))
    figures: Any = parse(["study", "find-figures", "-e", "cow", "--to", "x"])
    assert figures.action == Figures(("cow",), Sources(to=Path("x")))


def test_a_study_runs_what_is_missing_and_reads_the_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = ["--out", str(tmp_path / "runs"), "--to", str(tmp_path / "study")]
    small = ["--tier", "sprint", "--rehearse", "--workers", "1", *folders]
    assert main(["study", "find-figures", "-e", "find-stop", "--recorded-only", *small]) == 2
    assert "Expected runs of find-stop" in capsys.readouterr().err
    run = [
        "run",
        "find/objectnav-sprint-v1",
        "--rehearse",
        "--no-videos",
        "--workers",
        "1",
        "-o",
        str(tmp_path / "runs"),
    ]
    assert main([*run, "-e", "find-stop"]) == 0
    assert main(["study", "find-tables", "localizers", "--recorded-only", *small]) == 0
    rows = rows_of((tmp_path / "study" / "localizers-sprint.md").read_text())
    assert rows["Stop at once"][0] == "2"
    assert rows["Stop at once"][-1].startswith("0.0")
    assert rows["chance"][1:] == ["–"] * 11
    assert main(["study", "find-figures", "-e", "find-stop", "--limit", "1", *small]) == 0
    figures = sorted(path.name for path in (tmp_path / "study").glob("*.svg"))
    assert figures == [*(f"figure5{panel}.svg" for panel in "abcd"), "figure6-find-stop.svg"]
    for path in (tmp_path / "study").glob("*.svg"):
        ElementTree.parse(path)
