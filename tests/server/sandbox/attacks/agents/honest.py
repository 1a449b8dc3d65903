"""A well-behaved agent, which the others build on; it prints what an attack found."""

from collections.abc import Callable

from pentathlon.worlds.tabletop.arm.robot import interaction


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


def make(**targets):
    return Honest(**targets)
