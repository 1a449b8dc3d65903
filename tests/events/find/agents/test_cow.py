"""The whole agent in a house, and with observations that a broken sensor gives."""

from collections.abc import Iterator

import numpy as np
import pytest

from pentathlon.core.entrants import Briefing, Observation, kind_of
from pentathlon.events.find.agents.cow import CowAgent
from pentathlon.events.find.agents.eyes import TrueMaskEyes
from pentathlon.events.find.agents.factories import assemble, make_blind, make_with_true_masks
from pentathlon.models.localizers import Relevance
from pentathlon.models.navigation.settings import GUESSING
from pentathlon.worlds.houses.architect import architect_house
from pentathlon.worlds.houses.bodies.navigator import Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.tasks.goals import TypeGoal

SIZE = 96
STEPS = 250
TARGET = "Television"


@pytest.fixture(scope="module")
def navigator() -> Iterator[Navigator]:
    settings = NavigatorSettings(fovy_deg=90.0, size_px=(SIZE, SIZE), segmentation=True, noisy=True)
    navigator = Navigator(compile_house(architect_house("bungalow")), settings)
    yield navigator
    navigator.close()


def briefing(steps: int = STEPS) -> Briefing:
    return Briefing("television", 5, {"category": "television", "steps": steps})


def walk(navigator: Navigator, agent: CowAgent, steps: int = STEPS) -> tuple[list[str], list[str]]:
    """Lets an agent walk from the house's start; returns its actions and phases."""
    house = navigator.scene.house
    target = next(i for i, item in enumerate(house.objects) if item.type == TARGET)
    navigator.place(Pose(*house.start.position_m, house.start.yaw_deg), seed=1)
    agent.reset(briefing(steps))
    actions, phases = [], []
    while len(actions) < steps and "Stop" not in actions:
        sight = navigator.look()
        assert sight.object_index is not None
        mask = (sight.object_index == target).astype(np.uint8)
        action = agent.act({"depth_m": sight.depth_m, "true_mask": mask})
        navigator.act(action)
        actions.append(action)
        phases.append(agent.insight.phase)
    return actions, phases


def test_with_true_masks_it_spins_explores_exploits_and_succeeds(navigator: Navigator) -> None:
    actions, phases = walk(navigator, make_with_true_masks())
    assert actions[-1] == "Stop"
    assert TypeGoal(navigator, TARGET).reached(navigator.pose)
    order = list(dict.fromkeys(phases))
    assert order == ["spin", "explore", "exploit"]
    assert phases.count("spin") == 9


def test_an_episode_does_not_depend_on_earlier_ones(navigator: Navigator) -> None:
    for released in (False, True):
        fresh = make_with_true_masks(released=released)
        first, second = walk(navigator, fresh, 40), walk(navigator, fresh, 40)
        assert first == second


def test_it_knows_where_it_is(navigator: Navigator) -> None:
    agent = make_with_true_masks()
    walk(navigator, agent)
    x_m, y_m = navigator.gps_m
    assert (agent.walk.pose.x_m, agent.walk.pose.y_m) == pytest.approx((x_m, y_m), abs=0.3)


def test_the_blind_one_explores_and_stops_with_its_last_step(navigator: Navigator) -> None:
    actions, phases = walk(navigator, make_blind(), 60)
    assert len(actions) == 60
    assert actions[-1] == "Stop"
    assert "exploit" not in phases


class DimEyes(TrueMaskEyes):
    """Sees the target, but never well enough to walk to it."""

    def relevance(self, observation: Observation) -> Relevance:
        return Relevance(0.3 * super().relevance(observation).map - 2.0, 0.5, 0.5)


def test_before_its_steps_run_out_it_walks_to_what_fitted_best_and_stops(navigator: Navigator) -> None:
    actions, phases = walk(navigator, assemble(DimEyes(), "frontier", GUESSING))
    assert actions[-1] == "Stop"
    assert phases[-1] == "exploit"
    assert TypeGoal(navigator, TARGET).reached(navigator.pose)
    actions, phases = walk(navigator, assemble(DimEyes(), "frontier"))
    assert "Stop" not in actions
    assert "exploit" not in phases


def test_the_map_can_be_looked_at(navigator: Navigator) -> None:
    agent = make_with_true_masks()
    walk(navigator, agent, 12)
    picture = agent.insight.map
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) >= 4


@pytest.mark.parametrize("value", [np.nan, 0.0, np.inf, -3.0])
def test_depth_of_nothing_is_survived(value: float) -> None:
    agent = make_with_true_masks()
    agent.reset(briefing())
    observation = {"depth_m": np.full((SIZE, SIZE), value, np.float32), "true_mask": np.ones((SIZE, SIZE), np.uint8)}
    actions = [agent.act(observation) for _ in range(40)]
    assert set(actions) <= {"MoveAhead", "RotateLeft", "RotateRight", "LookUp", "LookDown", "Stop"}


def test_it_is_an_agent_that_names_what_it_is_told() -> None:
    agent = make_with_true_masks(explorer="random")
    assert kind_of(agent) == "agent"
    assert {spec.name for spec in agent.spec.observations} == {"depth_m", "true_mask"}
    oracle = make_with_true_masks(explorer="oracle")
    assert {spec.name for spec in oracle.spec.observations} == {"depth_m", "true_mask", "true_action"}


def test_a_centre_pixel_is_stopped_for_as_a_whole_mask_is(navigator: Navigator) -> None:
    whole, _ = walk(navigator, make_with_true_masks())
    centre, _ = walk(navigator, make_with_true_masks(post="centre"))
    assert centre[-1] == "Stop"
    assert TypeGoal(navigator, TARGET).reached(navigator.pose)
    assert len(centre) <= len(whole) + 15
    assert "LookDown" not in centre
