"""A house of two rooms that tests of the world and of find share."""

from __future__ import annotations

from pentathlon.worlds.houses.house import (
    Door,
    FloorFinish,
    House,
    PlacedObject,
    Room,
    Start,
    Support,
    WallFinish,
    Window,
)


def room(room_id: str, room_type: str, x0: float, y0: float, x1: float, y1: float) -> Room:
    outline = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Room(room_id, room_type, outline, FloorFinish("planks", "brown"), WallFinish("plaster", "cream"))  # type: ignore[arg-type]


def make_small_house() -> House:
    """Two rooms side by side, a door between them, a table with two mugs and an apple under it, and a fridge."""
    from pentathlon.worlds.houses.furnishing.footprint import footprint

    top = max(receptacle.centre_m[2] for receptacle in footprint("DiningTable", 0).receptacles) + 0.0005
    return House(
        name="small",
        rooms=(room("kitchen", "Kitchen", 0.0, 0.0, 4.0, 4.0), room("bedroom", "Bedroom", 4.0, 0.0, 7.0, 4.0)),
        doors=(
            Door("inner", ("bedroom", "kitchen"), (4.0, 0.7), 0.9, 2.05, panel=True),
            Door("front", ("kitchen", "outside"), (0.8, 0.0), 0.9, 2.05, panel=True, opening=0.0),
        ),
        windows=(Window("view", "bedroom", (7.0, 2.0), 1.2, 0.9, 1.2),),
        objects=(
            PlacedObject("table", "DiningTable", "kitchen", (2.0, 2.4, 0.0)),
            PlacedObject("left mug", "Mug", "kitchen", (1.8, 2.4, top), support=Support("on", "table")),
            PlacedObject(
                "right mug",
                "Mug",
                "kitchen",
                (2.2, 2.4, top),
                mass_factor=1.5,
                support=Support("on", "table"),
                variant=1,
            ),
            PlacedObject("apple", "Apple", "kitchen", (2.0, 2.4, 0.0005), support=Support("under", "table")),
            PlacedObject("fridge", "Fridge", "kitchen", (3.4, 3.5, 0.0)),
            PlacedObject("lost mug", "Mug", "bedroom", (5.5, 1.5, 0.0005), scale=0.8),
        ),
        start=Start((1.0, 1.0), 45.0),
    )
