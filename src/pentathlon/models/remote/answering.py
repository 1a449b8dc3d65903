"""Has an entrant answer a question; the same for a server of its owner's and for the program in the sandbox."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from pentathlon.core.entrants import Briefing
from pentathlon.core.errors import DataError
from pentathlon.models.remote.arrays import PackedArray, pack
from pentathlon.models.remote.questions import (
    Act,
    Ask,
    Brief,
    Chosen,
    Done,
    Encode,
    Encoded,
    Picked,
    PlainAnswer,
    Predict,
    Question,
    Rebrief,
    Reply,
    Reset,
    Score,
    Scored,
    Seen,
    Sent,
    Told,
)


class BadAnswerError(DataError):
    """The entrant gave something that cannot be sent."""


def answer_with(entrant: Any, question: Question[Sent], unpack: Callable[[Sent], npt.NDArray[Any]]) -> Reply:
    """Asks ``entrant``; ``unpack`` makes an array of what stands for it in the question.

    Raises:
        BadAnswerError: when it gives no array of numbers, or no text, where one is due.
        Exception: whatever the entrant raises.
    """
    match question:
        case Reset(ticket):
            entrant.reset()
            return Done(ticket)
        case Rebrief(ticket, instruction, seed, facts):
            entrant.brief(Briefing(instruction, seed, facts))
            return Done(ticket)
        case Brief(ticket, instruction, seed, facts):
            entrant.reset(Briefing(instruction, seed, facts))
            return Done(ticket)
        case Predict(ticket, seen):
            return Chosen(ticket, _packed(entrant.predict(_observation(seen, unpack)), "action"))
        case Act(ticket, seen):
            action = entrant.act(_observation(seen, unpack))
            return Picked(ticket, action) if isinstance(action, str) else Chosen(ticket, _packed(action, "action"))
        case Ask(ticket, text):
            return Told(ticket, _plain(entrant.answer(text)))
        case Encode(ticket, images):
            return Encoded(ticket, _packed(entrant.encode(unpack(images)).pooled, "features"))
        case Score(ticket, clip, descriptions):
            return Scored(ticket, _packed(entrant.score(unpack(clip), descriptions), "scores"))


def _observation(seen: Seen[Sent], unpack: Callable[[Sent], npt.NDArray[Any]]) -> dict[str, Any]:
    return {**seen.plain, **{name: unpack(array) for name, array in seen.arrays.items()}}


def _plain(answer: Any) -> PlainAnswer:
    try:
        plain: PlainAnswer = msgspec.convert(answer, PlainAnswer)
        return plain
    except (msgspec.ValidationError, TypeError) as error:
        raise BadAnswerError(
            f"The entrant's answer is neither text nor a number: got {type(answer).__name__}."
        ) from error


def _packed(values: Any, what: str) -> PackedArray:
    try:
        return pack(np.asarray(values))
    except (DataError, TypeError, ValueError) as error:
        raise BadAnswerError(f"The entrant's {what} are no array of numbers: {error}") from error
