from __future__ import annotations

import msgspec
import numpy as np
import pytest

from pentathlon.worlds.houses.assets.catalogue import object_type_named
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.inspection.surfaces import flickering
from pentathlon.worlds.houses.plan import walls
from pentathlon.worlds.houses.plan.polygons import overlap_area, rectangles
from pentathlon.worlds.houses.scene import lighting, structure

CORNERED_SEED = 653


@pytest.fixture
def stepped_house(small_house: House) -> House:
    """A long room and a short one beside it: the long one's outer wall ends at a wall of the short one."""
    outlines = (
        ((0.0, 0.0), (4.0, 0.0), (4.0, 6.0), (0.0, 6.0)),
        ((4.0, 0.0), (7.0, 0.0), (7.0, 4.0), (4.0, 4.0)),
        ((0.0, 6.0), (4.0, 6.0), (4.0, 4.0), (5.5, 4.0), (5.5, 8.0), (0.0, 8.0)),
    )
    kitchen = small_house.rooms[0]
    rooms = (msgspec.structs.replace(kitchen, id=f"room {i}", outline_m=outline) for i, outline in enumerate(outlines))
    return House(name="stepped", rooms=tuple(rooms))


@pytest.mark.parametrize("which", ["stepped_house", "small_house", "generated_house"])
def test_facades_lie_outside_every_room(which: str, request: pytest.FixtureRequest) -> None:
    house: House = request.getfixturevalue(which)
    for wall in walls.walls_of(house):
        for block in walls.outer_blocks(wall, house.ceiling_m):
            for other in house.rooms:
                assert overlap_area(block.rect.outline(), other.outline_m) < 1e-6, (wall.room, other.id, block)


def test_facades_close_the_corners_of_the_building(stepped_house: House) -> None:
    blocks = [block for wall in walls.walls_of(stepped_house) for block in walls.outer_blocks(wall, 2.6)]
    corner = (-0.03, -0.03)
    assert any(
        block.rect.x0 <= corner[0] <= block.rect.x1 and block.rect.y0 <= corner[1] <= block.rect.y1 for block in blocks
    )


@pytest.mark.parametrize("which", ["stepped_house", "small_house", "generated_house"])
def test_nothing_flickers(which: str, request: pytest.FixtureRequest) -> None:
    assert list(flickering(request.getfixturevalue(which))) == []


def test_light_that_ends_on_window_frames_is_found(small_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lighting, "INTO_WALL_M", 0.0)
    assert any("light of 'bedroom'" in fault for fault in flickering(small_house))


def test_light_stays_in_a_room_round_a_corner() -> None:
    """The box around this house's hallway reaches the window of a room that lies in the hallway's corner."""
    house = House.generate(CORNERED_SEED)
    hallway = next(room for room in house.rooms if room.type == "Hallway")
    assert len(rectangles(hallway.outline_m)) > 1
    light = lighting.light_outline(hallway)
    for room in house.rooms:
        if room.id != hallway.id:
            depth_m = lighting.INTO_WALL_M
            inner = [part.grown(-depth_m).outline() for part in rectangles(room.outline_m)]
            assert sum(overlap_area(part, light) for part in inner) < 1e-6
    assert list(flickering(house)) == []


def test_facades_that_run_into_rooms_are_found(stepped_house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "_outer_reaches", lambda *_: (walls.HALF_WALL_M, walls.HALF_WALL_M))
    assert any("coincide" in fault for fault in flickering(stepped_house))


@pytest.mark.parametrize("seed", range(6))
def test_no_sill_shows_through_curtains(seed: int) -> None:
    """A deeper sill came out between the folds: a row of bright dots beside the window."""
    curtains = object_type_named("Curtains").build(np.random.default_rng(seed))
    cloth = [part for part in curtains.parts if part.look.material.name == "fabric"]
    nearest_to_wall_m = min(-float(part.mesh.vertices_m[:, 1].max()) for part in cloth)
    assert nearest_to_wall_m > structure.SILL_DEPTH_M
