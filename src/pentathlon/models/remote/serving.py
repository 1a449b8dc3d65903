"""Serves an entrant of any kind to evaluations elsewhere, over WebSocket."""

from __future__ import annotations

import hmac
import http
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from typing import Any, TypeAlias

from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import Server, ServerConnection, serve

from pentathlon.core.entrants import Agent, Encoder, Entrant, Judge, Policy, kind_of
from pentathlon.core.errors import DataError, PentathlonError, SpecMismatchError, UsageError
from pentathlon.models.remote.answering import answer_with
from pentathlon.models.remote.arrays import unpack
from pentathlon.models.remote.remote_wire import (
    MAX_QUESTION_BYTES,
    Answer,
    Begin,
    FromEvaluation,
    Hello,
    Raised,
    check_protocol,
    decode_question,
    hello,
    to_bytes,
)

Served: TypeAlias = Entrant | Callable[[], Entrant]
Lender: TypeAlias = Callable[[], AbstractContextManager[Entrant | None]]

DEFAULT_PORT = 8765
LOOPBACK = ("127.0.0.1", "::1", "localhost")
MAX_TRACE_CHARACTERS = 4000
REFUSED = 1008
BUSY = 1013
BUSY_WAIT_S = 2.0


def serve_entrant(entrant: Served, host: str = "127.0.0.1", port: int = DEFAULT_PORT, *, token: str = "") -> None:
    """Serves ``entrant`` until interrupted.

    Args:
        entrant: an encoder, agent, policy or judge, for one evaluation at a time; or a function that makes one, for as
            many as come.
        host: other than this machine itself only with a token.
        port: 0 takes a free one.
        token: which evaluations must give.
    """
    with open_server(entrant, host, port, token=token) as url:
        print(f"Serving an entrant at {url}; stop with Ctrl-C.", flush=True)
        threading.Event().wait()


@contextmanager
def open_server(entrant: Served, host: str = "127.0.0.1", port: int = 0, *, token: str = "") -> Iterator[str]:
    """Serves ``entrant`` in a thread for the length of a context and gives its address."""
    if host not in LOOPBACK and not token:
        raise UsageError(f"Serving on {host} without a token lets anybody use the entrant. Give a token.")
    server = _listen(_lender(entrant), host, port, token)
    thread = threading.Thread(target=server.serve_forever, name="entrant-server", daemon=True)
    thread.start()
    try:
        yield f"ws://{host}:{server.socket.getsockname()[1]}"
    finally:
        server.shutdown()
        thread.join()


def _lender(entrant: Served) -> Lender:
    # An agent or a policy remembers its episode, so two evaluations at once would disturb each other.
    if isinstance(entrant, type) or not isinstance(entrant, Encoder | Agent | Policy | Judge):
        # Tried once, so that what cannot be built never listens.
        kind_of(entrant())
        return lambda: nullcontext(entrant())
    busy = threading.Lock()

    @contextmanager
    def lend() -> Iterator[Entrant | None]:
        # The last one may just be hanging up.
        free = busy.acquire(timeout=BUSY_WAIT_S)
        try:
            yield entrant if free else None
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
            return connection.respond(http.HTTPStatus.UNAUTHORIZED, "This server asks for its token.\n")
        return None

    def handle(connection: ServerConnection) -> None:
        with suppress(ConnectionClosed), lend() as entrant:
            if entrant is None:
                connection.close(BUSY, "another evaluation is using this entrant; run with --workers 1")
            else:
                Session(entrant, connection).run()

    return serve(
        handle,
        host,
        port,
        process_request=admit,
        compression=None,
        max_size=MAX_QUESTION_BYTES,
        # Frees the entrant when an evaluation's machine vanishes.
        ping_interval=20.0,
        ping_timeout=60.0,
    )


class Session:
    """One evaluation's use of the entrant."""

    def __init__(self, entrant: Any, connection: ServerConnection) -> None:
        self._entrant = entrant
        self._current = entrant
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
        said, kind = self._understand(self._connection.recv(timeout=10.0)), kind_of(self._entrant)
        # Said before any complaint, so that the other side can name the field as well.
        self._send(hello(kind, self._entrant.spec, type(self._entrant).__name__))
        if not isinstance(said, Hello):
            raise DataError(f"Expected a Hello, got {type(said).__name__}.")
        check_protocol(said)
        if said.kind not in (None, kind):
            raise SpecMismatchError("kind", said.kind, kind)

    def _answer(self, question: FromEvaluation) -> Answer:
        if isinstance(question, Hello):
            raise DataError("Expected a question for the entrant, got a second Hello.")
        try:
            if isinstance(question, Begin):
                self._choose(question.training_seed)
            return answer_with(self._current, question, unpack)
        except Exception as error:
            trace = "".join(traceback.format_exception(error))[-MAX_TRACE_CHARACTERS:]
            return Raised(question.ticket, f"{type(error).__name__}: {error}\n{trace}")

    def _choose(self, training_seed: int) -> None:
        choose = getattr(self._entrant, "for_seed", None)
        self._current = self._entrant if choose is None else choose(training_seed)

    def _understand(self, frame: bytes | str) -> FromEvaluation:
        if isinstance(frame, str):
            raise DataError("Expected msgpack in binary frames, got a text frame.")
        return decode_question(frame)

    def _send(self, answer: Answer) -> None:
        self._connection.send(to_bytes(answer))


def _reason(text: str) -> str:
    # A close frame holds 123 bytes.
    return text.encode()[:120].decode("utf-8", "ignore")
