"""Which kitchen a film is made in: seeds that follow from names, without those in which some deed has no room.

``UNFIT`` was found by doing every planned deed once (``pentathlon judge films --try-only``).
"""

from __future__ import annotations

from pentathlon.core.identity import derive_seed

UNFIT: frozenset[int] = frozenset()


def kitchen_seed(*parts: str | int) -> int:
    """Returns the seed of a kitchen that is fit."""
    attempt = 0
    while (seed := derive_seed(*parts, attempt) % 2**31) in UNFIT:
        attempt += 1
    return seed
