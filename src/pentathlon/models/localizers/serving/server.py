"""A process that looks for many walkers: their pictures go through one network together, on one GPU.

Walkers connect to a Unix socket. Each says what it looks for and then shows one picture after another; whatever lies
there when the last pictures are done is looked at next, so that a batch has as many pictures as walkers wait.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing.connection import Connection, Listener, wait
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, cast

import msgspec
import numpy as np

from pentathlon.core.errors import PentathlonError
from pentathlon.models.localizers.batches import BatchLocalizer, Seen

PATIENCE_S = 0.1
MOST_AT_ONCE = 64
SENTENCES_KEPT = 4096


class Ask(msgspec.Struct, tag=True):
    """What a walker looks for from now on."""

    localizer: str
    sentence: str
    category: str
    beside: tuple[str, ...] = ()


class Look(msgspec.Struct, tag=True):
    """A picture and its depth."""

    height: int
    width: int
    rgb: bytes
    depth_m: bytes


class SeenMap(msgspec.Struct, array_like=True):
    """A relevance map."""

    height: int
    width: int
    values: bytes
    go: float
    stop: float


class Answer(msgspec.Struct):
    """Maps of a picture, or why there are none; for a sentence that was understood, what looks and with what.

    Attributes:
        maps: of the thing and of those beside it.
        error: what the walker did wrong.
        fault: what went wrong here; the walker is not to blame.
        device: what the network runs on.
        fingerprint: of the network and its thresholds.
    """

    maps: tuple[SeenMap, ...] = ()
    error: str = ""
    fault: str = ""
    device: str = ""
    fingerprint: str = ""


DECODER = msgspec.msgpack.Decoder(Ask | Look)
ANSWERS = msgspec.msgpack.Decoder(Answer)
ENCODER = msgspec.msgpack.Encoder()


@dataclass(frozen=True)
class _Kept:
    """A localizer, and sentences that it has understood."""

    localizer: BatchLocalizer[Any]
    understand: Callable[[str, str, tuple[str, ...]], Any]
    greeting: Answer


@dataclass(frozen=True)
class _Waiting:
    """A walker that has shown a picture."""

    walker: Connection
    kept: _Kept
    words: Any
    look: Look


class LocalizerServer:
    """Answers walkers until it is told to stop."""

    def __init__(
        self, socket: Path, opened: Callable[[str], BatchLocalizer[Any]], fingerprint: Callable[[str], str]
    ) -> None:
        """Listens; ``opened`` makes the localizer of a name, and ``fingerprint`` tells what it is made of."""
        self._listener = Listener(str(socket), family="AF_UNIX", backlog=128)
        self._open = lru_cache(maxsize=None)(lambda name: _kept(opened(name), fingerprint(name)))
        self._new: SimpleQueue[Connection] = SimpleQueue()
        self._walkers: dict[Connection, tuple[_Kept, Any] | None] = {}
        self.stop = Event()
        self.pictures = 0
        self.batches = 0

    def serve(self) -> None:
        """Answers until :attr:`stop` is set."""
        Thread(target=self._accept, daemon=True).start()
        while not self.stop.is_set():
            self._welcome()
            speaking = wait(list(self._walkers), PATIENCE_S)
            heard = [self._hear(cast(Connection, walker)) for walker in speaking]
            self._answer([one for one in heard if one is not None])
        self._listener.close()

    def _welcome(self) -> None:
        while not self._new.empty():
            self._walkers[self._new.get()] = None

    def _accept(self) -> None:
        while not self.stop.is_set():
            try:
                self._new.put(self._listener.accept())
            except OSError:
                return

    def _hear(self, walker: Connection) -> _Waiting | None:
        """Reads what a walker says; answers at once what needs no network on pictures."""
        try:
            said = DECODER.decode(walker.recv_bytes())
        except (EOFError, OSError):
            del self._walkers[walker]
            return None
        except msgspec.MsgspecError as error:
            _send(walker, Answer(error=f"Expected a sentence or a picture, got something else ({error})."))
            return None
        if isinstance(said, Ask):
            self._understand(walker, said)
            return None
        known = self._walkers[walker]
        if known is None:
            _send(walker, Answer(error="Expected a sentence before a picture, got none."))
            return None
        places = said.height * said.width
        if (len(said.rgb), len(said.depth_m)) != (3 * places, 4 * places):
            _send(
                walker, Answer(error=f"Expected a picture of {said.height} x {said.width} and its depth, got another.")
            )
            return None
        return _Waiting(walker, *known, said)

    def _understand(self, walker: Connection, ask: Ask) -> None:
        self._walkers[walker] = None
        try:
            kept = self._open(ask.localizer)
            self._walkers[walker] = kept, kept.understand(ask.sentence, ask.category, ask.beside)
        except PentathlonError as error:
            _send(walker, Answer(error=str(error)))
        except Exception as error:  # such as a GPU without memory: that of the others may still do
            _send(walker, Answer(fault=_told(error)))
        else:
            _send(walker, kept.greeting)

    def _answer(self, waiting: Sequence[_Waiting]) -> None:
        """Looks at pictures of one size for one localizer together."""
        alike: defaultdict[tuple[int, int, int], list[_Waiting]] = defaultdict(list)
        for one in waiting:
            alike[id(one.kept), one.look.height, one.look.width].append(one)
        for group in alike.values():
            for at in range(0, len(group), MOST_AT_ONCE):
                self._try(group[at : at + MOST_AT_ONCE])

    def _try(self, group: Sequence[_Waiting]) -> None:
        """Looks at pictures; where that fails, all who wait for them are told, and the others go on."""
        try:
            self._look(group)
        except Exception as error:  # such as a GPU without memory
            for one in group:
                _send(one.walker, Answer(fault=_told(error)))

    def _look(self, group: Sequence[_Waiting]) -> None:
        shape = group[0].look.height, group[0].look.width
        seen = group[0].kept.localizer.look(
            [one.words for one in group],
            [np.frombuffer(one.look.rgb, np.uint8).reshape(*shape, 3) for one in group],
            [np.frombuffer(one.look.depth_m, np.float32).reshape(shape) for one in group],
        )
        self.pictures += len(group)
        self.batches += 1
        for one, maps in zip(group, seen, strict=True):
            _send(one.walker, Answer(_packed(maps)))


def _kept(localizer: BatchLocalizer[Any], fingerprint: str) -> _Kept:
    greeting = Answer(device=localizer.device, fingerprint=fingerprint)
    return _Kept(localizer, lru_cache(SENTENCES_KEPT)(localizer.understand), greeting)


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _packed(seen: Seen) -> tuple[SeenMap, ...]:
    return tuple(
        SeenMap(len(one.map), one.map.shape[1], np.ascontiguousarray(one.map, np.float32).tobytes(), one.go, one.stop)
        for one in seen
    )


def _send(walker: Connection, answer: Answer) -> None:
    try:
        walker.send_bytes(ENCODER.encode(answer))
    except OSError:
        return  # It has gone; the next wait tells.
