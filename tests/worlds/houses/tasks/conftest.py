from __future__ import annotations

from collections.abc import Iterator

import pytest

from pentathlon.worlds.houses.bodies.navigator import NavigatorSettings
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.tasks.episodes import Course


@pytest.fixture(scope="module")
def course(small_house: House) -> Iterator[Course]:
    made = Course(small_house, NavigatorSettings(size_px=(32, 32)))
    yield made
    made.close()
