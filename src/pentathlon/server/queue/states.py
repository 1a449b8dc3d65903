"""The states of a submission and the steps between them."""

from __future__ import annotations

from typing import Literal, get_args

State = Literal["received", "checking", "queued", "running", "finished", "failed", "refused", "cancelled"]
STATES: tuple[State, ...] = get_args(State)

FINAL: frozenset[State] = frozenset({"finished", "failed", "refused", "cancelled"})
WAITING: frozenset[State] = frozenset({"received", "queued"})
ACTIVE: frozenset[State] = frozenset({"checking", "running"})

# A lost worker sends a submission back from checking to received and from running to queued.
STEPS: dict[State, frozenset[State]] = {
    "received": frozenset({"checking", "refused", "cancelled"}),
    "checking": frozenset({"received", "queued", "refused", "cancelled"}),
    "queued": frozenset({"running", "failed", "cancelled"}),
    "running": frozenset({"queued", "finished", "failed", "cancelled"}),
    "finished": frozenset(),
    "failed": frozenset(),
    "refused": frozenset(),
    "cancelled": frozenset(),
}
