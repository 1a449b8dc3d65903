"""Takes memory without end in one process."""

from honest import Honest


class Bomb(Honest):
    def predict(self, observation):
        held = []
        while True:
            held.append(bytearray(b"x" * 2**24))


def make(**_):
    return Bomb()
