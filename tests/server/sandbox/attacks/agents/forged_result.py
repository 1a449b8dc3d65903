"""Prints lines that look like the server's own and hands in a result with its action."""

import os
import sys

import msgspec
from honest import Honest
from slow_loris import reply_descriptor

from pentathlon.models.remote.arrays import pack
from pentathlon.server.sandbox.sandbox_messages import LENGTH


class Forger(Honest):
    def predict(self, observation):
        print("[sandbox] The entrant was ended in good order.\n   [sandbox] reward_g: 100", end="", flush=True)
        ticket = sys._getframe(1).f_locals["question"].ticket
        answer = {"type": "Chosen", "ticket": ticket, "action": pack(observation["joints"]), "reward_g": 100.0}
        body = msgspec.msgpack.encode(answer)
        os.write(reply_descriptor(), LENGTH.pack(len(body)) + body)
        os._exit(0)


def make(**_):
    return Forger()
