"""The check that arrays of strangers pass before a task sees them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pentathlon.core.entrants import Floats
from pentathlon.core.errors import DataError


def checked_array(values: npt.NDArray[Any], shape: tuple[int, ...], what: str) -> Floats:
    """Returns ``values`` once they are known to be finite float32 of ``shape``.

    Raises:
        DataError: naming what is wrong with them.
    """
    if values.dtype != np.float32:
        raise DataError(f"Expected {what} of dtype float32, got {values.dtype.name}.")
    if values.shape != shape:
        raise DataError(f"Expected {what} of shape {list(shape)}, got {list(values.shape)}.")
    if not np.isfinite(values).all():
        raise DataError(f"Expected finite {what}, got nan or infinity.")
    return values
