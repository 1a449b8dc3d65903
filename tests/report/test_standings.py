"""Standings: which runs stand together, their means, and every form they are written in."""

import csv
import io
import json
import re
from pathlib import Path
from types import SimpleNamespace

from rich.console import Console

from pentathlon.core import Score
from pentathlon.engine import RunFolder
from pentathlon.report import standings
from pentathlon.report.reading import find_runs
from pentathlon.report.tables import Cell, Column, Row, Table, ranked


def text_of(table: standings.Standings, width: int = 120) -> str:
    console = Console(width=width, file=io.StringIO(), color_system=None)
    console.print(table.to_table())
    return console.file.getvalue()  # type: ignore[attr-defined]


def cell(value: float, complete: bool = True) -> Cell:
    score = Score("success", value, value - 1, value + 1, 10, unit="%")
    return Cell("folder", (score,), 10, 10 if complete else 5, 0, complete)


def column(task: str, unit: str = "%", higher: bool = True, metric: str = "success") -> Column:
    return Column(task, "hash", metric, unit, higher, None)


def test_events_tiers_and_protocols_stand_apart(runs: list[RunFolder]) -> None:
    tables = standings.build(runs).tables
    assert [table.title for table in tables] == [
        "see",
        "see · protocol variant 2 (renderer opengl)",
        "see · lite",
        "find",
    ]
    assert [len(table.columns) for table in tables] == [4, 1, 1, 1]
    for table in tables:
        assert len({(item.task, item.protocol) for item in table.columns}) == len(table.columns)


def test_variants_say_what_they_have_otherwise() -> None:
    usual = {"steps": 2500, "size_px": 224, "cameras": ["left"], "asked": ""}
    assert standings.unlike(usual, usual) == ""
    assert standings.unlike(("three", "steps"), None) == ""
    assert standings.unlike(usual, {**usual, "steps": 300, "cameras": ["right"]}) == "cameras, steps 300"
    assert (
        standings.unlike(usual, {"steps": 1, "size_px": 2, "asked": "x", "a": 1.5, "b": 2})
        == "a 1.5, asked x, b 2, cameras, …"
    )


def test_the_tasks_own_protocol_comes_first_however_few_ran_it() -> None:
    own, other = (SimpleNamespace(info=SimpleNamespace(task_options=options)) for options in ({}, {"steps": 5}))
    alike = {"b": [other, other, other], "c": [own], "a": [other], "d": [own, own]}
    assert [name for name, _ in sorted(alike.items(), key=standings._usual_first)] == ["d", "c", "b", "a"]


def test_rehearsals_stand_apart_and_say_so(tmp_path: Path) -> None:
    from pentathlon import evaluate

    for rehearse, limit in ((True, None), (False, 1)):
        evaluate("example/cartpole-v1", "cartpole-scripted", rehearse=rehearse, limit=limit, out=tmp_path)
    titles = [table.title for table in standings.build(*find_runs(tmp_path)).tables]
    assert titles == ["example", "example · rehearsal, whose scores mean nothing"]


def test_cells_hold_the_runs_own_scores(runs: list[RunFolder]) -> None:
    see = standings.build(runs).tables[0]
    row = next(row for row in see.rows if row.entrant == "vit-tiny-mae")
    for held in row.cells:
        assert held is not None
        summary = RunFolder.open(Path(held.run)).summary()
        assert summary is not None
        assert held.scores == summary.scores


def test_means_are_over_suites_among_complete_rows() -> None:
    columns = tuple(column(f"see/{name}-v1") for name in ("toyworld-a", "toyworld-b", "dmc-c"))
    table = ranked(
        Table(
            "see",
            "full",
            1,
            columns,
            (
                Row("half", (cell(99), None, cell(99))),
                Row("cut", (cell(99), cell(99), cell(99, complete=False))),
                Row("second", (cell(10), cell(30), cell(50))),
                Row("first", (cell(30), cell(40), cell(50))),
            ),
        )
    )
    assert [row.entrant for row in table.rows] == ["first", "second", "half", "cut"]
    first, second, *others = table.rows
    assert (first.mean_score, second.mean_score) == (42.5, 35.0)  # (35 + 50) / 2, (20 + 50) / 2
    assert (first.mean_rank, second.mean_rank) == (1.25, 1.75)  # toyworld 1 and 2, dmc tied at 1.5
    assert all(row.mean_rank is None and row.mean_score is None for row in others)


def test_means_say_what_they_are_of_and_suites_have_their_whole_names() -> None:
    films = [column(f"judge/{name}-v1", unit="", metric="macro_f1") for name in ("virtual-home-heat", "blocks-actions")]
    row = Row("frames", (cell(0.5), cell(0.7)))
    alike = ranked(Table("judge", "full", 1, tuple(films), (row,)))
    assert alike.benchmarks() == ["virtual-home", "blocks"]
    table = standings.Standings((alike,))
    assert "mean macro F1" in table.to_html()
    assert "mean_macro_f1,0.6" in table.to_csv()
    assert "mean macro F1" in text_of(table)
    other = column("judge/near-miss-v1", unit="", metric="auroc")
    mixed = ranked(Table("judge", "full", 1, (films[0], other), (row,)))
    assert mixed.rows[0].mean_score is None
    assert "mean success" not in table.to_html() + standings.Standings((mixed,)).to_html()


def test_a_tasks_runs_are_ranked_ties_share_and_runs_cut_short_stand_below() -> None:
    cells = {"b": cell(50), "lucky": cell(99, complete=False), "a": cell(50), "best": cell(60), "low": cell(40)}
    none = Cell("folder", (), None, 3, 0, False)
    rows = tuple(Row(name, (held,)) for name, held in {"new": none, **cells}.items())
    entries = Table("see", "", 1, (column("see/toyworld-a-v1"),), rows).best_first(0)
    assert [(entry.rank, entry.name) for entry in entries] == [
        (1, "best"),
        (2, "b"),
        (2, "a"),
        (4, "low"),
        (None, "lucky"),
        (None, "new"),
    ]


