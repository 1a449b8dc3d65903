"""What an imported house must be: all rooms reachable, everything at rest where it was, and seen."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from procthor_maker import asset_table, centred, hard_house, walls, written

from pentathlon.worlds.houses.files.procthor import Imported, import_procthor
from pentathlon.worlds.houses.graph.visibility import unblocked
from pentathlon.worlds.houses.house import House, PlacedObject
from pentathlon.worlds.houses.inspection.report import faults
from pentathlon.worlds.houses.inspection.rest import settle
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import HouseScene, compile_house
from pentathlon.worlds.houses.ways.navigation import NavigationMap


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Imported:
    folder = tmp_path_factory.mktemp("theirs")
    return import_procthor(written(folder, hard_house()), written(folder, asset_table(), "assets.json"))


@pytest.fixture(scope="module")
def house(imported: Imported) -> House:
    return imported.house


@pytest.fixture(scope="module")
def scene(house: House) -> HouseScene:
    return compile_house(house)


def of_type(house: House, name: str) -> list[PlacedObject]:
    return [item for item in house.objects if item.type == name]


def test_nothing_is_wrong_with_the_house(house: House) -> None:
    assert list(faults(house)) == []


def test_no_object_is_left_out(imported: Imported) -> None:
    assert not any("left out" in warning for warning in imported.warnings)
    assert [len(of_type(imported.house, name)) for name in ("Mug", "Egg", "Fork", "Painting", "Television")] == [
        3,
        2,
        1,
        4,
        2,
    ]


def test_empty_walls_are_openings_and_closed_doors_stand_open(imported: Imported) -> None:
    house = imported.house
    opening = next(door for door in house.doors if set(door.rooms) == {"room|1", "room|2"})
    assert (opening.centre_m, opening.height_m) == ((4.0, 2.5), house.ceiling_m)
    assert opening.width_m > 4.8
    ways = NavigationMap.of_house(house)
    assert all(ways.reaches(room) for room in house.rooms)
    assert any("closed" in warning for warning in imported.warnings)


def test_an_empty_wall_without_another_behind_it_is_told(tmp_path: Path) -> None:
    document = hard_house()
    document["walls"] = [wall for wall in document["walls"] if wall["roomId"] != "room|2"] + walls("room|2", 4, 0, 8, 5)
    house, warnings = import_procthor(written(tmp_path, document), written(tmp_path, asset_table(), "assets.json"))
    assert any("'room|1'" in warning and "built as a wall" in warning for warning in warnings)
    assert any("'room|2' cannot be reached" in warning for warning in warnings)
    assert any("room 'room|2' cannot be reached" in fault for fault in faults(house))


def test_everything_stays_where_it_is_put(scene: HouseScene) -> None:
    drifts = settle(scene, scene.new_data(), 2.0)
    assert max(drift.distance_m for drift in drifts) <= 0.02


def test_a_long_counter_keeps_its_length_and_its_corner(house: House, scene: HouseScene) -> None:
    low, high = ObjectGeometry(scene).bounds(scene.new_data())
    rows = [i for i, item in enumerate(house.objects) if item.type == "CounterTop"]
    width, depth, _ = high[rows].max(axis=0) - low[rows].min(axis=0)
    assert width == pytest.approx(3.05, abs=0.05)
    assert depth == pytest.approx(1.22, abs=0.08)
    # The L is open towards the room: nothing stands before its long arm.
    assert not any(low[i, 0] < 6.0 < high[i, 0] and low[i, 1] < 1.0 < high[i, 1] for i in rows)
    carried = {item.type for item in house.objects if item.support and item.support.object.startswith("CounterTop")}
    assert carried == {"Mug", "Fork", "Egg"}


def test_things_stay_near_where_they_were(house: House) -> None:
    fork = of_type(house, "Fork")[0]
    assert math.dist(fork.position_m[:2], (6.6, 0.35)) < 0.2
    assert fork.position_m[2] == pytest.approx(0.94, abs=0.05)


def test_a_fork_is_as_long_as_theirs_and_lies_as_theirs(house: House, scene: HouseScene) -> None:
    low, high = ObjectGeometry(scene).bounds(scene.new_data())
    size = (high - low)[house.objects.index(of_type(house, "Fork")[0])]
    assert size[1] == pytest.approx(0.23, rel=0.1)
    assert size[0] < 0.06


def test_what_lies_in_the_fridge_is_in_it(house: House) -> None:
    fridge = of_type(house, "Fridge")[0]
    inside = [item for item in house.objects if item.support is not None and item.support.object == fridge.id]
    assert [(item.type, item.support and item.support.relation) for item in inside] == [("Egg", "in")]


def test_a_television_stands_out_on_both_sides_of_its_stand(house: House) -> None:
    standing = [item for item in of_type(house, "Television") if item.support is not None]
    assert [item.support and item.support.object for item in standing] == ["TVStand|0"]


@pytest.mark.parametrize("kind", ["Painting", "Television"])
def test_what_hangs_on_a_wall_is_seen_from_the_room(house: House, scene: HouseScene, kind: str) -> None:
    data, geometry = scene.new_data(), ObjectGeometry(scene)
    for item in (item for item in of_type(house, kind) if item.support is None):
        index = house.objects.index(item)
        yaw = math.radians(item.yaw_deg)
        middle = geometry.bounds(data)[0][index] / 2 + geometry.bounds(data)[1][index] / 2
        eye = middle + 1.5 * np.array([math.sin(yaw), -math.cos(yaw), 0.0])
        rays = geometry.samples(data, index) - eye
        assert unblocked(scene, data, index, eye, rays).mean() > 0.25, item


def test_a_start_inside_furniture_moves_to_free_floor(imported: Imported) -> None:
    assert imported.house.start is not None
    assert NavigationMap.of_house(imported.house).is_free(*imported.house.start.position_m)
    assert any("$.metadata.agent" in warning for warning in imported.warnings)


def test_a_c_shaped_counter_leaves_its_middle_free(tmp_path: Path) -> None:
    document = hard_house()
    document["objects"] = [centred("Countertop_C_8x6", 6.0, 0.94)]
    house, _ = import_procthor(written(tmp_path, document), written(tmp_path, asset_table(), "assets.json"))
    ways = NavigationMap.of_house(house)
    assert ways.is_free(6.0, 1.3)
    for x in (5.0, 7.0):
        assert not ways.is_free(x, 1.5)
    assert list(faults(house)) == []


def test_counters_keep_their_size_without_the_asset_table(tmp_path: Path) -> None:
    document = hard_house()
    document["objects"] = [centred("Countertop_L_10x4", 6.47, 0.62)]
    house, _ = import_procthor(written(tmp_path, document))
    scene = compile_house(house)
    low, high = ObjectGeometry(scene).bounds(scene.new_data())
    assert float(high[:, 0].max() - low[:, 0].min()) == pytest.approx(3.05, abs=0.05)
