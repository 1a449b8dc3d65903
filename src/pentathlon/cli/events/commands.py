"""The commands that events bring: ``study NAME``, ``data NAME`` and ``EVENT NAME``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import make_dataclass
from functools import partial
from typing import Annotated, Any, Union

import tyro

from pentathlon.cli.events.runs import EventRuns
from pentathlon.core import EVENTS, EventCommand
from pentathlon.core.registry import resolve

FRAMES = EventCommand("frames", "pentathlon.cli.frames:Frames")
VIEWS = EventCommand("views", "pentathlon.cli.views:Views")
"""Pictures of all worlds and of houses: data of no event."""

Owned = tuple[str, EventCommand]
"""A command and whose it is."""


def event_commands(taken: Collection[str]) -> dict[str, Callable[[], type]]:
    """Lists the groups of commands that events bring by name; calling one imports its commands and makes it.

    Args:
        taken: names that are commands already; an event of that name is left out.
    """
    events = EVENTS.rows()
    shared: dict[str, tuple[str, list[Owned]]] = {
        "data": (
            "Make, get, merge, export or import what models and policies learn from, and measure who demonstrates.",
            [
                ("pentathlon", FRAMES),
                ("pentathlon", VIEWS),
                *((event.id, command) for event in events for command in event.data),
            ],
        ),
        "study": (
            "Run what a paper's tables and figures need, and draw them.",
            [(event.id, study) for event in events for study in event.studies],
        ),
    }
    groups = {name: partial(_group, name, *content) for name, content in shared.items() if content[1]}
    for event in events:
        if event.commands and event.id in {*taken, *shared}:
            _warn(f"The commands of event {event.id!r} were left out: there is a command of that name.")
        elif event.commands:
            own = [(event.id, command) for command in event.commands]
            groups[event.id] = partial(_group, event.id, f"Commands of {event.id}: {event.meaning}", own)
    return dict(groups)


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
            yield command.name, Annotated[resolve(command.target), tyro.conf.subcommand(command.name)]
        except Exception as error:
            _warn(f"{command.name!r} of event {owner!r} was left out: {type(error).__name__}: {error}.")


def _warn(problem: str) -> None:
    print(f"warning: {problem}", file=sys.stderr)
