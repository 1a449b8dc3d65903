"""What an episode file holds: houses as they were changed for the benchmark, and what is to be found in them."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec

from pentathlon.worlds.houses.house import House, Name, PlacedObject, Record

FORMAT: Literal["pentathlon-find"] = "pentathlon-find"
Capability = Literal[
    "objectnav",
    "objectnav-large",
    "pasture-uncommon",
    "pasture-appearance",
    "pasture-space",
    "pasture-appearance-distract",
    "pasture-space-distract",
    "pasture-hidden",
    "pasture-hidden-distract",
]
CAPABILITIES: tuple[Capability, ...] = get_args(Capability)

Sentence = Annotated[str, msgspec.Meta(min_length=1, max_length=300)]
Metres = Annotated[float, msgspec.Meta(ge=0.0, le=1000.0)]


class Place(Record, frozen=True):
    """Where the navigator begins; yaw is counter-clockwise from +x."""

    x_m: float
    y_m: float
    yaw_deg: float


class FindEpisode(Record, frozen=True):
    """One thing to find from one start.

    Attributes:
        id: unique within the file.
        house: name of the house.
        target: id of the object.
        type: its object type.
        category: what people call it.
        description: the sentence that the agent is told.
        start: where the navigator begins.
        length_m: of the straightened shortest way from there to the nearest place where Stop succeeds.
    """

    id: Name
    house: Name
    target: Name
    type: Name
    category: Name
    description: Sentence
    start: Place
    length_m: Metres


class Change(Record, frozen=True):
    """What a capability changes about a house: what is taken out, with all that stands on it, and what is put in."""

    house: Name
    removed: tuple[Name, ...] = ()
    added: tuple[PlacedObject, ...] = ()

    def applied(self, house: House) -> House:
        """Returns the changed house."""
        kept = [item for item in house.objects if item.id not in self.removed]
        return msgspec.structs.replace(house, objects=(*kept, *self.added))


class Draft(Record, frozen=True):
    """What one house gives to one capability."""

    capability: Capability
    change: Change
    episodes: tuple[FindEpisode, ...]


class Part(Record, frozen=True, kw_only=True):
    """What becomes of one house while the benchmark is made: its drafts, or none, and a line that says so."""

    house: House
    drafts: tuple[Draft, ...] = ()
    line: str


class EpisodeFile(Record, frozen=True, kw_only=True):
    """All episodes of a capability.

    Attributes:
        houses: names, in order.
        houses_hash: of the file that holds the houses; other houses would make the episodes wrong.
        changes: one for each house that is changed.
    """

    format: Literal["pentathlon-find"] = FORMAT
    version: Literal[1] = 1
    capability: Capability
    houses: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1)]
    houses_hash: Name
    changes: tuple[Change, ...] = ()
    episodes: Annotated[tuple[FindEpisode, ...], msgspec.Meta(min_length=1)]


class HouseFile(Record, frozen=True, kw_only=True):
    """The houses that episodes take place in, before any capability changes them."""

    format: Literal["pentathlon-find-houses"] = "pentathlon-find-houses"
    version: Literal[1] = 1
    generator: Name
    houses: tuple[House, ...]
