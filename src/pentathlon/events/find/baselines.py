"""Agents to measure others by: one that acts at random, one that stops at once, one that is told the way."""

from __future__ import annotations

import numpy as np

from pentathlon.core.entrants import Briefing, Observation
from pentathlon.core.specs import ArraySpec, ChoiceSpec, InteractionSpec
from pentathlon.events.find.protocol import ACTIONS


class RandomAgent:
    """Chooses every action, Stop too, with the same chance."""

    spec = InteractionSpec((), ChoiceSpec(ACTIONS))

    def __init__(self) -> None:
        self._random = np.random.default_rng(0)

    def reset(self, briefing: Briefing) -> None:
        """Starts an episode."""
        self._random = np.random.default_rng(briefing.seed)

    def act(self, observation: Observation) -> str:
        """Draws an action."""
        return ACTIONS[int(self._random.integers(len(ACTIONS)))]


class StopAgent:
    """Stops at once."""

    spec = InteractionSpec((), ChoiceSpec(ACTIONS))

    def reset(self, briefing: Briefing) -> None:
        """Starts an episode."""

    def act(self, observation: Observation) -> str:
        """Stops."""
        return "Stop"


class OracleAgent:
    """Walks the shortest way, which it is told: a ceiling, not an entrant."""

    spec = InteractionSpec((ArraySpec("true_action", (), "int64"),), ChoiceSpec(ACTIONS))

    def reset(self, briefing: Briefing) -> None:
        """Starts an episode."""

    def act(self, observation: Observation) -> str:
        """Does what it is told."""
        return ACTIONS[int(observation["true_action"])]
