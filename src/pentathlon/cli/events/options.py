"""The options of ``pentathlon run`` that events bring, as one dataclass that tyro can parse."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import make_dataclass
from typing import Annotated, Any, Literal

import tyro

from pentathlon.core import EventEntry, EventOption

YES_OR_NO = ("true", "false")


def merge_options(events: Iterable[EventEntry], taken: Collection[str]) -> dict[str, list[tuple[str, EventOption]]]:
    """Gathers the options by keyword, each with the events that take it; those that do not go together are left out.

    Events may share an option if it takes the same values in all of them; ``taken`` names are those of the command.
    """
    merged: dict[str, list[tuple[str, EventOption]]] = {}
    for event in events:
        for option in event.options:
            known = merged.setdefault(option.keyword, [])
            if option.keyword in taken:
                _warn(event, option, "run has one of that name")
            elif any((other.type, other.choices) != (option.type, option.choices) for _, other in known):
                _warn(event, option, f"{known[0][0]} has another of that name")
            else:
                known.append((event.id, option))
    return {keyword: options for keyword, options in merged.items() if options}


def options_class(events: Iterable[EventEntry], taken: Collection[str]) -> type:
    """Makes the dataclass: a field for each option that is not ``taken``, ``None`` where it is not given."""
    fields = []
    for keyword, options in merge_options(events, taken).items():
        kind: Any = Literal[options[0][1].choices] if options[0][1].choices else options[0][1].type
        meaning = " ".join(f"For {event}: {option.meaning}" for event, option in options)
        fields.append((keyword, Annotated[kind | None, tyro.conf.arg(help=meaning)], None))
    return make_dataclass("EventOptions", fields, frozen=True)


def with_yes(words: Sequence[str], events: Iterable[EventEntry]) -> list[str]:
    """Says ``True`` behind each yes-or-no option that stands alone, as in ``--skip-broken``; ``true`` is as good."""
    names = {f"--{option.name}" for event in events for option in event.options if option.type is bool}
    said: list[str] = []
    for word, following in zip(words, (*words[1:], ""), strict=True):
        if said and said[-1] in names:
            said.append(word.capitalize())
        elif word in names and following.lower() not in YES_OR_NO:
            said += [word, "True"]
        else:
            said.append(word)
    return said


def _warn(event: EventEntry, option: EventOption, reason: str) -> None:
    print(f"warning: Option --{option.name} of event {event.id!r} was left out: {reason}. Rename it.", file=sys.stderr)
