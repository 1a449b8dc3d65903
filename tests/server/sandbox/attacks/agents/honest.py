"""A well-behaved agent, which the others build on; it prints what an attack found."""

import ctypes
import os
from collections.abc import Callable

from pentathlon.worlds.tabletop.arm.robot import interaction

LIBC = ctypes.CDLL(None, use_errno=True)


class Honest:
    spec = interaction(None, None)

    def __init__(self, **targets):
        self.targets = targets

    def reset(self):
        pass

    def predict(self, observation):
        return observation["joints"] + 0.0


def attempt(what: str, deed: Callable[[], object]) -> None:
    """Tries something forbidden and says how it went."""
    try:
        print(f"SUCCEEDED {what}: {deed()!r}")
    except BaseException as error:
        print(f"blocked {what}: {type(error).__name__}: {error}")


def call(name: str, *arguments: object) -> str:
    """Calls a function of the C library, whose failures become errors."""
    if getattr(LIBC, name)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "done"


def make(**targets):
    return Honest(**targets)
