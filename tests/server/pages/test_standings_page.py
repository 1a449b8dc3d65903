"""The front page: ranks without names."""

from __future__ import annotations

import csv
import re
from importlib.resources import files
from pathlib import Path

import tyro
from desk import Desk, DeskMaker
from visiting import add_result, cookie_for, text_of, visitor

from pentathlon.cli.server.check_entrant import CheckEntrant
from pentathlon.cli.server.submit import Submit
from pentathlon.server.api.dependencies import SIGN_IN_COOKIE
from pentathlon.server.pages.standings_page import Board
from pentathlon.server.queue.results import anonymous


def test_standings_rank_anonymously_with_ties(desk: Desk) -> None:
    ada, token = desk.account("ada")
    bob, _ = desk.account("bob")
    best, second, third = (add_result(desk, who, grams) for who, grams in ((bob, [9, 9]), (ada, [4, 0]), (bob, [4, 0])))
    with visitor(desk, token) as web:
        shown = text_of(web.get("/").text)
        other = text_of(web.get("/?event=act&challenge=representation").text)
    places = [f"1 {anonymous(best.id)}", f"2= {anonymous(second.id)} yours", f"2= {anonymous(third.id)}"]
    assert all(place in shown for place in places)
    assert shown.index(places[0]) < shown.index(places[1])
    assert "9.0 g" in shown
    assert "50.0 %" in shown
    assert "bob" not in shown
    assert anonymous(best.id) not in other


def test_the_front_page_says_what_this_is_and_how_to_begin(desk: Desk) -> None:
    with visitor(desk) as web:
        front, later = (text_of(web.get(path).text) for path in ("/", "/?page=2"))
    assert "robots you never touch" in front
    lines = ("pip install pentathlon", "pentathlon check-entrant my_entrant/", "pentathlon submit my_entrant/ --task")
    assert [line in front for line in lines] == [True] * 3
    assert "pip install" not in later
    for line in re.findall(r"pentathlon ((?:check-entrant|submit) .*?) (?=pentathlon|URL is)", f"{front} "):
        words = line.replace("URL", "http://host").split()
        assert parsed(words) is not None


def parsed(words: list[str]) -> object:
    """What the command line makes of a line that the page shows."""
    return tyro.cli({"check-entrant": CheckEntrant, "submit": Submit}[words[0]], args=words[1:])


def test_baselines_are_shown_and_have_no_rank(desk_for: DeskMaker) -> None:
    lite, full = desk_for(tasks=("act/*-lite-v1",)), desk_for(tasks=("act/*-v1",))
    with visitor(lite) as web:
        empty = text_of(web.get("/").text)
    assert "baseline BC + MoCo measured with this package, on public trials 19.6 g" in empty
    assert "[3.8, 49.8] n=36" in empty
    assert "Nobody has finished here yet" in empty
    with visitor(full) as web:
        assert "baseline TOTO Table III, BC + MoCo (in-domain)" in text_of(web.get("/").text)
    ada, _ = lite.account("ada")
    add_result(lite, ada, [4.0], task="act/pour-lite-v1")
    with visitor(lite) as web:
        shown, api = text_of(web.get("/").text), web.get("/api/leaderboard?task=act/pour-lite-v1").json()
    assert shown.index("1 entry-") < shown.index("baseline BC + MoCo")
    assert len(api) == 1


def test_measured_baselines_are_those_of_the_results() -> None:
    """Every number shown was measured, and is kept with its command in docs/results."""
    results = Path(__file__).parents[3] / "docs" / "results"
    numbers = ("value", "low", "high", "n", "unit")
    known = set()
    for name in results.glob("*.csv"):
        for row in csv.DictReader(name.read_text().splitlines()):
            called = row.get("row") or row.get("encoder") or row.get("entrant")
            metric = {"reward": "reward_g", None: "score"}.get(row.get("metric"), row.get("metric"))
            known.add((row.get("task"), called, metric, *(row.get(each) for each in numbers)))
    shown = files("pentathlon.server.pages").joinpath("baselines.csv").read_text().splitlines()
    columns = ("task", "name", "metric", *numbers)
    rows = [tuple(row[each] for each in columns) for row in csv.DictReader(shown)]
    assert len(rows) > 30
    assert [row for row in rows if row not in known] == []


def test_standings_of_a_viewer_are_not_those_of_another(desk: Desk) -> None:
    """What is rendered once for many never shows the entries of one to another."""
    ada, token = desk.account("ada")
    _, other = desk.account("bob")
    mine = add_result(desk, ada, [9.0])
    with desk.web() as web:
        pages = {}
        for who in ("", token, other, token, ""):
            cookies = {SIGN_IN_COOKIE: cookie_for(desk.database, who)} if who else {}
            web.cookies.clear()
            web.cookies.update(cookies)
            pages.setdefault(who, set()).add(f"/submissions/{mine.id}" in web.get("/").text)
    assert pages == {"": {False}, token: {True}, other: {False}}


def test_shared_ranks_are_found_in_one_pass() -> None:
    compared = []

    class Rank(int):
        def __eq__(self, other: object) -> bool:
            compared.append(other)
            return int(self) == other

        def __hash__(self) -> int:
            return hash(int(self))

    ranks: list[int] = [Rank(number // 2) for number in range(800)]
    assert Board(offer=None, rows=[], ranks=ranks, baselines=()).shared == set(range(400))  # type: ignore[arg-type]
    assert len(compared) < 10 * len(ranks)
