"""A policy whose code runs in a sandbox; nothing that comes out of it is believed before it is checked."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NoReturn, TypeVar

import msgspec

from pentathlon.core.entrants import Floats, Observation
from pentathlon.core.errors import DataError, SpecMismatchError, UsageError
from pentathlon.core.specs import ArraySpec, InteractionSpec, compare_specs
from pentathlon.events.act.policies.actions import checked_action
from pentathlon.events.act.policies.arrays import unpack
from pentathlon.events.act.policies.remote_wire import Chosen, Done
from pentathlon.server.sandbox.access import readable
from pentathlon.server.sandbox.bubblewrap import read_only, sandbox_problem
from pentathlon.server.sandbox.channel import Channel, HungUpError, TooLongError
from pentathlon.server.sandbox.limits import Limits, SandboxError, State
from pentathlon.server.sandbox.log import AgentLog, printable
from pentathlon.server.sandbox.messages import (
    MAX_REPLY_BYTES,
    Failed,
    Load,
    Predict,
    Ready,
    Reply,
    Request,
    Reset,
    decode_reply,
    to_frame,
)
from pentathlon.server.sandbox.process import Program, SandboxProcess
from pentathlon.server.sandbox.window import Window
from pentathlon.server.sizes import MEBIBYTE

AGENT_FOLDER = "/agent"
MAX_SENTENCE = 2048

Expected = TypeVar("Expected", Ready, Done, Chosen)


@contextmanager
def open_policy(
    folder: Path, *, limits: Limits, log: Path, spec: InteractionSpec, training_seed: int = 0
) -> Iterator[SandboxedPolicy]:
    """Builds the agent in ``folder`` in a sandbox of its own, which ends with the context.

    Args:
        folder: as unpacked; it is shown to the agent read-only.
        limits: what the agent may use.
        log: the agent's output is appended to it, and one line that says how it ended.
        spec: what the robot offers and takes.
        training_seed: which of an agent's trained versions to run, where it holds several.

    Raises:
        SandboxError: when the agent cannot be built, or later misbehaves; ``state`` says how.
    """
    problem = sandbox_problem()
    if problem is not None:
        raise SandboxError("refused", problem)
    agent_log = AgentLog(log, limits.output_bytes)
    try:
        with (
            readable(folder) as shown,
            closing(Window()) as window,
            closing(SandboxProcess(_harness(shown, limits, window), limits)) as process,
        ):
            policy = SandboxedPolicy(process, window, limits, agent_log, spec)
            policy.load(training_seed)
            yield policy
            agent_log.conclude("The agent was ended in good order.")
    finally:
        agent_log.close()


class SandboxedPolicy:
    """Asks the agent in the sandbox; after its first misdeed the sandbox is ended and every call raises again."""

    def __init__(
        self, process: SandboxProcess, window: Window, limits: Limits, log: AgentLog, offered: InteractionSpec
    ) -> None:
        if not isinstance(offered.action, ArraySpec):
            raise UsageError(f"Sandboxed policies give arrays of numbers, the task takes {offered.action!r}.")
        self._process, self._window, self._limits, self._log = process, window, limits, log
        self._channel = Channel(*process.pipes, log, process.watch_memory)
        self._offered, self._action = offered, offered.action
        self._spec = offered
        self._ticket = 0
        self._spent_s = 0.0
        self._error: SandboxError | None = None

    @property
    def spec(self) -> InteractionSpec:
        """What the agent declared, once loaded."""
        return self._spec

    @property
    def spent_s(self) -> float:
        """Seconds that the agent has taken so far, its start included."""
        return self._spent_s

    def peak_memory_bytes(self) -> int:
        """The most memory that its processes have held so far."""
        return self._process.peak_memory_bytes()

    def load(self, training_seed: int) -> None:
        """Has the agent built and compares what it declares with what the robot offers."""
        ready = self._ask(Load(AGENT_FOLDER, training_seed), Ready, self._limits.start_s, "start")
        declared = InteractionSpec(ready.observations, ready.action)
        try:
            compare_specs(self._offered, declared)
        except SpecMismatchError as error:
            self._end("refused", str(error))
        self._spec = declared

    def reset(self) -> None:
        """Begins an episode."""
        self._ticket = _ticket()
        done = self._ask(Reset(self._ticket), Done, self._limits.step_s, "reset")
        self._check_ticket(done.ticket, "reset")

    def predict(self, observation: Observation) -> Floats:
        """Returns a finite action ``[D]`` or chunk ``[H, D]`` of the declared range."""
        self._ticket = _ticket()
        wanted = {array.name for array in self._spec.observations}
        placed = self._window.place({name: value for name, value in observation.items() if name in wanted})
        chosen = self._ask(Predict(self._ticket, placed), Chosen, self._limits.step_s, "predict")
        self._check_ticket(chosen.ticket, "predict")
        try:
            return checked_action(unpack(chosen.action, MAX_REPLY_BYTES), self._action, self._limits.chunk_steps)
        except DataError as error:
            self._end("bad_action", str(error))

    def _ask(self, request: Request, expected: type[Expected], limit_s: float, what: str) -> Expected:
        if self._error is not None:
            raise self._error
        started_s = time.monotonic()
        allowed_s = min(limit_s, self._limits.total_s - self._spent_s)
        try:
            reply = decode_reply(self._channel.exchange(to_frame(request), started_s + allowed_s))
            self._process.watch_memory()
        except TimeoutError:
            self._end("timed_out", self._overrun(what, limit_s, allowed_s))
        except SandboxError as error:
            self._end(error.state, str(error))
        except HungUpError:
            self._end_hung_up(what)
        except (TooLongError, msgspec.MsgspecError, RecursionError) as error:
            self._end("crashed", f"The agent's process gave no valid answer to {what}: {error}.")
        finally:
            self._spent_s += time.monotonic() - started_s
        return self._expect(reply, expected, what)

    def _expect(self, reply: Reply, expected: type[Expected], what: str) -> Expected:
        if isinstance(reply, expected):
            return reply
        if isinstance(reply, Failed):
            self._end(reply.state, f"The agent failed in {what}{self._allowed(reply.state)}: {reply.text}")
        self._end("crashed", f"The agent's process answered {what} with {type(reply).__name__}.")

    def _allowed(self, state: State) -> str:
        """Names the limit that the agent met; what Python says of it may be nothing."""
        if state != "out_of_memory":
            return ""
        return f", being allowed {self._limits.memory_bytes / MEBIBYTE:.0f} MiB of memory"

    def _check_ticket(self, got: int, what: str) -> None:
        if got != self._ticket:
            self._end(
                "crashed",
                f"The agent's process gave an answer that was not asked for: expected the ticket of this "
                f"{what}, got another.",
            )

    def _overrun(self, what: str, limit_s: float, allowed_s: float) -> str:
        if allowed_s < limit_s:
            return f"The agent took more than {self._limits.total_s:g} s for all its calls; stopped in {what}."
        return f"The agent took more than {limit_s:g} s for {what}."

    def _end_hung_up(self, what: str) -> NoReturn:
        status = self._process.exit_status()
        try:
            self._process.check_memory()
        except SandboxError as error:
            self._end(error.state, str(error))
        how = "closed its pipe" if status is None else f"ended by itself with status {status}"
        self._end("crashed", f"The agent's process {how} in {what}.")

    def _end(self, state: State, sentence: str) -> NoReturn:
        # Names and texts in it may come from the agent.
        sentence = printable(sentence[:MAX_SENTENCE])
        self._process.kill()
        with suppress(SandboxError):
            self._channel.drain()
        self._log.conclude(f"{state}: {sentence}")
        self._error = SandboxError(state, sentence)
        raise self._error


def _harness(folder: Path, limits: Limits, window: Window) -> Program:
    words = ("-m", "pentathlon.server.sandbox.harness")
    return Program(words, read_only(folder, AGENT_FOLDER), limits.temporary_bytes, (window.descriptor,))


def _ticket() -> int:
    # Not to be guessed, so that nothing can be answered before it is asked.
    return secrets.randbelow(2**62)
