from __future__ import annotations

import subprocess
import sys

import pytest
from house_checks import check_at_rest_with_a_true_graph

from pentathlon.core import UnknownIdError, UsageError
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.files.checks import problems
from pentathlon.worlds.houses.files.house_files import house_bytes
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.house_scene import asset_of, compile_house
from pentathlon.worlds.houses.splits import SEEDS, split_house, split_seeds
from pentathlon.worlds.houses.ways.navigation import NavigationMap


def test_the_same_seed_gives_the_same_bytes_in_another_process() -> None:
    code = (
        "import hashlib; from pentathlon.worlds.houses.house import House;"
        "from pentathlon.worlds.houses.files.house_files import house_bytes;"
        "print(hashlib.sha256(house_bytes(House.generate(3, 2))).hexdigest())"
    )
    import hashlib

    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert other == hashlib.sha256(house_bytes(House.generate(3, 2))).hexdigest()
    assert house_bytes(House.generate(4, 2)) != house_bytes(House.generate(3, 2))


@pytest.mark.parametrize(("seed", "rooms"), [(0, 1), (1, 3), (2, 6), (3, None)])
def test_generated_houses_hold(seed: int, rooms: int | None) -> None:
    house = House.generate(seed, rooms)
    assert rooms is None or len(house.rooms) == rooms
    assert list(problems(house)) == []
    ways = NavigationMap.of_house(house)
    assert all(ways.reaches(room) for room in house.rooms)
    assert house.start is not None
    assert ways.is_free(*house.start.position_m)


def test_a_generated_house_is_at_rest_and_its_graph_true(generated_house: House) -> None:
    check_at_rest_with_a_true_graph(generated_house)


def test_sizes_and_masses_of_small_things_vary_as_in_excalibur(generated_house: House) -> None:
    loose: list[tuple[float, float, Asset]] = [
        (item.scale, item.mass_factor, asset_of(item))
        for item in generated_house.objects
        if "pickupable" in asset_of(item).abilities
    ]
    assert len(loose) >= 5
    assert all(0.8 <= scale <= 1.0 and 0.5 <= factor <= 1.5 for scale, factor, _ in loose)
    assert len({scale for scale, _, _ in loose}) > 1
    fixed = [item for item in generated_house.objects if "pickupable" not in asset_of(item).abilities]
    assert all(item.scale == item.mass_factor == 1.0 for item in fixed)


def test_mass_factor_is_of_the_unscaled_mass(generated_house: House) -> None:
    from pentathlon.worlds.houses.assets.catalogue import variant

    item = next(item for item in generated_house.objects if item.scale < 1.0)
    assert asset_of(item).mass_kg == pytest.approx(variant(item.type, item.variant).mass_kg * item.mass_factor)


def test_splits_are_disjoint_and_of_the_stated_sizes() -> None:
    assert {name: len(seeds) for name, seeds in SEEDS.items()} == {"train": 10_000, "val": 1_000, "test": 1_000}
    assert len(set().union(*SEEDS.values())) == 12_000
    assert split_house("val", 3) == House.generate(10_003)
    with pytest.raises(UnknownIdError, match="val"):
        split_seeds("valid")
    with pytest.raises(UsageError, match="999"):
        split_house("test", 1_000)


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(UsageError, match="-1"):
        House.generate(-1)


def test_chairs_of_one_table_are_alike() -> None:
    house = House.generate(seed=19, rooms=7)
    makes: dict[str, set[int]] = {}
    for item in house.objects:
        if item.type == "Chair" and house.room(item.room).type == "DiningRoom":
            makes.setdefault(item.room, set()).add(item.variant)
    assert makes
    assert all(len(variants) == 1 for variants in makes.values())


def test_nothing_burns_in_a_cupboard() -> None:
    lit = [
        (seed, item.id)
        for seed in (211, 3, 4)
        for item in House.generate(seed).objects
        if item.state.on and item.support is not None and item.support.relation == "in"
    ]
    assert lit == []


@pytest.mark.parametrize("seed", [5, 12_003])
def test_the_start_is_free_in_the_simulated_house_too(seed: int) -> None:
    house = House.generate(seed)
    scene = compile_house(house)
    ways = NavigationMap.of_scene(house, scene.model, scene.new_data())
    assert house.start is not None
    assert ways.is_free(*house.start.position_m)
    assert all(ways.reaches(room) for room in house.rooms)
