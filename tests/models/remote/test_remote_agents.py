"""Agents behind a connection: phases of an episode, and answers to questions."""

from typing import Any

import pytest

from pentathlon.core import Briefing, ChoiceSpec, EntrantError, InteractionSpec, SpecMismatchError
from pentathlon.models.remote.remote_entrants import connect
from pentathlon.models.remote.serving import open_server

SPEC = InteractionSpec((), ChoiceSpec(("Go", "Done")), answers=True)


class Listener:
    """Answers with what it was told, or with something that cannot be sent."""

    spec = SPEC

    def reset(self, briefing: Briefing) -> None:
        self._told = [briefing.instruction]

    def brief(self, briefing: Briefing) -> None:
        self._told += [briefing.instruction, *briefing.facts["questions"]]

    def act(self, observation: Any) -> str:
        return "Done"

    def answer(self, question: str) -> Any:
        return object() if question == "What are you?" else " ".join(self._told)


def test_an_episode_goes_on_with_each_briefing() -> None:
    with open_server(Listener()) as url, connect(url, "agent", SPEC) as agent:
        agent.reset(Briefing("explore", 0))
        agent.brief(Briefing("return", 0, {"questions": ["Is there a mug?"]}))
        assert agent.answer("Well?") == "explore return Is there a mug?"
        assert agent.act({}) == "Done"
        with pytest.raises(EntrantError, match="neither text nor a number: got object"):
            agent.answer("What are you?")


def test_a_server_of_a_mute_agent_is_refused_where_questions_are_asked() -> None:
    class Mute(Listener):
        spec = InteractionSpec((), ChoiceSpec(("Go", "Done")))

    with open_server(Mute()) as url, pytest.raises(SpecMismatchError, match="answers"), connect(url, "agent", SPEC):
        pytest.fail("it was let in")
