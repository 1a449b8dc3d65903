"""Keeps footprints on disk, so that a new process need not build hundreds of assets to furnish a house."""

from __future__ import annotations

import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
import mujoco
import platformdirs

from pentathlon.worlds.houses.assets.asset_store import Keeper, sources_digest

Record = TypeVar("Record")


class RecordStore(Keeper, Generic[Record]):
    """Small records by name, valid for one version of the asset sources; losing any of them costs only time."""

    def __init__(self, kind: type[Record]) -> None:
        self._decoder = msgspec.json.Decoder(kind)

    def get(self, name: str) -> Record | None:
        """Returns the record; ``None`` when it is not there or not readable."""
        if not self._keeps:
            return None
        try:
            return self._decoder.decode((_folder() / f"{name}.json").read_bytes())
        except (OSError, msgspec.DecodeError):
            return None

    def put(self, name: str, record: Record) -> None:
        """Stores the record whole or not at all; a disk that cannot be written to is no error."""
        if not self._keeps:
            return
        try:
            folder = _folder()
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
                file.write(msgspec.json.encode(record))
            os.replace(file.name, folder / f"{name}.json")
        except OSError:
            return


@cache
def _folder() -> Path:
    """A folder for exactly these assets, these sources and this MuJoCo, since each could change a footprint."""
    digest = hashlib.sha256(f"{sources_digest()} {mujoco.__version__}".encode())
    for name in ("footprint.py", "steadiness.py", "sweep.py"):
        digest.update(Path(__file__).with_name(name).read_bytes())
    return Path(platformdirs.user_cache_dir("pentathlon")) / "footprints" / digest.hexdigest()[:16]
