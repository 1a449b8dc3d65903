"""The commands that events bring: ``study NAME``, ``data NAME`` and ``EVENT NAME``."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import make_dataclass
from typing import Annotated, Any, Union

import tyro

from pentathlon.cli.event_runs import EventRuns
from pentathlon.core import EVENTS, EventCommand
from pentathlon.core.registry import resolve


def event_commands(taken: Collection[str]) -> dict[str, type]:
    """Makes a command for the studies of all events, and one for the commands of each; ``taken`` names are left out."""
    events = EVENTS.rows()
    studies = [(event.id, study) for event in events for study in event.studies]
    groups = {"study": _group("study", "Run what a paper's tables and figures need, and draw them.", studies)}
    for event in events:
        own = [(event.id, command) for command in event.commands]
        if own and event.id in taken:
            _warn(f"The commands of event {event.id!r} were left out: there is a command of that name.")
        else:
            groups[event.id] = _group(event.id, f"Commands of {event.id}: {event.meaning}", own)
    return {name: group for name, group in groups.items() if group is not None}


def _group(name: str, meaning: str, commands: Iterable[tuple[str, EventCommand]]) -> type | None:
    """Makes a dataclass that holds the chosen one of ``commands``, or none where there are none."""
    choices = dict(_choices(commands))
    if not choices:
        return None
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


def _choices(commands: Iterable[tuple[str, EventCommand]]) -> Iterator[tuple[str, Any]]:
    seen: dict[str, str] = {}
    for event, command in commands:
        if command.name in seen:
            _warn(f"{command.name!r} of event {event!r} was left out: {seen[command.name]} has one of that name.")
            continue
        seen[command.name] = event
        try:
            yield command.name, Annotated[resolve(command.target), tyro.conf.subcommand(command.name)]
        except Exception as error:
            _warn(f"{command.name!r} of event {event!r} was left out: {type(error).__name__}: {error}.")


def _warn(problem: str) -> None:
    print(f"warning: {problem}", file=sys.stderr)
