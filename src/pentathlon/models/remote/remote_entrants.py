"""Entrants of each kind that run elsewhere; nothing that they answer is believed before it is checked."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np

from pentathlon.core.entrants import Briefing, Features, Floats, Images, Kind, Observation
from pentathlon.core.errors import EntrantError
from pentathlon.core.specs import ArraySpec, ChoiceSpec, EncoderSpec, InteractionSpec, JudgeSpec, Spec, compare_specs
from pentathlon.models.encoders.checked import check_images
from pentathlon.models.remote import questions
from pentathlon.models.remote.arrays import PackedArray, pack, unpack
from pentathlon.models.remote.checks import checked_action, checked_array, checked_label, declared_part, in_shares
from pentathlon.models.remote.connection import OPEN_TERMS, TOKEN_VARIABLE, Connection, Terms
from pentathlon.models.remote.declared import (
    MAX_ANSWER_BYTES,
    Ready,
    ReadyEncoder,
    ReadyJudge,
    encoder_spec,
    interaction_spec,
    judge_spec,
)
from pentathlon.models.remote.remote_wire import MAX_QUESTION_BYTES, Begin

# What surrounds the pictures in a frame is far smaller.
MAX_PICTURE_BYTES = MAX_QUESTION_BYTES // 2


class RemoteEncoder:
    """An encoder behind a connection; its features are not kept, as nobody knows when it changes."""

    def __init__(self, connection: Connection, ready: ReadyEncoder) -> None:
        self._connection = connection
        self.spec: EncoderSpec = connection.check(lambda: encoder_spec(ready))

    def encode(self, images: Images) -> Features:
        """Returns finite float32 features of the declared length, one row for each picture."""
        check_images(images)
        rows = [self._encode(share) for share in in_shares(images, MAX_PICTURE_BYTES)]
        return Features(np.concatenate(rows) if rows else np.empty((0, self.spec.dim), np.float32))

    def _encode(self, images: Images) -> Floats:
        packed, shape = pack(images), (len(images), self.spec.dim)
        encoded = self._connection.ask_afresh(lambda ticket: questions.Encode(ticket, packed), questions.Encoded)
        return self._connection.check(lambda: checked_array(_unpacked(encoded.pooled), shape, "features"))


class RemoteJudge:
    """A judge behind a connection."""

    def __init__(self, connection: Connection, ready: ReadyJudge) -> None:
        self._connection = connection
        self.spec: JudgeSpec = connection.check(lambda: judge_spec(ready))

    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Returns a finite float32 score for each description."""
        check_images(clip)
        packed, words = pack(clip), tuple(descriptions)
        scored = self._connection.ask_afresh(lambda ticket: questions.Score(ticket, packed, words), questions.Scored)
        return self._connection.check(lambda: checked_array(_unpacked(scored.scores), (len(words),), "scores"))


class RemoteAgent:
    """An agent behind a connection; ``action`` is what the task takes."""

    def __init__(self, connection: Connection, spec: InteractionSpec, action: ArraySpec | ChoiceSpec) -> None:
        self._connection, self.spec, self._action = connection, spec, action

    def reset(self, briefing: Briefing) -> None:
        """Begins an episode, after connecting again where the connection was lost."""
        facts = dict(briefing.facts)
        self._connection.ask_afresh(
            lambda ticket: questions.Brief(ticket, briefing.instruction, briefing.seed, facts), questions.Done
        )

    def act(self, observation: Observation) -> Any:
        """Returns a label of the task's, or a finite action of its shape and range."""
        seen, action = _seen(self.spec, observation), self._action
        if isinstance(action, ChoiceSpec):
            picked = self._connection.ask(lambda ticket: questions.Act(ticket, seen), questions.Picked)
            return self._connection.check(lambda: checked_label(picked.label, action.labels))
        chosen = self._connection.ask(lambda ticket: questions.Act(ticket, seen), questions.Chosen)
        return self._connection.check(lambda: checked_action(_unpacked(chosen.action), action, 1).reshape(-1))

    def brief(self, briefing: Briefing) -> None:
        """Begins another phase of the episode."""
        facts = dict(briefing.facts)
        self._connection.ask(
            lambda ticket: questions.Rebrief(ticket, briefing.instruction, briefing.seed, facts), questions.Done
        )

    def answer(self, question: str) -> questions.PlainAnswer:
        """Returns what the agent says to a question."""
        return self._connection.ask(lambda ticket: questions.Ask(ticket, question), questions.Told).answer


