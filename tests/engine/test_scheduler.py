"""Scheduling rules that need a worker to fail at a chosen moment."""

from __future__ import annotations

import pytest

from pentathlon.core import EntrantError, Heat, Outcome
from pentathlon.engine.scheduler import Scheduler
from pentathlon.engine.workers.executor import WorkerMessage
from pentathlon.engine.workers.wire import Finished, Lost, Message, Ready


class ScriptedExecutor:
    """Workers that say what the test tells them to."""

    def __init__(self) -> None:
        self.started = 0
        self.assigned: list[tuple[int, Heat]] = []
        self._messages: list[WorkerMessage] = []

    def capacity(self) -> int:
        return 2

    def start(self) -> int:
        self.started += 1
        return self.started

    def assign(self, worker: int, heat: Heat) -> None:
        self.assigned.append((worker, heat))

    def say(self, worker: int, *messages: Message) -> None:
        self._messages += [WorkerMessage(worker, message) for message in messages]

    def poll(self, timeout_s: float) -> list[WorkerMessage]:
        messages, self._messages = self._messages, []
        return messages

    def kill(self, worker: int) -> None:
        raise AssertionError

    def close(self) -> None:
        raise AssertionError


HEATS = [Heat("h0", ("a", "b")), Heat("h1", ("c",))]


def done(trial: str, last: bool) -> Finished:
    return Finished(Outcome(trial), last)


def test_an_idle_worker_takes_over_from_a_dead_one() -> None:
    executor = ScriptedExecutor()
    scheduler = Scheduler(executor, HEATS, workers=2)
    executor.say(1, Ready(), done("a", False))
    executor.say(2, Ready(), done("c", True))
    assert [outcome.trial for outcome in scheduler.step(0)] == ["a", "c"]
    executor.say(1, Lost("The node went away"))
    assert scheduler.step(0) == []
    assert executor.assigned[-1] == (2, Heat("h0", ("b",)))
    assert executor.started == 2
    executor.say(2, done("b", True))
    assert [outcome.trial for outcome in scheduler.step(0)] == ["b"]
    assert scheduler.done


def test_the_run_does_not_wait_for_a_replacement_that_never_comes() -> None:
    executor = ScriptedExecutor()
    scheduler = Scheduler(executor, HEATS, workers=2)
    executor.say(1, Ready())
    executor.say(2, Ready())
    scheduler.step(0)
    executor.say(1, Lost("The node went away"))
    scheduler.step(0)
    assert executor.started == 3
    executor.say(2, done("c", True))
    scheduler.step(0)
    assert executor.assigned[-1] == (2, HEATS[0])
    executor.say(2, done("a", False), done("b", True))
    scheduler.step(0)
    assert scheduler.done


def test_a_trial_is_given_up_after_its_second_death() -> None:
    executor = ScriptedExecutor()
    scheduler = Scheduler(executor, HEATS[:1], workers=1)
    executor.say(1, Ready(), done("a", False), Lost("first"))
    assert [outcome.trial for outcome in scheduler.step(0)] == ["a"]
    executor.say(2, Ready(), Lost("second"))
    (outcome,) = scheduler.step(0)
    assert (outcome.trial, outcome.status, outcome.error) == (
        "b",
        "error",
        "second. It happened 2 times in this trial.",
    )
    assert scheduler.done


def test_workers_that_cannot_start_are_given_up_while_others_run() -> None:
    executor = ScriptedExecutor()
    scheduler = Scheduler(executor, HEATS, workers=2)
    executor.say(1, Ready())
    executor.say(2, Lost("out of memory"))
    scheduler.step(0)
    executor.say(3, Lost("out of memory"))
    scheduler.step(0)
    assert executor.started == 3
    executor.say(1, done("a", False), done("b", True), done("c", True))
    assert len(scheduler.step(0)) == 3
    assert scheduler.done


def test_no_worker_at_all_is_an_error() -> None:
    executor = ScriptedExecutor()
    scheduler = Scheduler(executor, HEATS, workers=1)
    executor.say(1, Lost("out of memory"))
    scheduler.step(0)
    executor.say(2, Lost("out of memory"))
    with pytest.raises(EntrantError, match="No worker survived building the entrant: out of memory"):
        scheduler.step(0)
