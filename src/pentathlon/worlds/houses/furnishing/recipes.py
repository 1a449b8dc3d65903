"""What belongs in each type of room and how it is placed: the one table that furnishing reads.

Types that no row names join by their own hints: see ``stray_rows``.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.assets.types import ObjectType, Placement
from pentathlon.worlds.houses.house import RoomType

Way = Literal[
    "wall", "corner", "row", "centre", "anywhere", "beside", "before", "opposite", "around", "desk", "beneath",
    "on", "above", "above_end", "on_wall", "ceiling", "window",
]  # fmt: skip


class Row(NamedTuple):
    """One line of the table.

    Attributes:
        types: alternatives, of which one is drawn.
        way: how it is placed.
        chance: of each of ``pieces`` pieces.
        anchor: type of the piece that ``beside``, ``before`` and the like refer to.
        metres: distance or overlap that the way asks for.
        unless: a type that makes the row needless once the room has one.
    """

    types: tuple[str, ...]
    way: Way
    chance: float = 1.0
    pieces: int = 1
    anchor: str = ""
    metres: float = 0.0
    unless: str = ""


LIVING: tuple[Row, ...] = (
    Row(("Sofa",), "wall"),
    Row(("TVStand",), "opposite", 0.95, anchor="Sofa"),
    Row(("TVStand",), "wall", 0.9, unless="TVStand"),
    Row(("Television",), "on", 0.98, anchor="TVStand"),
    Row(("CoffeeTable",), "before", 0.9, anchor="Sofa", metres=0.4),
    Row(("Rug",), "beneath", 0.75, anchor="CoffeeTable"),
    Row(("FloorLamp",), "beside", 0.75, anchor="Sofa"),
    Row(("SideTable",), "beside", 0.6, anchor="Sofa"),
    Row(("ArmChair",), "around", 0.6, 2, anchor="CoffeeTable", metres=-0.45),
    Row(("Piano",), "wall", 0.15),
    Row(("Sideboard", "Cabinet"), "wall", 0.25),
    Row(("ShelvingUnit", "Bookcase"), "wall", 0.8),
    Row(("Shelf",), "on_wall", 0.3, metres=1.4),
    Row(("HousePlant",), "corner", 0.6),
    Row(("Painting",), "above", 0.8, anchor="Sofa", metres=0.25),
    Row(("Painting",), "on_wall", 0.5, metres=1.55),
    Row(("Painting", "Poster"), "on_wall", 0.5, metres=1.55),
    Row(("Curtains",), "window", 0.7, 3),
    Row(("Ottoman", "Footstool"), "anywhere", 0.4),
    Row(("WallClock",), "on_wall", 0.4, metres=1.9),
    Row(("GarbageCan",), "corner", 0.2),
    Row(("Chandelier",), "ceiling", 0.15),
)
BEDROOM: tuple[Row, ...] = (
    Row(("Bed",), "wall"),
    Row(("Nightstand",), "beside", 0.9, 2, anchor="Bed"),
    Row(("Wardrobe",), "wall", 0.7),
    Row(("Dresser",), "wall", 0.75),
    Row(("Desk",), "wall", 0.45),
    Row(("OfficeChair", "Chair"), "desk", 0.95, anchor="Desk", metres=0.15),
    Row(("Desktop",), "beside", 0.3, anchor="Desk"),
    Row(("Rug",), "beneath", 0.5, anchor="Bed", metres=0.5),
    Row(("TableLamp",), "on", 0.7, anchor="Nightstand"),
    Row(("DeskLamp",), "on", 0.7, anchor="Desk"),
    Row(("Curtains", "Blinds"), "window", 0.8, 3),
    Row(("Poster", "Shelf"), "on_wall", 0.4, metres=1.5),
    Row(("TVStand",), "opposite", 0.2, anchor="Bed"),
    Row(("Television",), "on", 0.9, anchor="TVStand"),
    Row(("Painting",), "above", 0.7, anchor="Bed", metres=0.25),
    Row(("Mirror",), "on_wall", 0.4, metres=1.5),
    Row(("ArmChair",), "corner", 0.25),
    Row(("FloorLamp",), "corner", 0.3),
    Row(("LaundryHamper", "GarbageCan"), "corner", 0.4),
    Row(("HousePlant",), "corner", 0.35),
)
KITCHEN: tuple[Row, ...] = (
    Row(("Fridge",), "row"),
    Row(("CounterTop",), "row", 0.9),
    Row(("KitchenSink",), "row"),
    Row(("CounterTop",), "row"),
    Row(("Stove",), "row"),
    Row(("CounterTop",), "row", 0.8, 2),
    Row(("Dishwasher",), "row", 0.4),
    Row(("WallCabinet",), "above", 0.9, 2, anchor="CounterTop", metres=0.5),
    Row(("RangeHood",), "above", 0.8, anchor="Stove", metres=0.65),
    Row(("Microwave",), "on", 0.9, anchor="CounterTop"),
    Row(("CoffeeMachine",), "on", 0.6, anchor="CounterTop"),
    Row(("Toaster",), "on", 0.6, anchor="CounterTop"),
    Row(("CuttingBoard",), "on", 0.6, anchor="CounterTop"),
    Row(("DiningTable",), "centre", 0.6),
    Row(("Chair",), "around", 0.9, 4, anchor="DiningTable", metres=0.2),
    Row(("Blinds",), "window", 0.5, 2),
    Row(("KitchenIsland",), "centre", 0.3),
    Row(("Stool",), "around", 0.6, 2, anchor="KitchenIsland", metres=-0.02),
    Row(("GarbageCan",), "corner", 0.9),
    Row(("GarbageBag",), "beside", 0.3, anchor="GarbageCan"),
    Row(("WallClock",), "on_wall", 0.4, metres=1.9),
    Row(("HousePlant",), "corner", 0.2),
)
BATHROOM: tuple[Row, ...] = (
    Row(("Bathtub", "Bathtub", "ShowerCabin"), "corner"),
    Row(("Toilet",), "wall"),
    Row(("BathroomSink", "Sink"), "wall"),
    Row(("ShowerCabin",), "corner", 0.25),
    Row(("ShowerHead",), "above_end", 0.8, anchor="Bathtub", metres=1.3),
    Row(("ShowerCurtain",), "above_end", 0.7, anchor="Bathtub", metres=0.03),
    Row(("Mirror",), "above", 0.9, anchor="Sink", metres=0.15),
    Row(("Mirror",), "above", 0.9, anchor="BathroomSink", metres=0.15),
    Row(("ToiletPaperHanger",), "on_wall", 0.8, metres=0.75),
    Row(("TowelHolder",), "on_wall", 0.8, metres=1.2),
    Row(("HandTowelHolder",), "on_wall", 0.6, metres=1.25),
    Row(("WashingMachine",), "wall", 0.3),
    Row(("LaundryHamper",), "corner", 0.4),
    Row(("GarbageCan",), "corner", 0.5),
    Row(("BathMat",), "anywhere", 0.6),
)
DINING: tuple[Row, ...] = (
    Row(("DiningTable",), "centre"),
    Row(("Chair",), "around", 0.9, 6, anchor="DiningTable", metres=0.2),
    Row(("Rug",), "beneath", 0.5, anchor="DiningTable"),
    Row(("Sideboard", "Cabinet"), "wall", 0.8),
    Row(("Curtains",), "window", 0.7, 2),
    Row(("ShelvingUnit", "Bookcase"), "wall", 0.3),
    Row(("HousePlant",), "corner", 0.6),
    Row(("FloorLamp",), "corner", 0.3),
    Row(("Painting",), "on_wall", 0.7, 2, metres=1.55),
    Row(("Chandelier",), "ceiling", 0.3),
)
OFFICE: tuple[Row, ...] = (
    Row(("Desk",), "wall"),
    Row(("OfficeChair",), "desk", 0.95, anchor="Desk", metres=0.15),
    Row(("Desktop",), "beside", 0.6, anchor="Desk"),
    Row(("Monitor",), "on", 0.5, anchor="Desk"),
    Row(("Laptop",), "on", 0.6, anchor="Desk"),
    Row(("DeskLamp",), "on", 0.8, anchor="Desk"),
    Row(("Blinds",), "window", 0.6, 2),
    Row(("ShelvingUnit", "Bookcase"), "wall", 0.8, 2),
    Row(("ArmChair",), "corner", 0.4),
    Row(("GarbageCan",), "corner", 0.6),
    Row(("HousePlant",), "corner", 0.5),
    Row(("Painting",), "on_wall", 0.6, metres=1.55),
)
HALLWAY: tuple[Row, ...] = (
    Row(("ConsoleTable", "SideTable"), "wall", 0.6),
    Row(("CoatHooks",), "on_wall", 0.5, metres=1.55),
    Row(("CoatRack", "ShoeRack"), "wall", 0.4),
    Row(("HousePlant",), "corner", 0.3),
    Row(("Mirror", "Painting"), "on_wall", 0.6, metres=1.55),
    Row(("Painting",), "on_wall", 0.6, metres=1.55),
)
EVERYWHERE: tuple[Row, ...] = (
    Row(("CeilingLamp",), "ceiling", 0.85, unless="Chandelier"),
    Row(("LightSwitch",), "on_wall", 0.8, metres=1.1),
)

RECIPES: dict[RoomType, tuple[Row, ...]] = {
    "Bathroom": BATHROOM,
    "Bedroom": BEDROOM,
    "DiningRoom": DINING,
    "Hallway": HALLWAY,
    "Kitchen": KITCHEN,
    "LivingRoom": LIVING,
    "Office": OFFICE,
}
# Room types that the catalogue's hints do not name borrow those of another.
HINTED_AS: dict[RoomType, str] = {"DiningRoom": "LivingRoom", "Office": "Bedroom", "Hallway": ""}
# What the borrowed hints would bring in and nobody has there, by type or category.
OUT_OF_PLACE: dict[RoomType, frozenset[str]] = {
    "Bathroom": frozenset({"IroningBoard"}),
    "DiningRoom": frozenset({"sport", "tool", "toy", "DogBed", "YogaMat"}),
    "Office": frozenset({
        "sport", "textile", "toy", "Bed", "ClothesDryer", "CoatHooks", "Crib", "DogBed", "Footstool", "IroningBoard",
        "LaundryHamper", "Pillow", "PlayMat", "ShoeRack", "Surfboard", "Wardrobe", "YogaMat",
    }),
}  # fmt: skip
STRAY_CHANCE = 0.12
STRAY_WAYS: dict[Placement, tuple[Way, float]] = {
    "against_wall": ("wall", 0.0),
    "free": ("anywhere", 0.0),
    "on_wall": ("on_wall", 1.5),
    "ceiling": ("ceiling", 0.0),
}


def hint_of(room_type: RoomType) -> str:
    """Returns the room name under which the catalogue lists what belongs there."""
    return HINTED_AS.get(room_type, room_type)


def is_out_of_place(kind: ObjectType, room_type: RoomType) -> bool:
    """Tells whether nobody has such a thing in such a room, whatever the hints say."""
    return bool(OUT_OF_PLACE.get(room_type, frozenset()) & {kind.name, kind.category})


@cache
def stray_rows(room_type: RoomType) -> tuple[Row, ...]:
    """Returns rows for the catalogue's large types that no recipe names, by their placement and room hints."""
    named = {name for rows in (*RECIPES.values(), EVERYWHERE) for row in rows for name in row.types}
    hint = hint_of(room_type)
    return tuple(
        Row((name,), way, STRAY_CHANCE, metres=metres)
        for name, kind in catalogue().items()
        if name not in named and kind.placement in STRAY_WAYS and hint in kind.rooms
        if not is_out_of_place(kind, room_type)
        for way, metres in [STRAY_WAYS[kind.placement]]
    )
