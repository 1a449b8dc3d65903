"""Rows of strings, resolved when used; unknown names are answered with the nearest."""

import re

import pytest

from pentathlon.core import (
    ENTRANTS,
    TASKS,
    DataError,
    EntrantEntry,
    EntrantError,
    TaskEntry,
    UnknownIdError,
    UsageError,
    match_tasks,
    resolve_entrant,
    tier_of,
)
from pentathlon.core.registry import Registry, resolve


def registry(*ids: str) -> Registry[TaskEntry]:
    rows: Registry[TaskEntry] = Registry("task", "pentathlon.no_such_group")
    for task_id in ids:
        rows.register(TaskEntry(task_id, "", "math:sqrt"))
    return rows


def test_rows_are_sorted_and_found() -> None:
    rows = registry("see/hammer-v1", "act/mug-v2")
    assert [row.id for row in rows.rows()] == ["act/mug-v2", "see/hammer-v1"]
    assert rows.get("act/mug-v2").event == "act"


def test_unknown_id_names_the_nearest() -> None:
    with pytest.raises(UnknownIdError, match=re.escape("Unknown task 'see/hamer-v1'. Did you mean 'see/hammer-v1'?")):
        registry("see/hammer-v1", "act/mug-v2").get("see/hamer-v1")


def test_equal_rows_may_repeat_but_others_may_not() -> None:
    rows = registry("see/hammer-v1", "see/hammer-v1")
    with pytest.raises(DataError, match="registered twice"):
        rows.register(TaskEntry("see/hammer-v1", "another", "math:sqrt"))


@pytest.mark.parametrize("bad", ["hammer-v1", "see/hammer", "see/Hammer-v1", "see/hammer-v0", "see/-v1"])
def test_malformed_task_ids_are_refused(bad: str) -> None:
    with pytest.raises(DataError, match="malformed"):
        TaskEntry(bad, "", "math:sqrt")


def test_a_task_of_no_event_is_refused() -> None:
    with pytest.raises(UnknownIdError, match="Unknown event 'walk'.*named by task 'walk/dog-v1'"):
        registry("walk/dog-v1")


def test_pattern_that_matches_nothing_is_refused() -> None:
    with pytest.raises(UnknownIdError, match=r"Unknown task pattern 'sea/\*'"):
        match_tasks(["sea/*"])


def test_an_unknown_task_comes_with_the_packages_that_were_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TASKS, "problems", ["Package entry point 'lab' was left out: ImportError: no lab."])
    for pattern in ("find/lab-v1", "find/*"):
        with pytest.raises(UnknownIdError, match="See: pentathlon list tasks. Package entry point 'lab' was left out"):
            match_tasks([pattern.replace("find", "nothing")])


@pytest.mark.parametrize("bad", ["Mine", "my agent", "a/b", "mine@weights", "my_agent:Mine", ""])
def test_malformed_entrant_ids_are_refused_at_registration(bad: str) -> None:
    with pytest.raises(DataError, match="is malformed: expected lower-case words"):
        ENTRANTS.register(EntrantEntry(bad, "agent", "", "builtins:dict"))


def test_patterns_overlap_without_repeating() -> None:
    assert [row.id for row in match_tasks(["example/*", "example/cartpole-v1"])] == ["example/cartpole-v1"]


def test_a_pattern_finds_the_full_tier_unless_it_names_another() -> None:
    hammer = "see/metaworld-hammer"
    assert [row.id for row in match_tasks([f"{hammer}*"])] == [f"{hammer}-v1"]
    assert [row.id for row in match_tasks([f"{hammer}-lite-*"])] == [f"{hammer}-lite-v1"]
    assert [row.id for row in match_tasks([f"{hammer}-lite-v1", f"{hammer}-v*"])] == [
        f"{hammer}-lite-v1",
        f"{hammer}-v1",
    ]
    assert {tier_of(row.id) for row in match_tasks(["see/*"])} == {"full"}


def test_reference_with_weights_passes_them_on() -> None:
    ENTRANTS.register(EntrantEntry("weighted", "agent", "", "builtins:dict"))
    entry = resolve_entrant("weighted@some/folder")
    assert (entry.id, entry.options) == ("weighted@some/folder", {"weights": "some/folder"})


@pytest.mark.parametrize(
    ("reference", "advice"),
    [
        ("mae-tiny@x.pth", "Name it as mae-tiny, or what `pentathlon train` wrote as trained@x.pth."),
        ("random-vit-small@x.pth", "wrote as trained@x.pth."),
        ("pixels-16@x.pth", "wrote as trained@x.pth."),
        (
            "hold-still@policies/pour",
            "Name it as hold-still, or what `pentathlon train` wrote as policy@policies/pour.",
        ),
    ],
)
def test_weights_for_what_takes_none_are_refused(reference: str, advice: str) -> None:
    name = reference.partition("@")[0]
    message = f"Entrant '{name}' takes no weights, got '{reference}'."
    with pytest.raises(UsageError, match=f"^{re.escape(message)} .*{re.escape(advice)}$"):
        resolve_entrant(reference).make()


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("no_such_module_x:f", "No module named 'no_such_module_x'"),
        ("math:sqroot", "Unknown attribute of math 'sqroot'. Did you mean 'sqrt'"),
        ("math", "Expected a reference like"),
    ],
)
def test_bad_references_say_what_is_wrong(reference: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        resolve(reference)


def test_factory_that_raises_is_an_entrant_error() -> None:
    with pytest.raises(EntrantError, match=r"could not be built: math:sqrt raised TypeError"):
        resolve_entrant("math:sqrt").make()


def test_object_of_no_kind_lists_what_was_expected() -> None:
    with pytest.raises(EntrantError, match="list is no entrant: expected an object with .spec and the methods"):
        resolve_entrant("builtins:list").make()


def test_package_with_a_broken_table_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    broken = EntryPoint("broken", "no_such_module_x:TABLE", "pentathlon.tasks")
    monkeypatch.setattr("pentathlon.core.registry.entry_points", lambda group: [broken])
    rows = registry("see/hammer-v1")
    assert [row.id for row in rows.rows()] == ["see/hammer-v1"]
    assert "'broken' (no_such_module_x:TABLE) was left out: ModuleNotFoundError" in rows.problems[0]


def test_a_task_that_needs_an_option_is_found_by_its_id_or_with_the_option() -> None:
    heat = "judge/vista-virtual-home-heat-v1"
    assert [row.id for row in match_tasks([heat])] == [heat]
    assert not any(row.needs for row in match_tasks(["judge/*"]))
    assert heat in {row.id for row in match_tasks(["judge/vista-*"], {"vista": "somewhere"})}
    with pytest.raises(UnknownIdError):
        match_tasks(["judge/vista-*"], {"vista": None})


def test_a_task_that_is_called_hidden_is_itself() -> None:
    assert TASKS.get("find/pasture-hidden-sprint-v1").id == "find/pasture-hidden-sprint-v1"
    with pytest.raises(UnknownIdError, match="find/objectnav-hidden-v1"):
        TASKS.get("find/objectnav-hidden-v1")
