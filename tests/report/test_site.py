"""The static site: complete, escaped, with links that lead to files."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from pentathlon.core import Outcome, PaperValue, RunFolderError, Score
from pentathlon.engine import RunFolder, list_runs
from pentathlon.report import build_site, trials
from pentathlon.report.owned_files import OwnedFiles
from pentathlon.stats import charts


class Elements(HTMLParser):
    """Collects tags with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def site(runs_folder: Path) -> Path:
    return build_site(list_runs(runs_folder), (), runs_folder / "report").front.parent


def details(site: Path) -> list[dict[str, object]]:
    scripts = sorted(site.glob("run/*/[0-9]*.js"))
    return [
        trial for script in scripts for trial in json.loads(script.read_text()[len("receiveTrials(0,") : -len(");\n")])
    ]


def test_every_link_leads_to_a_file_and_none_outside(site: Path) -> None:
    pages = [site / "index.html", *site.glob("task/*.html"), *site.glob("run/*.html")]
    assert len(pages) == 1 + 7 + 20
    for page in pages:
        for _, attributes in Elements(page.read_text()).found:
            link = attributes.get("href") or attributes.get("src")
            if link and not link.startswith(("#", "data:,")):
                assert (page.parent / unquote(link)).resolve().is_file(), (page, link)


def test_no_text_becomes_markup(site: Path) -> None:
    for page in site.rglob("*.html"):
        for tag, attributes in Elements(page.read_text()).found:
            assert tag != "img"
            assert not any(name.startswith("on") and name != "onsubmit" for name in attributes)
    for script in site.glob("run/*/*.js"):
        assert "<" not in script.read_text()


def test_artifacts_are_linked_where_they_lie_and_never_outside_the_run(site: Path) -> None:
    found = [(name, link) for trial in details(site) for name, link in trial["artifacts"]]  # type: ignore[attr-defined]
    assert {name for name, _ in found} == {"video", "last frame", "states"}
    for _, link in found:
        path = (site / "run" / unquote(link)).resolve()
        assert path.is_file()
        assert "artifacts" in path.parts
        assert site not in path.parents
    assert next(trial["missing"] for trial in details(site) if trial["missing"]) == ["gone", "outside"]


def test_artifact_paths_cannot_reach_outside_the_run(tmp_path: Path) -> None:
    run = tmp_path / "run"
    run.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (run / "inside.txt").write_text("fine")
    (run / "way out").symlink_to(tmp_path / "secret.txt")
    for files in (None, OwnedFiles(tmp_path / "site")):
        links = trials.ArtifactLinks(run=run, page=tmp_path / "site" / "run", files=files, slug="slug")
        assert [links.link(name) for name in ("../secret.txt", str(tmp_path / "secret.txt"), "way out")] == [None] * 3
        assert links.link("inside.txt") == ("../../run/inside.txt" if files is None else "slug/inside.txt")


@pytest.mark.parametrize(("place", "copy"), [("elsewhere", False), ("runs/report", True), ("beside", True)])
def test_a_site_of_its_own_holds_copies_of_the_artifacts(place: str, copy: bool, tmp_path: Path) -> None:
    import report_demo

    run = report_demo.write_run(tmp_path / "far" / "runs", report_demo.DemoTask("see/toyhand-pen-v1", 6), "mae", 0.5)
    out = tmp_path / ("other" if place == "elsewhere" else "far") / place
    site = build_site([run], (), out, copy=copy).front.parent
    links = [link for trial in details(site) for _, link in trial["artifacts"]]  # type: ignore[attr-defined]
    assert len(links) == 9
    assert all((site / "run" / unquote(link)).resolve().is_relative_to(site.resolve()) for link in links)
    assert all((site / "run" / unquote(link)).is_file() for link in links)


@pytest.mark.parametrize("copy", [False, True])
def test_pages_of_deleted_runs_go_and_what_others_put_there_stays(copy: bool, tmp_path: Path) -> None:
    import report_demo

    task = report_demo.DemoTask("see/toyhand-pen-v1", 6)
    runs = [report_demo.write_run(tmp_path / "runs", task, entrant, 0.5) for entrant in ("kept", "deleted")]
    build_site(runs, (), tmp_path / "site", copy=copy)
    (tmp_path / "site" / "run" / "notes.html").write_text("mine")
    assert len(list((tmp_path / "site" / "run").glob("deleted-*"))) == 2
    build_site(runs[:1], (), tmp_path / "site", copy=copy)
    left = {path.name.partition("-")[0] for path in (tmp_path / "site" / "run").iterdir()}
    assert left == {"kept", "notes.html"}


