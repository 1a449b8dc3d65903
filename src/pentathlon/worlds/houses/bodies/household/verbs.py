"""What a person does in a household, for films: every verb in one table, and the film of a list of steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.houses.bodies.household.chores import CHORES
from pentathlon.worlds.houses.bodies.household.deeds import DEEDS, Step, Verb, rest
from pentathlon.worlds.houses.bodies.household.person import Household
from pentathlon.worlds.houses.bodies.household.places import door_of
from pentathlon.worlds.houses.bodies.household.slices import whole_of
from pentathlon.worlds.houses.bodies.household.vessels import VESSELS

FRAMES_PER_S = 12
VERBS: dict[str, Verb] = {**DEEDS, **CHORES, **VESSELS}


class RefusedError(UsageError):
    """A verb's precondition does not hold; the message is the sentence that says so."""


def film(household: Household, steps: Iterable[Step]) -> NDArray[np.uint8]:
    """Carries out steps one after the other and returns what the person saw, frames[T, H, W, 3].

    Raises:
        RefusedError: when the precondition of a step does not hold.
    """
    frames = [household.look() for _ in rest(household, 0.5)]
    for step in steps:
        frames += [household.look() for _ in do(household, step)]
    return np.stack(frames)


def do(household: Household, step: Step) -> Iterator[None]:
    """Carries out one step; yields once for each frame.

    Raises:
        RefusedError: when the verb's precondition does not hold.
    """
    reason = why_not(household, step)
    if reason is not None:
        raise RefusedError(f"Cannot {step.verb} {step.object}: {reason}")
    yield from VERBS[step.verb].perform(household, step)


def why_not(household: Household, step: Step) -> str | None:
    """Returns the sentence that says why a step cannot be done now; ``None`` when it can."""
    if step.verb not in VERBS:
        raise UnknownIdError("verb", step.verb, VERBS)
    verb = VERBS[step.verb]
    if verb.needs_target != bool(step.target):
        raise UsageError(f"Expected {'a' if verb.needs_target else 'no'} target for {step.verb!r}, got {step}.")
    for name in (step.object, step.target):
        thing_id, _ = door_of(household, name) if name else ("", None)
        if thing_id and not household.exists(thing_id) and household.placed(thing_id):
            return f"{whole_of(thing_id)} is whole; slice it first."
        if thing_id:
            household.placed(thing_id)
    return verb.refusal(household, step)
