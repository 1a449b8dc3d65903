"""What a body's settings may be."""

from __future__ import annotations

from collections.abc import Mapping

from pentathlon.core.errors import UsageError


def check_limits(settings: object, limits: Mapping[str, float]) -> None:
    """Checks fields of ``settings`` that must be above 0, by the most that each may be.

    Raises:
        UsageError: naming the first that is not.
    """
    for name, limit in limits.items():
        value = getattr(settings, name)
        if not 0.0 < value <= limit:
            raise UsageError(f"Expected {name} above 0 and at most {limit}, got {value}.")
