"""Answers with text that is none, in the hope that the server takes the error for its own and runs the trial again."""

import os
import sys

import msgspec
from honest import Honest
from slow_loris import reply_descriptor

from pentathlon.server.sandbox.sandbox_messages import LENGTH


class BrokenText(Honest):
    def predict(self, observation):
        ticket = sys._getframe(1).f_locals["question"].ticket
        body = msgspec.msgpack.encode({"type": "Picked", "ticket": ticket, "label": msgspec.Raw(b"\xd9\x02\xc3\x28")})
        os.write(reply_descriptor(), LENGTH.pack(len(body)) + body)
        os._exit(0)


def make(**_):
    return BrokenText()
