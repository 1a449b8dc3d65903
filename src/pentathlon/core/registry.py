"""Lazy registry of events, tasks and entrants: rows of strings, resolved when used.

A package that brings an event joins with an entry point in the group ``pentathlon.events`` whose value is its row. One
that adds tasks to an event, or entrants, joins in the group ``pentathlon.tasks`` or ``pentathlon.entrants`` with a
tuple of rows, such as ``my_package.tasks:TABLE``. Nothing but the tables is imported to list them.
"""

from __future__ import annotations

import fnmatch
import importlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import entry_points
from typing import Any, Generic, TypeVar

from pentathlon.core.entrants import Kind, kind_of
from pentathlon.core.errors import DataError, EntrantError, PentathlonError, UnknownIdError, UsageError
from pentathlon.core.events import EventEntry
from pentathlon.core.task import Task
from pentathlon.core.tiers import TaskId, public_id, tier_of

ENTRANT_ID = re.compile(r"[a-z0-9]+(?:[-.][a-z0-9]+)*")


@dataclass(frozen=True)
class TaskEntry:
    """A row of a task table.

    Attributes:
        id: ``event/name-vN``.
        summary: one line for people.
        factory: ``module:function``; called with ``options`` it returns the task.
        options: plain JSON values.
        rehearsal: options that shrink the task to seconds, for trying an entrant out and for conformance tests.
        sprint: whether ``pentathlon sprint`` runs it.
        needs: keyword of the event's option without which patterns pass it over, such as a dataset's folder.
        draw: ``module:function``, where trials can be drawn: it makes options of a secret and ``options``.
    """

    id: str
    summary: str
    factory: str
    options: Mapping[str, Any] = field(default_factory=dict)
    rehearsal: Mapping[str, Any] = field(default_factory=dict)
    sprint: bool = False
    needs: str = ""
    draw: str = ""

    def __post_init__(self) -> None:
        TaskId.parse(self.id)

    @property
    def event(self) -> str:
        """The part before the slash."""
        return self.id.split("/")[0]

    def make(self, **overrides: Any) -> Task:
        """Builds the task."""
        task = resolve(self.factory)(**{**self.options, **overrides})
        if not isinstance(task, Task):
            raise DataError(f"{self.factory} returned {type(task).__name__}, expected a Task for {self.id!r}.")
        return task


@dataclass(frozen=True)
class EntrantEntry:
    """A row of an entrant table.

    Attributes:
        id: lower-case words joined by dashes; a user may append ``@weights``, passed on as ``weights=``.
        kind: the contract it fulfils; empty when known only once built (``module:factory`` references).
        sprint: events in which ``pentathlon sprint`` enters it.
        needs_weights: it can only be named as ``id@weights``.
        files: what it is made from beside its code and ``weights``; a run's identity has their content.
        terms: further options of the factory that do not shape the results, such as a cost limit; no part of a run's
            identity.
    """

    id: str
    kind: Kind | None
    summary: str
    factory: str
    options: Mapping[str, Any] = field(default_factory=dict)
    sprint: tuple[str, ...] = ()
    needs_weights: bool = False
    files: tuple[str, ...] = ()
    terms: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_reference(self) -> bool:
        """Whether a user named it as ``module:factory``, which may be a module of the present folder."""
        return self.id == self.factory

    def finding(self) -> AbstractContextManager[None]:
        """The context in which its code is found."""
        return present_folder() if self.is_reference else nullcontext()

    def make(self) -> Any:
        """Builds the entrant.

        Raises:
            UsageError: when it lacks weights or takes none.
            EntrantError: when the factory raises or returns something of another kind.
        """
        if self.needs_weights and "weights" not in self.options:
            raise UsageError(f"Entrant {self.id!r} needs weights: name it as {self.id}@FILE, @FOLDER or @HUB-ID.")
        try:
            with self.finding():
                factory = resolve(self.factory)
                self._refuse_weights(factory)
                entrant = factory(**self.options, **self.terms)
        except PentathlonError:
            raise
        except Exception as error:
            raise EntrantError(
                f"Entrant {self.id!r} could not be built: {self.factory} raised {type(error).__name__}: {error}. "
                "Call the factory in a Python shell to see where."
            ) from error
        kind = kind_of(entrant)
        if self.kind is not None and kind != self.kind:
            raise EntrantError(f"Entrant {self.id!r} is registered as {self.kind!r} but built a {kind!r}.")
        return entrant

    def _refuse_weights(self, factory: Callable[..., Any]) -> None:
        if "weights" not in self.options:
            return
        parameters = inspect.signature(factory).parameters.values()
        if not any(one.name == "weights" or one.kind is one.VAR_KEYWORD for one in parameters):
            name, _, weights = self.id.partition("@")
            reader = "policy" if self.kind == "policy" else "trained"
            raise UsageError(
                f"Entrant {name!r} takes no weights, got {self.id!r}. Name it as {name}, or what `pentathlon train` "
                f"wrote as {reader}@{weights}."
            )


