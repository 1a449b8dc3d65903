"""The questions to an entrant that runs elsewhere and its answers: msgpack of fixed types.

A server of the entrant's owner and the sandbox are asked alike; only the way of the arrays differs, so the questions
are generic in what stands for one. Every question carries a ticket that the answer repeats.
"""

from __future__ import annotations

from typing import Any, Generic, TypeAlias, TypeVar

import msgspec

from pentathlon.models.remote.arrays import PackedArray

Sent = TypeVar("Sent")
"""What stands for an array in a question: its bytes, or the place where they lie."""

PlainAnswer: TypeAlias = str | int | float | bool | list[str | int | float | bool] | None


class Ticketed(msgspec.Struct, frozen=True, tag=True):
    """A question."""

    ticket: int


class Seen(msgspec.Struct, Generic[Sent], frozen=True):
    """An observation: its arrays, and what is no array."""

    arrays: dict[str, Sent]
    plain: dict[str, Any] = {}


class Reset(Ticketed, frozen=True):
    """Begin an episode of a policy."""


class Predict(Ticketed, Generic[Sent], frozen=True):
    """Choose the next action or chunk of a policy."""

    observation: Seen[Sent]


class Brief(Ticketed, frozen=True):
    """Begin an episode of an agent."""

    instruction: str
    seed: int
    facts: dict[str, Any]


class Rebrief(Brief, frozen=True):
    """Begin another phase of an agent's episode."""


class Act(Ticketed, Generic[Sent], frozen=True):
    """Choose the next action of an agent."""

    observation: Seen[Sent]


class Ask(Ticketed, frozen=True):
    """Answer a question about the episode."""

    question: str


class Encode(Ticketed, Generic[Sent], frozen=True):
    """Turn the pictures into features."""

    images: Sent


class Score(Ticketed, Generic[Sent], frozen=True):
    """Score the descriptions for the clip."""

    clip: Sent
    descriptions: tuple[str, ...]


Question: TypeAlias = Reset | Predict[Sent] | Brief | Rebrief | Act[Sent] | Ask | Encode[Sent] | Score[Sent]


class TicketedReply(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """The answer to the question of that ticket."""

    ticket: int


class Done(TicketedReply, frozen=True):
    """What was asked for is done."""


class Chosen(TicketedReply, frozen=True):
    """The action, or a chunk of them."""

    action: PackedArray


class Picked(TicketedReply, frozen=True):
    """The action of an agent that chooses among labels."""

    label: str


class Told(TicketedReply, frozen=True):
    """The answer to a question."""

    answer: PlainAnswer


class Encoded(TicketedReply, frozen=True):
    """The pooled features, one row for each picture."""

    pooled: PackedArray


class Scored(TicketedReply, frozen=True):
    """A score for each description."""

    scores: PackedArray


Reply: TypeAlias = Done | Chosen | Picked | Told | Encoded | Scored
