"""How much a cache may fill, as a variable of the environment says."""

from __future__ import annotations

import math
import os

from pentathlon.core.errors import UsageError

GIBIBYTE = 2**30


def limit_from(variable: str, default_gib: float) -> int:
    """Returns as many bytes as the variable names in GiB.

    Raises:
        UsageError: when it names no such number.
    """
    given = os.environ.get(variable, "")
    if not given:
        return int(default_gib * GIBIBYTE)
    try:
        gib = float(given)
    except ValueError:
        gib = math.nan
    if not 0.0 <= gib < math.inf:
        raise UsageError(f"Expected a number of GiB for {variable}, such as {default_gib:g}, got {given!r}.")
    return int(gib * GIBIBYTE)