@dataclass(frozen=True)
class EntrantRows:
    """Writes rows of one kind: ``factories`` stands before each factory, ``event`` is whose sprint a row may enter."""

    kind: Kind
    factories: str
    event: str

    def __call__(
        self, id: str, factory: str, summary: str, *, sprint: bool = False, needs_weights: bool = False, **options: Any
    ) -> EntrantEntry:
        """Writes a row; further keywords are the factory's options."""
        sprints = (self.event,) if sprint else ()
        return EntrantEntry(id, self.kind, summary, self.factories + factory, options, sprints, needs_weights)


Row = TypeVar("Row", EventEntry, TaskEntry, EntrantEntry)


class Registry(Generic[Row]):
    """Rows by id, from entry points, from the events' tables and from :meth:`register`.

    Args:
        what: the rows are, in one word.
        group: of entry points, whose values are a row or several.
        of_event: which tables of rows an event brings, as ``module:TABLE``.
    """

    def __init__(self, what: str, group: str, of_event: Callable[[EventEntry], Iterable[str]] | None = None) -> None:
        self._what, self._group, self._of_event = what, group, of_event
        self._rows: dict[str, Row] = {}
        self._discovered = False
        self.problems: list[str] = []
        """One sentence for each package whose table could not be read; it is left out, the others stay usable."""

    def register(self, row: Row) -> None:
        """Adds a row for this process.

        Raises:
            DataError: when the id is taken by another row, or malformed.
            UnknownIdError: when it is a task of no event.
        """
        if isinstance(row, TaskEntry):
            _require_event(row)
        if isinstance(row, EntrantEntry):
            _require_entrant_id(row)
        known = self._rows.setdefault(row.id, row)
        if known != row:
            raise DataError(f"{self._what.capitalize()} id {row.id!r} is registered twice. Rename one of them.")

    def rows(self) -> tuple[Row, ...]:
        """All rows, sorted by id."""
        self._discover()
        return tuple(self._rows[key] for key in sorted(self._rows))

    def get(self, row_id: str) -> Row:
        """Finds a row.

        Raises:
            UnknownIdError: naming the nearest ids.
        """
        self._discover()
        if row_id not in self._rows:
            raise UnknownIdError(self._what, row_id, self._rows, hint=self.hint)
        return self._rows[row_id]

    @property
    def hint(self) -> str:
        """Where to look for an id that was not found, and which packages may have had it."""
        return " ".join([f"See: pentathlon list {self._what}s.", *self.problems])

    def _discover(self) -> None:
        if self._discovered:
            return
        self._discovered = True
        for point in entry_points(group=self._group):
            self._take(f"Package entry point {point.name!r} ({point.value})", point.load)
        if self._of_event is None:
            return
        for event in EVENTS.rows():
            for table in self._of_event(event):
                self._take(f"Table {table} of event {event.id!r}", partial(resolve, table))
        self.problems[:0] = EVENTS.problems

    def _take(self, source: str, load: Callable[[], Any]) -> None:
        try:
            loaded = load()
            for row in loaded if isinstance(loaded, Iterable) else (loaded,):
                self.register(row)
        except Exception as error:
            self.problems.append(f"{source} was left out: {type(error).__name__}: {error}.")


class TaskRegistry(Registry[TaskEntry]):
    """Also finds the hidden variants of tasks, which are not listed: only who drew their trials can run them."""

    def get(self, row_id: str) -> TaskEntry:
        """Finds a row; a task may be called hidden by itself, as find/pasture-hidden-v1 is."""
        row = next((row for row in self.rows() if row.draw and row.id == public_id(row_id) != row_id), None)
        return replace(row, id=row_id) if row is not None else super().get(row_id)


