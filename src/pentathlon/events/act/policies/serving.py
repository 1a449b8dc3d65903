"""Serves a policy to evaluations elsewhere, over WebSocket."""

from __future__ import annotations

import hmac
import http
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import TypeAlias

from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import Server, ServerConnection, serve

from pentathlon.core.entrants import Policy
from pentathlon.core.errors import DataError, PentathlonError, UsageError
from pentathlon.core.specs import InteractionSpec, compare_specs
from pentathlon.events.act.policies.arrays import pack, unpack
from pentathlon.events.act.policies.remote_wire import (
    MAX_OBSERVATION_BYTES,
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
    decode_question,
    encode,
)

Served: TypeAlias = Policy | Callable[[], Policy]
Lender: TypeAlias = Callable[[], AbstractContextManager[Policy | None]]

DEFAULT_PORT = 8765
LOOPBACK = ("127.0.0.1", "::1", "localhost")
MAX_TRACE_CHARACTERS = 4000
REFUSED = 1008
BUSY = 1013
BUSY_WAIT_S = 2.0


def serve_policy(policy: Served, host: str = "127.0.0.1", port: int = DEFAULT_PORT, *, token: str = "") -> None:
    """Serves ``policy`` until interrupted.

    Args:
        policy: a policy, for one evaluation at a time; or a function that makes one, for as many as come.
        host: other than this machine itself only with a token.
        port: 0 takes a free one.
        token: which evaluations must give.
    """
    with open_server(policy, host, port, token=token) as url:
        print(f"Serving a policy at {url}; stop with Ctrl-C.", flush=True)
        threading.Event().wait()


@contextmanager
def open_server(policy: Served, host: str = "127.0.0.1", port: int = 0, *, token: str = "") -> Iterator[str]:
    """Serves ``policy`` in a thread for the length of a context and gives its address."""
    if host not in LOOPBACK and not token:
        raise UsageError(f"Serving on {host} without a token lets anybody use the policy. Give a token.")
    server = _listen(_lender(policy), host, port, token)
    thread = threading.Thread(target=server.serve_forever, name="policy-server", daemon=True)
    thread.start()
    try:
        yield f"ws://{host}:{server.socket.getsockname()[1]}"
    finally:
        server.shutdown()
        thread.join()


def _lender(policy: Served) -> Lender:
    # A policy remembers its episode, so two evaluations at once would disturb each other.
    if isinstance(policy, type) or not isinstance(policy, Policy):
        # Tried once, so that what cannot be built never listens.
        policy()
        return lambda: nullcontext(policy())
    busy = threading.Lock()

    @contextmanager
    def lend() -> Iterator[Policy | None]:
        # The last one may just be hanging up.
        free = busy.acquire(timeout=BUSY_WAIT_S)
        try:
            yield policy if free else None
        finally:
            if free:
                busy.release()

    return lend


def _listen(lend: Lender, host: str, port: int, token: str) -> Server:
    def admit(connection: ServerConnection, request: Request) -> Response | None:
        if request.path == "/health":
            return connection.respond(http.HTTPStatus.OK, "ok\n")
        given = request.headers.get("Authorization", "")
        if token and not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
            return connection.respond(http.HTTPStatus.UNAUTHORIZED, "This policy server asks for its token.\n")
        return None

    def handle(connection: ServerConnection) -> None:
        with suppress(ConnectionClosed), lend() as policy:
            if policy is None:
                connection.close(BUSY, "another evaluation is using this policy; run with --workers 1")
            else:
                Session(policy, connection).run()

    return serve(
        handle,
        host,
        port,
        process_request=admit,
        compression=None,
        max_size=MAX_OBSERVATION_BYTES,
        # Frees the policy when an evaluation's machine vanishes.
        ping_interval=20.0,
        ping_timeout=60.0,
    )


class Session:
    """One evaluation's use of the policy."""

    def __init__(self, policy: Policy, connection: ServerConnection) -> None:
        self._policy = policy
        self._current = policy
        self._connection = connection

    def run(self) -> None:
        """Answers until the evaluation hangs up; whoever speaks something else is told so and cut off."""
        try:
            self._greet()
            for frame in self._connection:
                self._send(self._answer(self._understand(frame)))
        except PentathlonError as error:
            self._connection.close(REFUSED, _reason(str(error)))

    def _greet(self) -> None:
        hello = self._understand(self._connection.recv(timeout=10.0))
        # Said before any complaint, so that the other side can name the field as well.
        self._send(declare(self._policy.spec, type(self._policy).__name__))
        if not isinstance(hello, Hello):
            raise DataError(f"Expected a Hello, got {type(hello).__name__}.")
        check_protocol(hello)
        if hello.action is not None:
            compare_specs(InteractionSpec(hello.observations, hello.action), self._policy.spec)

    def _answer(self, question: Question) -> Answer:
        if isinstance(question, Hello):
            raise DataError("Expected a Begin or a Predict, got a second Hello.")
        try:
            if isinstance(question, Begin):
                return self._begin(question)
            return self._predict(question)
        except Exception as error:
            trace = "".join(traceback.format_exception(error))[-MAX_TRACE_CHARACTERS:]
            return Raised(question.ticket, f"{type(error).__name__}: {error}\n{trace}")

    def _begin(self, question: Begin) -> Answer:
        choose = getattr(self._policy, "for_seed", None)
        self._current = self._policy if choose is None else choose(question.training_seed)
        self._current.reset()
        return Done(question.ticket)

    def _predict(self, question: Predict) -> Answer:
        observation = {name: unpack(array) for name, array in question.observation.items()}
        return Chosen(question.ticket, pack(self._current.predict(observation)))

    def _understand(self, frame: bytes | str) -> Question:
        if isinstance(frame, str):
            raise DataError("Expected msgpack in binary frames, got a text frame.")
        return decode_question(frame)

    def _send(self, answer: Answer) -> None:
        self._connection.send(encode(answer))


def _reason(text: str) -> str:
    # A close frame holds 123 bytes.
    return text.encode()[:120].decode("utf-8", "ignore")
