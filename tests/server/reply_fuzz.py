"""Replies of strangers, spoilt in every way: structure, numbers, text that is none, lengths and single bytes.

``python tests/server/reply_fuzz.py [REPLIES]`` tries so many with each of the ways in.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import numpy as np

from pentathlon.core.errors import PentathlonError
from pentathlon.core.specs import InteractionSpec
from pentathlon.events.act.policies import foreign
from pentathlon.models.remote import connection
from pentathlon.models.remote.arrays import pack
from pentathlon.models.remote.questions import Chosen, Done, Encoded, Picked, Scored, Told
from pentathlon.models.remote.remote_entrants import RemotePolicy
from pentathlon.models.remote.remote_wire import hello
from pentathlon.server.sandbox.kinds import session
from pentathlon.server.sandbox.kinds.interaction import SandboxedPolicy
from pentathlon.server.sandbox.limits import Limits
from pentathlon.server.sandbox.log import EntrantLog
from pentathlon.server.sandbox.sandbox_messages import LENGTH, Load
from pentathlon.server.sandbox.window import Window
from pentathlon.worlds.tabletop.arm.robot import interaction

Spoiler: TypeAlias = Callable[[bytes], bytes]
Answerer: TypeAlias = Callable[[bytes], bytes]

SPEC = interaction(4, 4)
SEEN = {"joints": np.zeros(7, np.float32), "image": np.zeros((4, 4, 3), np.uint8), "depth": np.ones((4, 4), np.float32)}
RAW_TEXT = b"\xd9\x04\xff\xfe\xc3\x28"
HOSTILE: tuple[Any, ...] = (
    *(None, True, -1, 0, 2**31, 2**62, 2**63, 2**64 - 1, -(2**63), 1e308, float("nan"), float("inf")),
    *("", "float32", "object", "x" * 300, "\ud7ff", "\u202e", b"", b"\xff" * 40, [], {}, [[]] * 5, [0, 2**62, 8]),
    *([2**62, 0], [-1], [0] * 9, [1] * 70, [True], {"dtype": "float32"}, ["float32"], msgspec.Raw(RAW_TEXT)),
)


def reply_to(ticket: int, rng: random.Random) -> Any:
    """Some reply that is well-formed, as plain values."""
    array = pack(np.zeros(rng.choice([(7,), (2, 7), (8,), (0, 7)]), rng.choice([np.float32, np.float64])))
    makers = (Chosen, Chosen, Chosen, Encoded, Scored)
    reply = rng.choice(
        [make(ticket, array) for make in makers] + [Done(ticket), Picked(ticket, "left"), Told(ticket, ["a", 1])]
    )
    return msgspec.to_builtins(reply, builtin_types=(bytes,))


def spoilt(value: Any, rng: random.Random) -> bytes:
    """Encodes ``value`` after one to three changes to what it holds, or to its bytes."""
    for _ in range(rng.choice((0, 1, 1, 2))):
        value = _changed(value, rng)
    body = bytearray(msgspec.msgpack.encode(value))
    for _ in range(rng.choice((0, 0, 1, 3))):
        if body:
            body[rng.randrange(len(body))] = rng.randrange(256)
    return bytes(body[: rng.randrange(len(body) + 1)] if rng.random() < 0.05 else body)


def _changed(value: Any, rng: random.Random) -> Any:
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice(list(value))
        if rng.random() < 0.05:
            return {other: item for other, item in value.items() if other != name}
        return {**value, name: _changed(value[name], rng)}
    if isinstance(value, list | tuple) and value and rng.random() < 0.6:
        at = rng.randrange(len(value))
        return [*value[:at], _changed(value[at], rng), *value[at + 1 :]]
    return rng.choice(HOSTILE)


class FakeProcess:
    """A sandbox that is no process."""

    pipes = (None, None, None)

    def kill(self) -> None: ...
    def watch_memory(self) -> None: ...
    def check_memory(self) -> None: ...
    def exit_status(self) -> int:
        return 0


class FakeChannel:
    """Answers with whatever ``answer`` makes of the request."""

    answer: Answerer

    def __init__(self, *_: object) -> None: ...
    def drain(self) -> None: ...
    def exchange(self, frame: bytes, _deadline_s: float) -> bytes:
        return type(self).answer(frame[LENGTH.size :])


class FakeLine:
    """A line to a server that answers with whatever ``answer`` makes of the question."""

    answer: Answerer

    def __init__(self, *_: object, **__: object) -> None: ...

    url = "ws://host"

    def quote(self, said: str) -> str:
        return said

    def close(self) -> None: ...
    def receive(self, _limit_s: float) -> bytes:
        return type(self).answer(b"")

    def ask(self, frame: bytes, _limit_s: float) -> bytes:
        return type(self).answer(frame)


def _ticket(request: bytes) -> int:
    asked: dict[str, Any] = msgspec.msgpack.decode(request)
    return int(asked.get("ticket", 0))


def ask_sandbox(rng: random.Random, log: EntrantLog, window: Window) -> None:
    """One question to a sandboxed policy, whose answer is spoilt."""
    ready = {"type": "Ready", "observations": msgspec.to_builtins(SPEC.observations)}
    ready["action"] = msgspec.to_builtins(SPEC.action)
    FakeChannel.answer = staticmethod(lambda _: msgspec.msgpack.encode(ready))
    asked = session.Session(FakeProcess(), window, Limits(), log)  # type: ignore[arg-type]
    policy = SandboxedPolicy(asked, Load("policy", "", 0), SPEC)
    FakeChannel.answer = staticmethod(lambda request: spoilt(reply_to(_ticket(request), rng), rng))
    policy.predict(SEEN)


def ask_remote(rng: random.Random, log: EntrantLog, window: Window) -> None:
    """One question to a policy behind a server of ours."""
    greeting = msgspec.msgpack.encode(hello("policy", SPEC))
    FakeLine.answer = staticmethod(lambda _: greeting)
    asked = connection.Connection("ws://host", "policy", "")
    assert isinstance(SPEC, InteractionSpec)
    policy = RemotePolicy(asked, SPEC, SPEC.action)  # type: ignore[arg-type]
    FakeLine.answer = staticmethod(lambda request: spoilt(reply_to(_ticket(request), rng), rng))
    policy.predict(SEEN)


def ask_openpi(rng: random.Random, log: EntrantLog, window: Window) -> None:
    """One question to a policy behind a server of openpi."""
    FakeLine.answer = staticmethod(lambda _: b"\x80")
    policy = foreign.OpenpiPolicy("ws://host")
    array = {b"__ndarray__": True, b"data": bytes(28), b"dtype": "<f4", b"shape": [1, 7]}
    FakeLine.answer = staticmethod(lambda _: spoilt({"actions": dict(array), "other": [1, "a"]}, rng))
    policy.predict(SEEN)


WAYS = {"sandbox": ask_sandbox, "remote": ask_remote, "openpi": ask_openpi}


def fuzz(way: str, replies: int, seed: int = 0) -> Counter[str]:
    """Counts how ``replies`` spoilt replies ended; whatever is not the entrant's own failure is raised."""
    rng, ended = random.Random(seed), Counter[str]()
    session.Channel, connection.Line, foreign.Line = FakeChannel, FakeLine, FakeLine  # type: ignore[misc, assignment]
    with closing(EntrantLog(Path("/dev/null"), 10**12)) as log, closing(Window()) as window:
        for _ in range(replies):
            try:
                WAYS[way](rng, log, window)
                ended["taken"] += 1
            except PentathlonError as error:
                ended[type(error).__name__] += 1
    return ended


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for name in WAYS:
        started_s = time.process_time()
        print(name, dict(fuzz(name, count)), f"{time.process_time() - started_s:.0f} s", flush=True)