class RemotePolicy:
    """A policy behind a connection; ``action`` is what the task takes."""

    def __init__(
        self, connection: Connection, spec: InteractionSpec, action: ArraySpec, training_seed: int = 0
    ) -> None:
        self._connection, self.spec, self._action = connection, spec, action
        self._training_seed = training_seed

    def for_seed(self, training_seed: int) -> RemotePolicy:
        """The same server's policy as trained with another seed, where it holds several."""
        return RemotePolicy(self._connection, self.spec, self._action, training_seed)

    def reset(self) -> None:
        """Begins an episode, after connecting again where the connection was lost."""
        self._connection.ask_afresh(lambda ticket: Begin(ticket, self._training_seed), questions.Done)

    def predict(self, observation: Observation) -> Floats:
        """Sends what the server declared to use and returns its checked action or chunk."""
        seen = _seen(self.spec, observation)
        chosen = self._connection.ask(lambda ticket: questions.Predict(ticket, seen), questions.Chosen)
        return self._connection.check(lambda: checked_action(_unpacked(chosen.action), self._action))


Remote: TypeAlias = RemoteEncoder | RemoteAgent | RemotePolicy | RemoteJudge


@contextmanager
def connect(url: str, kind: Kind, spec: Spec | None, token: str = "", terms: Terms = OPEN_TERMS) -> Iterator[Remote]:
    """Connects to the server at ``url`` for the length of a context.

    Args:
        url: such as ``ws://host:8765``.
        kind: what the task tests.
        spec: what the task offers and takes.
        token: which that server asks for.
        terms: which addresses, how long, and what errors tell.

    Raises:
        SpecMismatchError: when the server needs something else, or speaks another version; the field is named.
        EntrantError: when it cannot be reached, raises, is too slow or gives a bad answer, now or later.
    """
    connection = Connection(url, kind, token, terms)
    try:
        yield _entrant(connection, spec)
    finally:
        connection.close()


def make_remote(weights: str) -> Remote:
    """Builds the entrant ``remote@URL``; the token comes from the environment, as ids are recorded."""
    connection = Connection(weights, None, os.environ.get(TOKEN_VARIABLE, ""))
    try:
        return _entrant(connection, None)
    except BaseException:
        connection.close()
        raise


def _entrant(connection: Connection, offered: Spec | None) -> Remote:
    entrant = _of_kind(connection, offered)
    if offered is not None:
        compare_specs(offered, entrant.spec)
    return entrant


def _of_kind(connection: Connection, offered: Spec | None) -> Remote:
    match connection.kind, connection.declared:
        case "encoder", ReadyEncoder() as ready:
            return RemoteEncoder(connection, ready)
        case "judge", ReadyJudge() as ready:
            return RemoteJudge(connection, ready)
        case "agent" | "policy" as kind, Ready() as ready:
            spec = connection.check(lambda: interaction_spec(ready))
            action = offered.action if isinstance(offered, InteractionSpec) else spec.action
            if kind == "agent":
                return RemoteAgent(connection, spec, action)
            if isinstance(action, ArraySpec):
                return RemotePolicy(connection, spec, action)
    declared = type(connection.declared).__name__
    raise EntrantError(f"The server at {connection.url} declares {declared}, which does not fit a {connection.kind}.")


def _seen(spec: InteractionSpec, observation: Observation) -> questions.Seen[PackedArray]:
    arrays, plain = declared_part(spec, observation)
    return questions.Seen({name: pack(array) for name, array in arrays.items()}, plain)


def _unpacked(packed: PackedArray) -> Any:
    return unpack(packed, MAX_ANSWER_BYTES)
