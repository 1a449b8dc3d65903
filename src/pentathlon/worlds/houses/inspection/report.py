"""Everything that is wrong with a house as built, one sentence each, with the object's name and a number."""

from __future__ import annotations

from collections.abc import Iterator

from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.inspection.contacts import overlapping
from pentathlon.worlds.houses.inspection.hold import floating
from pentathlon.worlds.houses.inspection.rest import restless
from pentathlon.worlds.houses.inspection.surfaces import flickering
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
from pentathlon.worlds.houses.scene.house_scene import HouseScene, compile_house
from pentathlon.worlds.houses.ways.navigation import REACHABLE_ROOM_M2, NavigationMap


def faults(house: House) -> Iterator[str]:
    """Builds a house whose records are valid and yields what is wrong with it."""
    yield from flickering(house)
    scene = compile_house(house)
    yield from ways_blocked(scene)
    yield from misplaced(scene)


def misplaced(scene: HouseScene) -> Iterator[str]:
    """Yields objects that overlap, are buried, hang in the air or do not stay where they are."""
    data, geometry = scene.new_data(), ObjectGeometry(scene)
    yield from overlapping(scene, data, geometry)
    yield from floating(scene, data, geometry)
    yield from restless(scene)


def ways_blocked(scene: HouseScene) -> Iterator[str]:
    """Yields rooms that cannot be reached, and a start inside something."""
    house = scene.house
    ways = NavigationMap.of_scene(house, scene.model, scene.new_data())
    for room in house.rooms:
        if not ways.reaches(room):
            area_m2 = ways.reached_m2(room)
            yield f"room {room.id!r} cannot be reached: {area_m2:.2f} m² of its floor, less than {REACHABLE_ROOM_M2} m²"
    if house.start is not None and not ways.is_free(*house.start.position_m):
        x, y = house.start.position_m
        near = ways.nearest_free(x, y)
        advice = f"the nearest free place is ({near[0]:.2f}, {near[1]:.2f})" if near else "nothing near it is free"
        yield f"the start ({x:g}, {y:g}) is inside something: {advice}"
