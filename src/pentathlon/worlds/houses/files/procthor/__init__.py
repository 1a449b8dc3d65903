"""Reads ProcTHOR's house JSON (schema 1.0.0): y up and left-handed there, z up and right-handed here."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from pentathlon.core.errors import DataError
from pentathlon.worlds.houses.files.checks import require_valid
from pentathlon.worlds.houses.files.procthor.arranging import furnished
from pentathlon.worlds.houses.files.procthor.document import Notes, load_document, read_assets, read_objects
from pentathlon.worlds.houses.files.procthor.settling import settled, with_start
from pentathlon.worlds.houses.files.procthor.shell import read_shell
from pentathlon.worlds.houses.house import House

__all__ = ["Imported", "import_procthor"]


class Imported(NamedTuple):
    """A house from elsewhere, and what had to be changed or left out."""

    house: House
    warnings: tuple[str, ...]


def import_procthor(path: Path, asset_database: Path | None = None) -> Imported:
    """Reads a ProcTHOR house, makes its furniture to measure and puts everything where it stays.

    Args:
        path: the house's JSON file.
        asset_database: ProcTHOR's ``asset-database.json``, which knows the sizes and types of assets.

    Raises:
        DataError: when a file is malformed or the rooms cannot exist.
    """
    document = load_document(path)
    assets = {} if asset_database is None else read_assets(asset_database)
    notes = Notes()
    try:
        shell = read_shell(document, path.stem or "procthor", notes)
        wanted = tuple(read_objects(document["objects"], assets, notes))
    except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
        raise DataError(
            f"{path.name}: expected a ProcTHOR house (schema 1.0.0), got {type(error).__name__}: {error} "
            f"at {notes.place}. Is it another format?"
        ) from error
    require_valid(shell, path.name)
    house = with_start(settled(furnished(shell, wanted, notes), notes), document, notes)
    require_valid(house, path.name)
    return Imported(house, tuple(notes.warnings))
