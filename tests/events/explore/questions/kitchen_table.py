"""A hand-made table of facts: a kitchen and a bedroom with a few things in them."""

from __future__ import annotations

from pentathlon.events.explore.questions.facts import SceneFacts, Thing
from pentathlon.worlds.houses.assets.types import ShapeClass


def thing(
    key: str,
    type_name: str,
    room: str,
    colours: str,
    materials: str,
    mass_kg: float,
    size_m: tuple[float, float, float],
    shape: ShapeClass | None = "cube",
) -> Thing:
    return Thing(
        key,
        type_name,
        frozenset(colours.split()),
        frozenset(materials.split()),
        room,
        (mass_kg, mass_kg),
        size_m,
        shape,
        portable=mass_kg < 10,
    )


THINGS = (
    thing("table", "DiningTable", "k", "brown", "wood", 20.0, (1.2, 0.8, 0.75), None),
    thing("fridge", "Fridge", "k", "silver", "metal", 60.0, (0.6, 0.6, 1.8), None),
    thing("mug", "Mug", "k", "white", "ceramic", 0.32, (0.10, 0.08, 0.09)),
    thing("cup", "Cup", "k", "black silver", "metal", 0.21, (0.12, 0.10, 0.11)),
    thing("egg", "Egg", "k", "white", "food", 0.06, (0.05, 0.05, 0.06)),
    thing("spoon", "Spoon", "k", "silver", "metal", 0.04, (0.18, 0.04, 0.01), "long"),
    thing("knife", "Knife", "b", "silver black", "metal plastic", 0.09, (0.25, 0.03, 0.02), "long"),
    thing("red book", "Book", "b", "red", "paper", 0.50, (0.20, 0.15, 0.03), "flat"),
    thing("blue book", "Book", "b", "blue", "paper", 0.70, (0.25, 0.20, 0.02), "flat"),
    thing("dumbbell", "Dumbbell", "b", "black", "metal", 6.0, (0.30, 0.12, 0.12), "long"),
)
ON = [("mug", "table"), ("cup", "table"), ("spoon", "table")]
NEAR = [("mug", "cup"), ("cup", "spoon"), ("red book", "blue book")]


def make_facts(**changes: object) -> SceneFacts:
    """The table, with other values for some fields of it."""
    both = NEAR + [(other, one) for one, other in NEAR]
    facts = SceneFacts(
        things={item.id: item for item in THINGS},
        rooms={"k": "Kitchen", "b": "Bedroom"},
        relations={"on": dict.fromkeys(ON, True), "in": {("egg", "fridge"): True}, "near": dict.fromkeys(both, True)},
    )
    return SceneFacts(**{**vars(facts), **changes})
