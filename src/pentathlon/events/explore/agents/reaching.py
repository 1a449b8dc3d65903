"""What the arm does, as deeds: reach a point, weigh what is there by trying forces, and fold in again."""

from __future__ import annotations

from collections.abc import Callable, Generator

import numpy as np

from pentathlon.events.explore.agents.body import Body, Deed, Floats
from pentathlon.events.explore.protocol import FORCE_STEP_KGF, FORCE_STEPS, GRASPS
from pentathlon.events.explore.world import HOLDS, SLIPS

Point = tuple[float, float, float]
ARM_STEP_M = 0.05
MOST_REACHES = 70
MOST_RAISES = 6
FIRST_FORCE = 8
HINGES: tuple[tuple[str, str], ...] = (
    ("ShoulderLeft", "ShoulderRight"),
    ("ShoulderDown", "ShoulderUp"),
    ("ElbowDown", "ElbowUp"),
    ("ForearmRight", "ForearmLeft"),
    ("WristDown", "WristUp"),
    ("WristRight", "WristLeft"),
)
"""For each hinge the action that adds to its angle, and the one that takes away."""
HINGE_RAD = np.radians(15.0)


def reach(body: Body, goal_m: Point, arrived: Callable[[], bool]) -> Deed:
    """Takes the move that shortens the largest gap, until the finger tips have arrived or nothing helps."""
    refused: set[str] = set()
    for _ in range(MOST_REACHES):
        if arrived():
            return True
        gap = body.in_frame(goal_m) - body.hand_m
        options = [action for action in _helpful(gap) if action not in refused]
        if not options:
            return False
        yield options[0]
        if body.acted:
            refused.clear()
        else:
            refused.add(options[0])
    return arrived()


def weigh(body: Body) -> Generator[str, None, int | None]:
    """Finds the least force, in steps, that lifts what the finger tips are at; ``None`` where nothing is."""
    slips, lifts, force = 0, FORCE_STEPS + 1, FIRST_FORCE
    while lifts - slips > 1:
        yield GRASPS[force - 1]
        if body.touch == HOLDS:
            lifts = force
            yield "Release"
        elif body.touch == SLIPS:
            slips = force
        else:
            return None
        force = min(2 * force, FORCE_STEPS) if lifts > FORCE_STEPS else (slips + lifts) // 2
        if slips == FORCE_STEPS:
            break
    return lifts


def tuck_in(body: Body) -> Deed:
    """Folds the arm in again: up and away from what it was at, then hinge by hinge."""
    for actions in (("RaiseArm", "GripperUp"),) * 3 + (("GripperBack",),) * 2:
        for action in actions:
            yield action
            if body.acted:
                break
    if (yield from fold(body)):
        return True
    yield "MoveBack"
    return (yield from fold(body))


def fold(body: Body) -> Deed:
    """Brings hinges, and then the lift, to where the arm stands out least; where they are blocked, higher up."""
    assert body.rest is not None
    refused: set[str] = set()
    raised = 0
    for _ in range(MOST_REACHES):
        off = body.posture - body.rest
        hinges = _homeward(off)
        options = [action for action in hinges or _levelling(off) if action not in refused]
        if not options and hinges and raised < MOST_RAISES:
            options, raised = ["RaiseArm"], raised + 1
            refused.clear()
        if not options:
            return body.arm_away
        yield options[0]
        if body.acted:
            refused.clear()
        else:
            refused.add(options[0])
    return body.arm_away


def force_kgf(steps: int) -> float:
    """The force of so many steps."""
    return round(steps * FORCE_STEP_KGF, 2)


def _helpful(gap: Floats) -> list[str]:
    """The moves that bring the finger tips nearer to a point, the largest gap first."""
    rows = [
        (gap[0], ("GripperAhead",), ("GripperBack",)),
        (gap[1], ("GripperLeft", "ShoulderLeft"), ("GripperRight", "ShoulderRight")),
        (gap[2], ("RaiseArm", "GripperUp"), ("LowerArm", "GripperDown")),
    ]
    rows = sorted((row for row in rows if abs(row[0]) > ARM_STEP_M / 2), key=lambda row: -abs(float(row[0])))
    return [action for length, more, less in rows for action in (more if length > 0 else less)]


def _homeward(off: Floats) -> list[str]:
    """The moves that bring hinges nearer to their rest, the farthest first."""
    found = []
    for angle, (more, less) in zip(off[1:], HINGES, strict=True):
        if abs(angle) > 0.6 * HINGE_RAD:
            found.append((abs(float(angle)), less if angle > 0 else more))
    return [action for _, action in sorted(found, key=lambda pair: -pair[0])]


def _levelling(off: Floats) -> list[str]:
    """The move that brings the lift nearer to its rest."""
    return [] if abs(off[0]) <= ARM_STEP_M * 0.6 else ["LowerArm" if off[0] > 0 else "RaiseArm"]
