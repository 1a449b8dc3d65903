"""The target's memory: the highest relevance of each cell."""

import numpy as np
import pytest

from pentathlon.models.localizers import Relevance
from pentathlon.models.navigation.back_projection import MapPose, Points
from pentathlon.models.navigation.mapper import FloorMap
from pentathlon.models.navigation.memory import TargetMemory
from pentathlon.models.navigation.settings import MENDED


def points(*places: tuple[float, float, float]) -> Points:
    x, y, z = np.array(places, np.float32).T
    return Points(x[None], y[None], z[None])


def relevance(*values: float) -> Relevance:
    return Relevance(np.array([values], np.float32), go=0.5, stop=0.8)


def test_the_highest_value_stays() -> None:
    floor = FloorMap(MENDED)
    memory = TargetMemory(floor)
    cell = floor.cell(1.0, 0.0)
    memory.see(points((1.0, 0.0, 0.4), (1.02, 0.0, 0.7)), relevance(0.9, 0.6), MapPose(), 0.97)
    memory.see(points((1.0, 0.0, 0.2)), relevance(0.7), MapPose(), 0.97)
    assert memory.best[cell] == pytest.approx(0.9)
    assert memory.height_m[cell] == pytest.approx(0.4)
    assert memory.targets().tolist() == [list(cell)]


def test_what_is_not_relevant_enough_is_not_remembered() -> None:
    memory = TargetMemory(FloorMap(MENDED))
    glimpse = memory.see(points((1.0, 0.0, 0.4)), relevance(0.5), MapPose(), 0.97)
    assert len(memory.targets()) == 0
    assert glimpse == (0, np.inf)


def test_only_pixels_above_the_stopping_threshold_are_near() -> None:
    memory = TargetMemory(FloorMap(MENDED))
    seen = points((0.5, 0.0, 0.4), (0.9, 0.0, 0.4), (2.0, 0.0, 0.4), (0.6, 0.0, np.nan))
    glimpse = memory.see(seen, relevance(0.6, 0.9, 0.9, 0.9), MapPose(), 0.97)
    assert glimpse.pixels == 1
    assert glimpse.near_m == pytest.approx(0.9)


def test_dismissed_cells_are_no_targets() -> None:
    floor = FloorMap(MENDED)
    memory = TargetMemory(floor)
    memory.see(points((1.0, 0.0, 0.4), (3.0, 0.0, 0.4)), relevance(0.9, 0.9), MapPose(), 0.97)
    memory.dismissed[floor.cell(1.0, 0.0)] = True
    assert memory.targets().tolist() == [list(floor.cell(3.0, 0.0))]


def test_the_likeliest_cell_was_seen_in_two_pictures_or_by_far() -> None:
    floor = FloorMap(MENDED)
    memory = TargetMemory(floor)
    assert memory.likeliest() is None
    here = MapPose()

    def show(ahead_m: float, value: float) -> None:
        points = Points(*(np.full((1, 1), v, np.float32) for v in (ahead_m, 0.0, 0.4)))
        memory.see(points, Relevance(np.full((1, 1), value, np.float32), 10.0, 10.0), here, 1.0)

    show(2.0, 1.0)
    show(2.0, 0.9)
    show(3.0, 2.0)
    assert tuple(memory.likeliest()) == floor.cell(2.0, 0.0)
    show(4.0, 2.6)
    assert tuple(memory.likeliest()) == floor.cell(4.0, 0.0)
    assert memory.top_m[floor.cell(4.0, 0.0)] == np.float32(0.4)
    assert len(memory.targets()) == 0
