"""An event describes itself: what its row names appears on the command line, and what does not fit is left out."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

import pytest

from pentathlon.cli.events.commands import event_commands
from pentathlon.cli.events.options import options_class
from pentathlon.cli.main import main
from pentathlon.cli.run import OPTIONS
from pentathlon.core import EVENTS, EventCommand, EventEntry, EventOption, Runs, UnknownIdError, UsageError
from pentathlon.core import registry as registries
from pentathlon.core.events import task_options
from pentathlon.core.registry import Registry
from pentathlon.engine import list_runs

CARTPOLE = "example/cartpole-v1"


@dataclass(frozen=True)
class Hello:
    """Say hello."""

    name: str

    def run(self, runs: Runs) -> int:
        print(f"Hello {self.name}")
        return 0


def test_an_outside_event_brings_an_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["run", CARTPOLE, "-e", "cartpole-random", "--limit", "2", "--workers", "1"]
    assert main([*words, "--gravity", "1.6"]) == 0
    (moon,) = list_runs(tmp_path / "runs")
    assert moon.info.protocol["gravity_m_s2"] == 1.6
    assert main(["run", "see/adroit-pen-v1", "-e", "pixels-16", "--gravity", "1.6"]) == 2
    sentence = "Expected a task of example for --gravity, got see/adroit-pen-v1. Leave the option out."
    assert sentence in capsys.readouterr().err


def test_an_outside_event_brings_a_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["study", "example-gravity", "cartpole-random", "--gravities-m-s2", "1.6", "24.8", "--limit", "2"]
    assert main(words) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "m/s²" in line]
    assert [line.split("  ")[:2] for line in lines] == [
        ["cartpole-random", "1.6 m/s²"],
        ["cartpole-random", "24.8 m/s²"],
    ]
    assert all(line.endswith("n=2") for line in lines)
    gravities = {run.info.protocol["gravity_m_s2"] for run in list_runs(tmp_path / "runs")}
    assert gravities == {1.6, 24.8}


def registry_of(*events: EventEntry) -> Registry[EventEntry]:
    rows: Registry[EventEntry] = Registry("event", "pentathlon.no_such_group")
    for event in events:
        rows.register(event)
    return rows


def test_commands_of_an_event_appear_under_its_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hello = EventCommand("hello", f"{__name__}:Hello")
    broken = EventCommand("broken", "no_such_module_x:Command")
    walk = EventEntry(
        "walk", "can it walk?", studies=(EventCommand("walk-far", hello.target),), commands=(hello, broken)
    )
    monkeypatch.setattr("pentathlon.cli.events.commands.EVENTS", registry_of(walk))
    assert main(["walk", "hello", "--name", "you"]) == 0
    assert main(["study", "walk-far", "--name", "me"]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == ["Hello you", "Hello me"]
    assert "warning: 'broken' of event 'walk' was left out: UsageError: No module named 'no_such_module_x'" in shown.err


TRAINING = (EventCommand("drill", Hello),)


def test_an_event_brings_what_trains_its_entrants(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    walk = EventEntry("walk", "can it walk?", training=f"{__name__}:TRAINING")
    swim = EventEntry("swim", "can it swim?", training="no_such_module_x:TABLE")
    monkeypatch.setattr("pentathlon.cli.events.commands.EVENTS", registry_of(walk, swim))
    assert main(["train", "drill", "--name", "you"]) == 0
    shown = capsys.readouterr()
    assert shown.out == "Hello you\n"
    assert "warning: What 'swim' trains was left out: UsageError: No module named 'no_such_module_x'" in shown.err


def test_an_event_cannot_take_the_name_of_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = EventEntry("run", "can it run?", commands=(EventCommand("hello", f"{__name__}:Hello"),))
    monkeypatch.setattr("pentathlon.cli.events.commands.EVENTS", registry_of(run))
    assert list(event_commands(["run"])) == ["train", "data"]
    assert "The commands of event 'run' were left out" in capsys.readouterr().err


def test_events_share_an_option_only_if_it_means_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    speed = EventOption("speed", "How fast.", float)
    events = [
        EventEntry("walk", "", options=(speed,)),
        EventEntry("swim", "", options=(speed, EventOption("limit", "How far."))),
        EventEntry("fly", "", options=(EventOption("speed", "How fast.", choices=("slow", "fast")),)),
    ]
    made = options_class(events, taken=OPTIONS)
    assert [field.name for field in fields(made)] == ["speed"]
    warnings = capsys.readouterr().err.splitlines()
    assert warnings == [
        "warning: Option --limit of event 'swim' was left out: run has one of that name. Rename it.",
        "warning: Option --speed of event 'fly' was left out: walk has another of that name. Rename it.",
    ]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"adapt": "e3e"}, "Unknown value of adapt 'e3e'. Did you mean 'e2e'"),
        ({"demonstrations": 3}, "Expected Path for demonstrations, got 3."),
        ({"gravity": "much"}, "Expected a task of example for --gravity, got see/x-v1"),
        ({"graviti": 1.0}, "Unknown option 'graviti'. Did you mean 'gravity'"),
    ],
)
def test_wrong_values_are_refused(given: dict[str, object], error: str) -> None:
    with pytest.raises(UsageError, match=error):
        task_options("see/x-v1", EVENTS.rows(), given)


def test_values_reach_the_task_as_it_names_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert task_options(CARTPOLE, EVENTS.rows(), {"gravity": 1.6, "adapt": None}) == {"gravity_m_s2": 1.6}
    assert task_options("see/x-v1", EVENTS.rows(), {"demonstrations": "d"}) == {"demonstrations": str(tmp_path / "d")}


def test_a_broken_event_is_told_where_its_tasks_are_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    events = registry_of(EventEntry("walk", "", tasks="no_such_module_x:TABLE"))
    monkeypatch.setattr(registries, "EVENTS", events)
    tasks = Registry[registries.TaskEntry]("task", "pentathlon.no_such_group", lambda event: (event.tasks,))
    with pytest.raises(UnknownIdError, match="Table no_such_module_x:TABLE of event 'walk' was left out: UsageError"):
        tasks.get("walk/dog-v1")


def test_events_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "events"]) == 0
    shown = capsys.readouterr().out
    assert all(f"{event.id} " in shown and event.meaning[:20] in shown for event in EVENTS.rows())
