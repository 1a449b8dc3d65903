from __future__ import annotations

import numpy as np
import pytest

from pentathlon.core import UsageError
from pentathlon.worlds.houses.files.checks import problems
from pentathlon.worlds.houses.house import OUTSIDE, House
from pentathlon.worlds.houses.plan.polygons import rectangles
from pentathlon.worlds.houses.plan.programme import NEEDS
from pentathlon.worlds.houses.plan.shell import draw_shell
from pentathlon.worlds.houses.plan.walls import inner_blocks, walls_of


def shells(count: int, seeds: int = 4) -> list[House]:
    return [draw_shell(np.random.default_rng([count, seed]), count, "shell") for seed in range(seeds)]


@pytest.mark.parametrize("count", range(1, 11))
def test_plans_are_valid_and_connected(count: int) -> None:
    for house in shells(count):
        assert len(house.rooms) == count
        assert list(problems(house)) == []
        reached = {house.rooms[0].id}
        for _ in house.rooms:
            for door in house.doors:
                if reached & set(door.rooms):
                    reached |= set(door.rooms) - {OUTSIDE}
        assert reached == {room.id for room in house.rooms}


@pytest.mark.parametrize("count", [4, 7, 10])
def test_bathrooms_are_never_passed_through(count: int) -> None:
    for house in shells(count, 8):
        for room in house.rooms:
            if room.type == "Bathroom":
                inner = [door for door in house.doors if room.id in door.rooms and OUTSIDE not in door.rooms]
                assert len(inner) == 1


def test_rooms_are_large_enough_to_use() -> None:
    for count in range(1, 11):
        for house in shells(count):
            for room in house.rooms:
                largest = max(rectangles(room.outline_m), key=lambda rect: rect.area)
                assert min(largest.width, largest.depth) >= NEEDS[room.type].side - 0.31


def test_homes_of_four_rooms_and_more_have_the_usual_rooms() -> None:
    for count in range(4, 11):
        for house in shells(count):
            assert {"Kitchen", "LivingRoom", "Bedroom", "Bathroom"} <= {room.type for room in house.rooms}


def test_large_houses_are_not_all_built_along_one_straight_corridor() -> None:
    houses = [house for count in (6, 7, 8, 10) for house in shells(count, 12)]
    halls = [[len(room.outline_m) for room in house.rooms if room.type == "Hallway"] for house in houses]
    assert [] in halls, "some have no hallway"
    assert [4] in halls, "some have a straight one"
    assert [8] in halls, "some have one that ends in another across it"


def test_some_kitchens_are_open_towards_where_food_is_eaten() -> None:
    wide = [
        {house.room(name).type for name in door.rooms}
        for count in (4, 5, 7)
        for house in shells(count, 12)
        for door in house.doors
        if door.width_m >= 2.0 and door.height_m > 2.2
    ]
    assert wide
    assert all(types in ({"Kitchen", "LivingRoom"}, {"Kitchen", "DiningRoom"}) for types in wide)


@pytest.mark.parametrize("count", [0, 11, -1])
def test_impossible_numbers_of_rooms_are_refused(count: int) -> None:
    with pytest.raises(UsageError, match="1 to 10"):
        draw_shell(np.random.default_rng(0), count, "shell")


def test_walls_leave_holes_for_doors_and_windows(small_house: House) -> None:
    blocks = [block for wall in walls_of(small_house) for block in inner_blocks(wall, small_house.ceiling_m)]

    def filled(x: float, y: float, z: float) -> bool:
        return any(
            b.rect.x0 <= x <= b.rect.x1 and b.rect.y0 <= y <= b.rect.y1 and b.bottom <= z <= b.top for b in blocks
        )

    assert not filled(4.03, 0.7, 1.0)
    assert not filled(3.97, 0.7, 1.0)
    assert filled(4.03, 0.7, 2.3)
    assert filled(4.03, 2.0, 1.0)
    assert filled(6.97, 2.0, 0.5)
    assert not filled(6.97, 2.0, 1.5)
    assert filled(6.97, 2.0, 2.3)
