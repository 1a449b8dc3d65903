"""House files: JSON text, read with every fault named by path and value, written the same for equal houses."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from pentathlon.core.errors import DataError, UsageError
from pentathlon.worlds.houses.files.checks import require_valid
from pentathlon.worlds.houses.house import FORMAT, House

SIZE_LIMIT_BYTES = 20_000_000
SCHEMA_ID = "house-v1.schema.json"


def read_house(path: Path) -> House:
    """Reads and validates a house file.

    Raises:
        DataError: when the file is missing, too large, malformed or describes a house that cannot exist.
    """
    return parse_house(read_limited(path), path.name)


def write_house(house: House, path: Path) -> None:
    """Writes a house file; equal houses give equal bytes.

    Raises:
        UsageError: when the file cannot be written there.
    """
    try:
        path.write_bytes(house_bytes(house))
    except OSError as error:
        raise UsageError(
            f"Expected to write the house to {str(path)!r}, got: {error.strerror}. Make the folder or choose another."
        ) from error


def house_bytes(house: House) -> bytes:
    """Returns the text of a house file: one line per room, door, window and object."""
    fields = msgspec.to_builtins(house)
    fields = {"format": house.format, "version": house.version, **fields}
    return ("{\n" + ",\n".join(f'"{key}": {_text(value)}' for key, value in fields.items()) + "\n}\n").encode()


def parse_house(text: bytes, source: str) -> House:
    """Decodes and validates the text of a house file; ``source`` names it in errors."""
    house = decode_house(text, source)
    require_valid(house, source)
    return house


def decode_house(text: bytes, source: str) -> House:
    """Decodes the text of a house file without asking whether such a house can exist."""
    try:
        return msgspec.json.decode(text, type=House)
    except msgspec.ValidationError as error:
        raise DataError(_explained(error, text, source)) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(_malformed(error, text, source)) from error


def read_limited(path: Path) -> bytes:
    """Reads a file that may come from anyone, refusing sizes that no house has."""
    try:
        size = path.stat().st_size
        if size > SIZE_LIMIT_BYTES:
            raise DataError(
                f"{path.name}: expected a house file of at most {SIZE_LIMIT_BYTES / 1e6:.0f} MB, "
                f"got {size / 1e6:.0f} MB. Is it another kind of file?"
            )
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: expected a readable house file, got: {error.strerror}. Check the path.") from error


def schema() -> dict[str, Any]:
    """Returns the JSON schema of house files."""
    made = msgspec.json.schema(House)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": SCHEMA_ID, "title": FORMAT, **made}


def schema_text() -> str:
    """Returns the published schema file's text."""
    return json.dumps(schema(), indent=2) + "\n"


def value_at(document: Any, path: str) -> Any:
    """Returns what stands at a JSON path such as ``$.rooms[0].type``; ``None`` where nothing does."""
    for key, index in re.findall(r"\.([A-Za-z_]\w*)|\[(\d+)\]", path):
        try:
            document = document[key] if key else document[int(index)]
        except (KeyError, IndexError, TypeError):
            return None
    return document


def _text(value: Any) -> str:
    if not isinstance(value, list | tuple) or not value:
        return msgspec.json.encode(value).decode()
    return "[\n" + ",\n".join("  " + msgspec.json.encode(item).decode() for item in value) + "\n]"


def _explained(error: msgspec.ValidationError, text: bytes, source: str) -> str:
    message, _, place = str(error).partition(" - at `")
    path = place.rstrip("`") or "$"
    try:
        value = value_at(json.loads(text), path)
    except (ValueError, RecursionError):
        return _malformed(error, text, source)
    shown = "" if value is None or "unknown field" in message else f", got {_short(value)}"
    return f"{source}: {path}: {message[:1].lower()}{message[1:]}{shown}."


def _malformed(error: Exception, text: bytes, source: str) -> str:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as fault:
        place = f"line {fault.lineno} column {fault.colno}" if isinstance(fault, json.JSONDecodeError) else "the text"
        reason = fault.msg if isinstance(fault, json.JSONDecodeError) else str(error)
        return f"{source}: expected JSON, got a fault at {place}: {reason}. Open it in an editor that checks JSON."
    for path, value in _not_finite(document, "$"):
        return f"{source}: {path}: expected a finite number, got {value}."
    return f"{source}: expected JSON, got: {error}. Open it in an editor that checks JSON."


def _not_finite(value: Any, path: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, float) and not math.isfinite(value):
        yield path, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _not_finite(item, f"{path}.{key}")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from _not_finite(item, f"{path}[{i}]")


def _short(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 80 else shown[:77] + "..."
