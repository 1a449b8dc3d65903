"""What the symbolic agent's deeds do step by step: weighing by halving, turning, and what memory makes of sightings."""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from pentathlon.core import Briefing
from pentathlon.events.explore.agents import looking, stands, symbolic
from pentathlon.events.explore.agents.body import Body
from pentathlon.events.explore.agents.errands import Errand, Errands
from pentathlon.events.explore.agents.memory import Memory
from pentathlon.events.explore.agents.reaching import weigh
from pentathlon.events.explore.agents.stands import Planned
from pentathlon.events.explore.agents.walking import face
from pentathlon.events.explore.perception import Handle, Sighting
from pentathlon.events.explore.questions.facts import Fact, Thing, felt_mass
from pentathlon.events.explore.questions.program import Step
from pentathlon.events.explore.world import HOLDS, NOTHING, SLIPS
from pentathlon.models.navigation.back_projection import MapPose

POINT = (0.0, 0.0, 0.0)


def play(deed: Generator[str, None, Any], answer: Any) -> tuple[list[str], Any]:
    """Runs a deed, telling ``answer`` every action, and returns the actions and what it returned."""
    done: list[str] = []
    try:
        while True:
            done.append(next(deed))
            answer(done[-1])
    except StopIteration as end:
        return done, end.value


def thing(key: str, handles: tuple[Handle, ...] = (), relations: tuple[tuple[str, str], ...] = ()) -> Sighting:
    known = Thing(key, key.partition("|")[0], frozenset({"red"}), frozenset({"wood"}), "room|0", portable=not handles)
    return Sighting(known, POINT, (0.1, 0.1, 0.1), handles, "Kitchen", relations)


@pytest.mark.parametrize("least", [1, 2, 7, 8, 9, 33, 99, 100])
def test_weighing_finds_the_least_force_and_lets_go(least: int) -> None:
    body = Body.of_briefing({})

    def feel(action: str) -> None:
        if action == "Release":
            body.touch = NOTHING
        else:
            body.touch = HOLDS if round(float(action.split()[1]) / 0.05) >= least else SLIPS

    actions, found = play(weigh(body), feel)
    assert found == least
    assert len(actions) <= 16
    assert body.touch != HOLDS


def test_what_no_force_lifts_is_told_apart_from_what_is_not_there() -> None:
    body = Body.of_briefing({})

    def slips(action: str) -> None:
        body.touch = SLIPS

    assert play(weigh(body), slips)[1] == 101
    body.touch = NOTHING
    assert play(weigh(body), lambda action: None) == (["Grasp 0.40"], None)


def test_facing_brings_a_point_before_the_shoulder() -> None:
    body = Body.of_briefing({})
    body.walk.odometry.tell(MapPose(0.0, 0.0, 0.0, 0.0), bumped=False)
    actions, found = play(face(body, (0.0, 1.0, 0.5), left_m=0.0), lambda action: None)
    assert (actions, found) == (["RotateLeft"] * 6, True)
    actions, _ = play(face(body, (0.5, 0.0, 0.5), left_m=-0.12), lambda action: None)
    assert actions == ["RotateLeft"]


def test_memory_knows_what_it_saw_weighed_and_opened_and_no_more() -> None:
    memory = Memory()
    shut = Handle("door", POINT, 0.0)
    memory.take_in([thing("Fridge|0", (shut,)), thing("Mug|0", relations=(("in", "Fridge|0"), ("near", "Egg|0")))])
    facts = memory.facts()
    assert facts.unopened == {"Fridge|0"}
    assert dict(facts.relations) == {"in": {("Mug|0", "Fridge|0"): True}}
    heavier = (
        Step("scene"), Step("filter_type", (0,), "Mug"), Step("unique", (1,)),
        Step("scene"), Step("filter_type", (3,), "Spoon"), Step("unique", (4,)), Step("compare", (2, 5), "heavier"),
    )  # fmt: skip
    memory.take_in([thing("Spoon|0")])
    assert memory.missing([heavier]) == {Fact("Mug|0", "mass"), Fact("Spoon|0", "mass")}
    memory.masses |= {"Mug|0": felt_mass(0.4), "Spoon|0": felt_mass(0.1)}
    assert memory.judge(heavier).answer is True
    memory.take_in([thing("Fridge|0", (shut._replace(opening=0.9),))])
    assert memory.facts().unopened == frozenset()


