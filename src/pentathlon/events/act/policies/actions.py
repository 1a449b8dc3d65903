"""The check that every foreign action passes before a robot sees it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pentathlon.core.entrants import Floats
from pentathlon.core.errors import DataError
from pentathlon.core.specs import ArraySpec

MAX_CHUNK_STEPS = 1024


def checked_action(values: npt.NDArray[Any], spec: ArraySpec, chunk_steps: int = MAX_CHUNK_STEPS) -> Floats:
    """Returns ``values`` as float32 once they are known to be an action or a chunk of ``spec``.

    Raises:
        DataError: naming what is wrong with them.
    """
    if values.dtype.kind != "f":
        raise DataError(f"Expected an action of floating-point numbers, got dtype {values.dtype.name}.")
    width = spec.shape[-1]
    if values.ndim not in (1, 2) or values.shape[-1] != width or not 1 <= len(np.atleast_2d(values)) <= chunk_steps:
        raise DataError(
            f"Expected an action [{width}] or a chunk [H, {width}] with H from 1 to {chunk_steps}, "
            f"got shape {list(values.shape)}."
        )
    with np.errstate(over="ignore"):
        action = values.astype(np.float32)
    if not np.isfinite(action).all():
        raise DataError("Expected finite numbers in the action, got nan or infinity.")
    low, high = spec.low, spec.high
    if (low is not None and action.min() < low) or (high is not None and action.max() > high):
        raise DataError(
            f"Expected an action within [{low}, {high}] {spec.unit}, "
            f"got values from {action.min():g} to {action.max():g}."
        )
    return action
