"""A small house, packed for many agents at once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pentathlon.worlds.houses.bodies.navigator import Navigator
from pentathlon.worlds.houses.gpu import PackedHouse, pack_house
from pentathlon.worlds.houses.scene.house_scene import compile_house
from small_house import make_small_house

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="module")
def small_pack() -> PackedHouse:
    navigator = Navigator(compile_house(make_small_house(), switchable=False))
    house = pack_house(navigator)
    navigator.close()
    return house
