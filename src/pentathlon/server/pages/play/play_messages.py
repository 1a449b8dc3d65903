"""What browser, web process and bench say to each other while somebody plays: JSON, and pictures as JPEG."""

from __future__ import annotations

import struct
from typing import Annotated, Literal, TypeAlias

import msgspec

from pentathlon.worlds.tabletop.arm.robot import Setup, TaskName

MOST_WISH_BYTES = 1000

Name = Annotated[str, msgspec.Meta(max_length=64)]
Seed = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
Share = Annotated[float, msgspec.Meta(ge=-1.0, le=1.0)]
Axes: TypeAlias = tuple[Share, Share, Share, Share, Share]
"""Speeds as shares of the greatest: to the right in the picture, towards the viewer, up, point right, tilt."""


class _Said(msgspec.Struct, tag_field="kind", forbid_unknown_fields=True):
    pass


class Start(_Said, tag="start"):
    """Set the bench up; what was recorded before and not saved is dropped."""

    task: Literal["pour", "scoop"]
    container: Name
    material: Name
    location: Name
    seed: Seed

    def setup(self) -> Setup:
        """The same as robots understand it."""
        return Setup(self.task, self.container, self.material, self.location, self.seed)


class Move(_Said, tag="move"):
    """Move so until told otherwise; holds for half a second only, lest a lost connection keeps the arm moving."""

    axes: Axes


class Finish(_Said, tag="finish"):
    """End the episode and weigh."""


class Save(_Said, tag="save"):
    """Keep the finished episode."""


class Discard(_Said, tag="discard"):
    """Break the episode off, or drop the finished one."""


Wish: TypeAlias = Start | Move | Finish | Save | Discard


class Ready(_Said, tag="ready"):
    """The bench is set up; recording begins with the first movement."""

    task: TaskName
    limit_s: float


class Status(_Said, tag="status"):
    """How the episode goes; ``pace`` is 1 when simulated seconds are as long as real ones."""

    time_s: float
    grams: float
    place_m: tuple[float, float, float]
    tilt_deg: float
    pace: float


class Result(_Said, tag="result"):
    """The episode has ended and can be saved."""

    grams: float
    steps: int


class Saved(_Said, tag="saved"):
    """The episode is on disk."""

    dataset: str
    index: int


class Problem(_Said, tag="problem"):
    """Why something was not done, in one sentence."""

    error: str


News: TypeAlias = Ready | Status | Result | Saved | Problem


class BenchOrder(msgspec.Struct, frozen=True):
    """What a bench's process is told when it starts: size of the data, where episodes go, who plays."""

    tier: Literal["full", "lite"]
    folder: str
    player: str


_wishes: msgspec.json.Decoder[Wish] = msgspec.json.Decoder(Start | Move | Finish | Save | Discard)


def read_wish(text: bytes | str) -> Wish:
    """Reads a wish.

    Raises:
        msgspec.ValidationError: when it is none.
        msgspec.DecodeError: when it is no JSON.
    """
    return _wishes.decode(text)


def pack(message: bytes) -> bytes:
    """Puts the length before a message, for a pipe."""
    return struct.pack("<I", len(message)) + message


def unpack_length(head: bytes) -> int:
    """Reads the length of the next message."""
    (length,) = struct.unpack("<I", head)
    return int(length)
