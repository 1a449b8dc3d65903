"""What an entrant that runs elsewhere declares to use and to give, as it travels."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from pentathlon.core.errors import DataError, EntrantError
from pentathlon.core.specs import ArraySpec, ChoiceSpec, EncoderSpec, InteractionSpec, JudgeSpec
from pentathlon.models.remote.checks import IMAGES_AT_ONCE

MAX_ANSWER_BYTES = 2**20
MOST_FRAMES = 256
"""Of a clip: they are read and held here, however many the judge's machine could take."""


class Ready(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What a policy or agent uses and gives: an array or one of ``labels``, and answers where it ``answers``."""

    observations: tuple[ArraySpec, ...]
    action: ArraySpec | None
    labels: tuple[str, ...] = ()
    answers: bool = False


class ReadyEncoder(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What an encoder gives and takes."""

    dim: int
    image_size: tuple[int, int]


class ReadyJudge(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """What a judge takes."""

    frames: int | None


Declared: TypeAlias = Ready | ReadyEncoder | ReadyJudge


def declare(spec: object) -> Declared:
    """Writes down what an entrant uses and gives.

    Raises:
        EntrantError: when its spec is none that can be sent.
    """
    match spec:
        case EncoderSpec():
            return ReadyEncoder(spec.dim, (spec.image_size[0], spec.image_size[1]))
        case JudgeSpec():
            return ReadyJudge(spec.frames)
        case InteractionSpec(action=ChoiceSpec(labels)):
            return Ready(tuple(spec.observations), None, tuple(labels), spec.answers)
        case InteractionSpec(action=ArraySpec() as action):
            return Ready(tuple(spec.observations), action, answers=spec.answers)
    given = type(getattr(spec, "action", spec)).__name__
    raise EntrantError(
        f"The entrant declares a {given}, expected the spec of its kind with an array or labels as action."
    )


def encoder_spec(ready: ReadyEncoder) -> EncoderSpec:
    """Reads what an encoder declared; its patch features stay where it is, since no task takes them.

    Raises:
        DataError: when features of that length cannot be sent, or no picture has that size.
    """
    if not (0 < 4 * IMAGES_AT_ONCE * ready.dim < MAX_ANSWER_BYTES and min(ready.image_size) > 0):
        raise DataError(f"The encoder declares features of length {ready.dim} for {ready.image_size} pixels.")
    return EncoderSpec(ready.dim, ready.image_size)


def judge_spec(ready: ReadyJudge) -> JudgeSpec:
    """Reads what a judge declared.

    Raises:
        DataError: when no clip has that many frames.
    """
    if ready.frames is not None and not 1 <= ready.frames <= MOST_FRAMES:
        raise DataError(f"The judge declares {ready.frames} frames for a clip, expected 1 to {MOST_FRAMES}.")
    return JudgeSpec(ready.frames)


def interaction_spec(ready: Ready) -> InteractionSpec:
    """Reads what a policy or agent declared.

    Raises:
        DataError: when it gives nothing.
    """
    if ready.action is None and not ready.labels:
        raise DataError("The entrant declares no action.")
    return InteractionSpec(ready.observations, ready.action or ChoiceSpec(ready.labels), ready.answers)
