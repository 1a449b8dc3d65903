"""A chat model that searches: it sees the picture and chooses an action, or a point that it is walked to."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from pentathlon.core.entrants import Briefing, Observation
from pentathlon.core.errors import EntrantError
from pentathlon.core.specs import ChoiceSpec, InteractionSpec
from pentathlon.events.find.agents.chat_words import AGAIN, Choice, Pixel, make_question, read_choice
from pentathlon.events.find.agents.cow import MAP_PX
from pentathlon.events.find.agents.eyes import DEPTH, RGB
from pentathlon.events.find.agents.insight import Insight
from pentathlon.models.chat import ChatModel, ChatSettings, assistant, open_chat, user
from pentathlon.models.navigation.back_projection import Points, thinned
from pentathlon.models.navigation.mapper import Cell
from pentathlon.models.navigation.settings import MENDED
from pentathlon.models.navigation.walk import BodyFacts, Walk
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, Action

ATTEMPTS = 3
SETTINGS = ChatSettings(timeout_s=60.0, tries=4)
"""All tries together stay below the protocol's limit for one action."""
# A walk to a point ends so near, after so many steps, or after so many bumps.
REACHED_CELLS, MOST_STEPS, MOST_BUMPS = 2.0, 24, 3


class ChatAgent:
    """Asks for every action that is not part of a walk to a point.

    Attributes:
        notes: of the episode, for its record: questions, refusals, answers that were none, tokens, and what was said.
        insight: what records and videos show.
    """

    spec = InteractionSpec((RGB, DEPTH), ChoiceSpec(ACTIONS))

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    def reset(self, briefing: Briefing) -> None:
        """Starts an episode."""
        self._sentence = briefing.instruction
        self._walk = Walk(BodyFacts.of_briefing(briefing.facts), MENDED)
        self._history: list[str] = []
        self._goal: Cell | None = None
        self._queue: deque[Action] = deque()
        self._bumps, self._until = 0, 0
        self.notes: dict[str, Any] = {"questions": 0, "refused": 0, "unusable": 0, "tokens": [0, 0], "said": []}

    def act(self, observation: Observation) -> Action:
        """Goes on with a walk to a point, or asks.

        Raises:
            EntrantError: when the model gives no usable answer, however often it is asked.
        """
        points, failed = self._walk.see(np.asarray(thinned(observation["depth_m"], MAP_PX), np.float32))
        if failed and self._history:
            self._history[-1] += " (blocked)"
            self._queue.clear()
            self._bumps += 1
        walking = self._goal is not None
        action = self._go_on() if walking else None
        if action is None:
            action = self._follow(*self._ask(observation["rgb"], points))
        self._walk.odometry.will(action)
        self.insight = Insight("walk" if walking and self._goal is not None else "ask", None, self._walk)
        return action

    def _ask(self, picture: Any, points: Points) -> tuple[Choice, Cell | None]:
        """Returns what the model chooses, and where its point lies on the map if it names one."""
        step = self._walk.step
        messages = make_question(self._sentence, self._walk.body, step, self._history, picture)
        text = ""
        for _ in range(ATTEMPTS):
            answer = self._model.ask(messages)
            text = answer.text
            self._note(step, text, answer.ending == "refused", answer.tokens_in, answer.tokens_out)
            try:
                choice = read_choice(text, picture.shape[1], picture.shape[0])
                return choice, self._cell(choice, picture, points)
            except EntrantError as error:
                self.notes["unusable"] += 1
                messages = [*messages, assistant(text or "(nothing)"), user(AGAIN.format(why=error))]
        raise EntrantError(
            f"Expected an action or a point from {self._model.model} at step {step}, got none in {ATTEMPTS} answers; "
            f"the last was {text[:200]!r}."
        )

    def _cell(self, choice: Choice, picture: Any, points: Points) -> Cell | None:
        if not isinstance(choice.wish, Pixel):
            return None
        rows, columns = points.x_m.shape
        at = choice.wish.row * rows // picture.shape[0], choice.wish.column * columns // picture.shape[1]
        if not np.isfinite(points.x_m[at]):
            raise EntrantError(f"Expected a point whose distance is known, got {list(choice.wish)}.")
        return self._walk.floor.cell(float(points.x_m[at]), float(points.y_m[at]))

    def _note(self, step: int, text: str, refused: bool, tokens_in: int, tokens_out: int) -> None:
        read, written = self.notes["tokens"]
        self.notes["questions"] += 1
        self.notes["refused"] += refused
        self.notes["tokens"] = [read + tokens_in, written + tokens_out]
        self.notes["said"].append([step, text[:200]])

    def _follow(self, choice: Choice, goal: Cell | None) -> Action:
        """Begins what was chosen; a point that is reached already is answered by a look around."""
        what = choice.wish if goal is None else f"walked to the point {list(choice.wish)}"
        self._history.append(f"step {self._walk.step}: {what}" + (f": {choice.thought}" if choice.thought else ""))
        self._bumps, self._goal, self._until = 0, goal, self._walk.step + MOST_STEPS
        if not isinstance(choice.wish, Pixel):
            return choice.wish
        action = self._go_on()
        if action is None:
            self._history[-1] += " (already there)"
        return action or "RotateLeft"

    def _go_on(self) -> Action | None:
        """The next action towards the point; ``None`` where the walk is over."""
        assert self._goal is not None
        over = self._walk.step >= self._until or self._bumps > MOST_BUMPS
        if not self._queue and not over:
            self._queue.extend(self._towards(self._goal))
        if over or not self._queue:
            self._goal = None
            self._queue.clear()
            return None
        return self._queue.popleft()

    def _towards(self, goal: Cell) -> list[Action]:
        chart = self._walk.chart()
        cells = np.argwhere(np.isfinite(chart.distance))
        offset = cells + np.array(chart.origin) - np.array(goal)
        nearest = cells[int(np.argmin(np.hypot(*offset.T)))]
        if chart.distance[tuple(nearest)] < REACHED_CELLS:
            return []
        return self._walk.towards(chart, nearest[None])


def make_chat(model: str, **terms: Any) -> ChatAgent:
    """Builds the agent; the terms are those of :func:`~pentathlon.models.chat.open_chat`."""
    return ChatAgent(open_chat(model, settings=SETTINGS, **terms))
