"""The contract of a robot on a bench, real or simulated, and what is set up on the bench before a trial."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import PentathlonError
from pentathlon.core.specs import ArraySpec, InteractionSpec

TaskName = Literal["pour", "scoop"]
Joints: TypeAlias = npt.NDArray[np.float32]

JOINTS = 7
CONTROL_HZ = 30
TOTO_START_RAD: tuple[float, ...] = (0.1828, -0.4909, -0.0093, -2.4412, 0.2554, 0.3310, 0.0)
"""The pose of TOTO's own stub of a robot; ours look like it where no bench is needed."""


class RobotStoppedError(PentathlonError):
    """A robot was asked to move after an emergency stop."""

    def __init__(self, name: str) -> None:
        super().__init__(f"Robot {name!r} was stopped and moves no further. Call prepare(setup) to begin again.")


@dataclass(frozen=True)
class Setup:
    """What stands on the bench when a trial begins; plain values, so that it can be recorded and sent.

    Attributes:
        task: what is to be done.
        container: name of the target cup or the bowl.
        material: name of what is poured or scooped.
        location: name of the place on the bench.
        seed: of the start pose, the small displacement of the container, the grains and the lighting.
    """

    task: TaskName
    container: str
    material: str
    location: str
    seed: int


@dataclass(frozen=True)
class Sight:
    """What the robot senses at one moment.

    Attributes:
        joints: angles of the seven joints in radians.
        image: RGB of the bench camera, ``[H, W, 3]``.
        depth: metres along the optical axis, ``[H, W]``.
    """

    joints: Joints
    image: npt.NDArray[np.uint8]
    depth: npt.NDArray[np.float32]

    def observation(self) -> dict[str, npt.NDArray[np.generic]]:
        """The same as a policy receives it."""
        return {"joints": self.joints, "image": self.image, "depth": self.depth}


@runtime_checkable
class Robot(Protocol):
    """One arm on one bench. Calls come from one thread, except :meth:`stop`, which any thread may call."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...

    def prepare(self, setup: Setup) -> None:
        """Sets the bench up and moves to the start pose; a real bench waits here until a person confirms."""
        ...

    def sense(self) -> Sight:
        """Looks at the bench and reads the joints."""
        ...

    def sense_joints(self) -> Joints:
        """Reads the joints only, without the cost of a picture."""
        ...

    def command(self, joint_targets_rad: Joints) -> None:
        """Follows absolute joint targets for one control period of ``1 / CONTROL_HZ`` seconds."""
        ...

    def weigh_g(self) -> float:
        """Grams transferred so far: in the target cup when pouring, in the spoon when scooping."""
        ...

    def stop(self) -> None:
        """Emergency stop: no further motion until :meth:`prepare` is called again."""
        ...


def interaction(height: int, width: int) -> InteractionSpec:
    """What a bench with a camera of this size offers a policy, and the action it takes."""
    return InteractionSpec(
        observations=(
            ArraySpec("joints", (JOINTS,), "float32", "rad"),
            ArraySpec("image", (height, width, 3), "uint8"),
            ArraySpec("depth", (height, width), "float32", "m"),
        ),
        action=ArraySpec("joint_targets", (JOINTS,), "float32", "rad"),
    )
