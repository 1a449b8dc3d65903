"""The table of encoders: light to list, complete in what it names."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from pentathlon.core.errors import MissingDependencyError, UsageError
from pentathlon.core.registry import resolve
from pentathlon.models.encoders import factories
from pentathlon.models.encoders.table import TABLE

ROWS = {row.id: row for row in TABLE}


def test_listing_imports_no_torch() -> None:
    code = "import sys, pentathlon.models.encoders.table; sys.exit(bool({'torch', 'transformers'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.id)
def test_every_row_names_a_factory_that_takes_its_options(row: object) -> None:
    signature = inspect.signature(resolve(row.factory))  # type: ignore[attr-defined]
    weights = {"weights": "w"} if row.needs_weights else {}  # type: ignore[attr-defined]
    signature.bind(**row.options, **weights)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["mean-colour", "pixels-16", "random-vit-tiny"])
def test_rows_without_weights_build(name: str) -> None:
    assert ROWS[name].make().spec.dim == {"mean-colour": 3, "pixels-16": 768, "random-vit-tiny": 192}[name]


def test_released_families_need_weights() -> None:
    with pytest.raises(UsageError, match="name it as vc1@FILE"):
        ROWS["vc1"].make()


def test_builtin_that_is_not_shipped_is_named() -> None:
    with pytest.raises(MissingDependencyError, match="built-in encoder 'no-such'"):
        factories.builtin("no-such")
