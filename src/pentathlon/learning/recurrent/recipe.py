"""How a policy with memory is cloned; plain values, so that tables of tasks import no torch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RecurrentRecipe:
    """Cloning of a GRU from whole episodes.

    Attributes:
        memory: width of the GRU.
        episodes_per_batch: whole demonstrations in one step of the optimiser.
        turning_weight: how much more an action counts that differs from the one before (Wijmans et al. 2019's
            inflection weighting): most steps of a walk go straight ahead, and the others decide.
    """

    epochs: int = 100
    memory: int = 256
    episodes_per_batch: int = 8
    learning_rate: float = 1e-3
    largest_gradient: float = 0.5
    turning_weight: float = 3.0
