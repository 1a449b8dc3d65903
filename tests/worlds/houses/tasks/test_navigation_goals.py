from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.houses.bodies.navigator import Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.house import House, PlacedObject
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.tasks.episodes import SHORTEST_M, Course
from pentathlon.worlds.houses.tasks.goals import PlaceGoal, TypeGoal
from pentathlon.worlds.houses.tasks.planner import plan
from pentathlon.worlds.houses.tasks.targets import HABITAT_TYPES, ROBOTHOR_TYPES, target_types


def obey(navigator: Navigator, goal: PlaceGoal | TypeGoal, start: Pose) -> float:
    """Carries out a plan and returns the length of its way; the goal must be reached without collision."""
    navigator.place(start)
    actions = plan(navigator, goal)
    assert actions is not None
    for action in actions:
        navigator.act(action)
        assert not navigator.collided
    assert goal.reached(navigator.pose)
    return navigator.travelled_m


def test_place_goal_measures_the_walk_not_the_flight(course: Course) -> None:
    goal = PlaceGoal(course.navigator, (4.5, 2.5), 1.0)
    behind_the_wall = Pose(3.6, 2.3, 0.0)
    assert math.dist(behind_the_wall[:2], goal.place_m) < 1.0
    assert not goal.reached(behind_the_wall)
    assert goal.reached(Pose(5.2, 2.5, 0.0))
    assert not goal.reached(Pose(5.6, 2.5, 0.0))
    assert goal.distance_m(5.7, 2.5) == pytest.approx(0.2, abs=0.01)
    assert goal.length_m(6.0, 2.5) == pytest.approx(0.5, abs=0.01)
    assert goal.distance_m(*behind_the_wall[:2]) > 2.0


def test_type_goal_needs_nearness_direction_and_sight(course: Course) -> None:
    goal = course.type_goal("Mug")
    down = 30.0
    assert goal.reached(Pose(5.5, 0.8, 90.0, down))
    assert not goal.reached(Pose(5.5, 0.8, 270.0, down)), "looks away"
    assert not goal.reached(Pose(5.5, 0.8, 90.0, -down)), "looks up"
    assert not goal.reached(Pose(5.5, 0.4, 90.0, down)), "1.1 m away"
    apple = course.type_goal("Apple")
    assert apple.places_m, "the apple under the table can be seen from beside it"


def test_what_is_not_there_cannot_be_found(course: Course) -> None:
    assert course.findable(("Mug", "Fridge", "Laptop")) == ("Mug", "Fridge")
    nothing = TypeGoal(course.navigator, "Laptop")
    assert not nothing.reachable
    assert np.isinf(nothing.field_m).all()


def test_every_place_of_a_type_goal_can_be_finished(course: Course) -> None:
    goal = course.type_goal("Mug")
    for x, y in goal.places_m[::25]:
        pose = Pose(x, y, 77.0)
        gestures = goal.finish(pose)
        assert gestures is not None
        course.navigator.place(pose)
        for action in gestures:
            course.navigator.act(action)
        assert goal.reached(course.navigator.pose)


@pytest.mark.parametrize("turn_deg", [10.0, 30.0, 45.0, 50.0, 90.0])
def test_plans_reach_their_goals_with_any_turn(course: Course, turn_deg: float) -> None:
    settings = NavigatorSettings(size_px=(8, 8), turn_deg=turn_deg)
    navigator = Navigator(course.navigator.scene, settings)
    goal = PlaceGoal(navigator, (6.0, 3.5), 0.36)
    start = Pose(0.5, 3.5, 90.0)
    travelled_m = obey(navigator, goal, start)
    shortest_m = goal.length_m(start.x_m, start.y_m)
    assert shortest_m <= travelled_m + 0.05
    if turn_deg <= 50.0:
        assert travelled_m <= 1.15 * shortest_m + 0.25
    navigator.close()


def test_plans_foresee_every_collision(course: Course) -> None:
    # Among these are starts from which a plan by other rounding than the navigator's ran into furniture.
    for seed in (10, 95, 106, 118, *range(4)):
        rng = np.random.default_rng(seed)
        start = Pose(*course.navigator.ways.random_place(rng), 30.0 * int(rng.integers(12)))
        obey(course.navigator, PlaceGoal(course.navigator, course.navigator.ways.random_place(rng), 0.36), start)


