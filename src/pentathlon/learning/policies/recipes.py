"""How policies are trained, as plain values that protocols record. Imports no torch."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from pentathlon.core.errors import UsageError
from pentathlon.learning.policies.trajectories import Selection


@dataclass(frozen=True)
class CloningRecipe:
    """Behaviour cloning on frozen features, as CortexBench trains its policies.

    Attributes:
        hidden: widths of the hidden layers.
        normalise_input: batch normalisation of the input.
        standardise_input: each input less its mean over the demonstrations, over its spread there.
        weight_decay: of AdamW; 0 is plain Adam.
        epochs: passes over all demonstration steps.
    """

    hidden: tuple[int, ...] = (256, 256, 256)
    normalise_input: bool = True
    standardise_input: bool = False
    learning_rate: float = 1e-3
    weight_decay: float = 0.0
    batch_size: int = 256
    epochs: int = 100


CORTEX_MUJOCO = CloningRecipe()
"""Adroit, MetaWorld and DMControl: batch-normalised input, three layers of 256, Adam."""

CORTEX_TRIFINGER = CloningRecipe((2000, 2000), normalise_input=False, learning_rate=1e-4, batch_size=32)
"""TriFinger: two layers of 2000, AdamW without decay."""


@dataclass(frozen=True)
class OfflineRecipe:
    """Which trajectories are learned from; refuses counts below one, which no learner can use."""

    selection: Selection = "successful"

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type in ("int", int, "int | None") and value is not None and value < 1:
                raise UsageError(f"Expected {field.name} of 1 or more in {type(self).__name__}, got {value}.")


@dataclass(frozen=True)
class BcRecipe(OfflineRecipe):
    """Chunked behaviour cloning; the defaults are TOTO's quasi-open-loop baseline.

    Attributes:
        horizon: actions predicted and carried out between two looks; 1 is closed loop.
        selection: which trajectories are cloned.
        hidden: widths of the hidden layers.
        epochs: passes over all chunks.
        loss: of the joint targets, in radians. The least squared error is that of the mean of what was done, the least
            absolute error that of the median, which leaves the fewer left hands aside.
        points: places that are learned with the policy, over the cells of the embedding; none leaves it as it is.
        cells: rows and columns of those cells.
    """

    horizon: int = 50
    selection: Selection = "successful"
    hidden: tuple[int, ...] = (128, 128)
    dropout: float = 0.1
    learning_rate: float = 1e-3
    batch_size: int = 128
    epochs: int = 80
    loss: Literal["squared", "absolute"] = "squared"
    points: int | None = None
    cells: tuple[int, int] = (8, 8)


@dataclass(frozen=True)
class VinnRecipe(OfflineRecipe):
    """Nearest neighbours; the defaults are TOTO's, but for ``neighbours``, which it leaves open.

    Attributes:
        horizon: steps of the nearest trajectory replayed between two looks; 1 averages neighbours at every step.
        neighbours: how many are averaged when the horizon is 1.
        with_joints: whether joints stand beside the embedding when distances are measured.
    """

    horizon: int = 50
    neighbours: int = 16
    with_joints: bool = False
    selection: Selection = "successful"


@dataclass(frozen=True)
class IqlRecipe(OfflineRecipe):
    """Implicit Q-learning; the defaults are those of Kostrikov et al. 2021 for locomotion, and d3rlpy's.

    Attributes:
        expectile: of the value loss, eq. 5; 0.5 is the mean of the data's actions, 1 their best.
        temperature: by which advantages are multiplied before the exponential, eq. 7.
        largest_weight: at which the exponential is cut.
        discount: per step.
        target_rate: share of the critics that flows into their target at each step.
    """

    selection: Selection = 1.0
    hidden: tuple[int, ...] = (256, 256)
    expectile: float = 0.7
    temperature: float = 3.0
    largest_weight: float = 100.0
    discount: float = 0.99
    target_rate: float = 0.005
    learning_rate: float = 3e-4
    batch_size: int = 256
    steps: int = 1_000_000


@dataclass(frozen=True)
class DtRecipe(OfflineRecipe):
    """Decision transformer: sub-sampling, window and prompt are TOTO's, the rest Chen et al. 2021's.

    Attributes:
        period: one of so many frames is seen, and an action covers as many control steps.
        window: frames of history.
        prompt_share: the return asked for is the mean of this share of the highest returns.
        warmup_steps: in which the learning rate rises.
        largest_gradient: norm at which gradients are cut.
    """

    selection: Selection = 1.0
    period: int = 8
    window: int = 10
    prompt_share: float = 0.1
    width: int = 128
    layers: int = 3
    heads: int = 1
    dropout: float = 0.1
    learning_rate: float = 1e-4
    weight_decay: float = 1e-4
    warmup_steps: int = 10_000
    largest_gradient: float = 0.25
    batch_size: int = 64
    steps: int = 100_000
