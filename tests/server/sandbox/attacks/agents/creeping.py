"""Stays within the limit of each call and takes the robot for hours in all."""

import time

from honest import Honest


class Creeping(Honest):
    def predict(self, observation):
        time.sleep(0.2)
        return super().predict(observation)


def make(**_):
    return Creeping()
