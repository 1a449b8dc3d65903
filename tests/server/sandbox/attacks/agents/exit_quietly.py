"""Ends its process in the middle of a trial as if all were well; how is an option."""

import os
import sys

from honest import Honest


class Quitter(Honest):
    def predict(self, observation):
        {"raise": lambda: sys.exit(0), "leave": lambda: os._exit(0), "abort": os.abort}[self.targets["how"]]()


def make(**targets):
    return Quitter(**targets)