EVENTS: Registry[EventEntry] = Registry("event", "pentathlon.events")
TASKS: Registry[TaskEntry] = TaskRegistry(
    "task", "pentathlon.tasks", lambda event: (event.tasks,) if event.tasks else ()
)
ENTRANTS: Registry[EntrantEntry] = Registry("entrant", "pentathlon.entrants", lambda event: event.entrants)


def _require_event(task: TaskEntry) -> None:
    events = [event.id for event in EVENTS.rows()]
    if task.event not in events:
        raise UnknownIdError("event", task.event, events, hint=f"It was named by task {task.id!r}.")


def _require_entrant_id(entrant: EntrantEntry) -> None:
    """Entries of users' references, as ``id@weights``, have other ids and are not registered."""
    if ENTRANT_ID.fullmatch(entrant.id) is None:
        raise DataError(
            f"Entrant id {entrant.id!r} is malformed: expected lower-case words and numbers joined by dashes or dots, "
            "such as 'mae-tiny'."
        )


def register_task(id: str, factory: str, *, summary: str = "", **options: Any) -> None:
    """Registers a task for this process; packages use the entry-point group instead."""
    TASKS.register(TaskEntry(id=id, summary=summary, factory=factory, options=options))


def register_entrant(id: str, kind: Kind, factory: str, *, summary: str = "", **options: Any) -> None:
    """Registers an entrant for this process; packages use the entry-point group instead."""
    ENTRANTS.register(EntrantEntry(id=id, kind=kind, summary=summary, factory=factory, options=options))


def match_tasks(patterns: Iterable[str], given: Mapping[str, Any] | None = None) -> tuple[TaskEntry, ...]:
    """Finds the tasks that any of the shell-style ``patterns`` names, sorted by id.

    A pattern finds the full tier unless it names another, as ``see/*-lite-v1`` does: tiers are never mixed. It finds
    tasks that need an option only when ``given``, the options by keyword, has it.

    Raises:
        UnknownIdError: when a pattern matches nothing.
    """
    rows, options, found = TASKS.rows(), given or {}, dict[str, TaskEntry]()
    for pattern in patterns:
        tier = tier_of(pattern)
        fitting = (row for row in rows if not row.needs or row.id == pattern or options.get(row.needs) is not None)
        matching = [row for row in fitting if fnmatch.fnmatchcase(row.id, pattern) and tier_of(row.id) == tier]
        if not matching:
            kind = "task pattern" if any(mark in pattern for mark in "*?[") else "task"
            raise UnknownIdError(kind, pattern, (row.id for row in rows), hint=TASKS.hint)
        found.update((row.id, row) for row in matching)
    return tuple(found[key] for key in sorted(found))


def resolve_entrant(reference: str) -> EntrantEntry:
    """Finds the entrant named by a registered id, ``id@weights`` or ``module:factory``."""
    name, at, weights = reference.partition("@")
    if at:
        row = ENTRANTS.get(name)
        return replace(row, id=reference, options={**row.options, "weights": weights})
    if ":" in reference:
        return EntrantEntry(id=reference, kind=None, summary="", factory=reference)
    return ENTRANTS.get(reference)


@contextmanager
def present_folder() -> Iterator[None]:
    """Lets modules of the folder that the user stands in be found within the block, after all others.

    Folders may be strangers'. Were they always searched, a file that is called as a package of ours would run.
    """
    here = os.getcwd()
    if here in sys.path:
        yield
        return
    sys.path.append(here)
    try:
        yield
    finally:
        sys.path.remove(here)


def resolve_named(reference: str) -> Any:
    """Imports what a user named as ``module:attribute``, which may lie in the present folder."""
    with present_folder():
        return resolve(reference)


def resolve(reference: str) -> Any:
    """Imports the object named ``module:attribute``."""
    module_name, colon, attribute = reference.partition(":")
    if not colon or not module_name or not attribute:
        raise UsageError(f"Expected a reference like 'package.module:factory', got {reference!r}.")
    try:
        target: Any = importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name and (module_name == error.name or module_name.startswith(error.name + ".")):
            raise UsageError(
                f"No module named {error.name!r} for {reference!r}. Install the package or run from its folder."
            ) from error
        raise
    for part in attribute.split("."):
        if not hasattr(target, part):
            raise UnknownIdError(f"attribute of {module_name}", part, (n for n in dir(target) if n[0] != "_"))
        target = getattr(target, part)
    return target
