"""What is asked for: RoboTHOR's twelve common kinds of things, PASTURE's twelve uncommon ones, and some in reserve."""

from __future__ import annotations

from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.tasks.targets import ROBOTHOR_TYPES

COMMON: tuple[str, ...] = ROBOTHOR_TYPES
UNCOMMON: tuple[str, ...] = (
    "ElectricGuitar",
    "EspressoMachine",
    "GingerbreadHouse",
    "GraphicsCard",
    "MateGourd",
    "PlasticCrate",
    "RiceCooker",
    "Surfboard",
    "ToyAirplane",
    "Tricycle",
    "Whiteboard",
    "WickerBasket",
)
"""The paper's own list; its crate, its maté and its llama basket have these names in our catalogue."""
RESERVE: tuple[str, ...] = ("TeddyBear", "Teapot", "Candle", "WineBottle", "SoccerBall", "Hat")
"""Asked for in a house where one of the common kinds finds no fair place."""


def noun_of(type_name: str) -> str:
    """What people call a type."""
    return catalogue()[type_name].noun
