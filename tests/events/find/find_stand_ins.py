"""An agent that misbehaves in one trial, which it tells by its seed, and stops at once in the others."""

from __future__ import annotations

from typing import Any

from pentathlon.core.entrants import Briefing
from pentathlon.events.find.baselines import StopAgent


class Misbehaving(StopAgent):
    """Gives an unknown action, or breaks."""

    def __init__(self, fault: str, seed: int) -> None:
        self._fault, self._seed, self._now = fault, seed, False

    def reset(self, briefing: Briefing) -> None:
        self._now = briefing.seed == self._seed

    def act(self, observation: Any) -> Any:
        if not self._now:
            return "Stop"
        if self._fault == "breaks":
            raise RuntimeError("my head hurts")
        return "Jump"
