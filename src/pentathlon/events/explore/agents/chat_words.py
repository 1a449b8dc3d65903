"""What is said to a chat model that explores a house, and how its replies are read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pentathlon.core import Briefing
from pentathlon.core.errors import EntrantError
from pentathlon.events.explore.protocol import ACTIONS, MOVES
from pentathlon.events.explore.questions.scoring import MOST_CHARACTERS
from pentathlon.models.chat import Message, last_object, picture_part, system, user

HISTORY = 24
MOST_ACTIONS = 16
LONGEST_NOTE = 600
RULES = """\
You steer a robot with an arm through a home. Its camera is {camera_height_m:.2f} m above the floor and sees \
{fovy_deg:.0f} degrees; what it sees now is the picture. {task}
Actions: {moves}; "Grasp 0.05" to "Grasp 5.00", in steps of 0.05: takes what the finger tips are at if it weighs at \
most so many kilograms, else it slips: so you learn weights; Done, when you know enough. MoveAhead and MoveBack move \
by {step_m:g} m, turns, looks and hinges by {angle_deg:g} degrees, the gripper and the lift by {arm_step_m:g} m. \
Open and Close work near a handle.
You remember nothing but your notes: write down each thing with its room, colours, materials, size, what it is on, in \
or next to, and its weight.
Reply with one JSON object: {{"note": "what is new, or empty", "actions": ["RotateLeft", "MoveAhead"]}}, with at most \
{most} actions; they end where one is blocked."""
ANSWERING = (
    "You explored a home and wrote these notes. Answer the question in as few words as possible: yes or no, a number, "
    "or words such as 'black and silver'. Guess where you do not know."
)
AGAIN = "That cannot be used: {why} Reply again."
_KNOWN = {action.lower(): action for action in ACTIONS}


class Scene(NamedTuple):
    """What a model is told of the present moment; the hand is so far ahead, left and up."""

    step: int
    history: Sequence[str]
    notes: Sequence[str]
    touch: str
    hand_m: tuple[float, ...]


class Plan(NamedTuple):
    """What a model wants to do, and to remember."""

    actions: tuple[str, ...]
    note: str = ""


class Task(NamedTuple):
    """What stays the same in a phase: the rules, and how many steps there are."""

    rules: str
    steps: int


def make_briefing(briefing: Briefing) -> Task:
    """Writes the rules of a phase, with its questions and earlier answers if there are any."""
    facts = dict(briefing.facts)
    pairs = zip(facts.get("questions", ()), facts.get("answers", ()), strict=True)
    asked = "".join(f"\n- {question} (you answered: {answer})" for question, answer in pairs)
    numbers = {
        name: float(facts.get(name, usual))
        for name, usual in (
            ("camera_height_m", 1.38),
            ("fovy_deg", 83.6),
            ("step_m", 0.25),
            ("angle_deg", 15.0),
            ("arm_step_m", 0.05),
        )
    }
    rules = RULES.format(task=briefing.instruction + asked, moves=", ".join(MOVES), most=MOST_ACTIONS, **numbers)
    return Task(rules, int(facts.get("steps", 0)))


def make_question(task: Task, scene: Scene, picture: Any) -> list[Message]:
    """Asks for the next actions."""
    before, notes = ", ".join(scene.history[-HISTORY:]) or "nothing yet", "\n".join(scene.notes) or "none yet"
    ahead, left, up = scene.hand_m
    told = (
        f"Step {scene.step} of {task.steps}. Your notes:\n{notes}\nDone before: {before}.\n"
        f"The hand is {ahead:g} m ahead, {left:g} m to the left and {up:g} m up; it feels {scene.touch}."
    )
    return [system(task.rules), user(told, picture_part(picture))]


def make_answering(notes: Sequence[str], question: str) -> list[Message]:
    """Asks a question about the house."""
    return [system(ANSWERING), user("Your notes:\n" + ("\n".join(notes) or "none") + f"\n\nQuestion: {question}")]


def read_plan(text: str) -> Plan:
    """Reads a reply.

    Raises:
        EntrantError: when it has no actions, or one that is none.
    """
    found = last_object(text)
    given = None if found is None else found.get("actions")
    if found is None or not isinstance(given, list) or not given:
        raise EntrantError(f"Expected a JSON object with actions, got {text[:160]!r}.")
    actions = [_KNOWN.get(str(action).strip().lower()) for action in given[:MOST_ACTIONS]]
    unknown = [name for name, action in zip(given, actions, strict=False) if action is None]
    if unknown:
        raise EntrantError(f"Expected actions such as MoveAhead or 'Grasp 0.25', got {unknown[0]!r}.")
    return Plan(tuple(filter(None, actions)), str(found.get("note") or "")[:LONGEST_NOTE])


def read_answer(text: str) -> str:
    """Reads an answer: its last line that is not empty, cut to what may be answered.

    Raises:
        EntrantError: when there is none.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip(" .!\"'")]
    if not lines:
        raise EntrantError("Expected a short answer, got an empty one.")
    return lines[-1][:MOST_CHARACTERS]
