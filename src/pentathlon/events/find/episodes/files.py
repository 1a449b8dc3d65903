"""Reads and writes episode files: gzipped JSON, the same bytes for the same episodes."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from pentathlon.core.errors import DataError
from pentathlon.events.find.episodes.records import FORMAT, Capability, EpisodeFile, HouseFile, Part
from pentathlon.worlds.houses.house import House

Kind = TypeVar("Kind", EpisodeFile, HouseFile, Part)
HOUSES = "houses"
SIZE_LIMIT_BYTES = 50_000_000


def packed(value: EpisodeFile | HouseFile | Part) -> bytes:
    """Returns the bytes of a file; equal values give equal bytes."""
    return gzip.compress(msgspec.json.encode(value), 9, mtime=0)


def unpacked(data: bytes, kind: type[Kind], source: str) -> Kind:
    """Decodes the bytes of a file; ``source`` names it in errors.

    Raises:
        DataError: when they are no such file.
    """
    try:
        stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
        text = stream.decompress(data, SIZE_LIMIT_BYTES)
    except zlib.error as error:
        raise DataError(f"{source}: expected gzipped JSON, got: {error}. Is it another kind of file?") from error
    if not stream.eof:
        raise DataError(
            f"{source}: expected a whole file of at most {SIZE_LIMIT_BYTES / 1e6:.0f} MB, got more or less."
        )
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(f"{source}: expected a file of the format {FORMAT!r}, got: {error}. Mend the file.") from error


def read_episodes(path: Path) -> EpisodeFile:
    """Reads an episode file.

    Raises:
        DataError: when it is missing or malformed.
    """
    try:
        return unpacked(path.read_bytes(), EpisodeFile, path.name)
    except OSError as error:
        raise DataError(f"{path}: expected a readable episode file, got: {error.strerror}. Check the path.") from error


def content_digest(data: bytes) -> str:
    """Returns the digest by which an episode file names the file of its houses."""
    return hashlib.sha256(data).hexdigest()[:16]


@cache
def read_capability(capability: Capability, folder: Path | None = None) -> EpisodeFile:
    """Returns the episodes of a capability: the benchmark's own, or those in a folder.

    Raises:
        DataError: when they were made for other houses than those that lie beside them.
    """
    found = unpacked(_bytes(capability, folder), EpisodeFile, f"{capability}.json.gz")
    if found.houses_hash != content_digest(_bytes(HOUSES, folder)):
        raise DataError(f"{capability}.json.gz: made for other houses. Make all files again: pentathlon find make")
    return found


@cache
def read_houses(folder: Path | None = None) -> dict[str, House]:
    """Returns houses by name: the benchmark's own, or those in a folder."""
    file = unpacked(_bytes(HOUSES, folder), HouseFile, f"{HOUSES}.json.gz")
    return {house.name: house for house in file.houses}


def schema_text() -> str:
    """Returns the text of the published JSON schema of episode files."""
    made: dict[str, Any] = msgspec.json.schema(EpisodeFile)
    header = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "find-v1.schema.json", "title": FORMAT}
    return json.dumps({**header, **made}, indent=2) + "\n"


@cache
def _bytes(name: str, folder: Path | None) -> bytes:
    if folder is None:
        return resources.files(__package__).joinpath(f"files/{name}.json.gz").read_bytes()
    path = folder / f"{name}.json.gz"
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: expected a readable file, got: {error.strerror}. Make it: find make") from error
