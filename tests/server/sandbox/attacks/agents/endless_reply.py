"""Announces a reply of four gigabytes and sends it."""

import os

from honest import Honest
from slow_loris import reply_descriptor


class Endless(Honest):
    def predict(self, observation):
        pipe = reply_descriptor()
        os.write(pipe, b"\xff\xff\xff\xff")
        while True:
            os.write(pipe, b"\0" * 65536)


def make(**_):
    return Endless()
