"""How requests may arrive and answers be read: within a time, at some pace, and over so many connections of one host.

Without this, a few thousand half-sent requests take every connection from everybody else.
"""

from __future__ import annotations

import asyncio
import ipaddress
from collections import Counter
from typing import Any

import h11
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from pentathlon.server.api.hosts import host_of, read_address
from pentathlon.server.settings import ServerSettings

MAX_CONNECTIONS = 2000
# What a player's page says is short; nobody else speaks to us by WebSocket.
MAX_SOCKET_BYTES = 64 * 1024
HEAD_LIMIT_S = 10.0
BODY_SILENCE_S = 20.0
BODY_GRACE_S = 30.0
PACE_BYTES_PER_S = 4096
UNREAD_S = 20.0

_LATE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
_CROWDED = b"HTTP/1.1 429 Too Many Requests\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Doorkeeper:
    """Counts the connections of each host; used from the event loop only.

    Args:
        most: connections that one host may have.
        trusted: proxies, through which everybody comes.
    """

    def __init__(self, most: int, trusted: tuple[str, ...]) -> None:
        self._most = most
        self._trusted = [ipaddress.ip_network(proxy, strict=False) for proxy in trusted]
        self._connections: Counter[str] = Counter()

    def enter(self, address: str) -> str | None:
        """Counts a connection and returns under which name, or ``None`` when its host has too many."""
        found = read_address(address)
        if found is None or any(found in network for network in self._trusted):
            return ""
        host = host_of(address)
        if self._connections[host] >= self._most:
            return None
        self._connections[host] += 1
        return host

    def leave(self, host: str) -> None:
        """Counts a connection no longer."""
        if host:
            self._connections -= Counter([host])


class TimelyProtocol(H11Protocol):
    """HTTP whose requests have deadlines; ``doorkeeper`` is shared by all connections of a server."""

    doorkeeper: Doorkeeper

    _timer: asyncio.TimerHandle | None = None
    _reader_timer: asyncio.TimerHandle | None = None
    _host: str | None = None
    _body_since_s: float | None = None
    _body_bytes = 0
    _heard_s = 0.0
    _unread_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Lets a connection in unless its host has too many."""
        super().connection_made(transport)
        # What the kernel does not take at once waits for its reader, however little it is.
        transport.set_write_buffer_limits(0)
        self._host = self.doorkeeper.enter(self.client[0] if self.client else "")
        if self._host is None:
            transport.write(_CROWDED)
            transport.close()
            return
        self._wait(HEAD_LIMIT_S, self._end_late)

    def pause_writing(self) -> None:
        """Waits for one who does not read, but not for ever."""
        super().pause_writing()
        self._unread_bytes = self.transport.get_write_buffer_size()
        self._reader_timer = self.loop.call_later(UNREAD_S, self._look_at_reader)

    def resume_writing(self) -> None:
        """Goes on when all that was written is on its way."""
        super().resume_writing()
        self._leave_reader()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self._go()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hands the connection over; those who play have limits of their own."""
        self._go()
        super().handle_websocket_upgrade(event)

    def data_received(self, data: bytes) -> None:
        """Takes what arrived and sets the clock for what is still to come."""
        super().data_received(data)
        self._heard_s = self.loop.time()
        self._body_bytes += len(data)
        state = self.conn.their_state
        if state is h11.SEND_BODY and self._body_since_s is None:
            self._body_since_s, self._body_bytes = self._heard_s, 0
            self._wait(BODY_SILENCE_S, self._look_at_body)
        elif state is h11.IDLE:
            # The head of a request that follows another; uvicorn itself ends connections on which nothing follows.
            self._body_since_s = None
            if self._timer is None:
                self._wait(HEAD_LIMIT_S, self._end_late)
        elif state is not h11.SEND_BODY:
            self._stop_clock()

    def _look_at_body(self) -> None:
        now_s, since_s = self.loop.time(), self._body_since_s or 0.0
        slow = self._body_bytes < PACE_BYTES_PER_S * (now_s - since_s - BODY_GRACE_S)
        # Whoever waits for our disk is not slow.
        if (slow or now_s - self._heard_s >= BODY_SILENCE_S) and not self.flow.read_paused:
            self.transport.abort()
        else:
            self._wait(BODY_SILENCE_S / 2, self._look_at_body)

    def _end_late(self) -> None:
        self.transport.write(_LATE)
        self.transport.close()

    def _look_at_reader(self) -> None:
        before, self._unread_bytes = self._unread_bytes, self.transport.get_write_buffer_size()
        if before - self._unread_bytes < PACE_BYTES_PER_S * UNREAD_S:
            self.transport.abort()
        else:
            self._reader_timer = self.loop.call_later(UNREAD_S, self._look_at_reader)

    def _leave_reader(self) -> None:
        if self._reader_timer is not None:
            self._reader_timer.cancel()
            self._reader_timer = None

    def _wait(self, seconds: float, then: Any) -> None:
        self._stop_clock()
        self._timer = self.loop.call_later(seconds, then)

    def _stop_clock(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._body_since_s = self._body_since_s if self.conn.their_state is h11.SEND_BODY else None

    def _go(self) -> None:
        self._stop_clock()
        self._leave_reader()
        if self._host:
            self.doorkeeper.leave(self._host)
            self._host = ""


class OneLength:
    """Refuses requests that tell their length in two ways, and closes the connection.

    A proxy that believes the other way takes what follows in the body for the request of whoever comes next.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request."""
        told = {name for name, _ in scope.get("headers", ())} & {b"content-length", b"transfer-encoding"}
        refusal = PlainTextResponse("The request tells its length twice.", 400, {"Connection": "close"})
        await (refusal if scope["type"] == "http" and len(told) > 1 else self._app)(scope, receive, send)


def configure(app: Any, settings: ServerSettings, host: str, port: int) -> uvicorn.Config:
    """Says how the application is served."""
    doorkeeper = Doorkeeper(settings.connections_per_host, settings.trusted_proxies)
    return uvicorn.Config(
        OneLength(app),
        host=host,
        port=port,
        http=type("Protocol", (TimelyProtocol,), {"doorkeeper": doorkeeper}),
        log_level="warning",
        access_log=False,
        limit_concurrency=MAX_CONNECTIONS,
        ws_max_size=MAX_SOCKET_BYTES,
        # Who asks is whom the connection comes from, unless that is a proxy that the operator named.
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
    )
