"""Answers with an empty array of a shape that no machine can count."""

import os
import sys

from honest import Honest
from slow_loris import reply_descriptor

from pentathlon.models.remote.arrays import PackedArray
from pentathlon.models.remote.questions import Chosen
from pentathlon.server.sandbox.sandbox_messages import to_frame


class Endless(Honest):
    def predict(self, observation):
        ticket = sys._getframe(1).f_locals["question"].ticket
        os.write(reply_descriptor(), to_frame(Chosen(ticket, PackedArray("float32", (0, 2**62, 8), b""))))
        os._exit(0)


def make(**_):
    return Endless()
