"""The pipe between a bench's process and the web process, seen from the bench."""

from __future__ import annotations

import threading
from collections import deque
from queue import SimpleQueue
from typing import BinaryIO

import msgspec

from pentathlon.server.pages.play.play_messages import Discard, Finish, Move, News, Wish, pack, read_wish, unpack_length
from pentathlon.server.pages.play.teleoperator import Helm


class Line:
    """Hears wishes and tells news in threads of its own, so that neither ever holds the arm up.

    Movements and ends go straight to the helm; all else waits in :meth:`next_wish`. Of pictures that wait to be sent
    only the newest is.
    """

    def __init__(self, hears: BinaryIO, tells: BinaryIO, helm: Helm) -> None:
        self._hears, self._tells, self._helm = hears, tells, helm
        self._wishes: SimpleQueue[Wish | None] = SimpleQueue()
        self._news: deque[bytes] = deque()
        self._picture: bytes | None = None
        self._something = threading.Condition()
        for work in (self._hear, self._tell):
            threading.Thread(target=work, name=work.__name__, daemon=True).start()

    def next_wish(self) -> Wish | None:
        """Waits for what is wanted next; ``None`` when the player is gone."""
        return self._wishes.get()

    def tell(self, news: News) -> None:
        """Sends news."""
        with self._something:
            self._news.append(msgspec.json.encode(news))
            self._something.notify()

    def show(self, jpeg: bytes) -> None:
        """Sends a picture, unless a newer one comes first."""
        with self._something:
            self._picture = jpeg
            self._something.notify()

    def _hear(self) -> None:
        while len(head := self._hears.read(4)) == 4:
            wish = read_wish(self._hears.read(unpack_length(head)))
            match wish:
                case Move(axes=axes):
                    self._helm.move(axes)
                case Finish():
                    self._helm.finish()
                case _:
                    if isinstance(wish, Discard):
                        self._helm.abandon()
                    self._wishes.put(wish)
        self._helm.abandon()
        self._wishes.put(None)

    def _tell(self) -> None:
        while True:
            with self._something:
                self._something.wait_for(lambda: self._news or self._picture)
                message = self._news.popleft() if self._news else self._take_picture()
            try:
                self._tells.write(pack(message))
                self._tells.flush()
            except BrokenPipeError:
                return

    def _take_picture(self) -> bytes:
        picture, self._picture = self._picture, None
        assert picture is not None
        return picture
