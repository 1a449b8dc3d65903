"""Policies that run elsewhere: the evaluation's end of our own protocol.

A connection that was lost between episodes is made again when the next begins. One that is lost within an episode is
an error of that episode: the server may have forgotten what came before.
"""

from __future__ import annotations

import math
import os
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from pentathlon.core.entrants import Floats, Observation
from pentathlon.core.errors import DataError, EntrantError
from pentathlon.core.specs import ArraySpec, InteractionSpec, compare_specs
from pentathlon.events.act.policies.actions import checked_action
from pentathlon.events.act.policies.arrays import pack, unpack
from pentathlon.events.act.policies.line import Line, LostError
from pentathlon.events.act.policies.remote_wire import (
    MAX_ANSWER_BYTES,
    Answer,
    Begin,
    Chosen,
    Done,
    Hello,
    Predict,
    Question,
    Raised,
    check_protocol,
    declare,
    decode_answer,
    encode,
)

TOKEN_VARIABLE = "PENTATHLON_REMOTE_TOKEN"
HELLO_LIMIT_S = 10.0
STEP_LIMIT_S = 30.0

Expected = TypeVar("Expected", Done, Chosen)


class Connection:
    """A connection to one policy server, made again on request; several seeds of a policy share it."""

    def __init__(
        self,
        url: str,
        spec: InteractionSpec | None,
        token: str,
        *,
        addresses: Sequence[str] = (),
        total_limit_s: float = math.inf,
    ) -> None:
        self.url = url
        self._offer, self._addresses = spec, addresses
        self._total_limit_s, self._spent_s = total_limit_s, 0.0
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._line, self.spec = self._open()

    def renew(self) -> None:
        """Connects again; the server must declare what it declared before."""
        self.close()
        self._line, spec = self._open()
        compare_specs(self.spec, spec)

    def ask(self, question: Question, limit_s: float) -> Answer:
        """Sends a question and returns its answer."""
        if self._spent_s >= self._total_limit_s:
            raise EntrantError(
                f"The policy server at {self.url} took more than {self._total_limit_s:g} s for all its answers."
            )
        started_s = time.monotonic()
        try:
            return self._understand(self._line.ask(encode(question), limit_s))
        finally:
            self._spent_s += time.monotonic() - started_s

    def close(self) -> None:
        """Hangs up."""
        self._line.close()

    def _open(self) -> tuple[Line, InteractionSpec]:
        line = Line(self.url, MAX_ANSWER_BYTES, self._headers, self._addresses)
        try:
            hello = self._understand(line.ask(encode(declare(self._offer, "evaluation")), HELLO_LIMIT_S))
            return line, self._declared(hello)
        except BaseException:
            line.close()
            raise

    def _declared(self, hello: Answer) -> InteractionSpec:
        if not isinstance(hello, Hello):
            raise EntrantError(f"The policy server at {self.url} began with {type(hello).__name__}, expected a Hello.")
        check_protocol(hello)
        if hello.action is None:
            raise EntrantError(f"The policy server at {self.url} declares no action.")
        spec = InteractionSpec(hello.observations, hello.action)
        if self._offer is not None:
            compare_specs(self._offer, spec)
        return spec

    def _understand(self, frame: bytes | str) -> Answer:
        if isinstance(frame, str):
            raise EntrantError(f"The policy server at {self.url} sent text, expected msgpack: {frame[:200]!r}.")
        try:
            return decode_answer(frame)
        except DataError as error:
            raise EntrantError(f"The policy server at {self.url} does not speak this protocol. {error}") from error


class RemotePolicy:
    """A policy behind a connection."""

    def __init__(self, connection: Connection, training_seed: int = 0, step_limit_s: float = STEP_LIMIT_S) -> None:
        self._connection = connection
        self._training_seed = training_seed
        self._step_limit_s = step_limit_s

    @property
    def spec(self) -> InteractionSpec:
        """What the server declares."""
        return self._connection.spec

    def for_seed(self, training_seed: int) -> RemotePolicy:
        """The same server's policy as trained with another seed, where it holds several."""
        return RemotePolicy(self._connection, training_seed, self._step_limit_s)

    def reset(self) -> None:
        """Begins an episode, after connecting again where the connection was lost."""
        try:
            self._ask(Begin(_ticket(), self._training_seed), Done)
        except LostError:
            self._connection.renew()
            self._ask(Begin(_ticket(), self._training_seed), Done)

    def predict(self, observation: Observation) -> Floats:
        """Sends what the server declared to use and returns its checked action or chunk."""
        spec = self.spec
        assert isinstance(spec.action, ArraySpec)
        packed = {wanted.name: pack(observation[wanted.name]) for wanted in spec.observations}
        chosen = self._ask(Predict(_ticket(), packed), Chosen)
        try:
            return checked_action(unpack(chosen.action, MAX_ANSWER_BYTES), spec.action)
        except DataError as error:
            raise EntrantError(f"The policy at {self._connection.url} gave a bad action. {error}") from error

    def _ask(self, question: Begin | Predict, expected: type[Expected]) -> Expected:
        answer = self._connection.ask(question, self._step_limit_s)
        if isinstance(answer, Raised):
            raise EntrantError(f"The policy at {self._connection.url} raised: {answer.text}")
        if not isinstance(answer, expected) or answer.ticket != question.ticket:
            raise EntrantError(
                f"The policy server at {self._connection.url} answered {type(question).__name__} with "
                f"{type(answer).__name__}, expected {expected.__name__} with the same ticket."
            )
        return answer


@contextmanager
def connect(
    url: str,
    spec: InteractionSpec,
    token: str = "",
    *,
    addresses: Sequence[str] = (),
    step_limit_s: float = STEP_LIMIT_S,
    total_limit_s: float = math.inf,
) -> Iterator[RemotePolicy]:
    """Connects to the policy server at ``url`` for the length of a context.

    Args:
        url: such as ``ws://host:8765``.
        spec: what the robot offers and takes.
        token: which that server asks for.
        addresses: the only ones to connect to, where the url's host was found; looked up when not given.
        step_limit_s: seconds for one reset or prediction.
        total_limit_s: seconds for all of them together.

    Raises:
        SpecMismatchError: when the server needs something else, or speaks another version; the field is named.
        EntrantError: when it cannot be reached, raises, is too slow or gives a bad action, now or later.
    """
    connection = Connection(url, spec, token, addresses=addresses, total_limit_s=total_limit_s)
    try:
        yield RemotePolicy(connection, step_limit_s=step_limit_s)
    finally:
        connection.close()


def make_remote(weights: str) -> RemotePolicy:
    """Builds the entrant ``remote@URL``; the token comes from the environment, as ids are recorded."""
    return RemotePolicy(Connection(weights, None, os.environ.get(TOKEN_VARIABLE, "")))


def _ticket() -> int:
    return secrets.randbelow(2**62)
