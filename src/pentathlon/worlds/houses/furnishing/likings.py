"""Where small things are kept in a home: which rooms they belong to, on what they stand, how many of them there are."""

from __future__ import annotations

from functools import cache

from pentathlon.worlds.houses.assets.types import ObjectType
from pentathlon.worlds.houses.furnishing.recipes import hint_of, is_out_of_place
from pentathlon.worlds.houses.house import RoomType

FAVOURED = frozenset({
    "AlarmClock", "Apple", "BaseballBat", "BasketBall", "Bowl", "GarbageCan", "HousePlant", "Laptop", "Mug",
    "SprayBottle", "Television", "Vase",
})  # fmt: skip
FAVOUR = 3.0
# How often a kind of thing is drawn, relative to 1: homes hold more crockery than toys.
COMMON: dict[str, float] = {"sport": 0.5, "toy": 0.35, "tool": 0.5, "RubberDuck": 0.2, "Scissors": 0.4, "Watch": 0.4}
# Of these there may be several in a room; of all else there is one.
MANY = frozenset({"bathroom", "food", "stationery", "tableware", "textile"})
MOST_ALIKE = 3

STORAGE = frozenset({
    "Basket", "Bookcase", "Cabinet", "Cart", "Shelf", "ShelvingUnit", "ShoeRack", "Sideboard", "StorageBox", "Wardrobe",
})  # fmt: skip
# Things that stand on some furniture only, by type or category.
ONLY_ON: dict[str, frozenset[str]] = {
    "Boots": frozenset({"ShoeRack", "Wardrobe"}),
    "GarbageBag": frozenset(),
    "Monitor": frozenset({"Desk"}),
    "Plunger": frozenset(),
    "Shoe": frozenset({"ShoeRack", "Wardrobe"}),
    "Television": frozenset({"Cabinet", "ConsoleTable", "Dresser", "Sideboard", "TVStand"}),
    "sport": STORAGE,
}
# How likely a kind of thing stands on a kind of furniture, relative to 1.
LIKING: dict[tuple[str, str], float] = {
    ("food", "Fridge"): 4.0,
    ("food", "Bed"): 0.0,
    ("food", "Sofa"): 0.05,
    ("food", "ArmChair"): 0.0,
    ("tableware", "Bed"): 0.0,
    ("tableware", "Sofa"): 0.05,
    ("tableware", "Fridge"): 0.2,
    ("tool", "Bed"): 0.0,
    ("tool", "Sofa"): 0.0,
    ("tool", "ArmChair"): 0.0,
    ("tool", "Fridge"): 0.0,
    ("container", "Bed"): 0.1,
    ("container", "Sofa"): 0.1,
    ("bathroom", "Bed"): 0.0,
    ("bathroom", "Sofa"): 0.0,
    ("decor", "Bed"): 0.0,
    ("decor", "Sofa"): 0.0,
    ("decor", "Fridge"): 0.0,
    ("lighting", "Bed"): 0.0,
    ("lighting", "Fridge"): 0.0,
    ("lighting", "Sofa"): 0.0,
    ("lighting", "ArmChair"): 0.0,
    ("textile", "Bed"): 3.0,
    ("textile", "Sofa"): 3.0,
    ("textile", "Fridge"): 0.0,
    ("toy", "Fridge"): 0.0,
    ("stationery", "Desk"): 3.0,
    ("stationery", "Fridge"): 0.0,
    ("electronics", "Desk"): 2.0,
    ("electronics", "Fridge"): 0.0,
    ("Pot", "Stove"): 40.0,
    ("Pan", "Stove"): 40.0,
    ("Kettle", "Stove"): 40.0,
}
# Furniture that people keep mostly clear.
SPARSE: dict[str, float] = {
    "ArmChair": 0.4,
    "BathroomSink": 0.6,
    "Bathtub": 0.05,
    "Bed": 0.5,
    "Chair": 0.1,
    "Footstool": 0.1,
    "Fridge": 0.6,
    "OfficeChair": 0.1,
    "ShowerCabin": 0.05,
    "Sink": 0.2,
    "Stool": 0.1,
    "Stove": 0.2,
    "Toilet": 0.1,
}
UTENSILS = ("Knife", "Fork", "Spoon", "Plate", "Pot", "Pan", "Cup", "Bowl")
FOODS_PER_KITCHEN = 6


def belongs(kind: ObjectType, room_type: RoomType) -> bool:
    """Tells whether a small thing is kept in such a room."""
    small = kind.placement == "small" and kind.category != "fixture"
    return small and hint_of(room_type) in kind.rooms and not is_out_of_place(kind, room_type)


def frequency(kind: ObjectType) -> float:
    """Returns how often a thing is drawn, relative to others."""
    usual = COMMON.get(kind.name, COMMON.get(kind.category, 1.0))
    return FAVOUR if kind.name in FAVOURED and kind.category != "sport" else usual


def most_alike(kind: ObjectType) -> int:
    """Returns how many things of a type a room may hold."""
    return MOST_ALIKE if kind.category in MANY else 1


@cache
def liking(kind: ObjectType, furniture: str) -> float:
    """Returns how likely a thing stands on a type of furniture, relative to others."""
    only = ONLY_ON.get(kind.name, ONLY_ON.get(kind.category))
    if only is not None and furniture not in only:
        return 0.0
    own = LIKING.get((kind.name, furniture))
    general = LIKING.get((kind.category, furniture), 1.0) if own is None else own
    return general * SPARSE.get(furniture, 1.0)
