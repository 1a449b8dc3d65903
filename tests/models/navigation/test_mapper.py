"""What pictures of simple places leave on the map."""

import numpy as np

from pentathlon.models.navigation.back_projection import Camera, MapPose, back_project
from pentathlon.models.navigation.mapper import FREE, OCCUPIED, UNKNOWN, FloorMap
from pentathlon.models.navigation.settings import MENDED, RELEASED, CowSettings

CAMERA = Camera()
SIZE = 224


def wall_picture(wall_m: float) -> np.ndarray:
    """Depth of a floor that ends at a wall straight ahead."""
    below = (np.arange(SIZE) + 0.5 - SIZE / 2) / (SIZE / 2)
    floor_m = np.where(below > 0, CAMERA.height_m / np.maximum(below, 1e-9), np.inf)
    return np.tile(np.minimum(floor_m, wall_m)[:, None], (1, SIZE)).astype(np.float32)


def map_of(depth_m: np.ndarray, settings: CowSettings) -> FloorMap:
    floor = FloorMap(settings)
    floor.see(back_project(depth_m, MapPose(), CAMERA), MapPose())
    return floor


def test_floor_is_free_up_to_the_wall_and_unknown_behind_it() -> None:
    floor = map_of(wall_picture(3.0), MENDED)
    ahead = [floor.state[floor.cell(x, 0.0)] for x in np.arange(0.0, 5.0, 0.125)]
    wall = ahead.index(OCCUPIED)
    assert wall == 24  # three metres of cells of an eighth
    assert set(ahead[:wall]) == {FREE}
    assert set(ahead[wall + 1 :]) == {UNKNOWN}


def test_the_blind_spot_before_the_feet_is_taken_for_free() -> None:
    floor = map_of(wall_picture(3.0), MENDED)
    assert floor.state[floor.cell(0.5, 0.0)] == FREE


def test_far_floor_has_gaps_unless_they_are_filled() -> None:
    filled, gappy = (map_of(wall_picture(9.0), settings) for settings in (MENDED, RELEASED))
    line = [filled.cell(x, 0.0) for x in np.arange(0.0, 8.0, 0.125)]
    assert all(filled.state[cell] == FREE for cell in line)
    assert any(gappy.state[cell] == UNKNOWN for cell in line)


def test_what_is_higher_than_the_body_blocks_only_the_released_agent() -> None:
    depth = wall_picture(5.0)
    depth[: SIZE // 2 - 8] = 2.0  # something that hangs in the air two metres ahead, from about 1.0 m up
    cell = FloorMap(MENDED).cell(2.0, 0.0)
    assert map_of(depth, MENDED).state[cell] == FREE
    assert map_of(depth, RELEASED).state[cell] == OCCUPIED


def test_a_thing_that_is_gone_is_floor_again() -> None:
    floor = map_of(wall_picture(2.0), MENDED)
    cell = floor.cell(2.0, 0.0)
    assert floor.state[cell] == OCCUPIED
    floor.see(back_project(wall_picture(4.0), MapPose(), CAMERA), MapPose())
    assert floor.state[cell] == FREE


def test_depth_of_nothing_leaves_only_the_own_cell() -> None:
    floor = map_of(np.full((SIZE, SIZE), np.nan, np.float32), MENDED)
    assert np.argwhere(floor.state != UNKNOWN).tolist() == [[floor.half, floor.half]]


def test_points_beyond_the_map_are_left_out() -> None:
    floor = map_of(wall_picture(200.0), MENDED)
    assert floor.state[0].max() == UNKNOWN
    assert floor.state[-1].max() == UNKNOWN
