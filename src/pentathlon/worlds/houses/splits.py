"""The train, validation and test houses: disjoint ranges of seeds, and of the variants of every object type.

What a house of one split holds, no house of another does: each mug, chair and mirror of a test house is one that was
never seen in training. Seeds beyond all splits make houses of training variants.
"""

from __future__ import annotations

from typing import Literal

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.houses.house import House

Split = Literal["train", "val", "test"]
SEEDS: dict[Split, range] = {
    "train": range(10_000),
    "val": range(10_000, 11_000),
    "test": range(11_000, 12_000),
}
VARIANTS: dict[Split, range] = {
    "train": range(12),
    "val": range(12, 18),
    "test": range(18, 24),
}


def training_variants(group: int, count: int) -> range:
    """Returns ``count`` variants of every type that no val or test house holds, others for each group of houses."""
    first = group * count
    if first + count > VARIANTS["train"].stop:
        first += VARIANTS["test"].stop
    return range(first, first + count)


def split_of_seed(seed: int) -> Split:
    """Returns the split whose variants the house of a seed holds."""
    return next((split for split, seeds in SEEDS.items() if seed in seeds), "train")


def split_seeds(split: str) -> range:
    """Returns the seeds of a split."""
    for name, seeds in SEEDS.items():
        if name == split:
            return seeds
    raise UnknownIdError("split", split, SEEDS)


def split_house(split: str, index: int) -> House:
    """Generates a house of a split by its place in it.

    Raises:
        UsageError: when the split has no such place.
    """
    seeds = split_seeds(split)
    if not 0 <= index < len(seeds):
        raise UsageError(f"Expected an index from 0 to {len(seeds) - 1} in split {split!r}, got {index}.")
    return House.generate(seeds[index])
