"""Ten houses designed by hand: nine for testing, one for practice. Their drafts are in ``plans/``."""

from __future__ import annotations

from functools import cache
from importlib import resources

from pentathlon.core.errors import UnknownIdError
from pentathlon.worlds.houses.files.house_files import parse_house
from pentathlon.worlds.houses.house import House

__all__ = ["NAMES", "PRACTICE", "TEST", "architect_house"]

PRACTICE = "bungalow"
TEST: tuple[str, ...] = (
    "cottage",
    "duplex",
    "farmhouse",
    "gallery",
    "l_flat",
    "loft",
    "railroad",
    "studio",
    "villa",
)
NAMES: tuple[str, ...] = tuple(sorted((PRACTICE, *TEST)))


@cache
def architect_house(name: str) -> House:
    """Returns a hand-designed house.

    Raises:
        UnknownIdError: when there is no house of that name.
    """
    if name not in NAMES:
        raise UnknownIdError("architect house", name, NAMES)
    file = resources.files(__package__).joinpath(f"{name}.json")
    return parse_house(file.read_bytes(), f"{name}.json")
