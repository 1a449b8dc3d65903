"""Closes every descriptor and goes on in the dark."""

import os
import time

from honest import Honest


class Dark(Honest):
    def predict(self, observation):
        os.closerange(0, 256)
        time.sleep(3600)


def make(**_):
    return Dark()
