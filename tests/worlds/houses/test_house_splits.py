from __future__ import annotations

from itertools import combinations

from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.splits import SEEDS, VARIANTS, split_house, split_of_seed


def test_no_two_splits_share_a_seed_or_a_variant() -> None:
    for first, second in combinations(SEEDS, 2):
        assert not set(SEEDS[first]) & set(SEEDS[second])
        assert not set(VARIANTS[first]) & set(VARIANTS[second])


def test_houses_hold_the_variants_of_their_split_only() -> None:
    for split in SEEDS:
        house = split_house(split, 3)
        assert {item.variant for item in house.objects} <= set(VARIANTS[split])
        assert split_of_seed(SEEDS[split][3]) == split


def test_seeds_beyond_the_splits_hold_training_variants() -> None:
    house = House.generate(10**9, 1)
    assert {item.variant for item in house.objects} <= set(VARIANTS["train"])
