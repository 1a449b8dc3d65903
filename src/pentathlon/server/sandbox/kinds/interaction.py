"""Policies and agents in a sandbox: they see observations and give actions."""

from __future__ import annotations

from typing import Any

from pentathlon.core.entrants import Briefing, Floats, Observation
from pentathlon.core.errors import UsageError
from pentathlon.core.specs import ArraySpec, ChoiceSpec, InteractionSpec
from pentathlon.models.remote.arrays import unpack
from pentathlon.models.remote.checks import checked_action, checked_label, declared_part
from pentathlon.models.remote.declared import Ready, interaction_spec
from pentathlon.models.remote.questions import (
    Act,
    Ask,
    Brief,
    Chosen,
    Done,
    Picked,
    PlainAnswer,
    Predict,
    Rebrief,
    Reset,
    Seen,
    Told,
)
from pentathlon.server.sandbox.kinds.session import Session
from pentathlon.server.sandbox.sandbox_messages import MAX_REPLY_BYTES, Load
from pentathlon.server.sandbox.window import Placed


class SandboxedPolicy:
    """Asks the policy in the sandbox."""

    def __init__(self, session: Session, load: Load, offered: InteractionSpec) -> None:
        if not isinstance(offered.action, ArraySpec):
            raise UsageError(f"Sandboxed policies give arrays of numbers, the task takes {offered.action!r}.")
        self.session, self._action = session, offered.action
        self._spec = _declared(session, load, offered)

    @property
    def spec(self) -> InteractionSpec:
        """What the policy declared."""
        return self._spec

    def reset(self) -> None:
        """Begins an episode."""
        self.session.ask(Reset, Done, "reset")

    def predict(self, observation: Observation) -> Floats:
        """Returns a finite action ``[D]`` or chunk ``[H, D]`` of the declared range."""
        seen = _place(self.session, self._spec, observation)
        chosen = self.session.ask(lambda ticket: Predict(ticket, seen), Chosen, "predict")
        steps = self.session.limits.chunk_steps
        return self.session.check(lambda: checked_action(unpack(chosen.action, MAX_REPLY_BYTES), self._action, steps))


class SandboxedAgent:
    """Asks the agent in the sandbox."""

    def __init__(self, session: Session, load: Load, offered: InteractionSpec) -> None:
        self.session, self._action = session, offered.action
        self._spec = _declared(session, load, offered)

    @property
    def spec(self) -> InteractionSpec:
        """What the agent declared."""
        return self._spec

    def reset(self, briefing: Briefing) -> None:
        """Begins an episode."""
        facts = dict(briefing.facts)
        self.session.ask(lambda ticket: Brief(ticket, briefing.instruction, briefing.seed, facts), Done, "reset")

    def act(self, observation: Observation) -> Any:
        """Returns a label of the task's, or a finite action of its shape and range."""
        seen = _place(self.session, self._spec, observation)
        if isinstance(self._action, ChoiceSpec):
            picked = self.session.ask(lambda ticket: Act(ticket, seen), Picked, "act")
            labels = self._action.labels
            return self.session.check(lambda: checked_label(picked.label, labels))
        chosen = self.session.ask(lambda ticket: Act(ticket, seen), Chosen, "act")
        action = self._action
        return self.session.check(lambda: checked_action(unpack(chosen.action, MAX_REPLY_BYTES), action, 1).reshape(-1))

    def brief(self, briefing: Briefing) -> None:
        """Begins another phase of the episode."""
        facts = dict(briefing.facts)
        self.session.ask(lambda ticket: Rebrief(ticket, briefing.instruction, briefing.seed, facts), Done, "brief")

    def answer(self, question: str) -> PlainAnswer:
        """Returns what the agent says to a question."""
        return self.session.ask(lambda ticket: Ask(ticket, question), Told, "answer").answer


def _declared(session: Session, load: Load, offered: InteractionSpec) -> InteractionSpec:
    ready = session.load(load, Ready)
    declared = session.check(lambda: interaction_spec(ready), "refused")
    session.compare(offered, declared)
    return declared


def _place(session: Session, spec: InteractionSpec, observation: Observation) -> Seen[Placed]:
    """Puts the arrays that the entrant declares into the window; what is no array travels as it is."""
    arrays, plain = declared_part(spec, observation)
    return Seen(session.window.place(arrays), plain)
