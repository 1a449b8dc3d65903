"""The commands that events bring: ``study NAME``, ``train NAME``, ``data NAME`` and ``EVENT NAME``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import make_dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Union

import tyro

from pentathlon.cli.events.runs import EventRuns
from pentathlon.core import EVENTS, EventCommand, EventEntry
from pentathlon.core.registry import resolve

FRAMES = EventCommand("frames", "pentathlon.cli.frames:Frames")
VIEWS = EventCommand("views", "pentathlon.cli.views:Views")
"""Pictures of all worlds and of houses: data of no event."""

LEARNING = "pentathlon.learning.table:TRAINING"
"""What learning offers by itself: encoders and experts of no event."""

Owned = tuple[str, EventCommand]
"""A command and whose it is."""


def event_commands(taken: Collection[str]) -> dict[str, Callable[[], type]]:
    """Lists the groups of commands that events bring by name; calling one imports its commands and makes it.

    Args:
        taken: names that are commands already; an event of that name is left out.
    """
    events = EVENTS.rows()
    groups = _shared_groups(events)
    for event in events:
        if event.commands and event.id in {*taken, *groups}:
            _warn(f"The commands of event {event.id!r} were left out: there is a command of that name.")
        elif event.commands:
            own = [(event.id, command) for command in event.commands]
            groups[event.id] = partial(_group, event.id, f"Commands of {event.id}: {event.meaning}", own)
    return groups


def with_command(words: Sequence[str]) -> list[str]:
    """Fills in the command of an event where a file's name stands in its place, as in ``judge film.mp4``.

    A file's name has a suffix or a folder, which no command's name has.
    """
    given = list(words)
    event = next((one for one in EVENTS.rows() if given and one.id == given[0]), None)
    if event is None or not event.of_files or len(given) < 2 or given[1].startswith("-"):
        return given
    named = Path(given[1]).suffix or os.sep in given[1]
    return [given[0], event.of_files, *given[1:]] if named else given


def _shared_groups(events: Sequence[EventEntry]) -> dict[str, Callable[[], type]]:
    data = [
        ("pentathlon", FRAMES),
        ("pentathlon", VIEWS),
        *((event.id, command) for event in events for command in event.data),
    ]
    studies = [(event.id, study) for event in events for study in event.studies]
    groups: dict[str, Callable[[], type]] = {
        "train": lambda: _group(
            "train",
            "Train an encoder (the same command again continues), an image-text network, a policy or an expert.",
            _training(events),
        ),
        "data": lambda: _group(
            "data",
            "Make, get, merge, export or import what models and policies learn from, and measure who demonstrates.",
            data,
        ),
    }
    if studies:
        groups["study"] = lambda: _group("study", "Run what a paper's tables and figures need, and draw them.", studies)
    return groups


def _training(events: Iterable[EventEntry]) -> Iterator[Owned]:
    for owner, table in (("pentathlon", LEARNING), *((event.id, event.training) for event in events)):
        try:
            rows = resolve(table) if table else ()
        except Exception as error:
            _warn(f"What {owner!r} trains was left out: {type(error).__name__}: {error}.")
            continue
        yield from ((owner, row) for row in rows)


def _group(name: str, meaning: str, commands: Iterable[Owned]) -> type:
    """Makes a dataclass that holds the chosen one of ``commands``."""
    choices = dict(_choices(commands))
    # A union needs two members to become subcommands.
    padded = (*choices.values(), Annotated[None, tyro.conf.Suppress])
    group = make_dataclass(
        name.capitalize(),
        [("action", Union[padded])],  # noqa: UP007 - the choices are known only at run time
        namespace={"run": lambda self: self.action.run(EventRuns())},
        frozen=True,
    )
    group.__doc__ = meaning
    return group


def _choices(commands: Iterable[Owned]) -> Iterator[tuple[str, Any]]:
    seen: dict[str, str] = {}
    for owner, command in commands:
        if command.name in seen:
            _warn(f"{command.name!r} of event {owner!r} was left out: {seen[command.name]} has one of that name.")
            continue
        seen[command.name] = owner
        try:
            target = resolve(command.target) if isinstance(command.target, str) else command.target
            yield command.name, Annotated[target, tyro.conf.subcommand(command.name)]
        except Exception as error:
            _warn(f"{command.name!r} of event {owner!r} was left out: {type(error).__name__}: {error}.")


def _warn(problem: str) -> None:
    print(f"warning: {problem}", file=sys.stderr)
