"""Checks that the arm agent lifts random objects exactly when the grasp force is at least their weight.

    python bench/houses_arm.py --objects 50

For each object, drawn from generated houses, a scripted agent stands beside it and reaches for it by discrete actions.
It then grasps with the largest force step below the object's weight, which must not lift it, and once more with the
smallest step that is enough, which must.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import tyro

from pentathlon.worlds.houses.bodies.arm import ArmAgent
from pentathlon.worlds.houses.bodies.arm_actions import FORCE_STEP_KGF, ArmSettings
from pentathlon.worlds.houses.bodies.arm_scene import compile_with_arm
from pentathlon.worlds.houses.bodies.arm_script import least_force_kgf, lifts, stand_and_reach
from pentathlon.worlds.houses.bodies.arm_touch import mass_kg
from pentathlon.worlds.houses.house import House

OBJECTS_PER_HOUSE = 10


@dataclass(frozen=True)
class Args:
    """What to check."""

    objects: int = 50
    """How many reachable objects."""
    rooms: int = 3
    """Of each house."""
    seed: int = 100
    """Of the first house."""


def trials(seed: int, rooms: int) -> Iterator[tuple[str, bool, bool | None, bool | None]]:
    """Yields (description, reached, lifted by too little, lifted by enough) for random objects of one house."""
    house = House.generate(seed, rooms)
    agent = ArmAgent(compile_with_arm(house), ArmSettings(size_px=(64, 48)))
    placed = agent.scene.house_scene.placed
    names = [item.id for item in house.objects if placed[item.id].free_joint]
    for name in np.random.default_rng(seed).permutation(names)[:OBJECTS_PER_HOUSE]:
        object_id = str(name)
        if not stand_and_reach(agent, object_id):
            yield f"{object_id} of house {seed}", False, None, None
            continue
        enough = least_force_kgf(agent, object_id)
        # Below one step there is no smaller force to try: the hand stays open.
        weak = lifts(agent, object_id, enough - FORCE_STEP_KGF) if enough > 1.5 * FORCE_STEP_KGF else None
        strong = stand_and_reach(agent, object_id) and lifts(agent, object_id, enough)
        yield f"{object_id} of house {seed}, {mass_kg(agent.scene, object_id):.3f} kg", True, weak, strong
    agent.close()


def main() -> None:
    """Prints each object's outcome and the totals."""
    options = tyro.cli(Args, description=__doc__)
    drawn = reached = weak_tried = weak_lifted = strong_lifted = 0
    seed, started = options.seed, time.perf_counter()
    while reached < options.objects:
        for description, was_reached, weak, strong in trials(seed, options.rooms):
            drawn += 1
            if was_reached and reached < options.objects:
                reached += 1
                weak_tried += weak is not None
                weak_lifted += bool(weak)
                strong_lifted += bool(strong)
                print(f"{description}: one step too weak {weak}, enough {strong}")
        seed += 1
    print(f"{drawn} objects drawn from {seed - options.seed} houses, {reached} reached")
    print(f"lifted by enough force: {strong_lifted} of {reached}")
    print(f"lifted by one step less: {weak_lifted} of {weak_tried}")
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
