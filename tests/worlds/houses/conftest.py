from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import HouseScene, compile_house
from small_house import make_small_house

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def small_house() -> House:
    return make_small_house()


@pytest.fixture(scope="session")
def small_scene(small_house: House) -> HouseScene:
    return compile_house(small_house)


@pytest.fixture(scope="session")
def small_geometry(small_scene: HouseScene) -> ObjectGeometry:
    return ObjectGeometry(small_scene)


@pytest.fixture(scope="session")
def generated_house() -> House:
    return House.generate(5, 4)
