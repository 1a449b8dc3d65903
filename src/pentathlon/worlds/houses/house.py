"""What a house is: rooms, openings and objects, as plain frozen records.

Frame: x and y span the floor, z points up, metres. Yaw is counter-clockwise seen from above, in degrees; an object of
yaw 0 faces -y, an agent of yaw 0 looks along +x.
"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec

FORMAT: Literal["pentathlon-house"] = "pentathlon-house"
OUTSIDE = "outside"

RoomType = Literal["Bathroom", "Bedroom", "DiningRoom", "Hallway", "Kitchen", "LivingRoom", "Office"]
ROOM_TYPES: tuple[RoomType, ...] = get_args(RoomType)
FloorMaterial = Literal["carpet", "planks", "stone", "tile"]
WallMaterial = Literal["brick", "plaster", "tile", "wallpaper"]
Relation = Literal["on", "in", "under"]
When = Literal["always", "on", "off", "sliced", "whole", "dirty", "clean", "hot", "cold", "filled", "empty", "broken"]

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=120)]
Coordinate = Annotated[float, msgspec.Meta(ge=-1000.0, le=1000.0)]
Height = Annotated[float, msgspec.Meta(ge=0.0, le=20.0)]
Length = Annotated[float, msgspec.Meta(gt=0.0, le=100.0)]
Fraction = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
Factor = Annotated[float, msgspec.Meta(gt=0.0, le=10.0)]
Angle = Annotated[float, msgspec.Meta(ge=-3600.0, le=3600.0)]
Point = tuple[Coordinate, Coordinate]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of all records in a house file: immutable, compared by value, refusing unknown fields."""


class FloorFinish(Record, frozen=True):
    """What a floor is made of; ``colour`` is a name from the colour table."""

    material: FloorMaterial
    colour: Name


class WallFinish(Record, frozen=True):
    """What the inner side of a room's walls is made of."""

    material: WallMaterial
    colour: Name


class Room(Record, frozen=True):
    """A room: the outline runs along the middle of its walls, every edge parallel to x or y."""

    id: Name
    type: RoomType
    outline_m: Annotated[tuple[Point, ...], msgspec.Meta(min_length=4, max_length=200)]
    floor: FloorFinish
    wall: WallFinish


class Door(Record, frozen=True):
    """A passage through a wall between two rooms, or from a room to ``outside``.

    Attributes:
        rooms: a panel swings into the first.
        centre_m: on the line of the wall.
        panel: whether a leaf hangs in it; otherwise it is an open doorway.
        hinge: the end with the lower or the higher coordinate along the wall.
        opening: 0 closed, 1 at a right angle to the wall.
    """

    id: Name
    rooms: tuple[Name, Name]
    centre_m: Point
    width_m: Length
    height_m: Length
    panel: bool = False
    hinge: Literal["low", "high"] = "low"
    opening: Fraction = 1.0


class Window(Record, frozen=True):
    """A glazed hole in an outer wall."""

    id: Name
    room: Name
    centre_m: Point
    width_m: Length
    sill_m: Height
    height_m: Length


class Support(Record, frozen=True):
    """What carries, holds or covers an object."""

    relation: Relation
    object: Name


class State(Record, frozen=True):
    """What is variable about an object; which fields matter depends on its type."""

    open: Fraction = 0.0
    on: bool = False
    sliced: bool = False
    dirty: bool = False
    hot: bool = False
    cold: bool = False
    filled: bool = False
    broken: bool = False

    def shows(self, when: When) -> bool:
        """Tells whether a part that is there ``when`` shows in this state; of what is broken, only its pieces."""
        if self.broken:
            return when == "broken"
        opposites = {"off": not self.on, "whole": not self.sliced, "clean": not self.dirty, "empty": not self.filled}
        return when == "always" or opposites.get(when, getattr(self, when, False))


class Box(Record, frozen=True):
    """Size, mass and colour of an object whose type has no asset: it is shown as a box."""

    size_m: tuple[Length, Length, Length]
    mass_kg: Annotated[float, msgspec.Meta(gt=0.0, le=2000.0)]
    colour: Name = "grey"
    pickupable: bool = False


class PlacedObject(Record, frozen=True):
    """An object in its place.

    Attributes:
        position_m: centre of the underside.
        variant: seed of the asset's own proportions and colours; ``splits.VARIANTS`` says which are for training.
        scale: factor on its size, 0.8–1.0 in generated houses.
        stretch: factors on its width, depth and height beyond that, for furniture made to the measures of another.
        mass_factor: factor on its mass, 0.5–1.5 in generated houses.
        support: ``None`` for what stands on the floor or hangs on a wall or ceiling.
        box: only for types without an asset.
    """

    id: Name
    type: Name
    room: Name
    position_m: tuple[Coordinate, Coordinate, Height]
    yaw_deg: Angle = 0.0
    variant: Annotated[int, msgspec.Meta(ge=0)] = 0
    scale: Factor = 1.0
    stretch: tuple[Factor, Factor, Factor] = (1.0, 1.0, 1.0)
    mass_factor: Factor = 1.0
    support: Support | None = None
    state: State = State()
    box: Box | None = None

    @property
    def factors(self) -> tuple[float, float, float]:
        """Factors on width, depth and height, scale and stretch together."""
        x, y, z = (self.scale * factor for factor in self.stretch)
        return x, y, z


class Start(Record, frozen=True):
    """Where an agent begins."""

    position_m: Point
    yaw_deg: Angle = 0.0


class House(Record, frozen=True, kw_only=True):
    """A whole house. ``House.generate`` makes one from a seed; ``files.read_house`` reads one."""

    format: Literal["pentathlon-house"] = FORMAT
    version: Literal[1] = 1
    name: Name
    ceiling_m: Annotated[float, msgspec.Meta(ge=2.0, le=6.0)] = 2.6
    rooms: Annotated[tuple[Room, ...], msgspec.Meta(min_length=1, max_length=100)]
    doors: Annotated[tuple[Door, ...], msgspec.Meta(max_length=400)] = ()
    windows: Annotated[tuple[Window, ...], msgspec.Meta(max_length=400)] = ()
    objects: Annotated[tuple[PlacedObject, ...], msgspec.Meta(max_length=5000)] = ()
    start: Start | None = None

    @staticmethod
    def generate(seed: int, rooms: int | None = None, variants: range | None = None) -> House:
        """Makes a furnished house; the same arguments give the same bytes.

        Args:
            seed: any non-negative integer.
            rooms: 1 to 10; drawn from the seed when not given.
            variants: of each object type, those that the house may hold; those of the seed's split when not given.
        """
        from pentathlon.worlds.houses.generate import generate_house

        return generate_house(seed, rooms, variants)

    def room(self, room_id: str) -> Room:
        """Returns the room of that id."""
        return next(room for room in self.rooms if room.id == room_id)

    def object(self, object_id: str) -> PlacedObject:
        """Returns the object of that id."""
        return next(item for item in self.objects if item.id == object_id)
