"""Sends a reply of a hundred thousand lists in each other."""

import os

from honest import Honest
from slow_loris import reply_descriptor

from pentathlon.server.sandbox.sandbox_messages import LENGTH


class Deep(Honest):
    def predict(self, observation):
        body = b"\x82\xa4type\xa6Chosen\xa1x" + b"\x91" * 100_000 + b"\xc0"
        os.write(reply_descriptor(), LENGTH.pack(len(body)) + body)
        os._exit(0)


def make(**_):
    return Deep()
