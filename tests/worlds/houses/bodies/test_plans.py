"""Plans of the arm agent: carried out action by action, they lead where they should and bump into nothing."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

from pentathlon.worlds.houses.architect import architect_house
from pentathlon.worlds.houses.bodies.arm import ArmAgent
from pentathlon.worlds.houses.bodies.arm_actions import ArmSettings
from pentathlon.worlds.houses.bodies.arm_motion import FIRST_HINGE, HIGHEST, LOWEST, Grip
from pentathlon.worlds.houses.bodies.arm_planner import Box
from pentathlon.worlds.houses.bodies.arm_scene import compile_with_arm
from pentathlon.worlds.houses.bodies.arm_touch import grasp_target
from pentathlon.worlds.houses.bodies.plans import Plans
from pentathlon.worlds.houses.bodies.walk_planner import WITHIN_M, Standing, WalkPlanner
from pentathlon.worlds.houses.scene.geometry import ObjectGeometry


@pytest.fixture(scope="module")
def agent() -> ArmAgent:
    scene = compile_with_arm(architect_house("studio"))
    return ArmAgent(scene, ArmSettings(size_px=(16, 16)))


def folded(agent: ArmAgent, x_m: float, y_m: float, yaw_deg: float) -> Plans:
    """Puts the agent down with its hand straight down before it."""
    agent.place(x_m, y_m, yaw_deg)
    posture = agent.motion.posture
    posture[FIRST_HINGE + 2] += math.radians(15.0)
    posture[FIRST_HINGE + 4] += math.radians(75.0)
    agent.motion.put(posture)
    return Plans(agent)


def a_free_place(agent: ArmAgent) -> tuple[float, float]:
    from pentathlon.worlds.houses.ways.navigation import NavigationMap

    ways = NavigationMap.of_house(agent.scene.house_scene.house, 0.6)
    return ways.random_place(np.random.default_rng(0))


def test_planned_walks_and_reaches_come_true(agent: ArmAgent) -> None:
    plans = folded(agent, *a_free_place(agent), 0.0)
    house, scene = agent.scene.house_scene.house, agent.scene.house_scene
    geometry, reached = ObjectGeometry(scene), 0
    for place, item in enumerate(house.objects):
        if scene.placed[item.id].free_joint is None or reached == 2:
            continue
        low, high = geometry.bounds_of(agent.motion.data, place)
        box = Box(tuple(low), tuple(high))
        x_m, y_m = (low[:2] + high[:2]) / 2
        for stand in plans.floor().spots(x_m, y_m, 0.5, 0.8)[::20].tolist():
            spot = (float(stand[0]), float(stand[1]))
            yaw_deg = 15.0 * round(math.degrees(math.atan2(y_m - spot[1], x_m - spot[0])) / 15.0)
            moves = plans.arm.way(plans.arm.goals(item.id, box, (*spot, yaw_deg)), (*spot, yaw_deg))
            if moves:
                folded(agent, *spot, yaw_deg)
                assert all(agent.act(move).ok for move in moves), item.id
                assert grasp_target(agent.scene, agent.motion.data, agent.settings.grasp_reach_m) == item.id
                reached += 1
                break
        plans = folded(agent, *a_free_place(agent), 0.0)
    assert reached == 2


def test_a_way_over_the_floor_ends_where_it_should_without_a_bump(agent: ArmAgent) -> None:
    x_m, y_m = a_free_place(agent)
    plans = folded(agent, x_m, y_m, 90.0)
    goal = max(plans.floor().spots(x_m, y_m, 0.5, 3.0).tolist(), key=lambda spot: math.dist(spot, (x_m, y_m)))
    moves = plans.floor().way(goal)
    assert moves
    assert all(agent.act(move).ok for move in moves)
    assert math.dist(agent.pose[:2], goal) < 0.1


def test_what_is_held_makes_other_ways(agent: ArmAgent) -> None:
    floor = folded(agent, *a_free_place(agent), 0.0).floor()
    x_m, y_m, _ = agent.pose
    start, end = Standing(x_m, y_m, 0), Standing(x_m, y_m, 1)
    floor._remember()
    floor._free[start, end] = False
    floor._remember()
    assert not floor._is_free_step(start, end, {})
    agent.motion.grip = Grip(agent.scene.house_scene.house.objects[0].id, 1, np.zeros(3), np.array([1.0, 0, 0, 0]))
    floor._remember()
    assert not floor._free, "a full hand does not pass where an empty one did"
    agent.motion.grip = None


def test_there_is_no_way_out_of_the_house(agent: ArmAgent) -> None:
    plans = folded(agent, *a_free_place(agent), 0.0)
    assert plans.floor().way((-50.0, -50.0)) is None
    assert plans.arm.way([]) is None


def test_a_way_through_two_doors_is_found() -> None:
    agent = ArmAgent(compile_with_arm(architect_house("cottage")), ArmSettings(size_px=(8, 8)))
    agent.place(5.1, 4.5, 285.0)
    spot = (5.85, 1.9)
    moves = WalkPlanner(agent).way(spot)
    assert moves is not None, "from the bath through the parlour to the bedroom, all of it wide"
    assert all(agent.act(move).ok for move in moves)
    assert np.hypot(agent.pose[0] - spot[0], agent.pose[1] - spot[1]) <= WITHIN_M
    agent.close()


def test_a_door_that_would_shut_the_agent_in_is_told_by_the_floor_that_is_left() -> None:
    """In the L-shaped flat a wardrobe's door, pulled from between bed and wall, shut the agent in for good."""
    agent = ArmAgent(compile_with_arm(architect_house("l_flat")), ArmSettings(size_px=(16, 16)))
    agent.place(3.0, 8.7, 0.0)
    plans, before = Plans(agent), agent.motion.data.qpos.copy()
    assert plans.floor_left("Wardrobe|0", "door_0", (3.7, 10.45, 270.0)) < 0.1
    assert plans.floor_left("Wardrobe|0", "door_0", (3.05, 9.3, 45.0)) > 0.9
    assert np.array_equal(agent.motion.data.qpos, before)


def test_contacts_of_the_arm_are_those_that_a_collision_of_everything_finds(agent: ArmAgent) -> None:
    """What is far away is left out, for speed; nothing else may be."""
    motion, rng, touching = agent.motion, np.random.default_rng(0), 0
    agent.place(*a_free_place(agent), 0.0)
    low, high = np.array(agent.scene.house_scene.house.rooms[0].outline_m).min(0), 5.0
    for _ in range(100):
        posture = motion.posture
        posture[:2] = rng.uniform(low, low + high)
        posture[2:] = np.clip(rng.uniform(-3.0, 3.0, len(posture) - 2), LOWEST[2:], HIGHEST[2:])
        found = motion._depths(posture)
        mujoco.mj_collision(motion.model, motion.trial)
        contact, mine = motion.trial.contact, agent.scene.agent_geoms
        a, b = contact.geom.T
        hits = np.flatnonzero((mine[a] != mine[b]) & (contact.dist < 0.0))
        assert found == {(int(a[i]), int(b[i])): -float(contact.dist[i]) for i in hits}
        touching += bool(found)
    assert 10 < touching < 100
