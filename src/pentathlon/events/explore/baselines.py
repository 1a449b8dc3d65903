"""Agents to measure others by, as the paper's: one that guesses, one that knows the words of the questions alone."""

from __future__ import annotations

import numpy as np

from pentathlon.core.entrants import Briefing, Observation
from pentathlon.core.specs import ChoiceSpec, InteractionSpec
from pentathlon.events.explore.protocol import ACTIONS
from pentathlon.events.explore.questions.text_only import plausible, shipped_text_only


class Homebody:
    """Does not explore at all: says Done at once, in both phases."""

    spec = InteractionSpec((), ChoiceSpec(ACTIONS), answers=True)

    def reset(self, briefing: Briefing) -> None:
        """Begins an episode."""

    def brief(self, briefing: Briefing) -> None:
        """Has nothing to return for."""

    def act(self, observation: Observation) -> str:
        """Says Done."""
        return "Done"


class RandomAgent(Homebody):
    """Guesses among the answers that fit what a question asks for, the same ones both times."""

    def reset(self, briefing: Briefing) -> None:
        """Begins an episode."""
        self._seed = briefing.seed
        self._asked: dict[str, str] = {}

    def answer(self, question: str) -> str:
        """Draws an answer."""
        if question not in self._asked:
            rng = np.random.default_rng([self._seed, len(self._asked)])
            options = plausible(question)
            self._asked[question] = options[int(rng.integers(len(options)))]
        return self._asked[question]


class LanguageAgent(Homebody):
    """Answers from the words of a question, by a model of questions about the training houses."""

    def __init__(self) -> None:
        self._model = shipped_text_only()

    def answer(self, question: str) -> str:
        """Returns the likeliest answer to such words."""
        return self._model.answer(question)
