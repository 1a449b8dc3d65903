"""Houses with one fault each; the check must name the object and a number."""

from __future__ import annotations

import re

import msgspec
import pytest

from pentathlon.worlds.houses.house import House, PlacedObject, Start, Support
from pentathlon.worlds.houses.inspection.report import faults


def changed(house: House, object_id: str, **changes: object) -> House:
    objects = tuple(
        msgspec.structs.replace(item, **changes) if item.id == object_id else item for item in house.objects
    )
    return msgspec.structs.replace(house, objects=objects)


def with_object(house: House, item: PlacedObject) -> House:
    return msgspec.structs.replace(house, objects=(*house.objects, item))


@pytest.mark.parametrize("which", ["small_house", "generated_house"])
def test_a_good_house_has_no_faults(which: str, request: pytest.FixtureRequest) -> None:
    assert list(faults(request.getfixturevalue(which))) == []


@pytest.mark.parametrize("kind", ["BathMat", "DoorMat", "PlayMat"])
def test_the_floor_holds_a_mat(small_house: House, kind: str) -> None:
    mats = [
        with_object(small_house, PlacedObject("mat", kind, "bedroom", (5.5, 2.9, 0.0), yaw, variant))
        for variant, yaw in ((5, 0.0), (7, 89.7), (9, 180.3))
    ]
    assert not [fault for house in mats for fault in faults(house) if "hangs" in fault]


FAULTY = {
    r"table and fridge overlap by \d+": lambda house: changed(house, "fridge", position_m=(2.6, 2.6, 0.0)),
    r"fridge is buried 1\d\.\d cm in the building": lambda house: changed(house, "fridge", position_m=(3.4, 3.8, 0.0)),
    r"fridge hangs in the air, 13\.\d cm": lambda house: changed(house, "fridge", position_m=(3.4, 3.5, 0.5)),
    r"left mug falls \d\d\.\d cm": lambda house: changed(house, "left mug", position_m=(1.8, 2.4, 1.2)),
    r"picture hangs in the air, \d\d": lambda house: with_object(
        house, PlacedObject("picture", "Painting", "bedroom", (5.5, 2.0, 1.5))
    ),
    r"picture is buried \d\.\d cm": lambda house: with_object(
        house, PlacedObject("picture", "Painting", "bedroom", (5.5, 3.99, 1.5))
    ),
    r"the start \(2, 2\.4\) is inside something: the nearest free place is": lambda house: msgspec.structs.replace(
        house, start=Start((2.0, 2.4))
    ),
    r"room 'bedroom' cannot be reached: 0\.00 m²": lambda house: msgspec.structs.replace(house, doors=()),
}


@pytest.mark.parametrize("sentence", FAULTY)
def test_a_fault_is_told_by_name_and_number(small_house: House, sentence: str) -> None:
    found = list(faults(FAULTY[sentence](small_house)))
    assert any(re.match(sentence, fault) for fault in found), found


def test_stretched_furniture_is_as_large_as_it_says(small_house: House) -> None:
    from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
    from pentathlon.worlds.houses.scene.house_scene import compile_house

    stretch = (1.4, 0.8, 1.1)
    house = changed(small_house, "fridge", stretch=stretch, position_m=(3.2, 3.5, 0.0))
    sizes = []
    for one in (small_house, house):
        scene = compile_house(one)
        low, high = ObjectGeometry(scene).bounds(scene.new_data())
        sizes.append((high - low)[4])
    assert sizes[1] == pytest.approx(sizes[0] * stretch, rel=1e-3)
    egg = PlacedObject("egg", "Egg", "kitchen", (3.2, 3.5, 1.0), support=Support("on", "fridge"))
    assert any("egg" in fault for fault in faults(with_object(house, egg)))
