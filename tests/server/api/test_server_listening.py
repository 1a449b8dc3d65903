"""Requests that never end, hosts that take too many connections, and who is believed about who asks."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from desk import DeskMaker
from live_server import await_that, free_port
from starlette.testclient import TestClient

from pentathlon.core.errors import UsageError
from pentathlon.server.api import listening
from pentathlon.server.api.app import create_app
from pentathlon.server.api.listening import Doorkeeper, configure
from pentathlon.server.settings import ServerSettings

GET = b"GET / HTTP/1.1\r\nHost: x\r\n"
END = b"Connection: close\r\n\r\n"
LONG_BYTES = 32 * 2**20
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n" + END


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Reads the body, then says who asked and how much came."""
    read, more = 0, True
    while more:
        message = await receive()
        read += len(message.get("body", b""))
        more = message.get("more_body", False)
    said = f"{scope['client'][0]} {read}".encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(said))]})
    await send({"type": "http.response.body", "body": said})


async def pour_out(scope: Any, _receive: Any, send: Any) -> None:
    """Answers with more than a connection holds."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % LONG_BYTES)]})
    await send({"type": "http.response.body", "body": bytes(LONG_BYTES)})


@contextmanager
def listening_server(folder: Path, app: Any = echo, **settings: Any) -> Iterator[int]:
    port = free_port()
    config = configure(app, ServerSettings(folder, **settings), "127.0.0.1", port)
    config.lifespan = "off"
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        await_that(lambda: server.started, bool)
        yield port
    finally:
        server.should_exit = True
        server.force_exit = True
        thread.join()


def call(port: int, sent: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), 10)
    connection.sendall(sent)
    return connection


def answer(connection: socket.socket) -> bytes:
    """What comes until the other side hangs up."""
    said = b""
    with closing(connection), suppress(ConnectionResetError):
        while more := connection.recv(4096):
            said += more
    return said


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in {"HEAD_LIMIT_S": 0.3, "BODY_SILENCE_S": 0.3, "BODY_GRACE_S": 0.3}.items():
        monkeypatch.setattr(listening, name, seconds)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("sent", [b"", b"GE", GET], ids=["nothing", "a line", "half a head"])
def test_a_head_that_does_not_end_is_not_waited_for(tmp_path: Path, sent: bytes) -> None:
    with listening_server(tmp_path) as port:
        assert answer(call(port, sent)).startswith(b"HTTP/1.1 408")


@pytest.mark.usefixtures("impatient")
def test_a_second_request_has_a_deadline_too(tmp_path: Path) -> None:
    with listening_server(tmp_path) as port:
        connection = call(port, GET + b"\r\n")
        assert b"200 OK" in connection.recv(4096)
        connection.sendall(GET)
        assert b"HTTP/1.1 408" in answer(connection)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("every_s", [10.0, 0.1], ids=["silent", "byte by byte"])
def test_a_body_that_does_not_come_is_not_waited_for(tmp_path: Path, every_s: float) -> None:
    with listening_server(tmp_path) as port, closing(call(port, POST + b"some")) as connection:
        connection.settimeout(every_s)
        deadline_s = time.monotonic() + 8
        while time.monotonic() < deadline_s:
            try:
                assert connection.recv(4096) == b""
                break
            except TimeoutError:
                connection.sendall(b"x")
            except ConnectionResetError:
                break
        else:
            pytest.fail("the connection was kept")


@pytest.mark.usefixtures("impatient")
def test_a_body_that_comes_at_a_fair_pace_has_all_the_time(tmp_path: Path) -> None:
    with listening_server(tmp_path) as port:
        connection = call(port, POST)
        for _ in range(20):
            connection.sendall(b"x" * 50_000)
            time.sleep(0.05)
        assert answer(connection).endswith(b"127.0.0.1 1000000")


@pytest.mark.parametrize("every_s", [None, 0.1], ids=["nothing", "byte by byte"])
def test_one_who_does_not_read_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every_s: float | None
) -> None:
    monkeypatch.setattr(listening, "UNREAD_S", 0.5)
    monkeypatch.setattr(listening, "PACE_BYTES_PER_S", 2**20)
    gone = []
    lost = listening.TimelyProtocol.connection_lost
    monkeypatch.setattr(
        listening.TimelyProtocol, "connection_lost", lambda self, error: (gone.append(1), lost(self, error))
    )
    with listening_server(tmp_path, pour_out) as port, closing(call(port, GET + END)) as connection:
        deadline_s = time.monotonic() + 20
        while not gone and time.monotonic() < deadline_s:
            time.sleep(every_s or 0.1)
            if every_s is not None:
                connection.recv(1)
        assert gone, "the connection was kept"


def test_one_who_reads_at_a_fair_pace_gets_all_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening, "UNREAD_S", 0.2)
    with listening_server(tmp_path, pour_out) as port, closing(call(port, GET + END)) as connection:
        read = 0
        while more := connection.recv(2**20):
            read += len(more)
            time.sleep(0.02)
    assert read > LONG_BYTES


def test_half_sent_requests_of_one_host_leave_room_for_others(tmp_path: Path) -> None:
    with listening_server(tmp_path, connections_per_host=5) as port, ExitStack() as stack:
        held = [stack.enter_context(closing(call(port, GET))) for _ in range(5)]
        refused = answer(call(port, GET + END))
        assert refused == b"" or refused.startswith(b"HTTP/1.1 429")
        stack.enter_context(closing(other := socket.socket())).bind(("127.0.0.2", 0))
        other.settimeout(10)
        other.connect(("127.0.0.1", port))
        other.sendall(GET + END)
        assert b"200 OK" in other.recv(4096)
        held[0].close()
        await_that(lambda: answer(call(port, GET + END)), lambda said: b"200 OK" in said, 10)


def test_nothing_is_smuggled_behind_a_request_of_two_lengths(tmp_path: Path) -> None:
    twofold = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    with listening_server(tmp_path) as port, closing(call(port, twofold + GET + END)) as connection:
        said = answer(connection)
    assert said.startswith(b"HTTP/1.1 400 ")
    assert said.count(b"HTTP/1.1") == 1


@pytest.mark.parametrize(("trusted", "told"), [((), "127.0.0.1"), (("127.0.0.1",), "1.2.3.4")])
def test_only_a_named_proxy_says_who_asks(tmp_path: Path, trusted: tuple[str, ...], told: str) -> None:
    with listening_server(tmp_path, trusted_proxies=trusted) as port:
        said = answer(call(port, GET + b"X-Forwarded-For: 1.2.3.4\r\n" + END))
    assert said.endswith(f"{told} 0".encode())


def test_a_proxy_that_is_no_address_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="address of a proxy"):
        ServerSettings(tmp_path, trusted_proxies=("our-proxy",))


def test_who_has_one_address_of_ipv6_has_many() -> None:
    doorkeeper = Doorkeeper(1, ("10.0.0.0/8",))
    assert doorkeeper.enter("2001:db8::1") == "2001:db8::/64"
    assert doorkeeper.enter("2001:db8::2") is None
    assert doorkeeper.enter("2001:db8:0:1::1") is not None
    assert doorkeeper.enter("::ffff:192.0.2.1") == doorkeeper.enter("192.0.2.2")[:-1] + "1"  # type: ignore[index]
    assert [doorkeeper.enter("10.1.2.3") for _ in range(3)] == ["", "", ""]
    doorkeeper.leave("2001:db8::/64")
    assert doorkeeper.enter("2001:db8::2") == "2001:db8::/64"


def test_the_rate_of_a_host_is_that_of_all_its_addresses(desk_for: DeskMaker) -> None:
    desk = desk_for(requests_per_second=0.001, request_burst=3)
    app = create_app(desk.settings)
    with TestClient(app):
        asked = [TestClient(app, client=(f"2001:db8::{number}", 1)).get("/api/robots") for number in range(5)]
    assert [answer.status_code for answer in asked] == [200, 200, 200, 429, 429]
