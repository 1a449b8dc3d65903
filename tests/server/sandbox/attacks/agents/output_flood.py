"""Prints without end."""

import os

from honest import Honest


class Flood(Honest):
    def predict(self, observation):
        while True:
            os.write(1, b"all work and no play\n" * 1000)


def make(**_):
    return Flood()
