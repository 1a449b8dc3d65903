"""Whatever a stranger answers, it is the stranger's failure, and never taken for one of the server."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
import reply_fuzz

from pentathlon.core.errors import DataError
from pentathlon.events.act.policies import foreign
from pentathlon.models.remote import connection
from pentathlon.models.remote.arrays import PackedArray, unpack
from pentathlon.models.remote.remote_wire import decode_answer
from pentathlon.server.sandbox.kinds import session

REPLIES = 4000


@pytest.fixture(autouse=True)
def restored(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undoes what the fuzzer puts in place of lines and channels."""
    for module, name in ((session, "Channel"), (connection, "Line"), (foreign, "Line")):
        monkeypatch.setattr(module, name, getattr(module, name))


@pytest.mark.parametrize("way", sorted(reply_fuzz.WAYS))
def test_every_spoilt_reply_is_taken_or_is_the_entrants_failure(way: str) -> None:
    ended = reply_fuzz.fuzz(way, REPLIES)
    assert sum(ended.values()) == REPLIES
    assert ended["taken"] > 0, "some are still good"
    assert len(ended) == 2, ended


@pytest.mark.parametrize("shape", [(0, 2**62, 8), (2**62, 0), (0, 2**31, 2**31), (0,) * 9])
def test_an_empty_array_of_an_endless_shape_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(DataError):
        unpack(PackedArray("float32", shape, b""))
    assert unpack(PackedArray("float32", (0, 7), b"")).shape == (0, 7)
    assert unpack(PackedArray("float32", (), bytes(4))) == np.float32(0)


def test_text_that_is_no_text_is_refused() -> None:
    body = msgspec.msgpack.encode({"type": "Picked", "ticket": 1, "label": msgspec.Raw(reply_fuzz.RAW_TEXT)})
    with pytest.raises(DataError, match="not of this protocol"):
        decode_answer(body)
