"""Trials of find in a small house: what an agent is told and gives, and how it is judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import numpy as np
import pytest

from pentathlon.core import Briefing, EntrantError
from pentathlon.core.specs import ArraySpec, ChoiceSpec, InteractionSpec
from pentathlon.events.find.baselines import OracleAgent, StopAgent
from pentathlon.events.find.episodes.records import FindEpisode, Place
from pentathlon.events.find.heats import find_goal, open_navigator
from pentathlon.events.find.protocol import ACTIONS, FindProtocol
from pentathlon.events.find.trial import Moment, run_trial
from pentathlon.worlds.houses.bodies import navigator as navigator_module
from pentathlon.worlds.houses.bodies.navigator import Navigator
from pentathlon.worlds.houses.house import House

PROTOCOL = FindProtocol("objectnav", "full", 1, size_px=32, steps=60, episodes_hash="")
EPISODE = FindEpisode(
    "small-Fridge-0", "small", "fridge", "Fridge", "fridge", "white fridge", Place(5.5, 3.4, 90.0), 3.0
)


@pytest.fixture(scope="module")
def navigator(small_house: House) -> Iterator[Navigator]:
    made = open_navigator(PROTOCOL, small_house)
    yield made
    made.close()


class Script:
    """Does what it was given, action by action, then stops; keeps what it saw."""

    def __init__(self, actions: list[Any], wanted: tuple[str, ...] = ("rgb",)) -> None:
        offered = {array.name: array for array in replace(PROTOCOL, bumper=True).spec.observations}
        self.spec = InteractionSpec(tuple(offered[name] for name in wanted), ChoiceSpec(ACTIONS))
        self._actions = actions
        self.seen: list[Any] = []
        self.briefing = Briefing("", 0)
        self.insight: Any = None

    def reset(self, briefing: Briefing) -> None:
        self.briefing = briefing

    def act(self, observation: Any) -> Any:
        self.seen.append(observation)
        step = len(self.seen) - 1
        self.insight = {"phase": "spin" if step < 2 else "explore"}
        return self._actions[step] if step < len(self._actions) else "Stop"


def run(navigator: Navigator, agent: Any, protocol: FindProtocol = PROTOCOL, episode: FindEpisode = EPISODE) -> Any:
    return run_trial(navigator, find_goal(navigator, episode, protocol), episode, agent, protocol)


def test_actions_are_the_navigators() -> None:
    assert navigator_module.ACTIONS == ACTIONS


def test_the_oracle_succeeds_by_a_short_way(navigator: Navigator) -> None:
    goal = find_goal(navigator, EPISODE, PROTOCOL)
    length_m = goal.length_m(EPISODE.start.x_m, EPISODE.start.y_m)
    outcome = run(navigator, OracleAgent(), episode=msgspec.structs.replace(EPISODE, length_m=length_m))
    assert outcome.metrics["success"] == 1.0
    assert 0.8 < outcome.metrics["spl"] <= 1.0
    assert outcome.details["privileged"] == ["true_action"]
    assert outcome.details["failure"] == ""
    assert len(outcome.details["path"]) == outcome.steps + 1


def test_stopping_at_once_fails(navigator: Navigator) -> None:
    outcome = run(navigator, StopAgent())
    assert outcome.metrics["success"] == outcome.metrics["spl"] == 0.0
    assert outcome.details["failure"] == "localisation"
    assert outcome.details["actions"] == "s"


def test_an_agent_is_told_the_sentence_and_its_body(navigator: Navigator) -> None:
    agent = Script([])
    run(navigator, agent)
    assert agent.briefing.instruction == "white fridge"
    assert agent.briefing.facts["category"] == "fridge"
    assert agent.briefing.facts["steps"] == 60
    assert {"camera_height_m", "fovy_deg", "step_m", "turn_deg", "capability"} <= set(agent.briefing.facts)
    assert "target" not in agent.briefing.facts


def test_an_agent_sees_only_what_its_spec_names(navigator: Navigator) -> None:
    agent = Script([], ("rgb", "depth_m"))
    run(navigator, agent)
    assert set(agent.seen[0]) == {"rgb", "depth_m"}
    assert agent.seen[0]["rgb"].shape == (32, 32, 3)
    assert agent.seen[0]["depth_m"].dtype == np.float32


def test_privileged_observations_tell_the_truth(navigator: Navigator) -> None:
    agent = Script(["RotateLeft", "RotateLeft", "MoveAhead"], ("true_mask", "true_pose"))
    outcome = run(navigator, agent, replace(PROTOCOL, noisy=False))
    assert outcome.details["privileged"] == ["true_mask", "true_pose"]
    assert agent.seen[0]["true_pose"] == pytest.approx([0.0, 0.0, 0.0, 0.0])
    assert agent.seen[2]["true_pose"][2] == pytest.approx(60.0, abs=3.0)
    assert agent.seen[0]["true_mask"].shape == (32, 32)
    seen = [step for step, sight in enumerate(agent.seen) if sight["true_mask"].any()]
    assert outcome.details["seen_step"] == (seen[0] if seen else None)


def test_a_bumper_tells_of_blocked_moves(navigator: Navigator) -> None:
    agent = Script(["MoveAhead"] * 20, ("bumped",))
    outcome = run(navigator, agent, replace(PROTOCOL, bumper=True))
    blocked = outcome.details["blocked"]
    assert "x" in blocked
    assert [bool(sight["bumped"]) for sight in agent.seen[1:]] == [letter == "x" for letter in blocked]
    assert outcome.metrics["action_success"] == pytest.approx(1 - blocked.count("x") / len(blocked))


def test_who_never_stops_runs_out_of_steps(navigator: Navigator) -> None:
    outcome = run(navigator, Script(["RotateLeft"] * 100), replace(PROTOCOL, steps=7))
    assert outcome.steps == 7
    assert outcome.metrics["success"] == 0.0
    assert outcome.details["failure"] in ("exploration", "planning")


def test_phases_are_kept(navigator: Navigator) -> None:
    outcome = run(navigator, Script(["RotateLeft"] * 5))
    assert outcome.details["phases"] == [["spin", 2], ["explore", 4]]


@pytest.mark.parametrize("bad", ["Jump", 6, -1, True, None, 1.5, np.zeros(2), "moveahead"])
def test_an_unknown_action_is_the_trials_error(navigator: Navigator, bad: Any) -> None:
    with pytest.raises(EntrantError, match="Expected one of MoveAhead.*at step 1"):
        run(navigator, Script(["RotateLeft", bad]))


def test_labels_and_numbers_mean_the_same(navigator: Navigator) -> None:
    assert (
        run(navigator, Script(["RotateLeft", 0, np.int64(2)])).details["actions"]
        == run(navigator, Script([1, "MoveAhead", "RotateRight"])).details["actions"]
        == "lmrs"
    )


def test_who_takes_too_long_is_told(navigator: Navigator) -> None:
    with pytest.raises(EntrantError, match="Expected an action within"):
        run(navigator, Script([]), replace(PROTOCOL, act_limit_s=-1.0))


def test_the_same_episode_gives_the_same_noise(navigator: Navigator) -> None:
    first, second = (run(navigator, Script(["MoveAhead", "RotateLeft"] * 5)) for _ in range(2))
    assert first.details["path"] == second.details["path"]
    assert navigator.settings.noisy


def test_moments_are_shown_to_who_watches(navigator: Navigator) -> None:
    moments: list[Moment] = []
    goal = find_goal(navigator, EPISODE, PROTOCOL)
    run_trial(navigator, goal, EPISODE, Script(["RotateLeft"] * 2), PROTOCOL, moments.append)
    assert [moment.action for moment in moments] == ["RotateLeft", "RotateLeft", "Stop"]
    assert moments[0].insight == {"phase": "spin"}


@dataclass
class Insight:
    phase: str = "exploit"


def test_insight_may_be_a_dataclass(navigator: Navigator) -> None:
    class Telling(StopAgent):
        spec = InteractionSpec((ArraySpec("rgb", (None, None, 3), "uint8"),), ChoiceSpec(ACTIONS))
        insight = Insight()

    assert run(navigator, Telling()).details["phases"] == [["exploit", 1]]
