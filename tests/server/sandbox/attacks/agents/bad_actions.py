"""Returns an action that no robot can follow; which one is an option."""

import numpy as np
from honest import Honest

ACTIONS = {
    "nan": np.full(7, np.nan),
    "infinite": np.full((3, 7), np.inf),
    "too large for float32": np.full(7, 1e300),
    "outside the range": np.full(7, 1e9),
    "one joint short": np.zeros(6),
    "three dimensions": np.zeros((2, 3, 7)),
    "no actions": np.zeros((0, 7)),
    "endless chunk": np.zeros((5000, 7), np.float32),
    "integers": np.zeros(7, np.int64),
    "complex": np.zeros(7, np.complex128),
    "text": "move 7 joints",
    "nothing": None,
    "objects": [object()] * 7,
}


class Bad(Honest):
    def predict(self, observation):
        return ACTIONS[self.targets["action"]]


def make(**targets):
    return Bad(**targets)
