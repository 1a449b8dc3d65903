from __future__ import annotations

import math

import numpy as np
import pytest

from pentathlon.core import UsageError
from pentathlon.worlds.houses.generate import generate_house
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.house_scene import HouseScene, compile_house
from pentathlon.worlds.houses.ways.navigation import NavigationMap


@pytest.fixture(scope="module")
def ways(small_house: House) -> NavigationMap:
    return NavigationMap.of_house(small_house)


def test_walls_and_furniture_keep_the_agents_radius(ways: NavigationMap) -> None:
    assert ways.is_free(1.0, 1.0)
    assert not ways.is_free(0.2, 2.0)
    assert ways.is_free(0.06 + 0.18 + 0.06, 3.0)
    assert not ways.is_free(2.0, 2.4)
    assert not ways.is_free(4.0, 2.0)
    assert not ways.is_free(-1.0, 2.0)


def test_a_larger_agent_has_less_room(small_house: House, ways: NavigationMap) -> None:
    wide = NavigationMap.of_house(small_house, radius_m=0.4)
    assert wide.free.sum() < ways.free.sum()
    assert not (wide.free & ~ways.free).any()


def test_a_straight_way_is_as_long_as_the_straight_line(ways: NavigationMap) -> None:
    path = ways.path((0.6, 0.8), (3.2, 1.35))
    assert path is not None
    assert path.length_m == pytest.approx(math.hypot(2.6, 0.55), rel=1e-6)


def test_the_way_to_the_next_room_goes_through_the_door(ways: NavigationMap) -> None:
    path = ways.path((1.0, 3.5), (6.0, 3.5))
    assert path is not None
    crossing = [
        a[1] + (4.0 - a[0]) / (b[0] - a[0]) * (b[1] - a[1])
        for a, b in zip(path.points_m, path.points_m[1:], strict=False)
        if a[0] < 4.0 <= b[0]
    ]
    assert len(crossing) == 1
    assert 0.25 + 0.18 <= crossing[0] <= 1.15 - 0.18
    direct = math.dist((1.0, 3.5), (4.0, 0.9)) + math.dist((4.0, 0.9), (6.0, 3.5))
    assert direct * 0.97 < path.length_m < direct * 1.15


def test_paths_stay_on_free_floor_and_agree_with_the_field(ways: NavigationMap) -> None:
    rng = np.random.default_rng(0)
    goal = (6.2, 2.8)
    field = ways.distances_to([goal])
    for _ in range(10):
        start = ways.random_place(rng)
        path = ways.path(start, goal)
        assert path is not None
        for a, b in zip(path.points_m, path.points_m[1:], strict=False):
            assert ways.clear_line(tuple(a), tuple(b))
        cell = ways.cell(*start)
        assert path.length_m <= field[cell] + 0.08
        assert path.length_m >= math.dist(start, goal) - 1e-9
        assert field[cell] <= path.length_m * 1.06 + 0.1


def test_a_closed_door_cuts_the_way(small_house: House) -> None:
    import msgspec

    shut = tuple(msgspec.structs.replace(door, opening=0.0) for door in small_house.doors)
    house = msgspec.structs.replace(small_house, doors=shut)
    closed = NavigationMap.of_house(house)
    assert closed.path((1.0, 1.0), (6.0, 3.0)) is None
    assert closed.distance((1.0, 1.0), (6.0, 3.0)) == math.inf
    assert [closed.reaches(room) for room in house.rooms] == [True, False]


def test_the_map_of_the_simulation_is_that_of_the_file(small_scene: HouseScene, ways: NavigationMap) -> None:
    seen = NavigationMap.of_scene(small_scene.house, small_scene.model, small_scene.new_data())
    assert (seen.free != ways.free).mean() < 0.01


def test_a_place_in_a_wall_is_refused_with_the_nearest_free_one(ways: NavigationMap) -> None:
    with pytest.raises(UsageError, match=r"\(4\.00, 2\.00\).*nearest free"):
        ways.path((4.0, 2.0), (1.0, 1.0))
    near = ways.nearest_free(4.0, 2.0)
    assert near is not None
    assert ways.is_free(*near)


def test_random_places_are_free_and_repeatable(ways: NavigationMap) -> None:
    first = [ways.random_place(np.random.default_rng(3)) for _ in range(2)]
    assert first[0] == first[1]
    assert ways.is_free(*first[0])


@pytest.mark.parametrize("seed", [137, 598])
def test_nobody_begins_where_a_door_or_drawer_stands_open(seed: int) -> None:
    house = generate_house(seed)
    scene = compile_house(house)
    assert house.start is not None
    assert NavigationMap.of_scene(house, scene.model, scene.new_data()).is_free(*house.start.position_m)
