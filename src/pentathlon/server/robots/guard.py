"""A robot under watch: it can be interrupted at every step, tells its own faults from the policy's, and is recorded."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Literal, TypeVar

import numpy as np

from pentathlon.events.act.data.episode_files import Recorded, to_png
from pentathlon.server.workers.attempt import BrokenOffError
from pentathlon.worlds.tabletop.arm.robot import Joints, Robot, Setup, Sight

Result = TypeVar("Result")
Cause = Literal["ended", "stopped"]


class InterruptedTrialError(BrokenOffError):
    """A trial was broken off from outside: the submission was ended, or the robot stopped."""

    def __init__(self, cause: Cause) -> None:
        super().__init__(f"The trial was broken off ({cause}).")
        self.cause = cause


class RobotFaultError(BrokenOffError):
    """The robot failed, not the policy."""


class GuardedRobot:
    """Passes calls on to a robot and keeps what is needed for a dataset.

    Args:
        robot: the driver's.
        confirm: is called before the bench is set up and returns once a person has confirmed it; raises
            :class:`InterruptedTrialError` when the trial is broken off meanwhile.
        keep_pictures: whether the pictures seen are kept too.
    """

    def __init__(self, robot: Robot, confirm: Callable[[Setup], None], *, keep_pictures: bool) -> None:
        self._robot = robot
        self._confirm = confirm
        self._keep_pictures = keep_pictures
        self._cause: Cause | None = None
        self._stopped = False
        self._lock = threading.Lock()
        self._begin_record()

    @property
    def name(self) -> str:
        """What people call the robot."""
        return self._robot.name

    def interrupt(self, cause: Cause) -> None:
        """Breaks the present trial off, from any thread; the first cause counts."""
        with self._lock:
            self._cause = self._cause or cause
            stop = cause == "stopped" and not self._stopped
            self._stopped = self._stopped or stop
        if stop:
            self._robot.stop()

    def allow(self) -> None:
        """Lets trials run again after an interruption."""
        with self._lock:
            self._cause, self._stopped = None, False

    def check(self) -> None:
        """Raises if the trial was interrupted."""
        if self._cause is not None:
            raise InterruptedTrialError(self._cause)

    def prepare(self, setup: Setup) -> None:
        """Waits for the confirmation and sets the bench up."""
        self.check()
        self._confirm(setup)
        self._begin_record()
        self._call(lambda: self._robot.prepare(setup))
        # A stop may have come while the bench was set up, and prepare() would have undone it.
        self.check()

    def sense(self) -> Sight:
        """Looks at the bench."""
        sight = self._call(self._robot.sense)
        if self._keep_pictures and len(self._actions) not in self._pictures:
            self._pictures[len(self._actions)] = to_png(sight.image)
        return sight

    def sense_joints(self) -> Joints:
        """Reads the joints."""
        return self._call(self._robot.sense_joints)

    def command(self, joint_targets_rad: Joints) -> None:
        """Moves one step."""
        self._joints.append(self.sense_joints())
        self._actions.append(joint_targets_rad)
        self._call(lambda: self._robot.command(joint_targets_rad))

    def weigh_g(self) -> float:
        """Weighs what was transferred."""
        return self._call(self._robot.weigh_g)

    def stop(self) -> None:
        """Stops the robot at once."""
        self.interrupt("stopped")

    def recorded(self, reward_g: float, notes: dict[str, object]) -> Recorded:
        """Returns the trial just run, as an episode of a dataset."""
        rewards = np.zeros(len(self._actions), np.float32)
        rewards[-1] = reward_g
        return Recorded(np.stack(self._joints), np.stack(self._actions), rewards, self._pictures, notes)

    def _begin_record(self) -> None:
        self._joints: list[Joints] = []
        self._actions: list[Joints] = []
        self._pictures: dict[int, bytes] = {}

    def _call(self, work: Callable[[], Result]) -> Result:
        self.check()
        try:
            return work()
        except Exception as error:
            self.check()
            raise RobotFaultError(f"The robot {self.name!r} failed: {type(error).__name__}: {error}") from error
