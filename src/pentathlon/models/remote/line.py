"""One WebSocket connection to a server of entrants, with deadlines; its failures are sentences."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus
from websockets.sync.client import connect

from pentathlon.core.closing import Closing
from pentathlon.core.errors import EntrantError, UsageError

OPEN_LIMIT_S = 10.0
CLOSE_LIMIT_S = 2.0


class LineError(EntrantError):
    """The connection to a server failed."""


class LostError(LineError):
    """The other side is gone."""


class Line(Closing):
    """An open connection.

    Args:
        url: of the server.
        max_bytes: longer frames are not accepted.
        headers: of the request that opens the connection.
        addresses: where the url's host was found; connects there and nowhere else, so that neither another answer of
            the name server nor a redirect leads elsewhere. Looked up when not given.
        quoting: whether errors tell what the other side said. Whoever named it may have no business with that.
    """

    def __init__(
        self,
        url: str,
        max_bytes: int,
        headers: Mapping[str, str] | None = None,
        addresses: Sequence[str] = (),
        *,
        quoting: bool = True,
    ) -> None:
        self.url, self._quoting = checked_url(url), quoting
        self._stack = ExitStack()
        try:
            self._socket = self._stack.enter_context(
                connect(
                    url,
                    sock=_dial(url, addresses) if addresses else None,
                    additional_headers=dict(headers or {}),
                    compression=None,
                    max_size=max_bytes,
                    open_timeout=OPEN_LIMIT_S,
                    close_timeout=CLOSE_LIMIT_S,
                    # An entrant may hold the interpreter for longer than any ping would wait.
                    ping_interval=None,
                )
            )
        except InvalidStatus as error:
            status = error.response.status_code
            advice = "Give the token of that server." if status in (401, 403) else "Check the address."
            sentence = f"The server at {url} refused the connection{self.quote(f' with status {status}')}. "
            raise LineError(sentence + (advice if quoting else "Check the address and the token.")) from error
        except (OSError, InvalidHandshake, EOFError, ValueError) as error:
            why = self.quote(f": {error}")
            raise LineError(f"No server answers at {url}{why}. Start it, or check the address.") from error

    def quote(self, said: str) -> str:
        """Returns what the other side said where it may be told, else nothing."""
        return said if self._quoting else ""

    def ask(self, frame: bytes, limit_s: float) -> bytes | str:
        """Sends a frame and returns the next one received.

        Raises:
            LineError: when it is not taken or answered in time, or the connection is lost.
        """
        self.send(frame, limit_s)
        return self.receive(limit_s)

    def send(self, frame: bytes, limit_s: float) -> None:
        """Sends a frame; who does not read it in time is cut off, for sending itself would wait for ever."""
        with self._cut_after(limit_s) as overdue:
            try:
                self._socket.send(frame)
            except ConnectionClosed as error:
                if overdue.is_set():
                    raise LineError(f"The server at {self.url} did not read within {limit_s:g} s.") from error
                raise self._lost(error) from error

    def receive(self, limit_s: float) -> bytes | str:
        """Returns the next frame."""
        try:
            return self._socket.recv(timeout=limit_s)
        except TimeoutError as error:
            # An answer that comes later would be taken for that to the next question.
            self.close()
            raise LineError(f"The server at {self.url} did not answer within {limit_s:g} s.") from error
        except ConnectionClosed as error:
            raise self._lost(error) from error

    def close(self) -> None:
        """Hangs up; who does not let us say so is cut off."""
        # Somebody who pings and does not read keeps the answer to the ping waiting, and with it a lock of websockets.
        with self._cut_after(CLOSE_LIMIT_S):
            self._stack.close()

    @contextmanager
    def _cut_after(self, limit_s: float) -> Iterator[threading.Event]:
        """Cuts the connection, which ends every wait on it, unless the block ends in time; the event tells."""
        overdue = threading.Event()

        def cut() -> None:
            overdue.set()
            with suppress(OSError):
                self._socket.socket.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(limit_s, cut)
        timer.daemon = True
        timer.start()
        try:
            yield overdue
        finally:
            timer.cancel()

    def _lost(self, error: ConnectionClosed) -> LostError:
        # Who is told a reason for closing repeats it, so that what was sent is ours only where nothing was received.
        closing = error.rcvd or error.sent
        reason = closing.reason if closing is not None and (self._quoting or error.rcvd is None) else ""
        reason = reason or "it was closed without a reason"
        return LostError(f"The connection to the server at {self.url} is lost: {reason}.")


def _dial(url: str, addresses: Sequence[str]) -> socket.socket:
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "wss" else 80)
    *others, last = addresses
    for address in others:
        with suppress(OSError):
            return _dial_one(address, port)
    return _dial_one(last, port)


def _dial_one(address: str, port: int) -> socket.socket:
    dialled = socket.create_connection((address, port), OPEN_LIMIT_S)
    dialled.settimeout(None)
    return dialled


def checked_url(url: str) -> str:
    """Returns ``url`` when it can be that of a WebSocket.

    Raises:
        UsageError: saying what is expected.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("ws", "wss") or not parts.hostname:
        raise UsageError(f"Expected the address of a server like ws://host:8765 or wss://host, got {url!r}.")
    if parts.username or parts.password:
        raise UsageError("Expected an address without a password: addresses are recorded with the results.")
    return url
