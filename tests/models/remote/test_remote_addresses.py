"""Policy servers of strangers: they lead the connection nowhere else and hold it no longer than they may."""

import base64
import hashlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress

import numpy as np
import pytest
from websockets.sync.server import ServerConnection

from pentathlon.core import EntrantError
from pentathlon.models.remote.connection import Terms
from pentathlon.models.remote.declared import MAX_ANSWER_BYTES
from pentathlon.models.remote.line import Line, LineError
from pentathlon.models.remote.remote_entrants import connect
from pentathlon.models.remote.serving import open_server
from pentathlon.worlds.tabletop.arm.robot import interaction
from web_sockets import served

SPEC = interaction(8, 8)
KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Slow:
    spec = SPEC

    def reset(self) -> None:
        time.sleep(0.05)

    def predict(self, observation: object) -> np.ndarray:
        raise NotImplementedError


def accept_key(request: bytes) -> str:
    key = next(line.split(": ")[1] for line in request.decode().splitlines() if line.startswith("Sec-WebSocket-Key"))
    return base64.b64encode(hashlib.sha1((key + KEY_SUFFIX).encode()).digest()).decode()


@contextmanager
def listening(handle: Callable[[socket.socket, threading.Event], None]) -> Iterator[int]:
    """Hands the first connection to ``handle``, together with what is set at the end, and gives the port."""
    ended = threading.Event()

    def take() -> None:
        taken, _ = listener.accept()
        with closing(taken):
            handle(taken, ended)

    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        thread = threading.Thread(target=take)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            ended.set()
            thread.join()


def answering(answer: Callable[[bytes], str]) -> AbstractContextManager[int]:
    """A server that answers the request of its first connection and reads nothing after it."""

    def handle(taken: socket.socket, ended: threading.Event) -> None:
        taken.sendall(answer(taken.recv(4096)).encode())
        ended.wait(30)

    return listening(handle)


def test_a_redirect_is_not_followed() -> None:
    with open_server(Slow()) as elsewhere:
        redirect = f"HTTP/1.1 302 Found\r\nLocation: {elsewhere}\r\nContent-Length: 0\r\n\r\n"
        with (
            answering(lambda request: redirect) as port,
            pytest.raises(EntrantError, match="redirect|302"),
            connect(f"ws://127.0.0.1:{port}", "policy", SPEC, terms=Terms(addresses=["127.0.0.1"])),
        ):
            pytest.fail("it was connected")


def test_it_connects_to_the_addresses_given_and_asks_no_name_server() -> None:
    with open_server(Slow()) as url:
        port = url.rpartition(":")[2]
        with connect(
            f"ws://policy.invalid:{port}", "policy", SPEC, terms=Terms(addresses=["127.0.0.2", "127.0.0.1"])
        ) as policy:
            policy.reset()


def agree(request: bytes) -> str:
    return (
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Accept: {accept_key(request)}\r\n\r\n"
    )


def pinging() -> AbstractContextManager[int]:
    """A server that agrees, and from then on pings and never reads, so that nobody gets rid of the answers."""
    ping = b"\x89\x7d" + bytes(125)

    def handle(taken: socket.socket, ended: threading.Event) -> None:
        with suppress(OSError):
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            taken.sendall(agree(taken.recv(4096)).encode())
            taken.settimeout(1.0)
            while not ended.is_set():
                with suppress(TimeoutError):
                    taken.send(ping * 1000)

    return listening(handle)


@pytest.mark.timeout(60)
def test_a_server_that_pings_and_does_not_read_is_cut_off() -> None:
    with pinging() as port, Line(f"ws://127.0.0.1:{port}", 2**20) as line:
        time.sleep(2)  # until no more answers to pings can be sent
        started_s = time.monotonic()
        with pytest.raises(LineError, match="did not read|did not answer|is lost"):
            line.ask(b"hello", 0.3)
        line.close()
        assert time.monotonic() - started_s < 10


@pytest.mark.timeout(60)
def test_hanging_up_waits_for_nobody_who_pings_and_does_not_read() -> None:
    with pinging() as port, Line(f"ws://127.0.0.1:{port}", 2**20) as line:
        time.sleep(2)
        started_s = time.monotonic()
        line.close()
        assert time.monotonic() - started_s < 10


def test_a_server_that_does_not_read_is_cut_off() -> None:
    with answering(agree) as port, Line(f"ws://127.0.0.1:{port}", 2**20) as line:
        started_s = time.monotonic()
        with pytest.raises(LineError, match=r"did not read within 0\.3 s"):
            line.ask(bytes(64 * 2**20), 0.3)
        assert time.monotonic() - started_s < 10


def test_an_answer_of_more_than_a_mebibyte_is_not_taken() -> None:
    def answer(connection: ServerConnection) -> None:
        for frame in connection:
            connection.send(bytes(2**20 + (frame == b"more")))

    with served(answer) as url, Line(url, MAX_ANSWER_BYTES) as line:
        assert len(line.ask(b"much", 10)) == 2**20
        with pytest.raises(LineError, match="is lost"):
            line.ask(b"more", 10)


def test_all_answers_together_have_a_limit() -> None:
    with open_server(Slow()) as url, connect(url, "policy", SPEC, terms=Terms(total_limit_s=0.04)) as policy:
        policy.reset()
        with pytest.raises(EntrantError, match=r"more than 0\.04 s for all its answers"):
            policy.reset()
