"""One robot for all tests of the bench: building its models takes longer than using them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pentathlon.worlds.tabletop.arm.simulated import SimulatedRobot


@pytest.fixture(scope="session")
def robot() -> Iterator[SimulatedRobot]:
    made = SimulatedRobot(image_size=(48, 64))
    yield made
    made.close()
