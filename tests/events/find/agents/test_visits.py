from __future__ import annotations

import numpy as np

from pentathlon.events.find.agents.relations import Link, Surroundings
from pentathlon.events.find.agents.visits import LOOK_FROM_M, MOST_STEPS, AnchorVisits
from pentathlon.models.navigation.mapper import FREE, OCCUPIED
from pentathlon.models.navigation.settings import MENDED
from pentathlon.models.navigation.walk import BodyFacts, Walk


def walk_before_a_bed(ahead_m: float) -> tuple[Walk, Surroundings]:
    """An agent in an open room that has seen a bed so far ahead of it."""
    walk = Walk(BodyFacts(), MENDED)
    middle, away = walk.floor.half, round(ahead_m / walk.floor.cell_m)
    walk.floor.state[middle - 8 : middle + away + 8, middle - 8 : middle + 9] = FREE
    bed = np.s_[middle + away : middle + away + 3, middle - 2 : middle + 3]
    walk.floor.state[bed] = OCCUPIED
    around = Surroundings(walk.floor, [Link("under", "bed"), Link("near", "chair")])
    around._seen[0][bed] = 3.0
    around._seen[1][middle, middle] = 3.0
    return walk, around


def test_it_walks_up_to_what_is_named_faces_it_and_looks_down_once() -> None:
    visits = AnchorVisits()
    visits.reset()
    walk, around = walk_before_a_bed(2.0)
    assert visits.actions(walk, around)[0] == "MoveAhead"
    walk, around = walk_before_a_bed(LOOK_FROM_M - 0.2)
    visits.reset()
    assert visits.actions(walk, around) == ["LookDown", "LookUp"]
    assert visits.actions(walk, around) == []


def test_it_turns_to_what_is_behind_and_gives_up_after_a_while() -> None:
    visits = AnchorVisits()
    visits.reset()
    walk, around = walk_before_a_bed(LOOK_FROM_M - 0.2)
    walk.odometry.pose = walk.pose._replace(yaw_rad=np.pi)
    assert visits.actions(walk, around) == ["RotateRight"] * 6
    visits._steps = MOST_STEPS
    assert visits.actions(walk, around) == []


def test_what_is_only_near_is_no_place_to_visit() -> None:
    walk, _ = walk_before_a_bed(2.0)
    around = Surroundings(walk.floor, [Link("near", "bed")])
    around._seen[0][:] = 3.0
    assert not around.anchors().any()
