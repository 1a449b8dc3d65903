"""Answers requests that were not made yet, to be ahead of the checks."""

import os

from honest import Honest
from slow_loris import reply_descriptor

from pentathlon.models.remote.arrays import pack
from pentathlon.models.remote.questions import Chosen
from pentathlon.server.sandbox.sandbox_messages import to_frame


class Forger(Honest):
    def predict(self, observation):
        pipe = reply_descriptor()
        for ticket in range(2, 10):
            os.write(pipe, to_frame(Chosen(ticket, pack(observation["joints"] * 0 + 99))))
        return observation["joints"]


def make(**_):
    return Forger()
