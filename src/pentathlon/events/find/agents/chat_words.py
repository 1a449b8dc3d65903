"""What is said to a chat model that searches a house, and how its answer is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import EntrantError
from pentathlon.models.chat import Message, last_object, picture_part, system, user
from pentathlon.models.navigation.walk import BodyFacts
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Action

HISTORY = 10
LONGEST_THOUGHT = 160
RULES = """\
You steer a small robot through a home that it has never seen. Its camera is {height_m:.2f} m above the floor and sees \
{fovy_deg:.0f} degrees; what it sees now is the picture.
Find the one thing that the user describes, and no other of its kind. Say Stop when that thing is in the picture and \
at most one metre away: Stop ends the search, and a wrong Stop fails it.
Actions: MoveAhead ({step_m:g} m), RotateLeft and RotateRight ({turn_deg:g} degrees), LookUp and LookDown \
({look_deg:g} degrees), Stop.
Instead of an action you may name a point of the picture to walk to, in pixels from the left and from the top. The \
robot then walks there, or as near as it can, before you are asked again.
Answer with one JSON object: {{"thought": "a few words", "action": "RotateLeft"}} or \
{{"thought": "a few words", "point": [112, 180]}}."""
AGAIN = "That is no answer: {why} Answer with one JSON object that has an action or a point."


class Pixel(NamedTuple):
    """A point of the picture, from the left and from the top."""

    column: int
    row: int


@dataclass(frozen=True)
class Choice:
    """What a model wants, and why."""

    wish: Action | Pixel
    thought: str = ""


Picture: TypeAlias = npt.NDArray[np.uint8]


def make_question(sentence: str, body: BodyFacts, step: int, history: Sequence[str], picture: Picture) -> list[Message]:
    """Asks for the next action; ``history`` tells what was done before, a line for each choice."""
    rules = RULES.format(
        height_m=body.camera.height_m,
        fovy_deg=body.camera.fovy_deg,
        step_m=body.step_m,
        turn_deg=body.turn_deg,
        look_deg=body.look_deg,
    )
    height, width = picture.shape[:2]
    before = "\n".join(history[-HISTORY:]) or "nothing yet"
    asked = (
        f"Find: {sentence}\nStep {step} of {body.steps}. Before:\n{before}\nThe picture is {width} x {height} pixels."
    )
    return [system(rules), user(asked, picture_part(picture))]


def read_choice(text: str, width: int, height: int) -> Choice:
    """Reads an answer: a JSON object somewhere in it, or a text that names exactly one action.

    Raises:
        EntrantError: when it has neither.
    """
    found = last_object(text)
    if found is None:
        return Choice(_only_action(text))
    thought = str(found.get("thought", ""))[:LONGEST_THOUGHT]
    if found.get("point") is not None:
        return Choice(_pixel(found["point"], width, height), thought)
    return Choice(_action(found.get("action")), thought)


def _action(given: Any) -> Action:
    for action in ACTIONS:
        if isinstance(given, str) and given.strip().lower() == action.lower():
            return action
    raise EntrantError(f"Expected one of {', '.join(ACTIONS)} as the action, got {given!r}.")


def _only_action(text: str) -> Action:
    named = [action for action in ACTIONS if re.search(rf"\b{action}\b", text, re.IGNORECASE)]
    if len(named) != 1:
        raise EntrantError(f"Expected one action or a point, got {text[:LONGEST_THOUGHT]!r}.")
    return named[0]


def _pixel(given: Any, width: int, height: int) -> Pixel:
    numbers = isinstance(given, list) and len(given) == 2 and all(type(value) in (int, float) for value in given)
    if not numbers or not (0 <= given[0] < width and 0 <= given[1] < height):
        raise EntrantError(f"Expected a point [0..{width - 1}, 0..{height - 1}] of the picture, got {given!r}.")
    return Pixel(int(given[0]), int(given[1]))
