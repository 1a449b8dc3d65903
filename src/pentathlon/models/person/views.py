"""What the page is told and what it says; ``static/desk.js`` knows the same words."""

from __future__ import annotations

from typing import Annotated

import msgspec

LONGEST_REPLY = 200


class Choice(msgspec.Struct, frozen=True):
    """An action.

    Attributes:
        label: what the agent answers.
        key: of a keyboard, as browsers name it, such as ``KeyW``.
        amounts: where the action has one, all of them; the label and the one that is set, with a space, are the answer.
        unit: of the amounts.
    """

    label: str
    key: str = ""
    amounts: tuple[str, ...] = ()
    unit: str = ""


class Group(msgspec.Struct, frozen=True):
    """Actions that belong together."""

    name: str
    choices: tuple[Choice, ...]


class View(msgspec.Struct, frozen=True):
    """A moment in which something is to be chosen or answered.

    Attributes:
        title: of the phase.
        told: what it is about.
        dials: names and values that change with every step.
        news: what the last action led to, where that is worth a sentence.
        question: to be answered in words; empty where an action is wanted.
        yes_no: whether yes and no are offered as answers.
        known: questions and answers that are shown beside, numbered from ``known_from``.
        shown: pictures of this phase that may be looked at again; 0 for none.
    """

    title: str
    told: str
    dials: tuple[tuple[str, str], ...] = ()
    news: str = ""
    question: str = ""
    yes_no: bool = False
    known: tuple[tuple[str, str], ...] = ()
    known_from: int = 1
    shown: int = 0


class Reply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the person chose at a moment: an action's label or an answer; ``stop`` ends the run for now."""

    moment: int
    text: Annotated[str, msgspec.Meta(max_length=LONGEST_REPLY)] = ""
    stop: bool = False
