"""What worlds must do to be learned in by proximal policy optimisation."""

from __future__ import annotations

from typing import Any, Protocol

from torch import Tensor

from pentathlon.learning.reinforcement.ppo_policy import Observations


class Worlds(Protocol):
    """Many worlds that act at once, as Gymnasium's vector environments with same-step resets do."""

    num_envs: int

    def reset(self, *, seed: int | None = None) -> tuple[Observations, dict[str, Any]]:
        """Begins episodes in all worlds."""
        ...

    def step(self, actions: Tensor, /) -> tuple[Observations, Tensor, Tensor, Tensor, dict[str, Any]]:
        """Returns observations, rewards, whether episodes ended by themselves, by their limit, and more."""
        ...


class TaughtWorlds(Worlds, Protocol):
    """Worlds with a teacher in them, whose observations are those of `Lessons`, too."""

    def led(self, actions: Tensor, /) -> Tensor:
        """Returns the actions with the teacher's own where it leads."""
        ...
