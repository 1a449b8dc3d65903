"""Behaves until the check is over and a robot moves; then it becomes the attack that an option names."""

from importlib import import_module

from honest import Honest

CHECKED_PREDICTIONS = 2


class Sleeper(Honest):
    def __init__(self, attack, targets):
        super().__init__(**targets)
        self.attack = attack
        self.predictions = 0

    def predict(self, observation):
        self.predictions += 1
        if self.predictions == CHECKED_PREDICTIONS:
            self.wake()
        return super().predict(observation)

    def wake(self):
        attacker = import_module(self.attack).make(**self.targets)
        attacker.reset()
        # Some look at who called them, so that nothing may stand between.
        self.predict = attacker.predict


def make(attack, **targets):
    return Sleeper(attack, targets)
