"""The process that runs heats: builds what its set-up names, then answers each heat with outcomes."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
import time
from multiprocessing.connection import Connection
from queue import SimpleQueue

from pentathlon.core.errors import PentathlonError
from pentathlon.core.trial import Heat
from pentathlon.engine.workers.bench import build_bench
from pentathlon.engine.workers.wire import Building, Refused, decode_heat, decode_setup, encode

GRACE_S = 1.0


def main(descriptor: int) -> None:
    """Serves the runner at the other end of ``descriptor`` until it hangs up."""
    faulthandler.enable()
    os.set_inheritable(descriptor, False)
    channel = Connection(descriptor)
    setup = decode_setup(channel.recv_bytes())
    sys.path[:] = setup.search_path
    heats: SimpleQueue[Heat | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(channel, heats), daemon=True).start()
    channel.send_bytes(encode(Building()))
    try:
        bench = build_bench(setup)
        ready = bench.ready()
    except PentathlonError as error:
        channel.send_bytes(encode(Refused.because(error)))
        return
    channel.send_bytes(encode(ready))
    while (heat := heats.get()) is not None:
        for message in bench.messages(heat):
            channel.send_bytes(encode(message))


def _listen(channel: Connection, heats: SimpleQueue[Heat | None]) -> None:
    """Passes heats on; when the runner is gone, ends this process and its children even in the middle of a heat."""
    try:
        while True:
            heats.put(decode_heat(channel.recv_bytes()))
    except (EOFError, OSError):
        heats.put(None)
        time.sleep(GRACE_S)
        os.killpg(os.getpgrp(), signal.SIGKILL)
