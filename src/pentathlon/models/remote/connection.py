"""The evaluation's end of a connection to a server of an entrant.

A connection that was lost between episodes is made again when the next begins. One that is lost within an episode is
an error of that episode: the server may have forgotten what came before.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pentathlon.core.entrants import Kind
from pentathlon.core.errors import DataError, EntrantError, SpecMismatchError
from pentathlon.models.remote.declared import MAX_ANSWER_BYTES, Declared
from pentathlon.models.remote.line import Line, LostError
from pentathlon.models.remote.questions import TicketedReply
from pentathlon.models.remote.remote_wire import (
    Answer,
    Hello,
    Raised,
    RemoteQuestion,
    check_protocol,
    decode_answer,
    hello,
    to_bytes,
)

TOKEN_VARIABLE = "PENTATHLON_REMOTE_TOKEN"
HELLO_LIMIT_S = 10.0
STEP_LIMIT_S = 30.0

Expected = TypeVar("Expected", bound=TicketedReply)
Checked = TypeVar("Checked")


def _go_on() -> None:
    pass


@dataclass(frozen=True)
class Terms:
    """On what terms a server is asked.

    Attributes:
        addresses: the only ones to connect to, where the url's host was found; looked up when not given.
        step_limit_s: seconds for one answer.
        total_limit_s: seconds for all of them together.
        interrupted: is called before each question; raises to break off.
        quoting: whether errors tell what the server said.
    """

    addresses: Sequence[str] = ()
    step_limit_s: float = STEP_LIMIT_S
    total_limit_s: float = math.inf
    interrupted: Callable[[], None] = _go_on
    quoting: bool = True


OPEN_TERMS = Terms()


class Connection:
    """A connection to one server, made again on request; several seeds of a policy share it.

    Args:
        url: such as ``ws://host:8765``.
        kind: what the server must serve, ``None`` for any.
        token: which that server asks for.
        terms: which addresses, how long, and what errors tell.
    """

    def __init__(self, url: str, kind: Kind | None, token: str, terms: Terms = OPEN_TERMS) -> None:
        self.url, self._wanted, self._terms, self._spent_s = url, kind, terms, 0.0
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._line, self.kind, self.declared = self._open()

    def ask(self, question: Callable[[int], RemoteQuestion], expected: type[Expected]) -> Expected:
        """Asks with a ticket of its own, which the answer must carry.

        Raises:
            EntrantError: when the entrant raises, or the server is gone, too slow or answers something else.
        """
        asked = question(_ticket())
        answer = self._exchange(to_bytes(asked))
        if isinstance(answer, Raised):
            raise EntrantError(f"The entrant at {self.url} raised{self._quote(f': {answer.text}') or '.'}")
        if not isinstance(answer, expected) or answer.ticket != asked.ticket:
            raise EntrantError(
                f"The server at {self.url} answered {type(asked).__name__} with {type(answer).__name__}, "
                f"expected {expected.__name__} with the same ticket."
            )
        return answer

    def ask_afresh(self, question: Callable[[int], RemoteQuestion], expected: type[Expected]) -> Expected:
        """Asks what depends on nothing before it, after connecting again where the connection was lost."""
        try:
            return self.ask(question, expected)
        except LostError:
            self._renew()
            return self.ask(question, expected)

    def check(self, work: Callable[[], Checked]) -> Checked:
        """Checks an answer; one that is wrong is the entrant's error."""
        try:
            return work()
        except Exception as error:  # whatever it is, the answer is a stranger's
            raise EntrantError(f"The {self.kind} at {self.url} gave a bad answer.{self._quote(f' {error}')}") from error

    def close(self) -> None:
        """Hangs up."""
        self._line.close()

    def _renew(self) -> None:
        self.close()
        self._line, _, declared = self._open()
        if declared != self.declared:
            raise EntrantError(
                f"The server at {self.url} declares something else than before{self._quote(f': {declared}')}."
            )

    def _exchange(self, frame: bytes) -> Answer:
        self._terms.interrupted()
        if self._spent_s >= self._terms.total_limit_s:
            raise EntrantError(
                f"The server at {self.url} took more than {self._terms.total_limit_s:g} s for all its answers."
            )
        started_s = time.monotonic()
        try:
            return self._understand(self._line.ask(frame, self._terms.step_limit_s))
        finally:
            self._spent_s += time.monotonic() - started_s

    def _open(self) -> tuple[Line, Kind, Declared]:
        line = Line(self.url, MAX_ANSWER_BYTES, self._headers, self._terms.addresses, quoting=self._terms.quoting)
        try:
            return line, *self._greet(self._understand(line.ask(to_bytes(hello(self._wanted)), HELLO_LIMIT_S)))
        except BaseException:
            line.close()
            raise

    def _greet(self, answer: Answer) -> tuple[Kind, Declared]:
        if not isinstance(answer, Hello):
            raise EntrantError(f"The server at {self.url} began with {type(answer).__name__}, expected a Hello.")
        check_protocol(answer)
        if self._wanted not in (None, answer.kind):
            raise SpecMismatchError("kind", self._wanted, answer.kind)
        if answer.kind is None or answer.declared is None:
            raise EntrantError(f"The server at {self.url} does not declare what it serves.")
        return answer.kind, answer.declared

    def _understand(self, frame: bytes | str) -> Answer:
        if isinstance(frame, str):
            raise EntrantError(
                f"The server at {self.url} sent text, expected msgpack{self._quote(f': {frame[:200]!r}')}."
            )
        try:
            return decode_answer(frame)
        except DataError as error:
            said = self._quote(f" {error}")
            raise EntrantError(f"The server at {self.url} does not speak this protocol.{said}") from error

    def _quote(self, said: str) -> str:
        return said if self._terms.quoting else ""


def _ticket() -> int:
    # Not to be guessed, so that nothing can be answered before it is asked.
    return secrets.randbelow(2**62)
