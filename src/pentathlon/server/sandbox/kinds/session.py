"""Questions to one program in a sandbox and its answers; after its first misdeed the sandbox is ended for good."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn, TypeVar

from pentathlon.core.errors import DataError, SpecMismatchError
from pentathlon.core.specs import Spec, compare_specs
from pentathlon.models.remote import questions
from pentathlon.server.sandbox.channel import Channel, HungUpError, TooLongError
from pentathlon.server.sandbox.limits import Limits, SandboxError, State
from pentathlon.server.sandbox.log import EntrantLog, printable
from pentathlon.server.sandbox.process import SandboxProcess
from pentathlon.server.sandbox.sandbox_messages import (
    Failed,
    Load,
    Reply,
    Request,
    decode_reply,
    to_frame,
)
from pentathlon.server.sandbox.window import Window
from pentathlon.server.sizes import MEBIBYTE

MAX_SENTENCE = 2048

Expected = TypeVar("Expected", bound=Reply)
Answered = TypeVar("Answered", bound=questions.Reply)
Checked = TypeVar("Checked")


class Session:
    """Asks the program in one sandbox.

    Args:
        process: the sandbox.
        window: through which arrays reach it.
        limits: what it may use.
        log: takes what it prints, and how it ended.
        interrupted: is called before each question and while waiting; raises to break off.
    """

    def __init__(
        self,
        process: SandboxProcess,
        window: Window,
        limits: Limits,
        log: EntrantLog,
        interrupted: Callable[[], None] = lambda: None,
    ) -> None:
        self.window, self.limits = window, limits
        self._process, self._log, self._interrupted = process, log, interrupted
        self._channel = Channel(*process.pipes, log, self._look)
        self._spent_s = 0.0
        self._error: SandboxError | None = None

    @property
    def spent_s(self) -> float:
        """Seconds that the entrant has taken so far, its start included."""
        return self._spent_s

    def peak_memory_bytes(self) -> int:
        """The most memory that its processes have held so far."""
        return self._process.peak_memory_bytes()

    def load(self, request: Load, expected: type[Expected]) -> Expected:
        """Has the entrant built and returns what it declares."""
        return self._ask(request, expected, self.limits.start_s, "start")

    def compare(self, offered: Spec | None, declared: Spec) -> None:
        """Refuses an entrant that does not fit the task."""
        try:
            if offered is not None:
                compare_specs(offered, declared)
        except SpecMismatchError as error:
            self.end("refused", str(error))

    def ask(self, request: Callable[[int], Request], expected: type[Answered], what: str) -> Answered:
        """Asks with a ticket of its own, which the answer must carry.

        Raises:
            SandboxError: when it does not answer in time, or not to this question.
        """
        # Not to be guessed, so that nothing can be answered before it is asked.
        ticket = secrets.randbelow(2**62)
        reply = self._ask(request(ticket), expected, self.limits.step_s, what)
        if reply.ticket != ticket:
            self.end(
                "crashed",
                f"The entrant's process gave an answer that was not asked for: expected the ticket of this "
                f"{what}, got another.",
            )
        return reply

    def check(self, work: Callable[[], Checked], state: State = "bad_answer") -> Checked:
        """Checks an answer; one that is wrong ends the sandbox in ``state``."""
        try:
            return work()
        except DataError as error:
            self.end(state, str(error))
        except Exception as error:  # whatever it is, the answer is a stranger's
            self.end(state, f"The answer cannot be checked ({type(error).__name__}: {error}).")

    def end(self, state: State, sentence: str) -> NoReturn:
        """Ends the sandbox and says why; every later question is answered by the same error."""
        # Names and texts in it may come from the entrant.
        sentence = printable(sentence[:MAX_SENTENCE])
        self._process.kill()
        with suppress(SandboxError):
            self._channel.drain()
        self._log.conclude(f"{state}: {sentence}")
        self._error = SandboxError(state, sentence)
        raise self._error

    def _look(self) -> None:
        self._interrupted()
        self._process.watch_memory()

    def _ask(self, request: Request, expected: type[Expected], limit_s: float, what: str) -> Expected:
        if self._error is not None:
            raise self._error
        self._interrupted()
        started_s = time.monotonic()
        allowed_s = min(limit_s, self.limits.total_s - self._spent_s)
        try:
            body = self._channel.exchange(to_frame(request), started_s + allowed_s)
            self._process.watch_memory()
        except TimeoutError:
            self.end("timed_out", self._overrun(what, limit_s, allowed_s))
        except SandboxError as error:
            self.end(error.state, str(error))
        except HungUpError:
            self._end_hung_up(what)
        except TooLongError as error:
            self._end_invalid(what, error)
        finally:
            self._spent_s += time.monotonic() - started_s
        return self._expect(self._decode(body, what), expected, what)

    def _decode(self, body: bytes, what: str) -> Reply:
        try:
            return decode_reply(body)
        except Exception as error:  # whatever it is, the bytes are a stranger's
            self._end_invalid(what, error)

    def _end_invalid(self, what: str, error: Exception) -> NoReturn:
        self.end("crashed", f"The entrant's process gave no valid answer to {what}: {error}.")

    def _expect(self, reply: Reply, expected: type[Expected], what: str) -> Expected:
        if isinstance(reply, expected):
            return reply
        if isinstance(reply, Failed):
            self.end(reply.state, f"The entrant failed in {what}{self._allowed(reply.state)}: {reply.text}")
        self.end("crashed", f"The entrant's process answered {what} with {type(reply).__name__}.")

    def _allowed(self, state: State) -> str:
        """Names the limit that the entrant met; what Python says of it may be nothing."""
        if state != "out_of_memory":
            return ""
        return f", being allowed {self.limits.memory_bytes / MEBIBYTE:.0f} MiB of memory"

    def _overrun(self, what: str, limit_s: float, allowed_s: float) -> str:
        if allowed_s < limit_s:
            return f"The entrant took more than {self.limits.total_s:g} s for all its calls; stopped in {what}."
        return f"The entrant took more than {limit_s:g} s for {what}."

    def _end_hung_up(self, what: str) -> NoReturn:
        status = self._process.exit_status()
        try:
            self._process.check_memory()
        except SandboxError as error:
            self.end(error.state, str(error))
        how = "closed its pipe" if status is None else f"ended by itself with status {status}"
        self.end("crashed", f"The entrant's process {how} in {what}.")
