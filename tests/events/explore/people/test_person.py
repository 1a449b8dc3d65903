"""People who explore: a whole trial through the page's socket, stopped in between; what is recorded; k from it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from pentathlon.cli import main
from pentathlon.core import DataError, Outcome, UsageError, Workspace
from pentathlon.core.entrants import kind_of
from pentathlon.engine import list_runs
from pentathlon.events.explore.metrics import exqa
from pentathlon.events.explore.people.energy import Played, Prior, fit_energy
from pentathlon.events.explore.people.person import GROUPS, PersonAgent
from pentathlon.events.explore.protocol import ACTIONS, make_protocol
from pentathlon.events.explore.tasks import ExploreTask
from pentathlon.models.person import Desk

STUDIO = "architect-studio"
Plays = Callable[[dict[str, Any]], str | None]


def studio() -> ExploreTask:
    protocol = make_protocol("architect", "sprint", steps=3, reentry_steps=2)
    return ExploreTask(replace(protocol, size_px=32, questions=3), (STUDIO,))


def play(url: str, plays: Plays, views: list[dict[str, Any]]) -> None:
    """Replies at every moment; where nothing is to be said, stops."""
    with connect(url.replace("http", "ws") + "/socket", additional_headers={"Origin": url}) as opened:
        for told in opened:
            view = json.loads(told) if isinstance(told, str) else {}
            if "moment" in view:
                views.append(view)
                text = plays(view)
                said = {"stop": True} if text is None else {"text": text}
                opened.send(json.dumps({"moment": view["moment"], **said}))


def person_plays(folder: Path, plays: Plays, *, replay: bool = False) -> tuple[Outcome | None, list[dict[str, Any]]]:
    """Plays a trial, and tells how it ended; nothing where the person stopped."""
    views: list[dict[str, Any]] = []
    task = studio()
    with ThreadPoolExecutor(1) as beside, Desk("Try", GROUPS) as desk:
        page: Future[None] = beside.submit(play, desk.url, plays, views)
        agent = PersonAgent(desk, "anna", folder, replay=replay)
        assert kind_of(agent) == "agent"
        try:
            (outcome,) = task.run(task.heats()[0], agent, Workspace(folder / "made", False))
        except KeyboardInterrupt:
            return None, views
        finally:
            desk.leave()
            page.result(10)
        return outcome, views


def turns_and_says_yes(view: dict[str, Any]) -> str:
    return "yes" if view["question"] else "RotateLeft"


def test_every_action_has_one_button_and_keys_are_used_once() -> None:
    choices = [choice for group in GROUPS for choice in group.choices]
    labels = [f"{one.label} {amount}" for one in choices for amount in one.amounts]
    labels += [one.label for one in choices if not one.amounts]
    assert sorted(labels) == sorted(ACTIONS)
    keys = [one.key for one in choices if one.key]
    assert len(keys) == len(set(keys))


def test_a_whole_trial_with_what_cannot_be_taken(tmp_path: Path) -> None:
    moves = iter(("Fly", "RotateLeft", "Grasp 0.05", "Done", "RotateRight", "RotateRight"))

    def plays(view: dict[str, Any]) -> str:
        if not view["question"]:
            return next(moves)
        return "no" if view["news"] else "... !"

    outcome, views = person_plays(tmp_path, plays)
    assert outcome is not None
    assert outcome.status == "ok"
    assert outcome.details["phases"]["explore"]["ended"] == "Done"
    assert (outcome.details["phases"]["explore"]["steps"], outcome.metrics["t3_steps"]) == (2, 2)
    assert all(question["answers"] == ["no", "no"] for question in outcome.details["questions"])
    assert outcome.details["notes"]["again"] == 0
    titles = list(dict.fromkeys(view["title"] for view in views))
    assert titles == ["I: explore", "II: answer", "III: return", "IV: answer again"]
    returning = next(view for view in views if view["title"] == "III: return")
    assert [question for question, _ in returning["known"]] == [one["text"] for one in outcome.details["questions"]]
    assert all(view["shown"] == 0 for view in views)
    last = [view for view in views if view["question"]][-1]
    assert last["known"] == [[last["question"], "no"]]
    refused = next(view for view in views if view["question"] and view["news"])
    assert "Answer in words" in refused["news"]
    assert any(view["news"] == "Grasp 0.05 had no effect." for view in views)
    assert all(view["yes_no"] != view["question"].startswith(("What", "How")) for view in views if view["question"])


def test_a_stop_loses_nothing(tmp_path: Path) -> None:
    whole, _ = person_plays(tmp_path / "whole", turns_and_says_yes)
    count = iter(range(99))
    first, _ = person_plays(tmp_path, lambda view: None if next(count) == 4 else turns_and_says_yes(view))
    assert first is None
    second, views = person_plays(tmp_path, turns_and_says_yes)
    assert whole is not None
    assert second is not None
    assert second.details["notes"]["again"] == 4
    assert len(views) == 3 + 3 + 2 + 3 - 4
    assert second.metrics == whole.metrics
    assert second.details["questions"] == whole.details["questions"]
    # Until the record is on disk the choices stay, so that a trial that fails at its very end is done again by itself.
    again, views = person_plays(tmp_path, turns_and_says_yes)
    assert again is not None
    assert (again.metrics, views) == (second.metrics, [])


def test_a_house_that_looks_otherwise_is_told(tmp_path: Path) -> None:
    count = iter(range(99))
    person_plays(tmp_path, lambda view: None if next(count) == 4 else turns_and_says_yes(view))
    (book,) = tmp_path.glob("*.jsonl")
    lines = book.read_text().splitlines()
    book.write_text("\n".join([lines[0], '[1,"RotateLeft"]', *lines[2:], ""]))
    outcome, views = person_plays(tmp_path, turns_and_says_yes)
    assert outcome is not None
    assert "it looks otherwise than when you played" in views[0]["news"]
    assert "3 choices" in views[0]["news"]
    assert not views[1]["news"]


def test_pictures_of_the_phase_are_shown_again_to_who_may(tmp_path: Path) -> None:
    _, views = person_plays(tmp_path, turns_and_says_yes, replay=True)
    assert [view["shown"] for view in views] == [0] * 3 + [3] * 3 + [0] * 2 + [2] * 3


def test_the_command_records_a_run_that_goes_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = ["explore", "play", "--as", "anna", "--rehearse", "--no-browser", "-o", str(tmp_path)]

    def run(plays: Plays) -> int:
        with ThreadPoolExecutor(1) as beside:
            status = beside.submit(main, command)
            said = ""
            while not (found := re.search(r"http://127\.0\.0\.1:\d+", said)):
                said += capfd.readouterr().out
                assert not status.done(), status.result()
            play(found[0], plays, [])
            return status.result(60)

    assert run(lambda view: None) != 0
    assert run(lambda view: "no" if view["question"] else "Done") == 0
    (folder,) = list_runs(tmp_path)
    (outcome,) = folder.outcomes().values()
    assert (folder.info.entrant, outcome.status) == ("person-anna", "ok")
    assert not list(tmp_path.glob(".people/**/*.jsonl"))
    capfd.readouterr()
    assert main(command) != 0
    assert "Expected a house that anna has not played" in capfd.readouterr().err
    for more, told in ((["--trial", "architect-studio"], "such as"), (["--trial", outcome.trial], "played before")):
        assert main([*command, *more]) != 0
        said = capfd.readouterr()
        assert told in said.err
        assert "Your page" not in said.out


def test_wrong_names_and_tasks_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    tried = (
        (["--as", "A b"], "small letters"),
        (["--as", "anna-replay"], "small letters"),
        (["--as", "a" * 41], "small letters"),
        (["--px", "0"], "for --px"),
        (["--task", "find/objectnav-v1"], "one task of explore"),
    )
    for words, told in tried:
        assert main(["explore", "play", "--no-browser", *words]) != 0
        assert told in capsys.readouterr().err


def test_k_is_the_maximum_of_the_product_and_the_prior() -> None:
    played = [Played(0.6, 0.9, 700), Played(0.7, 0.85, 900), Played(0.5, 0.8, 400)]
    prior = Prior(5e-4, 2.5e-4)

    def product(k: float) -> float:
        belief = math.exp(-0.5 * ((k - prior.mean) / prior.deviation) ** 2)
        return belief * math.prod(exqa(*trial, k) for trial in played) ** (1 / len(played))

    grid = [1e-6 * step for step in range(2000)]
    assert fit_energy(played, prior) == pytest.approx(max(grid, key=product), abs=2e-6)
    assert fit_energy(played, prior) < prior.mean
    # Who gains nothing by returning says nothing of what a step is worth.
    assert fit_energy([Played(0.6, 0.6, 700)], prior) == pytest.approx(prior.mean, abs=1e-6)
    # Who loses by returning would have steps cost more.
    assert fit_energy([Played(0.8, 0.5, 700)], prior) > prior.mean
    # However many play alike, k is the same.
    assert fit_energy(played * 40, prior) == pytest.approx(fit_energy(played, prior), abs=1e-8)


def test_k_of_nobody_and_of_who_knew_nothing_is_refused() -> None:
    with pytest.raises(DataError, match="explore play"):
        fit_energy([])
    with pytest.raises(DataError, match="at least one right answer"):
        fit_energy([Played(0.0, 0.0, 100)])
    for wrong in ({"deviation": 0.0}, {"deviation": math.nan}, {"mean": math.nan}, {"mean": 0.5}):
        with pytest.raises(UsageError, match="Expected a prior"):
            Prior(**wrong)
