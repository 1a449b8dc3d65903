"""Returns an array of a eight megabytes."""

import numpy as np
from honest import Honest


class Huge(Honest):
    def predict(self, observation):
        return np.zeros((300_000, 7), np.float32)


def make(**_):
    return Huge()
