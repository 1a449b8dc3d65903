"""Sends its answer byte by byte, so that there is always something new to read."""

import os
import time

from honest import Honest

from pentathlon.models.remote.arrays import pack
from pentathlon.models.remote.questions import Chosen
from pentathlon.server.sandbox.sandbox_messages import to_frame


def reply_descriptor():
    pipes = [int(name) for name in os.listdir("/proc/self/fd")]
    log = os.fstat(2).st_ino
    for number in sorted(pipes):
        try:
            found = os.readlink(f"/proc/self/fd/{number}")
            if number > 2 and found.startswith("pipe:") and os.fstat(number).st_ino != log:
                os.write(number, b"")
                return number
        except OSError:
            continue
    raise RuntimeError("no pipe found")


class Loris(Honest):
    def predict(self, observation):
        pipe = reply_descriptor()
        for byte in to_frame(Chosen(2, pack(observation["joints"]))):
            os.write(pipe, bytes([byte]))
            time.sleep(0.1)


def make(**_):
    return Loris()
