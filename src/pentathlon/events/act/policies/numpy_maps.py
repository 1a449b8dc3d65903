"""Messages of openpi and vla-eval: msgpack with arrays as maps of ``__ndarray__``, data, dtype and shape.

openpi writes the map's keys as bytes, vla-eval as text. What strangers answer is decoded as fixed types: nothing is
built of what is not asked for, since a megabyte of empty lists would become a hundred.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError
from pentathlon.models.remote.arrays import DTYPES, PackedArray, unpack
from pentathlon.models.remote.checks import MAX_CHUNK_STEPS

Key = bytes | str
MAX_WIDTH = 64
MAX_KEYS = 8

_NAMES: dict[str, str] = {np.dtype(name).newbyteorder("<").str: name for name in DTYPES}
_Row = Annotated[list[float], msgspec.Meta(max_length=MAX_WIDTH)]
_Rows = Annotated[list[float | _Row], msgspec.Meta(max_length=MAX_CHUNK_STEPS)]
_TextMap = Annotated[dict[str, msgspec.Raw], msgspec.Meta(max_length=MAX_KEYS)]
_BytesMap = Annotated[dict[bytes, msgspec.Raw], msgspec.Meta(max_length=MAX_KEYS)]

Message = TypeVar("Message")


class Frame(msgspec.Struct):
    """What vla-eval wraps every message in."""

    type: str
    seq: int
    payload: msgspec.Raw


class Greeting(msgspec.Struct):
    """A map of which nothing else is looked at."""

    protocol_version: int | None = None


class Actions(msgspec.Struct):
    """An answer of either; what else it holds is left alone."""

    actions: msgspec.Raw


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


def decode_as(data: bytes | msgspec.Raw, kind: type[Message]) -> Message:
    """Decodes a message of one kind.

    Raises:
        DataError: when it is none.
    """
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except Exception as error:  # whatever it is, the bytes are a stranger's
        raise DataError(f"Got {len(bytes(data)):,} bytes that are no such message: {error}.") from error


def decode_actions(data: msgspec.Raw, key: Callable[[str], Key]) -> npt.NDArray[Any]:
    """Decodes an array, or rows of numbers.

    Raises:
        DataError: when it is neither, or an array of another kind than numbers.
    """
    if bytes(data)[:1] in _LISTS:
        try:
            return np.asarray(decode_as(data, _Rows), np.float64)
        except ValueError as error:
            raise DataError("Got rows of different lengths.") from error
    kind: Any = _BytesMap if isinstance(key(""), bytes) else _TextMap
    parts: dict[Key, msgspec.Raw] = decode_as(data, kind)
    if not {key("data"), key("dtype"), key("shape")} <= parts.keys():
        raise DataError("Got a map, expected an array with its data, dtype and shape.")
    dtype = decode_as(parts[key("dtype")], str)
    if dtype not in _NAMES:
        raise DataError(f"Got an array of dtype {dtype[:40]!r}, expected one of {', '.join(_NAMES)}.")
    shape = decode_as(parts[key("shape")], tuple[int, ...])
    return unpack(PackedArray(_NAMES[dtype], shape, decode_as(parts[key("data")], bytes)))


# The first bytes of lists: short ones, and those whose length takes two or four bytes.
_LISTS = frozenset(bytes([first]) for first in (*range(0x90, 0xA0), 0xDC, 0xDD))
