"""The room that doors, drawers and lids pass through beyond their furniture when they open."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.asset import PLAIN, Asset, Joint
from pentathlon.worlds.modelling.mesh import Floats

# Doors that open by more than a right angle would reach beyond the sides of their furniture.
WIDEST = 0.7
STEPS = 9
LEAST_M = 1e-3
Corners = tuple[Floats, Floats]


def passed_through(asset: Asset, low_m: Floats, high_m: Floats) -> list[Corners]:
    """Returns boxes outside of the given bounds that what moves passes through up to the widest opening."""
    boxes = []
    for joint in asset.joints:
        box_low, box_high = _swept(asset, joint)
        boxes += [
            (low, high)
            for low, high in _outside(box_low, box_high, low_m, high_m)
            if bool(((high - low) > LEAST_M).all())
        ]
    return boxes


def _swept(asset: Asset, joint: Joint) -> Corners:
    parts = [part.mesh.vertices_m for part in asset.parts if part.joint == joint.name and PLAIN.shows(part.when)]
    points = np.concatenate(parts)
    places = np.concatenate([_moved(points, joint, joint.reach * share) for share in np.linspace(0.0, WIDEST, STEPS)])
    return places.min(axis=0), places.max(axis=0)


def _moved(points: Floats, joint: Joint, amount: float) -> Floats:
    axis, anchor = np.array(joint.axis), np.array(joint.anchor_m)
    if joint.kind == "slide":
        return np.asarray(points + amount * axis)
    arms = points - anchor
    turned: Floats = (
        arms * np.cos(amount)
        + np.cross(axis, arms) * np.sin(amount)
        + np.outer(arms @ axis, axis) * (1.0 - np.cos(amount))
    )
    turned += anchor
    return turned


def _outside(box_low: Floats, box_high: Floats, low: Floats, high: Floats) -> list[Corners]:
    """Cuts the parts of a box before, behind, beside and above the bounds; they may overlap at the corners."""
    parts = []
    for axis, end in ((0, 0), (0, 1), (1, 0), (1, 1), (2, 1)):
        cut_low, cut_high = box_low.copy(), box_high.copy()
        if end:
            cut_low[axis] = max(cut_low[axis], high[axis])
        else:
            cut_high[axis] = min(cut_high[axis], low[axis])
        parts.append((cut_low, cut_high))
    return parts
