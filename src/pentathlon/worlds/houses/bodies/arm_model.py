"""The arm agent's body: a round base with a mast, a lift on it, and an arm of six hinges ending in a gripper.

Frame of the agent: x ahead, y to the left, z up, the origin on the floor under the middle of the base.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import mujoco

from pentathlon.worlds.houses.assets.asset import Asset, Collider, Part, Point
from pentathlon.worlds.houses.assets.to_mujoco import COLLISION_GROUP, AssetWriter, Placed
from pentathlon.worlds.modelling.materials import look
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.shapes import cylinder, rounded_box, sphere
from pentathlon.worlds.modelling.sweeps import sweep

ROOT = "arm_agent"
GRASP_SITE = f"{ROOT}/grasp"
GRASP_POINT = f"{ROOT}/tips"
GRASP_WELD = f"{ROOT}/weld"
RADIUS_M = 0.20
MAST_TOP_M = 1.38
MAST_X_M = -0.10
SHOULDER_M: Point = (0.08, -0.12, 0.0)
UPPER_ARM_M = 0.40
FOREARM_M = 0.36
HAND_M = 0.17
# So heavy that no load moves the joints within a step: the agent's joints are set, not driven by forces.
ARMATURE = 1000.0


@dataclass(frozen=True)
class Link:
    """A body of the chain and the joint that moves it; its frame lies in the link before.

    Attributes:
        lowest: of the joint's range, in metres or radians.
        rest: the joint's position when the arm is tucked in.
    """

    name: str
    kind: Literal["hinge", "slide"]
    axis: Point
    offset_m: Point
    lowest: float
    highest: float
    rest: float
    build: Callable[[], Asset]


def add_arm(writer: AssetWriter) -> Placed:
    """Adds the agent to a model that is being written; returns the handle of its hand."""
    spec = writer.spec
    base = spec.body(writer.add(_base(), ROOT).name)
    base.sleep = mujoco.mjtSleepPolicy.mjSLEEP_NEVER
    slide, hinge = mujoco.mjtJoint.mjJNT_SLIDE, mujoco.mjtJoint.mjJNT_HINGE
    for name, kind, axis in (("x", slide, (1, 0, 0)), ("y", slide, (0, 1, 0)), ("yaw", hinge, (0, 0, 1))):
        base.add_joint(name=f"{ROOT}/{name}", type=kind, axis=list(axis), armature=ARMATURE)
    body = base
    for link in LINKS:
        hand = writer.add(link.build(), f"{ROOT}/{link.name}", link.offset_m, parent=body)
        body = spec.body(hand.name)
        kind = slide if link.kind == "slide" else hinge
        limits = [link.lowest, link.highest]
        body.add_joint(name=hand.name, type=kind, axis=list(link.axis), range=limits, armature=ARMATURE)
    body.add_site(name=GRASP_SITE, pos=[HAND_M, 0.0, 0.0], size=[0.01] * 3, group=4)
    body.add_geom(
        name=GRASP_POINT, type=mujoco.mjtGeom.mjGEOM_SPHERE, pos=[HAND_M, 0.0, 0.0], size=[0.005] * 3,
        group=4, contype=0, conaffinity=0, mass=0,
    )  # fmt: skip
    _touch_all_but_itself(spec)
    spec.add_equality(
        name=GRASP_WELD,
        type=mujoco.mjtEq.mjEQ_WELD,
        objtype=mujoco.mjtObj.mjOBJ_BODY,
        name1=hand.name,
        name2="world",
        active=False,
        solref=[0.01, 1.0],
    )
    return hand


def _touch_all_but_itself(spec: mujoco.MjSpec) -> None:
    for name in (ROOT, *(f"{ROOT}/{link.name}" for link in LINKS)):
        for geom in spec.body(name).geoms:
            if geom.group == COLLISION_GROUP:
                geom.contype = 0


def _base() -> Asset:
    shell = cylinder(RADIUS_M, 0.20, bevel_m=0.04, top_radius_m=RADIUS_M * 0.9, segments=32).moved(z=0.14)
    skirt = cylinder(RADIUS_M * 0.93, 0.05, bevel_m=0.01, segments=32).moved(z=0.035)
    mast = rounded_box((0.07, 0.09, MAST_TOP_M - 0.22), 0.015).moved(MAST_X_M, 0, MAST_TOP_M / 2 + 0.11)
    head = rounded_box((0.09, 0.16, 0.05), 0.02).moved(MAST_X_M, 0, MAST_TOP_M)
    return Asset(
        parts=(
            Part(shell, look("plastic", "white"), fill=0.3),
            Part(merge([skirt, head]), look("plastic", "black"), fill=0.3),
            Part(mast, look("metal", "grey"), fill=0.2),
        ),
        colliders=(
            Collider("cylinder", (0, 0, 0.13), (2 * RADIUS_M, 2 * RADIUS_M, 0.22)),
            Collider("box", (MAST_X_M, 0, MAST_TOP_M / 2 + 0.12), (0.09, 0.12, MAST_TOP_M - 0.2)),
        ),
        type_name="ArmAgent",
    )


def _carriage() -> Asset:
    x, y, _ = SHOULDER_M
    bracket = sweep([(MAST_X_M + 0.02, 0, 0), (MAST_X_M + 0.06, y / 2, 0), (x - 0.02, y, 0)], 0.028, sides=12)
    sleeve = rounded_box((0.10, 0.12, 0.11), 0.02).moved(MAST_X_M)
    return _piece(merge([sleeve, bracket]), "black", Collider("box", (0, y / 2, 0), (0.16, 0.14, 0.07)))


def _turret() -> Asset:
    drum = cylinder(0.038, 0.10, bevel_m=0.012)
    return _piece(drum, "white", Collider("cylinder", (0, 0, 0), (0.076, 0.076, 0.10)))


def _rod(length_m: float, radius_m: float) -> Asset:
    """A limb along x with a round joint at its start."""
    limb = sweep([(0, 0, 0), (length_m * 0.5, 0, 0), (length_m, 0, 0)], [radius_m, radius_m * 0.85, radius_m * 0.9])
    knuckle = cylinder(radius_m * 1.25, radius_m * 2.6, bevel_m=0.008).turned("x", 90)
    solid = Collider("box", (length_m / 2, 0, 0), (length_m, 2 * radius_m, 2 * radius_m))
    return Asset(
        parts=(Part(limb, look("plastic", "white"), fill=0.5), Part(knuckle, look("plastic", "black"), fill=0.5)),
        colliders=(solid,),
        type_name="ArmAgent",
    )


def _wrist() -> Asset:
    return _piece(sphere(0.030, 18), "black", Collider("sphere", (0, 0, 0), (0.058,) * 3))


def _hand() -> Asset:
    """A palm with two fingers, which show closed while the hand is "on"."""
    palm = rounded_box((0.05, 0.09, 0.045), 0.012).moved(0.055)
    stem = sweep([(0, 0, 0), (0.04, 0, 0)], 0.024, sides=12)
    grey, black = look("plastic", "grey"), look("rubber", "black")
    return Asset(
        parts=(
            Part(merge([palm, stem]), grey, fill=0.5),
            Part(_fingers(0.040), black, when="off"),
            Part(_fingers(0.018), black, when="on"),
        ),
        colliders=(
            Collider("box", (0.05, 0, 0), (0.06, 0.09, 0.04)),
            *(Collider("box", (0.125, s * 0.037, 0), (0.09, 0.022, 0.022)) for s in (-1, 1)),
        ),
        type_name="ArmAgent",
    )


def _fingers(apart_m: float) -> Mesh:
    """Two bent fingers from the palm to the grasp point, each `apart_m` off the middle."""
    return merge(
        [
            sweep([(0.075, s * 0.03, 0), (0.11, s * (apart_m + 0.008), 0), (HAND_M, s * apart_m, 0)], 0.010, sides=8)
            for s in (-1, 1)
        ]
    )


def _piece(mesh: Mesh, tint: str, solid: Collider) -> Asset:
    return Asset((Part(mesh, look("plastic", tint), fill=0.5),), (solid,), type_name="ArmAgent")


_QUARTER, _HALF = math.pi / 2, math.pi
LINKS: tuple[Link, ...] = (
    Link("lift", "slide", (0, 0, 1), (0, 0, 0), 0.30, 1.25, 0.85, _carriage),
    Link("shoulder_yaw", "hinge", (0, 0, 1), SHOULDER_M, -0.9 * _HALF, 0.9 * _HALF, 0.0, _turret),
    Link(
        "shoulder_pitch", "hinge", (0, 1, 0), (0, 0, 0), -0.6 * _HALF, 0.6 * _HALF, math.radians(-75),
        lambda: _rod(UPPER_ARM_M, 0.028),
    ),
    Link(
        "elbow_pitch", "hinge", (0, 1, 0), (UPPER_ARM_M, 0, 0), -0.92 * _HALF, 0.92 * _HALF, math.radians(150),
        lambda: _rod(FOREARM_M, 0.025),
    ),
    Link("forearm_roll", "hinge", (1, 0, 0), (FOREARM_M, 0, 0), -_HALF, _HALF, 0.0, _wrist),
    Link("wrist_pitch", "hinge", (0, 1, 0), (0, 0, 0), -0.65 * _HALF, 0.65 * _HALF, math.radians(-75), _wrist),
    Link("wrist_roll", "hinge", (1, 0, 0), (0.02, 0, 0), -_HALF, _HALF, 0.0, _hand),
)  # fmt: skip
JOINT_NAMES: tuple[str, ...] = tuple(link.name for link in LINKS)
