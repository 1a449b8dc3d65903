"""The tree stays one that a newcomer can guess: small files, small folders."""

from __future__ import annotations

from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "pentathlon"
MOST_LINES = 350
MOST_MODULES = 16


def test_no_source_file_is_long() -> None:
    lengths = {path.relative_to(SOURCE).as_posix(): len(path.read_text().splitlines()) for path in SOURCE.rglob("*.py")}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_no_folder_is_crowded() -> None:
    folders = {path.parent for path in SOURCE.rglob("*.py")}
    counts = {
        folder.relative_to(SOURCE).as_posix(): sum(path.name != "__init__.py" for path in folder.glob("*.py"))
        for folder in folders
    }
    assert {name: count for name, count in counts.items() if count > MOST_MODULES} == {}
