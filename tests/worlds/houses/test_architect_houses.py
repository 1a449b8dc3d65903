from __future__ import annotations

import pytest
from house_checks import check_at_rest_with_a_true_graph

from pentathlon.core import UnknownIdError
from pentathlon.worlds.houses.architect import NAMES, PRACTICE, TEST, architect_house
from pentathlon.worlds.houses.ways.navigation import NavigationMap


def test_nine_houses_for_testing_and_one_for_practice() -> None:
    assert len(TEST) == 9
    assert PRACTICE not in TEST
    plans = {tuple(room.outline_m for room in architect_house(name).rooms) for name in NAMES}
    assert len(plans) == 10


@pytest.mark.parametrize("name", NAMES)
def test_every_room_is_furnished_and_reachable(name: str) -> None:
    house = architect_house(name)
    ways = NavigationMap.of_house(house)
    assert all(ways.reaches(room) for room in house.rooms)
    assert house.start is not None
    assert ways.is_free(*house.start.position_m)
    for room in house.rooms:
        assert sum(item.room == room.id for item in house.objects) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_at_rest_with_a_true_graph(name: str) -> None:
    check_at_rest_with_a_true_graph(architect_house(name))


def test_an_unknown_house_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownIdError, match="studio"):
        architect_house("stodio")
