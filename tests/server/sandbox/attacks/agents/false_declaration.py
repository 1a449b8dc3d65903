"""Declares another action space than the robot's, in the hope that it is believed."""

from honest import Honest

from pentathlon.core.specs import ArraySpec, InteractionSpec


class Liar(Honest):
    spec = InteractionSpec(Honest.spec.observations, ArraySpec("torques" * 10_000, (14,), "float32", "Nm"))


def make(**_):
    return Liar()
