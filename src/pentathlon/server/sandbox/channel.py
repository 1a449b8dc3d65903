"""The server's end of the pipes to a sandbox: every wait has a deadline, every reply a longest length."""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Callable
from typing import IO

from pentathlon.server.sandbox.log import EntrantLog
from pentathlon.server.sandbox.sandbox_messages import LENGTH, MAX_REPLY_BYTES

READ_BYTES = 64 * 1024
LOOK_EVERY_S = 0.1


class HungUpError(Exception):
    """The other end is closed."""


class TooLongError(Exception):
    """A reply announces more bytes than allowed."""


class Channel:
    """Sends frames to a sandbox and receives them, copying what it prints to the log meanwhile.

    Args:
        requests: written to.
        replies: read from.
        output: what the agent prints.
        log: takes the output.
        look: called a few times a second while waiting; raises to stop.
    """

    def __init__(
        self, requests: IO[bytes], replies: IO[bytes], output: IO[bytes], log: EntrantLog, look: Callable[[], None]
    ) -> None:
        self._requests, self._replies, self._output = requests, replies, output
        self._log, self._look = log, look
        for pipe in (requests, replies, output):
            os.set_blocking(pipe.fileno(), False)

    def exchange(self, frame: bytes, deadline_s: float) -> bytes:
        """Sends a frame and returns the body of the next one received.

        Args:
            frame: with its length before it.
            deadline_s: on the monotonic clock.

        Raises:
            TimeoutError: when the whole answer is not there by then, however it trickles in.
            HungUpError: when the other end closed its pipe.
            TooLongError: when the answer is too long.
        """
        waiting, received = memoryview(frame), bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self._requests, selectors.EVENT_WRITE)
            selector.register(self._replies, selectors.EVENT_READ)
            selector.register(self._output, selectors.EVENT_READ)
            while not _complete(received):
                for key, _ in self._select(selector, deadline_s):
                    if key.fileobj is self._requests:
                        waiting = waiting[_write(self._requests, waiting) :]
                        if not waiting:
                            selector.unregister(self._requests)
                    elif key.fileobj is self._replies:
                        received += _read(self._replies)
                    elif not self._copy_output():
                        selector.unregister(self._output)
        self._copy_output()
        return bytes(received[LENGTH.size :])

    def drain(self) -> None:
        """Copies what is left of the output once the sandbox has ended."""
        while self._copy_output():
            continue

    def _select(self, selector: selectors.BaseSelector, deadline_s: float) -> list[tuple[selectors.SelectorKey, int]]:
        self._look()
        left_s = deadline_s - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        return selector.select(min(left_s, LOOK_EVERY_S))

    def _copy_output(self) -> bool:
        try:
            printed = os.read(self._output.fileno(), READ_BYTES)
        except BlockingIOError:
            return False
        self._log.write(printed)
        return bool(printed)


def _complete(received: bytearray) -> bool:
    if len(received) < LENGTH.size:
        return False
    length = int(LENGTH.unpack_from(received)[0])
    if length > MAX_REPLY_BYTES:
        raise TooLongError(f"{length:,} bytes, expected at most {MAX_REPLY_BYTES:,}")
    if len(received) > LENGTH.size + length:
        raise TooLongError("more than one reply to one request")
    return len(received) == LENGTH.size + length


def _read(pipe: IO[bytes]) -> bytes:
    try:
        data = os.read(pipe.fileno(), READ_BYTES)
    except BlockingIOError:
        return b""
    if not data:
        raise HungUpError
    return data


def _write(pipe: IO[bytes], data: memoryview) -> int:
    try:
        return os.write(pipe.fileno(), data)
    except BlockingIOError:
        return 0
    except BrokenPipeError as error:
        raise HungUpError from error
