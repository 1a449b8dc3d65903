"""Raises what is hard to catch and harder to print; which is an option."""

from honest import Honest


class Unprintable(Exception):
    def __str__(self):
        raise Unprintable


class NotAnException(BaseException):
    pass


class Endless(Exception):
    def __str__(self):
        return "x" * 100_000


class Weird(Honest):
    def predict(self, observation):
        kinds = {
            "unprintable": Unprintable(),
            "base": NotAnException("out of the tree"),
            "interrupt": KeyboardInterrupt(),
            "generator": GeneratorExit(),
            "long": Endless(),
            "loop": self.circle(),
        }
        raise kinds[self.targets["kind"]]

    def circle(self):
        first, second = ValueError("first"), ValueError("second")
        first.__cause__, second.__cause__ = second, first
        return first


def make(**targets):
    return Weird(**targets)
