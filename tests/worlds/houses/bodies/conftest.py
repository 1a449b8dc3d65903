from __future__ import annotations

from collections.abc import Iterator

import pytest
from household_acts import QUICK, START

from pentathlon.worlds.houses.assets.asset import Receptacle
from pentathlon.worlds.houses.bodies.household.person import Household
from pentathlon.worlds.houses.bodies.household.slices import compile_for_films
from pentathlon.worlds.houses.house import Door, FloorFinish, House, PlacedObject, Room, State, Support, WallFinish


def _room(room_id: str, room_type: str, x0: float, x1: float) -> Room:
    outline = ((x0, 0.0), (x1, 0.0), (x1, 4.0), (x0, 4.0))
    return Room(room_id, room_type, outline, FloorFinish("tile", "beige"), WallFinish("plaster", "cream"))  # type: ignore[arg-type]


def _receptacle(type_name: str, name: str) -> Receptacle:
    from pentathlon.worlds.houses.assets.catalogue import variant

    return next(item for item in variant(type_name, 0).receptacles if item.name == name)


def _in_counter(object_id: str, type_name: str, place_m: tuple[float, float, float]) -> PlacedObject:
    x, y, z = place_m
    return PlacedObject(
        object_id, type_name, "kitchen", (1.3 + x, 3.55 + y, z + 0.001), support=Support("in", "counter")
    )


@pytest.fixture(scope="session")
def kitchen_house() -> House:
    """A kitchen with the appliances that verbs need, things on its table, one in a drawer, and a hall behind a door."""
    table, counter = (_receptacle(name, "top").centre_m[2] + 0.0005 for name in ("DiningTable", "CounterTop"))
    drawer = _receptacle("CounterTop", "drawer_0").centre_m
    cupboard = _receptacle("CounterTop", "inside_door_0").centre_m
    on_table = Support("on", "table")
    return House(
        name="kitchen",
        rooms=(_room("kitchen", "Kitchen", 0.0, 5.0), _room("hall", "Hallway", 5.0, 7.5)),
        doors=(Door("inner", ("hall", "kitchen"), (5.0, 1.2), 0.9, 2.05, panel=True, opening=0.0),),
        objects=(
            PlacedObject("fridge", "Fridge", "kitchen", (0.5, 3.5, 0.0)),
            PlacedObject("counter", "CounterTop", "kitchen", (1.3, 3.55, 0.0)),
            PlacedObject("microwave", "Microwave", "kitchen", (1.3, 3.6, counter), support=Support("on", "counter")),
            PlacedObject("sink", "KitchenSink", "kitchen", (2.4, 3.55, 0.0)),
            PlacedObject("table", "DiningTable", "kitchen", (2.5, 1.2, 0.0)),
            PlacedObject("apple", "Apple", "kitchen", (2.3, 1.2, table), support=on_table),
            PlacedObject("knife", "Knife", "kitchen", (2.6, 1.0, table), support=on_table),
            PlacedObject("mug", "Mug", "kitchen", (2.9, 1.3, table), support=on_table, state=State(dirty=True)),
            PlacedObject("plate", "Plate", "kitchen", (1.95, 1.3, table), support=on_table, state=State(dirty=True)),
            PlacedObject("bottle", "WineBottle", "kitchen", (3.15, 1.0, table), support=on_table),
            _in_counter("spoon", "Spoon", drawer),
            _in_counter("jar", "Jar", cupboard),
            PlacedObject("book", "Book", "kitchen", (3.4, 2.9, 0.0005)),
            PlacedObject("box", "Box", "kitchen", (0.4, 1.6, 0.0005)),
            PlacedObject("blinds", "Blinds", "kitchen", (2.9, 0.062, 1.6), yaw_deg=180.0),
            PlacedObject("vase", "Vase", "kitchen", (4.3, 2.4, 0.0005)),
            PlacedObject("cloth", "Cloth", "kitchen", (3.9, 3.3, 0.0005)),
            PlacedObject("lamp", "FloorLamp", "hall", (7.0, 3.4, 0.0)),
        ),
    )


@pytest.fixture(scope="session")
def made(kitchen_house: House) -> Iterator[Household]:
    household = Household(compile_for_films(kitchen_house), START, QUICK)
    yield household
    household.close()


@pytest.fixture
def household(made: Household) -> Household:
    made.reset(START)
    return made
