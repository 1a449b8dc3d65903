"""What ObjectNav asks for: the object types of the benchmarks, and any others by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pentathlon.core.errors import UnknownIdError, UsageError

ROBOTHOR_TYPES: tuple[str, ...] = (
    "AlarmClock",
    "Apple",
    "BaseballBat",
    "BasketBall",
    "Bowl",
    "GarbageCan",
    "HousePlant",
    "Laptop",
    "Mug",
    "SprayBottle",
    "Television",
    "Vase",
)
HABITAT_TYPES: tuple[str, ...] = ("Chair", "Bed", "HousePlant", "Toilet", "Television", "Sofa")
TARGET_SETS: Mapping[str, tuple[str, ...]] = {"robothor": ROBOTHOR_TYPES, "habitat": HABITAT_TYPES}


def target_types(targets: str | Sequence[str]) -> tuple[str, ...]:
    """Returns the object types of a named set, or checks types given one by one.

    Args:
        targets: ``robothor``, ``habitat``, or names of the catalogue.

    Raises:
        UnknownIdError: when there is no such set or type.
    """
    if isinstance(targets, str):
        if targets not in TARGET_SETS:
            raise UnknownIdError("set of targets", targets, TARGET_SETS, hint="Give single types as a tuple.")
        return TARGET_SETS[targets]
    from pentathlon.worlds.houses.assets.catalogue import catalogue

    known = {*catalogue(), *ROBOTHOR_TYPES, *HABITAT_TYPES}
    for name in targets:
        if name not in known:
            raise UnknownIdError("object type", name, known)
    if not targets or len(set(targets)) != len(targets):
        raise UsageError(f"Expected one or more different object types, got {list(targets)}.")
    return tuple(targets)
