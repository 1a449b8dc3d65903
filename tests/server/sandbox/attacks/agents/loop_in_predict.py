"""Never answers."""

from honest import Honest


class Stuck(Honest):
    def predict(self, observation):
        while True:
            pass


def make(**_):
    return Stuck()
