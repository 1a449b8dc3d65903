"""Names that follow from content: canonical JSON, hashes and trial seeds. Never from the clock."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from typing import Any


def to_plain(value: Any) -> Any:
    """Turns dataclasses, tuples and numpy scalars into plain JSON values."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value) if isinstance(value, set | frozenset) else value
        return [to_plain(item) for item in items]
    if hasattr(value, "tolist"):
        return value.tolist()
    return value


def canonical_json(value: Any) -> str:
    """Writes ``value`` as the one JSON text that equal values share."""
    return json.dumps(to_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def content_hash(value: Any, *, length: int = 16) -> str:
    """Returns the first ``length`` hexadecimal digits of the SHA-256 of the canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()[:length]


def derive_seed(*parts: str | int) -> int:
    """Derives a 63-bit seed from names, the same on every machine and for any number of workers."""
    digest = hashlib.sha256(canonical_json(list(parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
