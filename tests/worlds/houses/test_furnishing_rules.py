"""What the furnisher keeps clear of what: rugs of loose things, curtains of lamps; and what it never switches on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pentathlon.worlds.houses.architect.draft import FOLDER, Drafter
from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.files.house_files import house_bytes
from pentathlon.worlds.houses.furnishing.clutter import floor_height
from pentathlon.worlds.houses.furnishing.footprint import footprint
from pentathlon.worlds.houses.furnishing.furnish import FLAT_M, Furnisher
from pentathlon.worlds.houses.furnishing.likings import UTENSILS, liking
from pentathlon.worlds.houses.furnishing.placing import Pose, thing_at
from pentathlon.worlds.houses.furnishing.recipes import is_out_of_place, stray_rows
from pentathlon.worlds.houses.house import FloorFinish, House, PlacedObject, Room, RoomType, WallFinish
from pentathlon.worlds.houses.plan.polygons import Rect

BALLS = ("BasketBall", "Football", "SoccerBall")
OUT_OF_PLACE: tuple[tuple[str, RoomType], ...] = (("IroningBoard", "Bathroom"), ("Crib", "Office"))

ROOM = Room(
    "den",
    "LivingRoom",
    ((0.0, 0.0), (5.0, 0.0), (5.0, 4.0), (0.0, 4.0)),
    FloorFinish("planks", "brown"),
    WallFinish("plaster", "cream"),
)
MIDDLE = Pose(2.5, 2.0, 0.0, 0.0)
DRAPERY = ("Curtains", "Blinds")
# Houses that hold lamps on furniture as well as curtains or blinds.
CROWDED_SEEDS = (1, 4)
BROKEN_SEEDS = (9, 30, 36)


def furnisher() -> Furnisher:
    made = Furnisher(House(name="den", rooms=(ROOM,)), np.random.default_rng(0))
    made.open_rooms()
    return made


def put(made: Furnisher, name: str) -> bool:
    return made.add_first(ROOM, name, 0, footprint(name, 0), iter([MIDDLE]), "at")


@pytest.mark.parametrize(("first", "second"), [("Rug", "Basket"), ("Basket", "Rug")])
def test_no_rug_under_a_loose_thing(first: str, second: str) -> None:
    assert footprint("Basket", 0).pickupable
    assert put(furnisher(), second)
    made = furnisher()
    assert put(made, first)
    assert not put(made, second)


@pytest.mark.parametrize(("first", "second"), [("PlayMat", "YogaMat"), ("YogaMat", "PlayMat"), ("Rug", "YogaMat")])
def test_no_mat_across_a_rug_or_a_mat_half_rolled_up(first: str, second: str) -> None:
    assert footprint("YogaMat", 0).height_m > FLAT_M
    assert put(furnisher(), second)
    made = furnisher()
    assert put(made, first)
    assert not put(made, second)


def test_a_turned_rug_ends_before_its_bounds_do() -> None:
    made = furnisher()
    assert made.add_first(ROOM, "Rug", 0, footprint("Rug", 0), iter([MIDDLE._replace(yaw_deg=45.0)]), "at")
    (rug,) = made.flats[ROOM.id]
    x, y = MIDDLE.x, MIDDLE.y
    top = max(solid.top for solid in rug.footprint.solids)
    assert floor_height(made, ROOM, Rect(x - 0.05, y - 0.05, x + 0.05, y + 0.05)) == top
    corner = Rect(rug.rect.x0 + 0.01, rug.rect.y0 + 0.01, rug.rect.x0 + 0.06, rug.rect.y0 + 0.06)
    assert floor_height(made, ROOM, corner) is None
    assert floor_height(made, ROOM, Rect(0.1, 0.1, 0.15, 0.15)) == 0.0


@pytest.fixture(scope="module")
def homes() -> list[House]:
    return [House.generate(seed) for seed in range(6)]


def in_rooms(homes: list[House], room_type: str) -> list[set[str]]:
    return [
        {item.type for item in house.objects if item.room == room.id}
        for house in homes
        for room in house.rooms
        if room.type == room_type
    ]


def test_kitchens_can_be_cooked_in(homes: list[House]) -> None:
    kitchens = in_rooms(homes, "Kitchen")
    assert kitchens
    for types in kitchens:
        assert len(set(UTENSILS) & types) >= len(UTENSILS) - 1
        assert sum(catalogue()[name].category == "food" for name in types) >= 5


def test_most_living_rooms_have_a_television(homes: list[House]) -> None:
    rooms = in_rooms(homes, "LivingRoom")
    assert sum("Television" in types for types in rooms) > len(rooms) / 2


def test_nothing_is_out_of_place(homes: list[House]) -> None:
    for name, room_type in OUT_OF_PLACE:
        assert is_out_of_place(catalogue()[name], room_type)
        assert not any(name in row.types for row in stray_rows(room_type))
    assert not any(liking(catalogue()[name], furniture) for name in BALLS for furniture in ("Bed", "Sofa"))
    assert not any("IroningBoard" in types for types in in_rooms(homes, "Bathroom"))
    assert not any("Crib" in types for types in in_rooms(homes, "Office"))
    for house in homes:
        assert sum(item.type == "RubberDuck" for item in house.objects) <= 2
        balls = [item for item in house.objects if item.type in BALLS]
        assert not [item.id for item in balls if item.support and item.support.object.startswith(("Bed|", "Sofa|"))]


def test_things_are_found_in_the_states_that_homes_show(homes: list[House]) -> None:
    items = [item for house in homes for item in house.objects]
    for state in ("on", "dirty", "hot", "cold", "filled"):
        assert any(getattr(item.state, state) for item in items), state
    opened = [item for item in items if item.state.open and "pickupable" not in abilities(item)]
    assert len(opened) >= len(homes)
    cold = [item for item in items if item.state.cold]
    assert all(item.support is not None and item.support.object.startswith("Fridge|") for item in cold)
    put_away = [item for item in items if item.support is not None and item.support.relation == "in"]
    assert not any(item.state.on or item.state.filled for item in put_away)


def abilities(item: PlacedObject) -> frozenset[str]:
    return footprint(item.type, item.variant).abilities


def test_open_drawers_are_empty(homes: list[House]) -> None:
    for house in homes:
        drawers = {item.id for item in house.objects if item.state.open and all_in_drawers(item)}
        held = [
            item.id
            for item in house.objects
            if item.support and item.support.relation == "in" and item.support.object in drawers
        ]
        assert held == []


def all_in_drawers(item: PlacedObject) -> bool:
    inside = [it for it in footprint(item.type, item.variant).receptacles if it.relation == "in"]
    return bool(inside) and all(receptacle.joint for receptacle in inside)


def test_some_things_lie_broken_on_the_floor() -> None:
    broken = [item for house in map(House.generate, BROKEN_SEEDS) for item in house.objects if item.state.broken]
    assert len(broken) >= len(BROKEN_SEEDS)
    for item in broken:
        assert item.support is None
        assert "breakable" in abilities(item)


def test_baths_have_curtains_beside_their_shower_heads(homes: list[House]) -> None:
    baths = [types for types in in_rooms(homes, "Bathroom") if "Bathtub" in types]
    curtained = [types for types in baths if "ShowerCurtain" in types]
    assert len(curtained) >= len(baths) / 4
    assert any("ShowerHead" in types for types in curtained)


def overlap(first: PlacedObject, second: PlacedObject) -> bool:
    solids = [
        thing_at(footprint(item.type, item.variant), Pose(*item.position_m, item.yaw_deg)).solids
        for item in (first, second)
    ]
    return any(
        one.rect.overlaps(other.rect) and one.bottom < other.top and other.bottom < one.top
        for one in solids[0]
        for other in solids[1]
    )


@pytest.mark.parametrize("seed", CROWDED_SEEDS)
def test_curtains_hang_clear_of_lamps(seed: int) -> None:
    objects = House.generate(seed).objects
    lamps = [item for item in objects if item.type in ("TableLamp", "DeskLamp") and item.support is not None]
    drapery = [item for item in objects if item.type in DRAPERY]
    assert lamps
    assert drapery
    assert [(lamp.id, item.id) for lamp in lamps for item in drapery if overlap(lamp, item)] == []


def test_no_appliance_starts_switched_on() -> None:
    switched = [
        footprint(item.type, item.variant)
        for seed in range(8)
        for item in House.generate(seed).objects
        if item.state.on
    ]
    assert switched
    assert {view.type_name for view in switched if view.type.category == "appliance"} == set()
    assert footprint("Microwave", 0).emits_light
    assert not footprint("Microwave", 0).left_on


@pytest.mark.parametrize("path", sorted((FOLDER / "plans").glob("*.txt")), ids=lambda path: path.stem)
def test_every_line_of_a_draft_finds_its_place_and_the_file_is_up_to_date(path: Path) -> None:
    drafter = Drafter(path.stem, path.read_text())
    assert house_bytes(drafter.house()) == (FOLDER / f"{path.stem}.json").read_bytes()
    assert drafter.left_out == []
