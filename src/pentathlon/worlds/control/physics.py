"""What every control task's simulation offers: reset, step, reward, success, proprioception and exact states.

Only numpy and mujoco are needed here, so that experts can plan where the suites' own packages are not installed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import MissingDependencyError

Array: TypeAlias = npt.NDArray[np.float64]

# Everything that an episode changes in mjData: enough to draw the frame and to go on from it bit by bit.
STATE_SIGNATURE = (
    mujoco.mjtState.mjSTATE_FULLPHYSICS
    | mujoco.mjtState.mjSTATE_WARMSTART
    | mujoco.mjtState.mjSTATE_CTRL
    | mujoco.mjtState.mjSTATE_EQ_ACTIVE
    | mujoco.mjtState.mjSTATE_MOCAP_POS
    | mujoco.mjtState.mjSTATE_MOCAP_QUAT
)


class Physics(ABC):
    """One task's simulation. Actions are in [-1, 1]; an episode's layout follows from the generator given to reset.

    Attributes:
        model: may be changed by :meth:`reset` (targets, sizes), so it is never shared between instances.
        data: always up to date for rendering: derived quantities belong to the present positions.
        substeps: physics steps per control step.
    """

    model: Any
    data: Any
    substeps: int

    @property
    def action_size(self) -> int:
        """Numbers in an action."""
        return int(self.model.nu)

    @abstractmethod
    def reset(self, generator: np.random.Generator) -> None:
        """Starts an episode."""

    @abstractmethod
    def step(self, action: Array) -> None:
        """Applies ``action`` for one control step."""

    @abstractmethod
    def reward(self) -> float:
        """The task's own reward in the present state."""

    @abstractmethod
    def achieved(self) -> bool:
        """Whether the goal holds in the present state."""

    def proprio(self) -> Array:
        """What the robot feels of itself; empty where the protocol gives none."""
        return np.zeros(0)

    def score(self) -> float:
        """Progress towards the goal in [0, 1], where the task is scored by it."""
        return float(self.achieved())

    def state(self) -> Array:
        """Copies the physics state; with the episode's reset it determines the frame."""
        state = np.empty(mujoco.mj_stateSize(self.model, STATE_SIGNATURE))
        mujoco.mj_getState(self.model, self.data, state, STATE_SIGNATURE)
        return state

    def set_state(self, state: Array) -> None:
        """Restores a state copied in an episode with the same reset."""
        mujoco.mj_setState(self.model, self.data, np.ascontiguousarray(state, np.float64), STATE_SIGNATURE)
        mujoco.mj_forward(self.model, self.data)

    def sensor(self, name: str) -> Array:
        """The present reading of a named sensor."""
        reading: Array = self.data.sensor(name).data
        return reading


def advance(model: Any, data: Any, steps: int) -> None:
    """Takes ``steps`` physics steps and leaves positions, velocities and sensors of the final state in ``data``.

    A plain mj_step leaves them one physics step behind. The trajectory is the same.
    """
    mujoco.mj_step2(model, data)
    if steps > 1:
        mujoco.mj_step(model, data, steps - 1)
    mujoco.mj_step1(model, data)


def package_folder(package: str, distribution: str) -> Path:
    """Finds an installed package's files without importing it.

    Raises:
        MissingDependencyError: when it is not installed.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingDependencyError(f"The model files of {package}", f"pip install {distribution}")
    return Path(spec.submodule_search_locations[0])


def add_position_sensors(spec: Any, objects: Mapping[str, tuple[Any, str]]) -> None:
    """Adds ``framepos`` sensors, so that planners read positions from batched rollouts; the physics is unchanged."""
    for name, (kind, object_name) in objects.items():
        spec.add_sensor(name=name, type=mujoco.mjtSensor.mjSENS_FRAMEPOS, objtype=kind, objname=object_name)


def randomise_joints(model: Any, data: Any, generator: np.random.Generator) -> None:
    """Draws limited joints within their ranges and unlimited hinges over the circle, as the DMControl suite does."""
    hinge = int(mujoco.mjtJoint.mjJNT_HINGE)
    for joint in range(model.njnt):
        address = model.jnt_qposadr[joint]
        if model.jnt_limited[joint]:
            data.qpos[address] = generator.uniform(*model.jnt_range[joint])
        elif model.jnt_type[joint] == hinge:
            data.qpos[address] = generator.uniform(-np.pi, np.pi)