def test_an_edited_manifest_removes_nothing_outside(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    files = OwnedFiles(tmp_path / "site")
    files.write("index.html", "")
    (tmp_path / "site" / "site.json").write_text(json.dumps(["../mine.txt", str(tmp_path / "mine.txt"), 3]))
    files.finish()
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_the_page_of_many_trials_stays_small() -> None:
    names = [f"seed-{index % 3}/episode-{index:06d}" for index in range(200_000)]
    outcomes = [Outcome(name, {"x": float(index % 2)}, cluster=name[:6]) for index, name in enumerate(names)]
    head, scripts = trials.listing(outcomes, ["x"])
    assert len(trials.script_json(head)) < 1_000
    assert (head["total"], head["results"]) == (200_000, {"success": 100_000, "failure": 100_000, "error": 0})
    assert len(scripts) == 40
    assert max(map(len, scripts)) < 500_000
    last = json.loads(scripts[-1][len("receiveRows(39,") : -len(");\n")])
    assert (len(last), last[-1][0]) == (5000, "seed-1/episode-199999")


def test_a_corrupt_journal_is_named_and_the_other_runs_are_shown(tmp_path: Path) -> None:
    import report_demo

    task = report_demo.DemoTask("see/toyhand-pen-v1", 6)
    fine, torn = (report_demo.write_run(tmp_path, task, entrant, 0.5) for entrant in ("fine", "torn"))
    (torn.path / "trials.jsonl").write_text("no record\n")
    site = build_site([fine, torn], (), tmp_path / "report")
    assert [problem.run for problem in site.problems] == [str(torn.path)]
    page = site.front.read_text()
    assert "Runs that could not be read" in page
    assert "torn-" in page
    assert "line 1: expected the record of a trial" in page
    assert len(list((site.front.parent / "run").glob("*.html"))) == 2
    assert len(details(site.front.parent)) == 6


def test_the_standings_show_the_expert_as_the_ceiling(site: Path) -> None:
    page = (site / "index.html").read_text()
    assert re.search(r'<th scope="row">expert</th>.*<span class="figure">97\.2</span>', page, re.DOTALL)


def test_the_task_page_says_the_papers_value_and_why_ours_may_differ(site: Path) -> None:
    page = (site / "task" / "see-toyworld-hammer-v1.html").read_text()
    assert re.search(r"Published: <b>88\.8 %</b>, CortexBench Table 4, VC-1 ViT-L", page)
    assert "larger encoder and OpenGL frames" in page
    assert "<dt>image size</dt><dd>64, 48</dd>" in page.replace("\n", "")
    assert page.index(">vit-tiny-mae<") < page.index(">vit-tiny-random<")


def test_rebuilding_changes_nothing(runs: list[RunFolder], site: Path) -> None:
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    build_site(runs, (), site)
    assert {path: path.read_bytes() for path in site.rglob("*") if path.is_file()} == before


def test_an_unwritable_place_is_named(runs: list[RunFolder], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RunFolderError, match=r"Expected to write the report to .*file.*--out"):
        build_site(runs[:1], (), tmp_path / "file")


def test_trial_results_follow_a_binary_headline_only() -> None:
    outcomes = [Outcome("a", {"x": 1.0}), Outcome("b", {"x": 0.0}), Outcome("c", status="error", error="one\ntwo\n")]
    head, (script,) = trials.listing(outcomes, ["x"])
    rows = json.loads(script[len("receiveRows(0,") : -len(");\n")])
    assert [row[1] for row in rows] == ["success", "failure", "error"]
    assert rows[2][-2] == "two"
    assert head["used"] == [True, True, True, True, True, False, True]
    degree = trials.listing([Outcome("a", {"x": 0.5})], ["x"])
    assert degree.head["results"] == {"ok": 1, "error": 0}


def test_trials_are_listed_with_their_numbers_by_size() -> None:
    names = ["b-1", "a-10", "a-9", "a", "a-9-2", "10", "9"]
    assert sorted(names, key=trials.natural_order) == ["9", "10", "a", "a-9", "a-9-2", "a-10", "b-1"]


def test_script_json_cannot_leave_its_element() -> None:
    text = trials.script_json({"a": "</script><!--\u2028&"})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"a": "</script><!--\u2028&"}


def test_axes_are_round_and_hold_everything() -> None:
    percent = Score("success", 50, 40, 60, 10, unit="%")
    assert charts.axis_of([percent]).ticks == (0, 25, 50, 75, 100)
    metres = Score("distance", 0.31, 0.234, 0.46, 10, unit="m")
    axis = charts.axis_of([metres], PaperValue(0.52, "paper"))
    assert axis.low <= 0.234
    assert axis.high >= 0.52
    assert axis.ticks == (0.2, 0.3, 0.4, 0.5, 0.6)
    assert charts.axis_of([Score("x", 5, 5, 5, 1)]).low < 5
    assert charts.axis_of([Score("x", 5, None, None, 1)]).low < 5
    assert 'cx="28.85%"' in charts.bar(metres, axis)  # 3 % margin + 94 % of (0.31 - 0.2) / 0.4


def test_a_bar_reaches_the_edge_where_an_end_is_unknown() -> None:
    axis = charts.round_axis(0.0, 10.0)
    open_ended = charts.bar(Score("grams", 0, 0, None, 30, unit="g"), axis)
    assert '<line class="range" x1="3.00%" x2="100%"' in open_ended
    assert 'class="range"' not in charts.bar(Score("grams", 0, None, None, 30, unit="g"), axis)
