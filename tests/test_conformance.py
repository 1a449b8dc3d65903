"""Every registered task and entrant keeps the contract; a new row is tested the moment it is registered."""

import dataclasses
import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from pentathlon.core import (
    ENTRANTS,
    EVENTS,
    TASKS,
    EntrantEntry,
    EventEntry,
    MissingDependencyError,
    Outcome,
    TaskEntry,
    TaskId,
    Workspace,
    canonical_json,
    compare_specs,
    to_plain,
)
from pentathlon.core.entrants import kind_of
from pentathlon.core.registry import ENTRANT_ID, resolve

# Tasks that need a dataset of the user's are built in their event's own tests.
TASK_ROWS = tuple(row for row in TASKS.rows() if not row.needs)
ENTRANT_ROWS = ENTRANTS.rows()


def by_id(rows: tuple[Any, ...]) -> dict[str, Any]:
    return {"argvalues": rows, "ids": [row.id for row in rows]}


def entrant_for(kind: str, event: str) -> EntrantEntry:
    """An entrant of the sprint; for act one that need not be trained first, for judge one that need not look."""
    if event in ("act", "judge"):
        return ENTRANTS.get({"act": "hold-still", "judge": "judge-oracle"}[event])
    return next(row for row in ENTRANT_ROWS if row.kind == kind and event in row.sprint)


def test_no_package_was_left_out() -> None:
    assert EVENTS.problems == TASKS.problems == ENTRANTS.problems == []
    assert TASK_ROWS
    assert ENTRANT_ROWS


@pytest.mark.parametrize("row", **by_id(EVENTS.rows()))
def test_event_keeps_the_contract(row: EventEntry) -> None:
    assert row.meaning
    assert all(option.meaning for option in row.options)
    for command in (*row.studies, *row.data, *row.commands):
        made = resolve(command.target)
        assert dataclasses.is_dataclass(made)
        assert made.__doc__
        assert list(inspect.signature(made.run).parameters) == ["self", "runs"]


@pytest.mark.parametrize("row", **by_id(TASK_ROWS))
def test_task_keeps_the_contract(row: TaskEntry) -> None:
    assert str(TaskId.parse(row.id)) == row.id
    assert row.summary
    task = row.make()
    assert task.id == row.id
    assert dataclasses.is_dataclass(task.protocol)
    assert json.loads(canonical_json(task.protocol))
    assert task.metrics
    heats = task.heats()
    trials = [trial for heat in heats for trial in heat.trials]
    assert trials
    assert len(set(trials)) == len(trials)
    assert len({heat.id for heat in heats}) == len(heats)
    assert to_plain(heats) == to_plain(row.make().heats())
    for heat in heats:
        assert heat.origins.keys() == set(heat.trials)
        assert all(origin.cluster and origin.seed > 0 for origin in heat.origins.values())


@pytest.mark.parametrize("row", **by_id(ENTRANT_ROWS))
def test_entrant_keeps_the_contract(row: EntrantEntry) -> None:
    assert ENTRANT_ID.fullmatch(row.id)
    assert row.summary
    if row.needs_weights:
        pytest.skip(f"{row.id} is named with weights of one's own: {row.id}@WEIGHTS")
    try:
        entrant = row.make()
    except MissingDependencyError as missing:
        pytest.skip(str(missing))
    assert kind_of(entrant) == row.kind
    compare_specs(entrant.spec, entrant.spec)


@pytest.mark.parametrize("row", **by_id(TASK_ROWS))
def test_two_rehearsals_are_equal_and_serialisable(row: TaskEntry, tmp_path: Path) -> None:
    first, second = (rehearse(row, tmp_path / name) for name in ("first", "second"))
    assert [comparable(outcome) for outcome in first] == [comparable(outcome) for outcome in second]
    for outcome in first:
        assert outcome.status == "ok", outcome.error
        assert json.loads(canonical_json(outcome))["trial"] == outcome.trial
        for path in outcome.artifacts.values():
            assert (tmp_path / "first" / path).stat().st_size > 0


def rehearse(row: TaskEntry, folder: Path) -> list[Outcome]:
    """Runs the first heat of the task's rehearsal with a built-in entrant of its event."""
    task = row.make(**row.rehearsal)
    entrant = entrant_for(task.kind, row.event).make()
    heat = task.heats()[0]
    outcomes = list(task.run(heat, entrant, Workspace(folder)))
    assert tuple(outcome.trial for outcome in outcomes) == heat.trials
    assert {metric.name for metric in task.metrics} <= set(outcomes[0].metrics)
    for outcome in outcomes:
        assert outcome.cluster in ("", heat.stamped(outcome).cluster)
        assert outcome.seed in (0, heat.stamped(outcome).seed)
    assert task.scores(outcomes)[0].metric == task.metrics[0].name
    return outcomes


def comparable(outcome: Outcome) -> Any:
    return to_plain(dataclasses.replace(outcome, wall_time_s=0.0))
