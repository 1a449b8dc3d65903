"""A simulated arm on a simulated bench that keeps the contract of a real one."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import UsageError
from pentathlon.worlds.rendering import Eyes, open_eyes
from pentathlon.worlds.tabletop.arm.model import LIMITS_RAD
from pentathlon.worlds.tabletop.arm.robot import JOINTS, Joints, RobotStoppedError, Setup, Sight
from pentathlon.worlds.tabletop.bench.bench import Bench
from pentathlon.worlds.tabletop.bench.scene import CAMERA, SUBSTEPS
from pentathlon.worlds.tabletop.bench.tables import check_setup

IMAGE_SIZE: Final = (480, 640)
_BENCHES_KEPT: Final = 4
_TOLERANCE_RAD: Final = 1e-4


class SimulatedRobot:
    """Implements ``Robot`` in simulation: the same setup and targets give the same grams and the same bytes.

    Args:
        name: what people call it.
        image_size: height and width of its pictures.
        renderer: ``raycast`` or ``opengl``.
        setting: of the renderer.
    """

    def __init__(
        self,
        name: str = "sim",
        image_size: tuple[int, int] = IMAGE_SIZE,
        renderer: str = "raycast",
        setting: str = "fast",
    ) -> None:
        self._name = name
        self._image_size = image_size
        self._renderer, self._setting = renderer, setting
        self._benches: OrderedDict[tuple[str, str], Bench] = OrderedDict()
        self._eyes: dict[tuple[str, str], Eyes] = {}
        self._present: tuple[str, str] | None = None
        self._stopped = threading.Event()

    @property
    def name(self) -> str:
        """What people call it."""
        return self._name

    @property
    def bench(self) -> Bench:
        """The bench as it was prepared last, with its full state; only experts may look at it.

        Raises:
            UsageError: before the first ``prepare``.
        """
        if self._present is None:
            raise UsageError("Expected a prepared robot, got one that has no setup yet. Call prepare(setup) first.")
        return self._benches[self._present]

    def prepare(self, setup: Setup) -> None:
        """Sets the bench up and moves to the start pose; ends an emergency stop.

        Raises:
            UsageError: for a setup that names something unknown.
        """
        check_setup(setup)
        key = (setup.container, setup.material)
        if key not in self._benches:
            self._forget_oldest()
            self._benches[key] = Bench(*key)
        self._benches.move_to_end(key)
        self._benches[key].prepare(setup)
        self._present = key
        self._stopped.clear()

    def sense(self) -> Sight:
        """Looks at the bench and reads the joints."""
        bench = self.bench
        assert self._present is not None
        if self._present not in self._eyes:
            self._eyes[self._present] = open_eyes(bench.scene.model, self._renderer, self._setting)
        height, width = self._image_size
        frame = self._eyes[self._present].render(bench.data, CAMERA, (width, height))
        return Sight(self.sense_joints(), frame.rgb, frame.depth_m)

    def sense_joints(self) -> Joints:
        """Reads the joints only."""
        return self.bench.joints_rad.astype(np.float32)

    def command(self, joint_targets_rad: Joints) -> None:
        """Follows absolute joint targets for one control period.

        Raises:
            UsageError: for targets that are not seven finite angles within the joints' limits.
            RobotStoppedError: after an emergency stop.
        """
        bench, targets = self.bench, check_targets(joint_targets_rad)
        for _ in range(SUBSTEPS):
            if self._stopped.is_set():
                raise RobotStoppedError(self._name)
            bench.substep(targets)

    def weigh_g(self) -> float:
        """Grams in the target cup, or in the spoon and lifted out of the bowl."""
        return self.bench.grams()

    def stop(self) -> None:
        """Emergency stop; may be called from any thread."""
        self._stopped.set()

    def close(self) -> None:
        """Frees the renderers and the benches."""
        for eyes in self._eyes.values():
            eyes.close()
        self._eyes.clear()
        self._benches.clear()
        self._present = None

    def _forget_oldest(self) -> None:
        while len(self._benches) >= _BENCHES_KEPT:
            key, _ = self._benches.popitem(last=False)
            if key in self._eyes:
                self._eyes.pop(key).close()


def check_targets(joint_targets_rad: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Returns joint targets as the drives take them.

    Raises:
        UsageError: naming what is wrong with them.
    """
    try:
        targets = np.asarray(joint_targets_rad, np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"Expected joint targets as numbers in radians, got {joint_targets_rad!r}.") from None
    if targets.shape != (JOINTS,):
        raise UsageError(f"Expected joint targets of shape ({JOINTS},), got {targets.shape}.")
    if not np.isfinite(targets).all():
        raise UsageError(f"Expected finite joint targets, got {targets.tolist()}.")
    beyond = (targets < LIMITS_RAD[:, 0] - _TOLERANCE_RAD) | (targets > LIMITS_RAD[:, 1] + _TOLERANCE_RAD)
    if beyond.any():
        joint = int(np.flatnonzero(beyond)[0])
        low, high = LIMITS_RAD[joint]
        raise UsageError(
            f"Expected joint {joint + 1} between {low} and {high} rad, got {targets[joint]:.4f}. Clip it first."
        )
    return targets