def test_the_frame_of_the_agent_is_ahead_left_and_up() -> None:
    body = Body.of_briefing({})
    body.walk.odometry.tell(MapPose(1.0, 2.0, np.pi / 2, 0.0), bumped=False)
    assert body.in_frame((0.0, 4.0, 0.7)).tolist() == pytest.approx([2.0, 1.0, 0.7])


def test_what_was_seen_nowhere_is_looked_for_in_all_that_is_shut() -> None:
    body, memory = Body.of_briefing({}), Memory()
    drawer = Handle("drawer", (1.0, 0.0, 0.5), 0.0)
    memory.take_in([Sighting(Thing("Chest|0"), (1.0, 0.0, 0.0), (1.2, 0.2, 1.0), (drawer,), "bedroom", ())])
    errands = Errands(body, memory)
    assert errands.next({Fact("Mug|0", "mass")}) is None
    assert list(errands.todo({Fact("", "found", "the one that is meant")})) == [Errand("inside", "Chest|0")]


def test_an_arm_that_is_turned_in_is_away_only_there() -> None:
    body = Body.of_briefing({})
    body.rest, body.straight_rad, body.posture = np.zeros(7), 0.0, np.zeros(7)
    found = []
    turned = np.array([0.0, math.radians(90.0), 0.0, 0.0, 0.0, 0.0, 0.0])
    for inwards, posture in ((False, np.zeros(7)), (True, np.zeros(7)), (True, turned), (False, turned)):
        body.turn_in(inwards)
        body.posture = posture
        found.append(body.arm_away)
    assert found == [True, False, True, False]


def test_an_agent_that_is_wedged_while_it_maps_leaves_by_a_plan_and_maps_to_an_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agent = symbolic.SymbolicAgent()
    agent.reset(Briefing(instruction="", facts={}, seed=0))
    body, left = agent._body, []
    body.rest = np.zeros(7)

    def turn_on_the_spot(body: Body, explorer: object) -> Generator[str, None, bool]:
        yield "RotateLeft"
        return True

    class Plans:
        def leave(self) -> Generator[str, None, bool]:
            left.append(bool((body.walk._closed_until > 10**5).any()))
            yield "MoveAhead"
            return True

    monkeypatch.setattr(symbolic, "to_frontier", turn_on_the_spot)
    for deed in ("fold", "tilt", "look_around"):
        monkeypatch.setattr(symbolic, deed, lambda *_: iter(()))
    agent._errands.planned = Plans()  # type: ignore[assignment]

    done, _ = play(agent._map(), lambda _: None)

    assert done.count("RotateLeft") == symbolic.MOST_WEDGED * symbolic.MOST_ESCAPES
    assert left == [True] * symbolic.MOST_ESCAPES


class Floor:
    """Open floor around a box, the first column reached first."""

    def spots(self, x_m: float, y_m: float, near_m: float, far_m: float) -> Any:
        rows = np.array([[x, y] for x in np.arange(-3.0, 3.01, 0.1) for y in np.arange(-3.0, 3.01, 0.1)])
        away_m = np.hypot(rows[:, 0] - x_m, rows[:, 1] - y_m)
        return rows[(away_m >= near_m) & (away_m <= far_m)]


class FloorPlans:
    def floor(self) -> Floor:
        return Floor()


def planned_on_open_floor() -> Planned:
    return Planned(Body.of_briefing({}), FloorPlans())  # type: ignore[arg-type]


