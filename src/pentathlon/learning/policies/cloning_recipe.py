"""How policies are trained, as plain values that protocols record. Imports no torch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CloningRecipe:
    """How a policy is trained.

    Attributes:
        hidden: widths of the hidden layers.
        normalise_input: batch normalisation of the input.
        weight_decay: of AdamW; 0 is plain Adam.
        epochs: passes over all demonstration steps.
    """

    hidden: tuple[int, ...] = (256, 256, 256)
    normalise_input: bool = True
    learning_rate: float = 1e-3
    weight_decay: float = 0.0
    batch_size: int = 256
    epochs: int = 100


CORTEX_MUJOCO = CloningRecipe()
"""Adroit, MetaWorld and DMControl: batch-normalised input, three layers of 256, Adam."""

CORTEX_TRIFINGER = CloningRecipe((2000, 2000), normalise_input=False, learning_rate=1e-4, batch_size=32)
"""TriFinger: two layers of 2000, AdamW without decay."""
