"""The program inside the sandbox: builds the entrant and answers the server's requests one by one.

It speaks on the descriptors it was started with as input and output and leaves the entrant only the log. The entrant
can still write whatever it likes to them, being in the same process; the server checks everything that comes out.
"""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from pentathlon.core.entrant_folder import load_entrant
from pentathlon.core.errors import DataError, PentathlonError
from pentathlon.events.act.policies.folder import load_policy
from pentathlon.models.remote.answering import BadAnswerError, answer_with
from pentathlon.models.remote.declared import declare
from pentathlon.server.sandbox.limits import limit_process
from pentathlon.server.sandbox.sandbox_messages import (
    LENGTH,
    MAX_REPLY_BYTES,
    MAX_REQUEST_BYTES,
    MAX_TEXT,
    Failed,
    Load,
    Reply,
    Request,
    decode_request,
    to_frame,
)
from pentathlon.server.sandbox.window import ReadOnlyWindow


class StolenRequestError(Exception):
    """Something else in this process has read a part of a request."""


def main(memory_bytes: int, processes: int, file_bytes: int, window_descriptor: int) -> None:
    """Serves one entrant until the server hangs up."""
    requests, replies = _take_over_channel()
    window = ReadOnlyWindow(window_descriptor)
    limit_process(memory_bytes, processes, file_bytes)
    try:
        load = _receive(requests)
        if not isinstance(load, Load):
            raise DataError(f"Expected to be told what to load, got {type(load).__name__}.")
        entrant = _build(load)
        _send(replies, declare(entrant.spec))
        while True:
            _send(replies, _answer(entrant, window, _receive(requests)))
    except BaseException as error:
        _send(replies, _explain(error))
        os._exit(1)


def _take_over_channel() -> tuple[BinaryIO, BinaryIO]:
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    return requests, replies


def _build(load: Load) -> Any:
    folder = Path(load.folder)
    if load.kind != "policy":
        return load_entrant(folder, load.kind)
    policy = load_policy(folder)
    choose = getattr(policy, "for_seed", None)
    return policy if choose is None else choose(load.training_seed)


def _answer(entrant: Any, window: ReadOnlyWindow, request: Request) -> Reply:
    if isinstance(request, Load):
        raise DataError("Expected a question for the entrant, got a second Load.")
    return answer_with(entrant, request, window.look)


def _receive(requests: BinaryIO) -> Request:
    header = requests.read(LENGTH.size)
    if len(header) < LENGTH.size:
        _leave()
    length = int(LENGTH.unpack(header)[0])
    if length > MAX_REQUEST_BYTES:
        raise StolenRequestError(
            f"a request begins in its middle ({length:,} bytes); the entrant must leave its pipe alone"
        )
    return decode_request(requests.read(length))


def _send(replies: BinaryIO, reply: Reply) -> None:
    frame = to_frame(reply)
    if len(frame) > MAX_REPLY_BYTES:
        frame = to_frame(Failed("bad_answer", f"The entrant's answer takes {len(frame):,} bytes: too long to be sent."))
    # What the entrant printed must be in the log before the server acts on the answer.
    sys.stdout.flush()
    sys.stderr.flush()
    replies.write(frame)
    replies.flush()


def _explain(error: BaseException) -> Failed:
    try:
        traceback.print_exception(error)
        text = f"{type(error).__name__}: {error}".removesuffix(": ")
    except BaseException:
        text = "an exception that cannot be printed"
    if isinstance(error, BadAnswerError):
        return Failed("bad_answer", _short(str(error)))
    if isinstance(error, MemoryError):
        return Failed("out_of_memory", _short(text))
    return Failed("refused" if isinstance(error, PentathlonError) else "crashed", _short(text))


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 4] + " ..."


def _leave() -> NoReturn:
    os._exit(0)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
