"""A person who explores: sees the picture, is told what the hand feels, chooses each action and answers in words."""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from pentathlon.core import Briefing, ChoiceSpec, InteractionSpec, content_hash
from pentathlon.core.entrants import Images, Observation
from pentathlon.core.errors import EntrantError
from pentathlon.events.explore.protocol import ACTIONS, GRASPS, any_size
from pentathlon.events.explore.questions.scoring import checked_answer
from pentathlon.models.person import Choice, Desk, Group, Logbook, View
from pentathlon.models.person.desk import to_jpeg

FEELINGS = ("nothing", "something slips: too heavy for this force", "it holds something")
TITLES = {1: ("I: explore", "II: answer"), 3: ("III: return", "IV: answer again")}
OPEN = re.compile(r"(?:what|which|how|count|name|tell)\b", re.IGNORECASE)
"""Questions that yes or no does not answer."""
FORCES = tuple(label.partition(" ")[2] for label in GRASPS)
FACTORY = "pentathlon.events.explore.people.person:PersonAgent"
_BODY = {
    "MoveAhead": "KeyW", "MoveBack": "KeyS", "RotateLeft": "KeyA", "RotateRight": "KeyD", "LookUp": "KeyR",
    "LookDown": "KeyF",
}  # fmt: skip
_HAND = {
    "GripperAhead": "KeyI", "GripperBack": "KeyK", "GripperLeft": "KeyJ", "GripperRight": "KeyL", "GripperUp": "KeyU",
    "GripperDown": "KeyO", "RaiseArm": "KeyT", "LowerArm": "KeyG", "Release": "KeyX", "Open": "KeyC", "Close": "KeyV",
}  # fmt: skip
_JOINTS = {
    "ShoulderLeft": "Digit1", "ShoulderRight": "Digit2", "ShoulderUp": "Digit3", "ShoulderDown": "Digit4",
    "ElbowUp": "Digit5", "ElbowDown": "Digit6", "WristUp": "Digit7", "WristDown": "Digit8", "WristLeft": "Digit9",
    "WristRight": "Digit0", "ForearmLeft": "Minus", "ForearmRight": "Equal",
}  # fmt: skip
GROUPS = (
    Group("Body and eyes", tuple(Choice(label, key) for label, key in _BODY.items())),
    Group("Hand", (Choice("Grasp", "Space", FORCES, "kgf"), *(Choice(label, key) for label, key in _HAND.items()))),
    Group("Joints of the arm", tuple(Choice(label, key) for label, key in _JOINTS.items())),
    Group("Phase", (Choice("Done"),)),
)


class PersonAgent:
    """Asks somebody at a desk.

    Attributes:
        at_own_pace: nobody is hurried.
        fingerprint: the same for the same name, which continues its run.
        notes: of the trial, for its record.
    """

    spec = InteractionSpec(any_size("rgb", "acted", "touch", "hand_m"), ChoiceSpec(ACTIONS), answers=True)
    at_own_pace = True

    def __init__(self, desk: Desk, name: str, logbooks: Path, *, replay: bool = False) -> None:
        """Takes somebody's place at a desk; each trial has a file among the ``logbooks``."""
        self._desk, self._logbooks, self._replay = desk, logbooks, replay
        self.fingerprint = content_hash({"person": name, "replay": replay})

    def reset(self, briefing: Briefing) -> None:
        """Begins a trial, or goes on with it where it was stopped."""
        self._logbook, self._news = Logbook(self._file(briefing.seed)), ""
        self.notes: dict[str, Any] = {
            "replay": self._replay,
            "again": self._logbook.left,
            "session_minutes": [0.0, 0.0],
        }
        if self._logbook.left:
            self._desk.tell(f"Doing {self._logbook.left:,} choices again, as far as you were …")
        self.brief(briefing)

    def forget(self, seed: int) -> None:
        """Drops what is kept of a trial, once it is recorded."""
        self._file(seed).unlink(missing_ok=True)

    def _file(self, seed: int) -> Path:
        return self._logbooks / f"{seed}.jsonl"

    def brief(self, briefing: Briefing) -> None:
        """Begins a phase."""
        facts = briefing.facts
        self._phase, self._steps, self._told = int(facts["phase"]), int(facts["steps"]), briefing.instruction
        self._known = tuple(zip(facts.get("questions", ()), facts.get("answers", ()), strict=True))
        self._taken, self._asked, self._last = 0, 0, ""
        self._seen: list[bytes] = []
        self._desk.show_again(())

    def act(self, observation: Observation) -> str:
        """Waits for the choice of an action.

        Raises:
            KeyboardInterrupt: when the person stops for now.
        """
        picture = np.ascontiguousarray(observation["rgb"])
        if self._replay:
            self._seen.append(to_jpeg(picture))
        chosen = self._given(zlib.crc32(picture.data), lambda: self._choose(observation, picture))
        self._taken, self._last = self._taken + 1, chosen
        return chosen

    def answer(self, question: str) -> str:
        """Waits for an answer; one that cannot be taken is asked for again."""
        given = self._given(zlib.crc32(question.encode()), lambda: self._reply(question))
        self._asked += 1
        return given

    def _given(self, seen: int, ask: Callable[[], str]) -> str:
        again = self._logbook.recall(seen)
        if again is not None:
            return again
        if self._logbook.lost:
            self._news = (
                f"From here on it looks otherwise than when you played; what you did after it, {self._logbook.lost:,} "
                f"choices, is kept in {self._logbook.set_aside}. "
            )
            self._logbook.lost = 0
        began = time.monotonic()
        given, self._news = ask(), ""
        self.notes["session_minutes"][self._phase // 2] += (time.monotonic() - began) / 60
        self._logbook.keep(seen, given)
        return given

    def _choose(self, observation: Observation, picture: Images) -> str:
        hand_m = ", ".join(f"{value:.2f}" for value in np.asarray(observation["hand_m"]).tolist())
        blocked = bool(self._last) and not bool(observation["acted"])
        view = View(
            title=TITLES[self._phase][0],
            told=self._told,
            dials=(
                ("steps left", f"{self._steps - self._taken:,}"),
                ("the hand feels", FEELINGS[int(observation["touch"])]),
                ("hand ahead, left, up", f"{hand_m} m"),
            ),
            news=self._news + (f"{spaced(self._last)} had no effect." if blocked else ""),
            known=self._known,
        )
        while (chosen := self._desk.ask(view, picture)) not in ACTIONS:
            pass
        return chosen

    def _reply(self, question: str) -> str:
        self._desk.show_again(self._seen)
        news = self._news
        while True:
            view = View(
                title=TITLES[self._phase][1],
                told="Answer with yes or no, a number, or words such as black and silver; guess where you do not know.",
                dials=(("question", f"{self._asked + 1}" + (f" of {len(self._known)}" if self._known else "")),),
                news=news,
                question=question,
                yes_no=OPEN.match(question) is None,
                known=self._known[self._asked : self._asked + 1],
                known_from=self._asked + 1,
                shown=len(self._seen),
            )
            given = self._desk.ask(view)
            try:
                checked_answer(given)
            except EntrantError:
                news = "Answer in words or a number, in at most 200 characters."
            else:
                return given


def spaced(label: str) -> str:
    """Writes an action as the page does: "Gripper ahead"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", label).capitalize()
