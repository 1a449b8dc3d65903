"""A chat model that explores: it sees the picture, keeps notes, chooses some actions at a time, and answers by them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from pentathlon.core import Briefing, ChoiceSpec, InteractionSpec
from pentathlon.core.entrants import Observation
from pentathlon.core.errors import EntrantError
from pentathlon.events.explore.agents.chat_words import (
    AGAIN,
    Scene,
    make_answering,
    make_briefing,
    make_question,
    read_answer,
    read_plan,
)
from pentathlon.events.explore.protocol import ACTIONS, any_size
from pentathlon.models.chat import ChatModel, ChatSettings, Message, assistant, open_chat, user

T = TypeVar("T")
ATTEMPTS = 3
SETTINGS = ChatSettings(timeout_s=60.0, tries=4)
"""All tries together stay below the protocol's limit for one action."""
MOST_QUESTIONS = 250
"""Of a phase; then it says Done."""
MOST_NOTES = 4000
FEELINGS = ("nothing", "something that slips: it is heavier than the force", "what it holds")


class ChatAgent:
    """Asks for a few actions at a time and stops them where one is blocked.

    Attributes:
        notes: of the trial, for its record: questions, answers that were none, tokens, and what it wrote down.
    """

    spec = InteractionSpec(any_size("rgb", "acted", "touch", "hand_m"), ChoiceSpec(ACTIONS), answers=True)

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    def reset(self, briefing: Briefing) -> None:
        """Begins an episode without notes."""
        self._memory: list[str] = []
        self.notes: dict[str, Any] = {"questions": 0, "unusable": 0, "tokens": [0, 0], "written": self._memory}
        self.brief(briefing)

    def brief(self, briefing: Briefing) -> None:
        """Begins a phase with the notes of before."""
        self._task = make_briefing(briefing)
        self._queue: deque[str] = deque()
        self._history: list[str] = []
        self._step, self._asked = 0, 0

    def act(self, observation: Observation) -> str:
        """Goes on with what was chosen, or asks what to do next.

        Raises:
            EntrantError: when the model gives no usable answer, however often it is asked.
        """
        if self._history and not bool(observation["acted"]):
            self._history[-1] += " (blocked)"
            self._queue.clear()
        if not self._queue:
            if self._asked == MOST_QUESTIONS:
                return "Done"
            self._plan(observation)
        self._step += 1
        self._history.append(self._queue.popleft())
        return self._history[-1]

    def answer(self, question: str) -> str:
        """Answers from the notes."""
        return self._ask(make_answering(self._memory, question), read_answer)

    def _plan(self, observation: Observation) -> None:
        scene = Scene(
            self._step,
            self._history,
            self._memory,
            FEELINGS[int(observation["touch"])],
            tuple(round(float(value), 2) for value in observation["hand_m"]),
        )
        picture = np.asarray(observation["rgb"])
        plan = self._ask(make_question(self._task, scene, picture), read_plan)
        self._asked += 1
        self._queue.extend(plan.actions)
        if plan.note:
            self._memory.append(plan.note)
        while sum(map(len, self._memory)) > MOST_NOTES:
            self._memory.pop(0)

    def _ask(self, messages: list[Message], read: Callable[[str], T]) -> T:
        text = ""
        for _ in range(ATTEMPTS):
            answer = self._model.ask(messages)
            text = answer.text
            read_tokens, written = self.notes["tokens"]
            self.notes["tokens"] = [read_tokens + answer.tokens_in, written + answer.tokens_out]
            self.notes["questions"] += 1
            try:
                return read(text)
            except EntrantError as error:
                self.notes["unusable"] += 1
                messages = [*messages, assistant(text or "(nothing)"), user(AGAIN.format(why=error))]
        raise EntrantError(
            f"Expected actions or an answer from {self._model.model} at step {self._step}, got none in {ATTEMPTS} "
            f"replies; the last was {text[:200]!r}."
        )


def make_chat(model: str, **terms: Any) -> ChatAgent:
    """Builds the agent; the terms are those of :func:`~pentathlon.models.chat.open_chat`."""
    return ChatAgent(open_chat(model, settings=SETTINGS, **terms))
