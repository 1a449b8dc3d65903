"""The learned agents as entrants: four phases, what the return is conditioned on, and folders that are no agent."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from pentathlon.core import Briefing, DataError, UsageError, Workspace, compare_specs, resolve_entrant
from pentathlon.events.explore.learned import agent as agents
from pentathlon.events.explore.learned.agent import LearnedAgent, make_learned
from pentathlon.events.explore.learned.belief import BeliefNetwork, BeliefSettings
from pentathlon.events.explore.learned.reader import Reader
from pentathlon.events.explore.learned.settings import TrainingSettings
from pentathlon.events.explore.learned.weights import NOTES, WEIGHTS, load_agent, save_agent
from pentathlon.events.explore.protocol import make_protocol
from pentathlon.events.explore.tasks import ExploreTask
from pentathlon.models.weights import read_checkpoint, write_checkpoint

SIZES = BeliefSettings(3, 8, 8, belief=6, hidden=5)
QUESTIONS = ["is there a mug", "is there a red kitchen?"]


@pytest.fixture
def agent(means: Any, small_reader: Reader) -> LearnedAgent:
    torch.manual_seed(0)
    return LearnedAgent(BeliefNetwork(SIZES).eval(), means, small_reader)


def acts(agent: LearnedAgent, count: int) -> list[str]:
    pictures = np.random.default_rng(5).integers(0, 256, (count, 8, 8, 3), dtype=np.uint8)
    return [agent.act({"rgb": picture}) for picture in pictures]


def test_all_four_phases(agent: LearnedAgent, tmp_path: Path) -> None:
    protocol = replace(make_protocol("architect", "full", steps=20, reentry_steps=9), size_px=16, questions=3)
    compare_specs(make_protocol("generated", "full").spec, agent.spec)
    task = ExploreTask(protocol, ("architect-studio",))
    (outcome,) = task.run(task.heats()[0], agent, Workspace(tmp_path, videos=False))
    phases = outcome.details["phases"]
    assert (phases["explore"]["steps"], phases["explore"]["ended"]) == (20, "cap")
    assert phases["return"]["steps"] <= 9
    assert outcome.details["privileged"] == []
    assert all(answer for question in outcome.details["questions"] for answer in question["answers"])


def test_equal_seeds_act_alike_and_the_belief_lasts_until_the_next_episode(agent: LearnedAgent) -> None:
    agent.reset(Briefing("", 7, {}))
    first = acts(agent, 30)
    believed = agent._state.clone()
    agent.brief(Briefing("", 7, {"questions": QUESTIONS}))
    assert torch.equal(agent._state, believed)
    agent.reset(Briefing("", 7, {}))
    assert not agent._state.any()
    assert acts(agent, 30) == first
    agent.reset(Briefing("", 8, {}))
    assert acts(agent, 30) != first


def test_the_return_is_conditioned_on_the_mean_of_the_questions(agent: LearnedAgent, small_reader: Reader) -> None:
    def believed(questions: list[str]) -> torch.Tensor:
        agent.reset(Briefing("", 7, {}))
        agent.brief(Briefing("", 7, {"questions": questions}))
        acts(agent, 1)
        return agent._state

    assert not torch.allclose(believed(QUESTIONS), believed(QUESTIONS[:1]))
    assert torch.equal(agent._asked[0, 0], small_reader.embed(QUESTIONS[:1]))


def test_no_word_at_all_is_still_an_answer(agent: LearnedAgent, monkeypatch: pytest.MonkeyPatch) -> None:
    agent.reset(Briefing("", 7, {}))
    monkeypatch.setattr(agent._reader, "answer", lambda prefix, questions: [" "])
    assert agent.answer("is there a mug") == "unknown"


def saved(folder: Path, small_reader: Reader, **changed: Any) -> Path:
    torch.manual_seed(1)
    small_reader.save(folder / "reader")
    settings = TrainingSettings(encoder="pixels-16", reader=str(folder / "reader"))
    save_agent(folder, BeliefNetwork(replace(SIZES, features=768, **changed)), settings, 3, 40)
    return folder


def test_a_folder_is_an_agent_again(small_reader: Reader, tmp_path: Path) -> None:
    folder = saved(tmp_path, small_reader)
    loaded = load_agent(folder)
    assert (loaded.notes.houses, loaded.notes.steps, loaded.notes.encoder) == (3, 40, "pixels-16")
    stored = read_checkpoint(folder / WEIGHTS).tensors
    assert all(torch.equal(value.half(), stored[name]) for name, value in loaded.network.state_dict().items())
    agent = resolve_entrant(f"explore-learned@{folder}").make()
    agent.reset(Briefing("", 7, {}))
    assert len(acts(agent, 3)) == 3
    assert agent.answer("is there a mug")
    assert agent.fingerprint == make_learned(str(folder)).fingerprint


def test_folders_that_are_no_agent_are_named(small_reader: Reader, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"without belief\.json"):
        make_learned(str(tmp_path))
    folder = saved(tmp_path, small_reader)
    tensors = dict(read_checkpoint(folder / WEIGHTS).tensors)
    write_checkpoint(folder / WEIGHTS, {**tensors, "actor.0.bias": torch.zeros(99)}, {})
    with pytest.raises(DataError, match=r"actor\.0\.bias of shape \(5,\).*got \(99,\)"):
        make_learned(str(folder))
    (folder / WEIGHTS).unlink()
    with pytest.raises(DataError, match="Expected a weights file"):
        make_learned(str(folder))
    (folder / NOTES).write_text('{"sizes": 3}')
    with pytest.raises(DataError, match="notes of a learned agent"):
        make_learned(str(folder))
    with pytest.raises(UsageError, match="explore-learned@FILE"):
        resolve_entrant("explore-learned").make()


def test_weights_of_another_reader_are_refused(small_reader: Reader, tmp_path: Path) -> None:
    folder = saved(tmp_path, small_reader, token_dim=12)
    with pytest.raises(DataError, match="tokens of 12 numbers, got 768 of the encoder and 8 of the reader"):
        make_learned(str(folder))


def test_the_builtin_ones_lie_beside_the_reader() -> None:
    for row in ("explore-qa", "explore-novelty", "explore-novelty-qa"):
        assert all(Path(file).is_file() for file in resolve_entrant(row).files)
        assert (agents.BUILTIN_FOLDER / row / NOTES).is_file()
