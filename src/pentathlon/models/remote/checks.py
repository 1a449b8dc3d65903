"""What goes to strangers, and the checks that their answers pass before a task or a robot sees them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from pentathlon.core.entrants import Floats, Images, Observation
from pentathlon.core.errors import DataError
from pentathlon.core.specs import ArraySpec, InteractionSpec

MAX_CHUNK_STEPS = 1024
IMAGES_AT_ONCE = 8
"""Few enough that a large network on one core answers within the limit for a step."""


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


def checked_label(label: str, labels: tuple[str, ...]) -> str:
    """Returns ``label`` once it is known to be one of ``labels``.

    Raises:
        DataError: naming both.
    """
    if label not in labels:
        raise DataError(f"Expected one of the actions {', '.join(labels)[:300]}, got {label[:80]!r}.")
    return label


def in_shares(images: Images, max_bytes: int) -> Iterator[Images]:
    """Gives the pictures in shares of at most :data:`IMAGES_AT_ONCE` and, where one picture fits, ``max_bytes``."""
    at_once = max(1, min(IMAGES_AT_ONCE, max_bytes // max(1, images[:1].nbytes)))
    for start in range(0, len(images), at_once):
        yield images[start : start + at_once]


def declared_part(spec: InteractionSpec, observation: Observation) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the arrays that the entrant declares, and what is no array; other arrays stay here."""
    wanted = {array.name for array in spec.observations}
    arrays = {name: value for name, value in observation.items() if name in wanted and _is_array(value)}
    return arrays, {name: value for name, value in observation.items() if not _is_array(value)}


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


def _is_array(value: object) -> bool:
    return isinstance(value, np.ndarray | np.generic)
