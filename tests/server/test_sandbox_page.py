"""Every protection that docs/act-sandbox.md promises names tests, and they are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "act-sandbox.md").read_text()
TABLE = PAGE.partition("## What is protected, and how")[2].partition("\n\n")[0]


def test_every_protection_names_its_tests() -> None:
    rows = [row for row in TABLE.splitlines() if row.startswith("|")][2:]
    assert len(rows) > 10
    assert [row for row in rows if not re.search(r"`test_\w+`", row.rpartition(" | ")[2])] == []


def test_the_tests_that_are_named_are_there() -> None:
    there = {
        name for file in ROOT.glob("tests/**/test_*.py") for name in re.findall(r"def (test_\w+)", file.read_text())
    }
    assert set(re.findall(r"`(test_\w+)`", PAGE)) - there == set()
