"""Open vessels: hollow to the grains (plates in rings around a floor), smooth to the eye (one turned mesh)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.worlds.modelling.mesh import Mesh
from pentathlon.worlds.modelling.shapes import lathe

Floats = npt.NDArray[np.float64]
Rgba = tuple[float, float, float, float]

ROUND_SIDES = 16
_ROUND_SEGMENTS = 48


@dataclass(frozen=True)
class Vessel:
    """A hollow regular polygon that changes its radius with height; its origin is the middle of the inner floor.

    Attributes:
        profile_m: inner (radius to the middle of a side, height), from the floor (height 0) to the rim.
        sides: of the polygon; from ``ROUND_SIDES`` on it is drawn round.
        wall_m: thickness of the walls as they are drawn.
        plate_m: thickness of the walls that grains touch; they grow outwards.
        floor_m: thickness of the floor.
    """

    profile_m: tuple[tuple[float, float], ...]
    sides: int
    wall_m: float = 0.0025
    plate_m: float = 0.006
    floor_m: float = 0.005

    @property
    def height_m(self) -> float:
        """From the inner floor to the rim."""
        return self.profile_m[-1][1]

    def radius_m(self, heights_m: Floats) -> Floats:
        """Inner radius at heights above the inner floor; beyond the rim it is the rim's."""
        radii, heights = np.transpose(self.profile_m)
        radius: Floats = np.interp(heights_m, heights, radii)
        return radius

    def holds(self, points_m: Floats, *, heap_m: float = 0.0) -> npt.NDArray[np.bool_]:
        """Tells which points ``[N, 3]``, in the vessel's frame, lie inside it, or up to ``heap_m`` above its rim."""
        heights = points_m[:, 2]
        level = (heights > -0.5 * self.floor_m) & (heights < self.height_m + heap_m)
        normals = (np.arange(self.sides) + 0.5) * 2 * math.pi / self.sides
        outwards = points_m[:, :2] @ np.stack([np.cos(normals), np.sin(normals)])
        inside: npt.NDArray[np.bool_] = level & (outwards.max(axis=1) < self.radius_m(heights) + self.wall_m)
        return inside

    def mesh(self) -> Mesh:
        """The walls and the floor as they are drawn."""
        segments = _ROUND_SEGMENTS if self.sides >= ROUND_SIDES else self.sides
        inner = np.array(self.profile_m)
        outer = inner + np.array([self.wall_m, 0.0])
        outer[0] = [inner[0, 0] + self.wall_m * 0.4, -self.floor_m]
        outline = np.concatenate([[[0.0, -self.floor_m]], outer, inner[::-1], [[0.0, 0.0]]])
        outline[:, 0] /= math.cos(math.pi / segments)
        return lathe(outline, segments, crease_deg=30.0)

    def add_plates(self, body: mujoco.MjsBody, *, contype: int, conaffinity: int, friction: float) -> None:
        """Adds what grains touch to a body."""
        surface: dict[str, Any] = {
            "contype": contype,
            "conaffinity": conaffinity,
            "friction": [friction, 0.005, 0.0001],
        }
        half = self.profile_m[0][0] + 0.5 * self.wall_m
        bottom = [half, half, self.plate_m / 2]
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX, size=bottom, pos=[0, 0, -self.plate_m / 2], group=3, mass=0.001, **surface
        )
        for low, high in pairwise(self.profile_m):
            for side in range(self.sides):
                self._add_plate(body, np.array(low), np.array(high), side, surface)

    def _add_plate(self, body: mujoco.MjsBody, low: Floats, high: Floats, side: int, surface: dict[str, Any]) -> None:
        azimuth = (side + 0.5) * 2 * math.pi / self.sides
        lean = math.atan2(high[0] - low[0], high[1] - low[1])
        length = float(np.linalg.norm(high - low))
        # The inner face lies on the profile, the plate's thickness behind it.
        radius, height = (low + high) / 2 + self.plate_m / 2 * np.array([math.cos(lean), -math.sin(lean)])
        width = max(low[0], high[0]) * math.tan(math.pi / self.sides) + 0.5 * self.plate_m
        turn = _about_z(azimuth) @ _about_y(lean)
        quaternion = np.empty(4)
        mujoco.mju_mat2Quat(quaternion, turn.ravel())
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX,
            size=[self.plate_m / 2, width, length / 2],
            pos=[radius * math.cos(azimuth), radius * math.sin(azimuth), height],
            quat=quaternion.tolist(),
            group=3,
            mass=0.001,
            **surface,
        )


def add_drawing(spec: mujoco.MjSpec, body: mujoco.MjsBody, mesh: Mesh, material: str, name: str) -> None:
    """Adds a mesh that is seen but not touched."""
    stored = spec.add_mesh(name=name, inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL)
    faces = mesh.faces.ravel().tolist()
    stored.uservert, stored.userface = mesh.vertices_m.ravel().tolist(), faces
    stored.usernormal, stored.userfacenormal = mesh.normals.ravel().tolist(), faces
    body.add_geom(
        type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name, material=material, contype=0, conaffinity=0, mass=0.0, group=1
    )


def _about_z(angle: float) -> Floats:
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def _about_y(angle: float) -> Floats:
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]])
