"""Arrays as openpi and vla-eval write them into msgpack: a map with ``__ndarray__``, data, dtype and shape.

openpi writes the map's keys as bytes, vla-eval as text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.models.remote.arrays import DTYPES, PackedArray, unpack

Key = bytes | str
_NAMES: dict[str, str] = {np.dtype(name).newbyteorder("<").str: name for name in DTYPES}
MAX_DEPTH = 32


def encode_map(value: Any, key: Callable[[str], Key]) -> bytes:
    """Encodes nested maps and lists with arrays in them; ``key`` makes the keys of an array's map."""

    def array_map(array: Any) -> dict[Key, Any]:
        values = np.ascontiguousarray(array)
        if values.dtype.name not in DTYPES:
            raise NotImplementedError(f"arrays of {values.dtype.name} cannot be sent")
        return {
            key("__ndarray__"): True,
            key("data"): values.tobytes(),
            key("dtype"): values.dtype.str,
            key("shape"): list(values.shape),
        }

    return msgspec.msgpack.encode(value, enc_hook=array_map)


def decode_map(data: bytes, key: Callable[[str], Key]) -> dict[str, Any]:
    """Decodes a map whose arrays are checked like our own.

    Raises:
        DataError: when it is none, or an array in it is of another kind than numbers.
    """
    try:
        decoded = _decode(msgspec.msgpack.decode(data), key, MAX_DEPTH)
    except DataError:
        raise
    except Exception as error:  # whatever it is, the bytes are a stranger's
        raise DataError(f"Got {len(data):,} bytes that are no msgpack: {error}.") from error
    if not isinstance(decoded, dict):
        raise DataError(f"Got a {type(decoded).__name__}, expected a map.")
    return decoded


def _decode(value: Any, key: Callable[[str], Key], depth: int) -> Any:
    if depth == 0:
        raise DataError(f"Got a message nested deeper than {MAX_DEPTH}.")
    if isinstance(value, list):
        return [_decode(item, key, depth - 1) for item in value]
    if not isinstance(value, dict):
        return value
    if key("__ndarray__") in value:
        return _array(value, key)
    if key("__npgeneric__") in value:
        return value.get(key("data"))
    return {_text(name): _decode(item, key, depth - 1) for name, item in value.items()}


def _array(value: Mapping[Any, Any], key: Callable[[str], Key]) -> Any:
    data, dtype, shape = (value.get(key(name)) for name in ("data", "dtype", "shape"))
    name = _NAMES.get(_text(dtype)) if isinstance(dtype, str | bytes) else None
    if name is None or not isinstance(data, bytes) or not isinstance(shape, list):
        raise DataError(f"Got an array of dtype {str(dtype)[:40]!r}, expected one of {', '.join(_NAMES)}.")
    if not all(type(length) is int for length in shape):
        raise DataError(f"Got an array of shape {str(shape)[:80]}.")
    return unpack(PackedArray(name, tuple(shape), data))


def _text(name: Any) -> str:
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)
