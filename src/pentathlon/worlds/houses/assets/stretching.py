"""Assets at other proportions: furniture made to the width, depth and height of another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pentathlon.worlds.houses.assets.asset import Asset, Collider, Point, scaled_point
from pentathlon.worlds.modelling.mesh import rotation
from pentathlon.worlds.modelling.shapes import box, cylinder, ellipsoid

ROUND_SEGMENTS = 16


def stretched(asset: Asset, factors: Point) -> Asset:
    """Returns the asset stretched along its own axes; colliders that would not stay round become hulls."""
    return replace(
        asset,
        parts=tuple(replace(part, mesh=part.mesh.scaled(*factors)) for part in asset.parts),
        colliders=tuple(_collider(item, factors) for item in asset.colliders),
        joints=tuple(item.scaled(factors) for item in asset.joints),
        receptacles=tuple(item.scaled(factors) for item in asset.receptacles),
        emitters=tuple(item.scaled(factors) for item in asset.emitters),
    )


def _collider(item: Collider, factors: Point) -> Collider:
    if item.mesh is not None:
        return replace(item, mesh=item.mesh.scaled(*factors))
    if item.kind == "box" and not any(item.angle_deg):
        return replace(item, centre_m=scaled_point(item.centre_m, factors), size_m=scaled_point(item.size_m, factors))
    x, y, z = item.size_m
    solid = {
        "box": lambda: box((x, y, z)),
        "cylinder": lambda: cylinder(x / 2, z, segments=ROUND_SEGMENTS),
        "sphere": lambda: ellipsoid((x, y, z), ROUND_SEGMENTS),
    }[item.kind]()
    turn = rotation("x", item.angle_deg[0]) @ rotation("y", item.angle_deg[1]) @ rotation("z", item.angle_deg[2])
    placed = replace(solid, vertices_m=solid.vertices_m @ turn.T + np.array(item.centre_m))
    return Collider("hull", joint=item.joint, mesh=placed.scaled(*factors))
