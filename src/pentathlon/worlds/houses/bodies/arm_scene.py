"""A house compiled together with the arm agent."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.to_mujoco import COLLISION_GROUP, Placed
from pentathlon.worlds.houses.bodies.arm_model import JOINT_NAMES, ROOT, add_arm
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.scene.house_scene import HouseScene, draw_blueprint

Addresses = NDArray[np.int64]
# Slower things fall asleep. At MuJoCo's own 1 mm/s, a dozen things of a house tremble, creep and never rest.
SLEEP_M_S = 0.01


@dataclass(frozen=True, eq=False)
class ArmScene:
    """A compiled house with the arm agent in it.

    Attributes:
        house_scene: the model and the handles of everything in the house.
        hand: the handle of the agent's hand.
    """

    house_scene: HouseScene
    hand: Placed

    @property
    def model(self) -> mujoco.MjModel:
        """The compiled model."""
        return self.house_scene.model

    @cached_property
    def agent_geoms(self) -> NDArray[np.bool_]:
        """Which geoms belong to the agent."""
        root = self.model.body(ROOT).id
        mask: NDArray[np.bool_] = self.model.body_rootid[self.model.geom_bodyid] == root
        return mask

    @cached_property
    def loose_geoms(self) -> Addresses:
        """The solids of objects that can be lifted."""
        placed = self.house_scene.placed
        loose = np.array([bool(placed[item.id].free_joint) for item in self.house_scene.house.objects] + [False])
        solid = self.model.geom_group == COLLISION_GROUP
        return np.flatnonzero(loose[self.house_scene.object_of_geom] & solid)

    @cached_property
    def joint_addresses(self) -> tuple[Addresses, Addresses]:
        """Places in qpos and qvel of x, y, yaw, the lift and the six hinges."""
        joints = [self.model.joint(f"{ROOT}/{name}") for name in ("x", "y", "yaw", *JOINT_NAMES)]
        qpos, qvel = [joint.qposadr[0] for joint in joints], [joint.dofadr[0] for joint in joints]
        return np.array(qpos, dtype=np.int64), np.array(qvel, dtype=np.int64)

    def name_of_geom(self, geom: int) -> str:
        """Returns the object, door or part of the building that a geom belongs to."""
        place = int(self.house_scene.object_of_geom[geom])
        if place >= 0:
            return self.house_scene.house.objects[place].id
        return str(self.model.body(self.model.geom_bodyid[geom]).name).split("/")[0]


def compile_with_arm(house: House) -> ArmScene:
    """Builds the MuJoCo model of a house with the arm agent in it; things at rest sleep, which makes steps cheap."""
    blueprint = draw_blueprint(house)
    blueprint.spec.option.enableflags |= int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    blueprint.spec.option.sleep_tolerance = SLEEP_M_S
    hand = add_arm(blueprint.writer)
    return ArmScene(blueprint.compile(), hand)
