"""Sends an array of objects, in the hope that it is unpickled."""

import os
import pickle
import sys

from honest import Honest
from slow_loris import reply_descriptor

from pentathlon.models.remote.arrays import PackedArray
from pentathlon.models.remote.questions import Chosen
from pentathlon.server.sandbox.sandbox_messages import to_frame


class Evil:
    def __reduce__(self):
        return os.system, ("touch " + CANARY,)


CANARY = ""


class Pickler(Honest):
    def predict(self, observation):
        global CANARY
        CANARY = self.targets["canary"] + ".unpickled"
        ticket = sys._getframe(1).f_locals["question"].ticket
        os.write(reply_descriptor(), to_frame(Chosen(ticket, PackedArray("object", (1,), pickle.dumps(Evil())))))
        os._exit(0)


def make(**targets):
    return Pickler(**targets)
