"""What a stranger's host answers is decoded as fixed types and quoted to nobody who may have no business with it."""

from __future__ import annotations

import re
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import msgpack
import msgspec
import numpy as np
import pytest
from desk import Desk, DeskMaker
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response
from websockets.sync.server import ServerConnection, serve

from pentathlon.core.errors import DataError
from pentathlon.core.specs import ArraySpec, InteractionSpec
from pentathlon.events.act.policies import foreign
from pentathlon.events.act.policies.numpy_maps import Actions, Greeting, decode_actions, decode_as
from pentathlon.models.remote import connection
from pentathlon.models.remote.remote_wire import hello
from pentathlon.server.queue.clerk import Clerk
from pentathlon.server.queue.outputs import read_log
from pentathlon.server.queue.submissions import Entry, accept
from pentathlon.server.queue.tables import RemoteSource

TOKEN = "admin-password-is-tulip"
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ][\d:.]+")
MEBIBYTE = 2**20
Speak = Callable[[ServerConnection], None]


def _array(**changes: object) -> dict[bytes, object]:
    good = {"__ndarray__": True, "data": bytes(28), "dtype": "<f4", "shape": [7]}
    return {name.encode(): value for name, value in {**good, **changes}.items()}


def _text(line: ServerConnection) -> None:
    line.send(TOKEN)


def _hang_up(line: ServerConnection) -> None:
    line.close(1011, TOKEN)


def _other_map(line: ServerConnection) -> None:
    line.send(msgpack.packb({"type": TOKEN, "seq": 1, "payload": {TOKEN: TOKEN}}))
    line.recv()


def _raise(line: ServerConnection) -> None:
    line.send(msgpack.packb({}))
    line.recv()
    line.send(f"Traceback: {TOKEN}")


def _odd_array(line: ServerConnection) -> None:
    line.send(msgpack.packb({}))
    line.recv()
    line.send(msgpack.packb({"actions": _array(dtype=TOKEN)}))


def _raise_as_vla_eval(line: ServerConnection) -> None:
    line.recv()
    line.send(msgpack.packb({"type": "error", "seq": 1, "payload": {"error": TOKEN}}))


def _declare(line: ServerConnection) -> None:
    joints = ArraySpec(TOKEN, (7,), "float32", "rad")
    line.recv()
    line.send(msgspec.msgpack.encode(hello("policy", InteractionSpec((joints,), joints), TOKEN)))


def _raise_as_remote(line: ServerConnection) -> None:
    line.recv()
    line.send(msgspec.msgpack.encode({"type": "Raised", "ticket": 1, "text": TOKEN}))


@contextmanager
def serving(speak: Speak | None) -> Iterator[str]:
    """A host that says something; without ``speak`` it refuses, naming the token in its headers."""

    def quiet(line: ServerConnection) -> None:
        assert speak is not None
        try:
            speak(line)
        except ConnectionClosed:
            return

    def refuse(line: ServerConnection, _request: object) -> Response | None:
        return None if speak else line.respond(418, TOKEN)

    with serve(quiet, "127.0.0.1", 0, process_request=refuse) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}"
        server.shutdown()
        thread.join()


@pytest.fixture
def desk(desk_for: DeskMaker, monkeypatch: pytest.MonkeyPatch) -> Desk:
    for module in (foreign, connection):
        monkeypatch.setattr(module, "HELLO_LIMIT_S", 1.0)
    return desk_for(remote_hosts=("127.0.0.1",))


@pytest.mark.parametrize(
    ("source", "speak"),
    [
        *((source, speak) for source in ("remote", "openpi", "vla-eval") for speak in (None, _text, _hang_up)),
        *((source, _other_map) for source in ("remote", "openpi", "vla-eval")),
        *(("openpi", speak) for speak in (_raise, _odd_array)),
        ("vla-eval", _raise_as_vla_eval),
        *(("remote", speak) for speak in (_declare, _raise_as_remote)),
    ],
)
def test_a_reason_quotes_nothing_that_a_host_said(desk: Desk, source: RemoteSource, speak: Speak | None) -> None:
    account, secret = desk.account("ada")
    with serving(speak) as url:
        entry = Entry("0" * 16, source, "policy", "act/pour-sprint-v1", "", 6, url=url)
        with desk.database.write() as session:
            submission = accept(session, desk.queue, account, entry, desk.settings.quota)
        with closing(Clerk(desk.settings)) as clerk:
            clerk.check(submission.id, 0)
    refused = desk.look(submission)
    assert refused.state == "refused"
    assert url in refused.reason
    with desk.web(secret) as web:
        shown = [web.get(f"/api/submissions/{submission.id}{path}").text for path in ("", "/steps", "/log")]
        shown.append(web.get(f"/submissions/{submission.id}").text)
    shown.append(read_log(desk.settings.logs(submission.id), MEBIBYTE))
    # Ids, places and times hold any digits.
    told = [TIME.sub("", text.replace(submission.id, "").replace(url, "")) for text in shown]
    assert not [text for text in told if TOKEN in text or "418" in text]


def _lists(prefix: bytes, end: bytes = b"") -> bytes:
    count = MEBIBYTE - 64
    return prefix + b"\xdd" + count.to_bytes(4, "big") + b"\x90" * count + end


@pytest.mark.parametrize(
    "answer",
    [_lists(b"\x81\xa7actions"), _lists(b"\x82\xa1x", b"\xa7actions\x90"), _lists(b"\x81\xa7actions\x81\xc4\x04data")],
    ids=["actions", "beside actions", "in the array"],
)
def test_a_megabyte_of_empty_lists_stays_a_megabyte(answer: bytes) -> None:
    """As a tree it takes sixty times as much."""
    tracemalloc.start()
    try:
        decode_actions(decode_as(answer, Actions).actions, str.encode)
    except DataError:
        pass
    finally:
        peak_bytes = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak_bytes < 6 * MEBIBYTE


@pytest.mark.parametrize(
    "actions",
    [
        *(5, "text", None, {}, [[1.0] * 65], [[1.0, 2.0], [1.0]], [["a"]], [[[1.0]]], [0.0] * 1025),
        *(_array(shape=[6]), _array(shape=["7"]), _array(shape=[-7]), _array(data="x" * 28), _array(dtype="|O")),
    ],
)
def test_what_is_no_array_of_numbers_is_refused(actions: object) -> None:
    with pytest.raises(DataError):
        decode_actions(decode_as(msgpack.packb({"actions": actions}), Actions).actions, str.encode)


def test_arrays_and_rows_are_read() -> None:
    for actions in (_array(), [0] * 7, [0.0] * 7):
        read = decode_actions(decode_as(msgpack.packb({"actions": actions, "other": [1]}), Actions).actions, str.encode)
        np.testing.assert_array_equal(read, np.zeros(7))
    assert decode_as(msgpack.packb({"robot": {"arms": [1, 2]}}), Greeting).protocol_version is None
