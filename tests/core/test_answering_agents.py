"""Agents that are asked questions: their contract, and how a task tells who keeps it."""

from typing import Any

import pytest

from pentathlon.core import AnsweringAgent, Briefing, ChoiceSpec, EntrantError, InteractionSpec, SpecMismatchError
from pentathlon.core.entrants import kind_of
from pentathlon.core.specs import compare_specs

SPEC = InteractionSpec((), ChoiceSpec(("Go", "Done")), answers=True)


class Mute:
    """An agent that answers nothing."""

    spec = InteractionSpec((), ChoiceSpec(("Go", "Done")))

    def reset(self, briefing: Briefing) -> None:
        self.told = [briefing.instruction]

    def act(self, observation: Any) -> str:
        return "Done"


class Speaker(Mute):
    """An agent that answers with what it was told."""

    spec = SPEC

    def brief(self, briefing: Briefing) -> None:
        self.told.append(briefing.instruction)

    def answer(self, question: str) -> str:
        return ", ".join(self.told)


class Liar(Mute):
    """An agent that declares to answer and cannot."""

    spec = SPEC

    def brief(self, briefing: Briefing) -> None: ...


def test_a_phase_adds_to_an_episode_and_reset_begins_another() -> None:
    agent = Speaker()
    agent.reset(Briefing("explore", 0))
    agent.brief(Briefing("return", 0))
    assert isinstance(agent, AnsweringAgent)
    assert agent.answer("What were you told?") == "explore, return"
    agent.reset(Briefing("explore again", 0))
    assert agent.answer("What were you told?") == "explore again"


def test_agents_with_and_without_answers_are_agents() -> None:
    assert kind_of(Mute()) == kind_of(Speaker()) == "agent"
    assert not isinstance(Mute(), AnsweringAgent)


def test_who_declares_to_answer_must_be_able_to() -> None:
    with pytest.raises(EntrantError, match="expected the methods brief, answer, got none named answer"):
        kind_of(Liar())


def test_a_task_that_asks_refuses_mute_agents_and_others_take_both() -> None:
    with pytest.raises(SpecMismatchError, match="'answers': the task expects True, the entrant declares False"):
        compare_specs(SPEC, Mute.spec)
    compare_specs(SPEC, Speaker.spec)
    compare_specs(Mute.spec, Speaker.spec)