def test_there_is_no_plan_where_there_is_no_way(course: Course) -> None:
    course.navigator.place(Pose(1.0, 1.0, 0.0))
    assert plan(course.navigator, TypeGoal(course.navigator, "Laptop")) is None


def test_episodes_follow_from_house_and_seed(course: Course) -> None:
    for task in ("objectnav", "imagenav", "pointnav"):
        drawn = [course.draw(task, seed, ("Mug", "Apple")) for seed in (0, 1, 2, 0)]
        assert drawn[0] == drawn[3]
        assert len({episode.start for episode in drawn}) == 3
        for episode in drawn:
            assert episode.length_m >= SHORTEST_M
            goal = course.goal(episode)
            assert not goal.reached(episode.start)
            assert goal.distance_m(*episode.start[:2]) == pytest.approx(episode.length_m, rel=0.06, abs=0.05)


def test_a_house_without_the_types_is_refused(course: Course) -> None:
    with pytest.raises(UsageError, match="reachable Laptop or Bed"):
        course.draw("objectnav", 0, ("Laptop", "Bed"))
    with pytest.raises(UnknownIdError, match="objectnav"):
        course.draw("objectnaw", 0)  # type: ignore[arg-type]


def test_target_sets() -> None:
    assert len(set(ROBOTHOR_TYPES)) == 12
    assert len(set(HABITAT_TYPES)) == 6
    assert target_types("habitat") == HABITAT_TYPES
    assert target_types(["Fridge", "Mug"]) == ("Fridge", "Mug")
    with pytest.raises(UnknownIdError, match="robothor"):
        target_types("robothr")
    with pytest.raises(UnknownIdError, match="Fridge"):
        target_types(["Frigde"])
    with pytest.raises(UsageError, match="different"):
        target_types(["Mug", "Mug"])


@pytest.mark.parametrize("kind", ["Sofa", "Bathtub"])
def test_stop_in_full_view_of_a_large_thing_succeeds(small_house: House, kind: str) -> None:
    """Wherever a large thing fills a hundredth of the picture within a metre, Stop must succeed."""
    large = PlacedObject("large", kind, "bedroom", (5.6, 2.4, 0.0))
    house = msgspec.structs.replace(small_house, objects=(large,))
    navigator = Navigator(compile_house(house), NavigatorSettings(size_px=(96, 96), segmentation=True))
    goal = TypeGoal(navigator, kind)
    low, high = (corners[0] for corners in navigator.geometry.bounds(navigator.data))
    looks = 0
    for yaw_deg in np.arange(0.0, 360.0, 30.0):
        ahead = np.array([math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))])
        x_m, y_m = np.clip([5.6, 2.4] - 3.0 * ahead, low[:2] - 0.3, high[:2] + 0.3)
        for pitch_deg in (0.0, 30.0):
            pose = Pose(float(x_m), float(y_m), yaw_deg, pitch_deg)
            if navigator.ways.is_free(x_m, y_m) and _pixels_within(navigator, pose, 0.95) > 96 * 96 / 100:
                looks += 1
                assert goal.reached(pose), pose
    navigator.close()
    assert looks > 8


def _pixels_within(navigator: Navigator, pose: Pose, within_m: float) -> int:
    """Counts the pixels of objects at most so far from the navigator, measured along the floor."""
    navigator.place(pose)
    sight = navigator.look()
    assert sight.object_index is not None
    rows, columns = np.nonzero(sight.object_index >= 0)
    depth_m = sight.depth_m[rows, columns]
    focal_px = 48 / math.tan(math.radians(navigator.viewpoint(pose).vertical_fov_deg) / 2)
    right_m, down_m = (columns - 47.5) / focal_px * depth_m, (rows - 47.5) / focal_px * depth_m
    pitch = math.radians(pose.pitch_deg)
    ahead_m = depth_m * math.cos(pitch) - down_m * math.sin(pitch)
    return int((np.hypot(right_m, ahead_m) <= within_m).sum())
