"""Arrays as they travel to and from untrusted programs: a dtype of a short list, a shape and bytes, never pickle."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError

DTYPES = ("bool", "uint8", "uint16", "int32", "int64", "float16", "float32", "float64")
MAX_ARRAY_BYTES = 64 * 2**20
MAX_DIMENSIONS = 8


class PackedArray(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An array on the wire: little-endian, in C order."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes


def pack(array: npt.ArrayLike) -> PackedArray:
    """Packs an array.

    Raises:
        DataError: when its dtype is not one of :data:`DTYPES`.
    """
    values = np.asarray(array)
    if values.dtype.name not in DTYPES:
        raise DataError(f"Arrays of dtype {values.dtype.name!r} cannot be sent: expected one of {', '.join(DTYPES)}.")
    little_endian = values.dtype.newbyteorder("<")
    return PackedArray(values.dtype.name, values.shape, values.astype(little_endian, copy=False).tobytes())


def unpack(packed: PackedArray, max_bytes: int = MAX_ARRAY_BYTES) -> npt.NDArray[Any]:
    """Rebuilds an array after checking that dtype, shape and length agree.

    Raises:
        DataError: naming what is wrong with it.
    """
    if packed.dtype not in DTYPES:
        raise DataError(f"Got an array of dtype {packed.dtype[:40]!r}, expected one of {', '.join(DTYPES)}.")
    if len(packed.shape) > MAX_DIMENSIONS or any(length < 0 for length in packed.shape):
        raise DataError(f"Got an array of shape {str(packed.shape)[:80]}, expected up to {MAX_DIMENSIONS} dimensions.")
    dtype = np.dtype(packed.dtype).newbyteorder("<")
    # Numpy counts the other lengths of an empty array too, and cannot have more of them than memory has bytes.
    extent = math.prod(max(1, length) for length in packed.shape) * dtype.itemsize
    if extent > max_bytes:
        raise DataError(
            f"Got an array of shape {packed.shape} and {packed.dtype}, expected at most {max_bytes:,} bytes."
        )
    size = math.prod(packed.shape) * dtype.itemsize
    if size != len(packed.data):
        raise DataError(
            f"Got {len(packed.data):,} bytes for an array of shape {packed.shape} and dtype {packed.dtype}, "
            f"expected {size:,}."
        )
    return np.frombuffer(packed.data, dtype).reshape(packed.shape).copy()