def test_a_bath_is_looked_at_from_all_sides() -> None:
    bath = Sighting(Thing("Bath|0", portable=False), (-0.8, -0.4, 0.0), (0.8, 0.4, 0.6), (), "bathroom", ())
    places = looking.sides(planned_on_open_floor(), bath)
    assert len(places) == looking.MOST_SIDES
    for x_m, y_m in places:
        gap_m = math.hypot(max(abs(x_m) - 0.8, 0.0), max(abs(y_m) - 0.4, 0.0))
        assert looking.NEAR_M <= gap_m <= looking.FAR_M + 1e-9
    assert looking.is_worth_a_look(bath)
    assert not looking.is_worth_a_look(thing("Mug|0"))


def test_what_may_hide_things_is_looked_at_once_before_the_far_is_weighed() -> None:
    body, memory = Body.of_briefing({}), Memory()
    body.rest = np.zeros(7)
    table = Sighting(Thing("Table|0", portable=False), (1.0, 0.0, 0.0), (2.0, 1.0, 0.7), (), "kitchen", ())
    memory.take_in([table])
    errands = Errands(body, memory)
    assert list(errands.todo(None)) == []
    errands.planned = planned_on_open_floor()
    assert list(errands.todo(None)) == [Errand("look", "Table|0")]
    assert list(errands.todo({Fact("Mug|0", "mass")})) == []
    memory.looked_at.add("Table|0")
    assert list(errands.todo(None)) == []


def test_the_likeliest_places_are_tried_too_where_the_soonest_do_not_do() -> None:
    places = list(planned_on_open_floor()._candidates((0.0, 0.0, 0.5), []))
    soonest, likeliest = places[: stands.MOST_STANDS], places[stands.MOST_STANDS :]
    assert max(x for x, _ in soonest) < 0.0, "one side alone"
    assert len(likeliest) == stands.MOST_LIKELY
    assert max(x for x, _ in likeliest) > 0.4
    assert all(math.dist(a, b) >= stands.APART_M for n, a in enumerate(places) for b in places[:n])


def test_no_door_is_pulled_from_where_it_would_shut_the_agent_in() -> None:
    posture = (0, 0, 0, 0, 0, 0, 0)

    class Doors:
        def floor_left(self, thing: str, joint: str, place: tuple[float, float, float]) -> float:
            return 1.0 if place[0] > 1.0 else 0.05

    planned = Planned(Body.of_briefing({}), Doors())  # type: ignore[arg-type]
    found = [
        Errands._leaving(planned, "Wardrobe|0", "door", lambda *_, goals=goals: goals, (x_m, 0.0, 0.0))
        for goals, x_m in (([posture], 2.0), ([posture], 0.5), ([], 2.0))
    ]
    assert found == [[posture], [], []]


def test_an_arm_that_no_hinge_brings_home_is_folded_by_a_plan_and_planned_for_once() -> None:
    body, asked = Body.of_briefing({}), []
    body.rest, body.posture = np.zeros(7), np.array([-0.1, 0.0, math.radians(30.0), 0.0, 0.0, 0.0, 0.0])

    class Arm:
        ways: Any = None

        def way(self, goals: list[tuple[int, ...]]) -> Any:
            asked.append(goals)
            return self.ways

    class Caught:
        arm = Arm()

    def blocked_but_raising(action: str) -> None:
        body.acted = action == "GripperAhead"
        if body.acted:
            body.posture = np.zeros(7)

    planned = Planned(body, Caught())  # type: ignore[arg-type]
    assert play(planned.fold(), blocked_but_raising)[1] is False
    assert play(planned.fold(), blocked_but_raising)[1] is False
    assert len(asked) == 1, "the same search would be in vain again"
    assert (2, 0, -2, 0, 0, 0, 0) in asked[0]
    assert (2, 6, -2, 0, 0, 0, 0) in asked[0], "turned in"
    body.posture = body.posture + 0.05
    Caught.arm.ways = ["GripperAhead"]
    actions, found = play(planned.fold(), blocked_but_raising)
    assert (actions[-1], found) == ("GripperAhead", True)
