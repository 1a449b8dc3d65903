"""Reads ViSTa's ``metadata.csv``: a row per video and problem set, with what the released file calls its columns."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from pentathlon.core.errors import DataError
from pentathlon.events.judge.data.problem_sets import Fault, ProblemSet

COLUMNS = ("video", "level", "description", "environment", "problem_set_type", "problem_set")
"""As released; the README calls the last one ``problem_set_id``."""


class VideoRow(NamedTuple):
    """A video as the metadata tell of it."""

    video: str
    level: int
    description: str
    environment: str
    problem_set_type: str
    problem_set: str


def read_metadata(path: Path) -> tuple[VideoRow, ...]:
    """Reads all rows.

    Raises:
        DataError: naming the column or the line that is wrong.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return tuple(_rows(path, csv.DictReader(file)))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"Expected ViSTa's metadata at {path}, could not read them ({error}).") from error


def disagreements(rows: Iterable[VideoRow], problem_sets: Iterable[ProblemSet], file: Path) -> list[Fault]:
    """Lists rows of the metadata whose description is none of their problem set's, or whose set was not read."""
    known = {one.id: set(one.descriptions.values()) for one in problem_sets}
    faults = []
    for row in rows:
        name = row.problem_set.removeprefix("tasks/").removesuffix(".yaml")
        if name not in known:
            faults.append(Fault(file, f"{row.video}: no problem set {name}"))
        elif " ".join(row.description.split()) not in known[name]:
            faults.append(Fault(file, f"{row.video}: its description is none of {name}"))
    return faults


def _rows(path: Path, reader: csv.DictReader[str]) -> Iterator[VideoRow]:
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        raise DataError(f"Expected the column {missing[0]!r} in {path}, got {', '.join(reader.fieldnames or ())}.")
    for line in reader:
        if not (line["level"] or "").isdigit():
            raise DataError(f"Expected a number as level in line {reader.line_num} of {path}, got {line['level']!r}.")
        video, level, *rest = (line[name] or "" for name in COLUMNS)
        yield VideoRow(video, int(level), *rest)
