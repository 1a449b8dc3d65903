"""Whatever goes wrong in a trial of find is that trial's error, and the run goes on."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

sys.path.append(str(Path(__file__).parent))

from find_stand_ins import Misbehaving

from pentathlon.core import TASKS, Briefing, DataError, EntrantEntry, UsageError, Workspace
from pentathlon.engine import RunFolder, RunRequest, run
from pentathlon.events.find import heats
from pentathlon.events.find.agents.factories import make_cow
from pentathlon.events.find.baselines import StopAgent
from pentathlon.events.find.tasks import FindTask, make_task

TASK = TASKS.get("find/objectnav-sprint-v1")


@pytest.mark.parametrize(("fault", "error"), [("jumps", "Expected one of MoveAhead"), ("breaks", "my head hurts")])
def test_a_misbehaving_agent_costs_its_trial_only(fault: str, error: str, tmp_path: Path) -> None:
    (heat,) = TASK.make(**TASK.rehearsal).heats()
    first, second = heat.trials
    agent = EntrantEntry(
        id=fault,
        kind="agent",
        summary="",
        factory=f"find_stand_ins:{Misbehaving.__name__}",
        options={"fault": fault, "seed": heat.origins[first].seed},
    )
    request = RunRequest(TASK, agent, tmp_path, overrides=TASK.rehearsal, workers=1, videos=False)
    summary = run(request)
    outcomes = RunFolder.open(summary.folder).outcomes()
    assert (summary.recorded, summary.errors) == (2, 1)
    assert outcomes[first].status == "error"
    assert error in outcomes[first].error
    assert outcomes[second].status == "ok"
    assert outcomes[second].details["actions"] == "s"


def test_an_unreachable_target_costs_its_trial_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    task = make_task("objectnav", "sprint", rehearse=True)
    assert isinstance(task, FindTask)
    first, second = task.trials.episodes
    real = heats.find_goal

    def walled(navigator: Any, episode: Any, protocol: Any) -> Any:
        if episode.id == first.id:
            # Nothing is seen from so near.
            return real(navigator, episode, replace(protocol, within_m=0.0))
        return real(navigator, episode, protocol)

    monkeypatch.setattr(heats, "find_goal", walled)
    (heat,) = task.heats()
    with pytest.raises(DataError, match=r"expected a target that can be reached, got .*pentathlon find check"):
        list(task.run(heat, StopAgent(), Workspace(tmp_path, videos=False)))
    (outcome,) = task.run(heat.only((second.id,)), StopAgent(), Workspace(tmp_path, videos=False))
    assert outcome.status == "ok"


@pytest.mark.parametrize("sentence", ["", "  ", "\n"])
def test_an_empty_sentence_is_refused_in_words(sentence: str) -> None:
    with pytest.raises(UsageError, match="Expected a description such as"):
        make_cow().reset(Briefing(sentence, 0, {"category": sentence}))


def test_a_sentence_that_names_nothing_known_is_searched_for() -> None:
    agent = make_cow()
    agent.reset(Briefing("flurble of the zorgs", 0, {"category": "flurble"}))
    wall = {"rgb": np.full((64, 64, 3), 127, np.uint8), "depth_m": np.full((64, 64), 3.0, np.float32)}
    assert [agent.act(wall) for _ in range(9)] == ["RotateLeft"] * 9


def test_pictures_and_depth_of_a_broken_sensor_are_survived() -> None:
    agent = make_cow()
    agent.reset(Briefing("mug", 0, {"category": "mug"}))
    dark = {"rgb": np.zeros((64, 64, 3), np.uint8), "depth_m": np.full((64, 64), np.nan, np.float32)}
    assert all(isinstance(agent.act(dark), str) for _ in range(3))


def test_an_episode_needs_a_sentence() -> None:
    from pentathlon.events.find.episodes.records import FindEpisode

    plain = msgspec.to_builtins(make_task("objectnav", "sprint", rehearse=True).trials.episodes[0])
    assert msgspec.convert(plain, FindEpisode).description
    with pytest.raises(msgspec.ValidationError, match="description"):
        msgspec.convert({**plain, "description": ""}, FindEpisode)
