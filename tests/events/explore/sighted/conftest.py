"""The small house that tests of worlds share."""

from __future__ import annotations

import pytest

from pentathlon.worlds.houses.house import House
from small_house import make_small_house


@pytest.fixture(scope="session")
def small_house() -> House:
    return make_small_house()
