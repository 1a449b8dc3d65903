from __future__ import annotations

import pytest

from pentathlon.core.errors import UsageError
from pentathlon.storage.limits import GIBIBYTE, limit_from


def test_the_variable_names_gibibytes(monkeypatch: pytest.MonkeyPatch) -> None:
    for given, bytes_ in (("", 4 * GIBIBYTE), ("0", 0), ("0.5", GIBIBYTE // 2), ("24", 24 * GIBIBYTE)):
        monkeypatch.setenv("PENTATHLON_TRIED_GIB", given)
        assert limit_from("PENTATHLON_TRIED_GIB", 4.0) == bytes_


@pytest.mark.parametrize("given", ["lots", "-1", "inf", "nan"])
def test_anything_else_is_refused_in_one_sentence(given: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENTATHLON_TRIED_GIB", given)
    with pytest.raises(UsageError, match=f"PENTATHLON_TRIED_GIB, such as 4, got '{given}'"):
        limit_from("PENTATHLON_TRIED_GIB", 4.0)
