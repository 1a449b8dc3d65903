"""``pentathlon train dmcontrol-expert`` and ``train pen-expert``: train an expert of control."""

from __future__ import annotations

from dataclasses import dataclass

from pentathlon.core.runs import Runs
from pentathlon.learning.reinforcement.settings import DmcontrolExpertSettings, PenExpertSettings


@dataclass(frozen=True)
class DmcontrolExpert(DmcontrolExpertSettings):
    """Soft actor-critic for a DMControl task, starting from its planner's episodes."""

    def run(self, runs: Runs) -> int:
        """Trains and names the file."""
        from pentathlon.learning.reinforcement.train_dmcontrol import train_expert

        train_expert(self)
        print(f"Wrote {self.out}.")
        return 0


@dataclass(frozen=True)
class PenExpert(PenExpertSettings):
    """PPO (Schulman et al. 2017) for Adroit's pen."""

    def run(self, runs: Runs) -> int:
        """Trains and names the file."""
        from pentathlon.learning.reinforcement.train_pen import train_expert

        train_expert(self)
        print(f"Wrote {self.out}.")
        return 0
