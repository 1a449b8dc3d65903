"""Checks on what goes into an encoder and what comes out, so that a bad feature never reaches a cache."""

from __future__ import annotations

from typing import Any

import numpy as np

from pentathlon.core.entrants import Encoder, Features, Images
from pentathlon.core.errors import EntrantError, UsageError


def check_images(images: Any) -> None:
    """Refuses anything but uint8 pictures ``[B, H, W, 3]``.

    Raises:
        UsageError: naming the dtype or shape that was given.
    """
    if not isinstance(images, np.ndarray):
        raise UsageError(f"Expected images as a numpy array, got {type(images).__name__}. Convert them first.")
    if images.dtype != np.uint8:
        raise UsageError(f"Expected uint8 images in 0..255, got {images.dtype}. Scale to 0..255 and convert.")
    if images.ndim != 4 or images.shape[3] != 3 or 0 in images.shape[1:]:
        raise UsageError(f"Expected images of shape [B, H, W, 3], got {list(images.shape)}. Add or move the axes.")


def checked_encode(encoder: Encoder, images: Images) -> Features:
    """Encodes ``images`` and refuses features that do not fit the encoder's own spec.

    Raises:
        UsageError: when the images are not uint8 ``[B, H, W, 3]``.
        EntrantError: when a feature is not finite float32 of the declared shape.
    """
    check_images(images)
    features = encoder.encode(images)
    name, spec = type(encoder).__name__, encoder.spec
    if not isinstance(features, Features):
        raise EntrantError(
            f"{name}.encode(): expected Features, got {type(features).__name__}. Return Features(pooled), "
            "of pentathlon.core."
        )
    _check_array(f"{name} pooled features", features.pooled, (len(images), spec.dim))
    if spec.grid is not None:
        if features.patches is None:
            raise EntrantError(
                f"{name}: expected patches for its grid {spec.grid}, got none. Return them or drop the grid."
            )
        count = spec.grid[0] * spec.grid[1]
        _check_array(f"{name} patch features", features.patches, (len(images), count, spec.dim))
    return features


def _check_array(what: str, values: Any, shape: tuple[int, ...]) -> None:
    if not isinstance(values, np.ndarray) or values.dtype != np.float32:
        got = values.dtype if isinstance(values, np.ndarray) else type(values).__name__
        raise EntrantError(f"{what}: expected a float32 numpy array, got {got}. Convert before returning.")
    if values.shape != shape:
        raise EntrantError(f"{what}: expected shape {list(shape)}, got {list(values.shape)}. Correct encode() or spec.")
    if not np.isfinite(values).all():
        row = int(np.flatnonzero(~np.isfinite(values.reshape(len(values), -1)).all(axis=1))[0])
        raise EntrantError(f"{what}: expected finite numbers, got NaN or infinity for image {row}. Check the weights.")
