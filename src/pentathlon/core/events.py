"""An event as one row: its tasks, its entrants, and what it adds to the command line, all by reference.

A package joins with an entry point in the group ``pentathlon.events``, named as the event, whose value is an
:class:`EventEntry`. Nothing that the row refers to is imported before it is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pentathlon.core.errors import DataError, UnknownIdError, UsageError

_EVENT_ID = re.compile("[a-z]+")
_NAME = re.compile("[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


@dataclass(frozen=True)
class EventOption:
    """An option of ``pentathlon run``, and a keyword of ``pentathlon.evaluate``, that changes the event's tasks.

    Attributes:
        name: words joined by dashes; ``--name`` on the command line.
        meaning: one sentence for people.
        type: of its value: ``str``, ``int``, ``float``, ``bool`` or ``Path``.
        choices: the values allowed; any where empty.
        sets: the option of the task's factory; the name where empty.
    """

    name: str
    meaning: str
    type: type = str
    choices: tuple[str, ...] = ()
    sets: str = ""

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise DataError(f"Expected an option named in lower-case words joined by dashes, got {self.name!r}.")

    @property
    def keyword(self) -> str:
        """The name as Python writes it."""
        return self.name.replace("-", "_")

    def plain(self, value: Any) -> Any:
        """Checks a value that was given and returns it as the task takes it: a plain JSON value.

        Raises:
            UsageError: when it is of another type or no choice.
        """
        if self.choices and value not in self.choices:
            raise UnknownIdError(f"value of {self.name}", str(value), self.choices)
        if self.type is Path and isinstance(value, str | Path):
            return str(Path(value).expanduser().absolute())
        if not isinstance(value, self.type) or (self.type is not bool and isinstance(value, bool)):
            raise UsageError(f"Expected {self.type.__name__} for {self.name}, got {value!r}.")
        return value


@dataclass(frozen=True)
class EventCommand:
    """A command that an event adds.

    Attributes:
        name: words joined by dashes.
        target: a dataclass, or ``module:Class`` of one, whose fields are options and whose ``run(runs)`` returns the
            exit status; ``runs`` is a :class:`~pentathlon.core.runs.Runs`.
    """

    name: str
    target: str | type


@dataclass(frozen=True)
class VideoPage:
    """What the report's page of one video says.

    Attributes:
        title: of the page.
        artifact: name of the outcome's picture of it; empty for none.
        columns: titles of the table.
        rows: of the table, each with whether it is right, if that is known.
        words: what the entrant said of it, as plain values; ``None`` for nothing.
    """

    title: str
    artifact: str
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], bool | None], ...]
    words: Any = None


@dataclass(frozen=True)
class EventEntry:
    """An event.

    Attributes:
        id: the part of its tasks' ids before the slash.
        meaning: one line for people.
        tasks: ``module:TABLE`` of its task rows.
        entrants: ``module:TABLE`` of entrant rows that come with it.
        chat: ``module:factory`` of the entrant that a chat model is in this event; called with the arguments of
            ``pentathlon.models.chat.open_chat``. Empty where none can enter.
        options: what ``pentathlon run`` takes for its tasks.
        studies: the paper's tables and figures, run as ``pentathlon study NAME``; each name starts with the event's.
        training: ``module:TABLE`` of the commands that train its entrants, run as ``pentathlon train NAME``.
        data: what makes, reads and writes its data, run as ``pentathlon data NAME``.
        commands: all else, run as ``pentathlon EVENT NAME``.
        of_files: name of the command that ``pentathlon EVENT FILE …`` stands for; empty for none.
        pages: ``module:function`` that lists a :class:`VideoPage` for each video of an outcome; empty for none.
        suites: those whose names have several words; any other suite is the first word of its tasks' names.
        place: of its tables among those of other events, the smallest first.
    """

    id: str
    meaning: str
    tasks: str = ""
    entrants: tuple[str, ...] = ()
    chat: str = ""
    options: tuple[EventOption, ...] = ()
    studies: tuple[EventCommand, ...] = ()
    training: str = ""
    data: tuple[EventCommand, ...] = ()
    commands: tuple[EventCommand, ...] = ()
    of_files: str = ""
    pages: str = ""
    suites: tuple[str, ...] = ()
    place: int = 100

    def __post_init__(self) -> None:
        if not _EVENT_ID.fullmatch(self.id):
            raise DataError(f"Expected an event named in one lower-case word, got {self.id!r}.")
        for study in self.studies:
            if study.name.partition("-")[0] != self.id:
                raise DataError(f"Expected a study named {self.id} or {self.id}-something, got {study.name!r}.")


def task_options(task: str, events: Iterable[EventEntry], given: Mapping[str, Any]) -> dict[str, Any]:
    """Turns options given by keyword into those of a task's factory; ``None`` stands for not given.

    Args:
        task: its id.
        events: all of them, to tell whose option was given.
        given: values by :attr:`EventOption.keyword`.

    Raises:
        UsageError: when an option is not one of the event's, or its value is wrong.
    """
    pairs = [(entry.id, option) for entry in events for option in entry.options]
    own = {option.keyword: option for event, option in pairs if event == task.partition("/")[0]}
    values = {keyword: value for keyword, value in given.items() if value is not None}
    for keyword in values:
        if keyword in own:
            continue
        owners = [event for event, option in pairs if option.keyword == keyword]
        if not owners:
            raise UnknownIdError("option", keyword, (option.keyword for _, option in pairs))
        name = keyword.replace("_", "-")
        raise UsageError(f"Expected a task of {' or '.join(owners)} for --{name}, got {task}. Leave the option out.")
    return {own[keyword].sets or keyword: own[keyword].plain(value) for keyword, value in values.items()}