def test_different_units_are_ranked_by_task_and_never_averaged() -> None:
    columns = (column("act/pour-grains-v1"), column("act/pour-spill-v1", unit="g", higher=False))
    rows = (Row("careful", (cell(10), cell(1))), Row("bold", (cell(90), cell(9))))
    table = ranked(Table("act", "full", 1, columns, rows))
    assert all(row.mean_score is None for row in table.rows)
    assert [row.mean_rank for row in table.rows] == [1.5, 1.5]


def test_entrants_of_one_id_built_differently_keep_their_own_rows(tmp_path: Path) -> None:
    import report_demo

    task = report_demo.DemoTask("see/toyhand-pen-v1", 6)
    runs = [report_demo.write_run(tmp_path, task, "twin", 0.5, weights=weights) for weights in ("small", "large")]
    (table,) = standings.build(runs).tables
    names = [row.entrant for row in table.rows]
    assert len(set(names)) == 2
    assert all(re.fullmatch(r"twin \([0-9a-f]{6}\)", name) for name in names)


def test_copies_of_a_run_do_not_hide_each_other(tmp_path: Path) -> None:
    import report_demo

    task = report_demo.DemoTask("see/toyhand-pen-v1", 6)
    runs = [report_demo.write_run(tmp_path / folder, task, "twin", skill=0.5) for folder in ("a", "b")]
    (table,) = standings.build(runs).tables
    assert [row.entrant for row in table.rows] == [f"twin in {run.path}" for run in runs]


def test_the_terminal_shows_values_intervals_papers_errors_and_gaps(runs: list[RunFolder]) -> None:
    text = text_of(standings.build(runs))
    hammer = next(line for line in text.splitlines() if "toyworld-hammer" in line)
    for part in ("vit-tiny-mae", "63.3 %", "[44.7, 79.4]", "60", "88.8", "97.2", "4 errors"):
        assert part in hammer
    assert "incomplete, 30 of 60 trials" in text
    assert "incomplete, 7 of 60 trials" in text
    assert "see, over 3 benchmarks: dmc, toyhand, toyworld" in text


def test_a_narrow_terminal_loses_no_number(runs: list[RunFolder]) -> None:
    text = text_of(standings.build(runs), width=80)
    assert max(map(len, text.splitlines())) <= 80
    assert "[44.7, 79.4]" in text


def test_json_and_csv_hold_every_score(runs: list[RunFolder]) -> None:
    table = standings.build(runs)
    scores = [
        score for t in table.tables for row in t.rows for held in row.cells if held is not None for score in held.scores
    ]
    read = json.loads(table.to_json())
    held = [c for t in read["tables"] for row in t["rows"] for c in row["cells"] if c]
    assert [score["value"] for c in held for score in c["scores"]] == [score.value for score in scores]
    lines = list(csv.DictReader(io.StringIO(table.to_csv())))
    assert {line["expert"] for line in lines if line["task"] == "see/toyworld-hammer-v1"} == {"97.25", ""}
    assert [float(line["value"]) for line in lines if line["task"]] == [score.value for score in scores]
    means = {(line["entrant"], line["metric"]): float(line["value"]) for line in lines if not line["task"]}
    assert means["vit-tiny-mae", "mean_rank"] == 1.0
    assert all(None not in line and None not in line.values() for line in lines)


def test_html_stands_alone_and_escapes_names(runs: list[RunFolder]) -> None:
    page = standings.build(runs).to_html()
    assert "<img" not in page
    assert "evil:&lt;img" in page
    assert '<link rel="stylesheet"' not in page
    assert '<svg class="bar"' in page
    assert ".standings" in page


def test_one_corrupt_folder_is_named_and_the_others_are_shown(tmp_path: Path) -> None:
    import report_demo

    report_demo.register()
    task = report_demo.DemoTask("see/toyhand-pen-v1", 6)
    for entrant in ("fine", "no-summary", "no-journal", "no-run"):
        report_demo.write_run(tmp_path, task, entrant, 0.5, summarised=entrant != "no-journal")
    for entrant, name in (("no-summary", "summary.json"), ("no-journal", "trials.jsonl"), ("no-run", "run.json")):
        (file,) = tmp_path.glob(f"see/*/{entrant}-*/{name}")
        file.write_text("{torn\n")
    table = standings.build(*find_runs(tmp_path))
    assert [row.entrant for row in table.tables[0].rows] == ["fine"]
    assert len(table.problems) == 3
    text = "".join(text_of(table).split())
    for name in ("summary.json is corrupted", "run.json is corrupted", "line 1: expected the record of a trial"):
        assert name.replace(" ", "") in text
        assert name in table.to_html()
    assert len(json.loads(table.to_json())["problems"]) == 3


def test_an_interrupted_run_shows_the_score_of_its_trials_so_far(tmp_path: Path) -> None:
    import report_demo

    report_demo.register()
    task = report_demo.DemoTask("see/toyhand-pen-v1")
    report_demo.write_run(tmp_path, task, "interrupted", 0.5, recorded=20, summarised=False)
    (table,) = standings.build(*find_runs(tmp_path)).tables
    (cell,) = table.rows[0].cells
    assert cell is not None
    assert cell.headline is not None
    assert (cell.headline.n, cell.expected, cell.recorded, cell.complete) == (20, 60, 20, False)
    assert "incomplete, 20 of 60 trials" in text_of(standings.Standings((table,)))
    assert table.rows[0].mean_rank is None
