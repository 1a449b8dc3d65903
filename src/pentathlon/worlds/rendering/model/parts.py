"""Parts of a scene: objects that move together, with their geometry in Embree."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.worlds.rendering import embree
from pentathlon.worlds.rendering.kernels import QUADRIC_CALLBACKS
from pentathlon.worlds.rendering.kernels.quadrics import QUADRIC_FLOATS
from pentathlon.worlds.rendering.model.coincidence import STEP, Flats, lift_surfaces
from pentathlon.worlds.rendering.model.extras import Extras
from pentathlon.worlds.rendering.model.objects import MESH_TYPES, ObjectTable
from pentathlon.worlds.rendering.model.shapes import (
    QUADRIC_TYPES,
    MeshTriangles,
    Triangles,
    box_triangles,
    hfield_triangles,
    plane_triangles,
    quadric_row,
)

GEOMETRY_USER: Final = 120
TRIANGLES_ID: Final = 0  # Embree's geometry numbers within a part
QUADRICS_ID: Final = 1
STATIC: Final = -1  # the body of the part that holds all static ones
EXTRAS: Final = -2  # of the part that holds what has a new shape in every state

Floats = npt.NDArray[np.float64]
_GEOM: Final = mujoco.mjtGeom


@dataclass
class Part:
    """What moves as one.

    Attributes:
        body: the model's body, or STATIC.
        triangles: [n, 2] object and face, as in `SceneArrays`; faces count `corners` from 0 within the part.
        corners: [n, 16].
        quadrics: [n] object.
        quadric_rows: [n, QUADRIC_FLOATS], read by Embree's callbacks for as long as the part lives.
        scene: Embree's scene of the part's geometry.
        instance: Embree's geometry that shows it in the top scene.
    """

    body: int
    triangles: npt.NDArray[np.int32]
    corners: npt.NDArray[np.float32]
    quadrics: npt.NDArray[np.int32]
    quadric_rows: npt.NDArray[np.float32]
    scene: int = 0
    instance: int = 0
    geometries: list[int] = field(default_factory=list)

    @property
    def primitives(self) -> int:
        """How many triangles and quadrics it has."""
        return len(self.triangles) + len(self.quadrics)

    @property
    def nbytes(self) -> int:
        """Memory of what Embree reads: triangles' points and quadrics' rows."""
        return 9 * 4 * len(self.triangles) + self.quadric_rows.nbytes


class PartShape(NamedTuple):
    """A part's geometry as plain arrays, for ray casters other than Embree.

    Attributes:
        points: [n, 3, 3] corners of triangles in the part's frame, as Embree has them.
        triangles: [n, 2] as in `Part`.
        corners: [n, 16].
        quadrics: [n] object.
        quadric_rows: [n, QUADRIC_FLOATS].
        to_world: [3, 4].
    """

    points: npt.NDArray[np.float32]
    triangles: npt.NDArray[np.int32]
    corners: npt.NDArray[np.float32]
    quadrics: npt.NDArray[np.int32]
    quadric_rows: npt.NDArray[np.float32]
    to_world: npt.NDArray[np.float32]


def is_endless_plane(geom_type: int, size: Floats) -> bool:
    """Tells whether a geom is a plane without end in some direction."""
    return bool(geom_type == _GEOM.mjGEOM_PLANE and (size[0] <= 0 or size[1] <= 0))


class PartBuilder:
    """Makes parts of a model on one Embree device."""

    def __init__(self, model: mujoco.MjModel, table: ObjectTable, library: embree.EmbreeLibrary, device: int) -> None:
        self._model, self._table, self._library, self._device = model, table, library, device
        self._meshes: MeshTriangles | None = None
        self.order = np.arange(table.count)  # when each object is drawn, which decides between surfaces in one place
        self.steps: dict[int, int] = {}  # by how many steps objects are lifted above such surfaces
        self.step_m = STEP * float(model.stat.extent)
        _declare_user_geometry(library.raw)

    def forget_meshes(self) -> None:
        """Lets meshes be read anew from the model."""
        self._meshes = None

    def build(self, body: int, objects: Sequence[int], body_poses: npt.NDArray[np.float64], planes: Flats) -> Part:
        """Returns the part of these objects: in the frame of `body`, or in the world's for STATIC.

        Args:
            body: which body's part it is.
            objects: geoms and sites by number.
            body_poses: [bodies, 12] positions and rotations, read for STATIC.
            planes: planes without end that move with them.
        """
        shapes: list[tuple[int, Triangles, Floats, Floats]] = []
        quadrics, rows = [], []
        for obj in objects:
            position, rotation = self._place(obj, body, body_poses)
            geom_type, size = int(self._table.types[obj]), self._size(obj)
            if geom_type in QUADRIC_TYPES:
                quadrics.append(obj)
                rows.append(quadric_row(geom_type, size, position, rotation))
            elif (triangles := self._triangles(obj, geom_type, size)) is not None:
                shapes.append((obj, triangles, position, rotation))
        part, points = self._assemble(body, shapes, quadrics, rows)
        if len({*objects, *planes.objects.tolist()}) > 1:
            corners = points.reshape(-1, 3, 3)
            self.steps |= lift_surfaces(
                part.triangles[:, 0], corners, quadrics, part.quadric_rows, planes, self.order, self.step_m
            )
        self._enter(part, points)
        return part

    def build_extras(self, extras: Extras) -> Part:
        """Returns the part of what has a new shape in every state, in the world's frame."""
        origin, identity = np.zeros(3), np.eye(3)
        shapes = [(obj, triangles, origin, identity) for obj, triangles in extras.shapes]
        part, points = self._assemble(EXTRAS, shapes, extras.quadrics, extras.quadric_rows)
        self._enter(part, points)
        return part

    def release(self, part: Part) -> None:
        """Gives the part's memory back to Embree."""
        raw = self._library.raw
        for geometry in (*part.geometries, part.instance):
            if geometry:
                raw.rtcReleaseGeometry(geometry)
        if part.scene:
            raw.rtcReleaseScene(part.scene)
        part.geometries, part.scene, part.instance = [], 0, 0

    def shape(self, part: Part, to_world: npt.NDArray[np.float32]) -> PartShape:
        """Returns a part's geometry as plain arrays; the points are read back from Embree."""
        points = np.zeros((len(part.triangles), 3, 3), np.float32)
        if points.size:
            address = self._library.raw.rtcGetGeometryBufferData(part.geometries[0], embree.BUFFER_VERTEX, 0)
            ctypes.memmove(points.ctypes.data, address, points.nbytes)
        return PartShape(points, part.triangles, part.corners, part.quadrics, part.quadric_rows, to_world)

    def _size(self, obj: int) -> Floats:
        model = self._model
        return np.asarray(model.geom_size[obj] if obj < model.ngeom else model.site_size[obj - model.ngeom])

    def _place(self, obj: int, body: int, body_poses: npt.NDArray[np.float64]) -> tuple[Floats, Floats]:
        model, site = self._model, obj - self._model.ngeom
        position = model.geom_pos[obj] if site < 0 else model.site_pos[site]
        quaternion = model.geom_quat[obj] if site < 0 else model.site_quat[site]
        flat = np.empty(9)
        mujoco.mju_quat2Mat(flat, quaternion)
        rotation = flat.reshape(3, 3)
        if body != STATIC:
            return np.array(position), rotation
        pose = body_poses[self._table.bodies[obj]]
        body_rotation = pose[3:].reshape(3, 3)
        return pose[:3] + body_rotation @ position, body_rotation @ rotation

    def _triangles(self, obj: int, geom_type: int, size: Floats) -> Triangles | None:
        if geom_type == _GEOM.mjGEOM_BOX:
            return box_triangles(size)
        if geom_type == _GEOM.mjGEOM_PLANE and not is_endless_plane(geom_type, size):
            return plane_triangles(size)
        number = int(self._model.geom_dataid[obj]) if obj < self._model.ngeom else -1
        if number < 0:
            return None
        if geom_type == _GEOM.mjGEOM_HFIELD:
            return hfield_triangles(self._model, number)
        if geom_type in MESH_TYPES:
            if self._meshes is None:
                self._meshes = MeshTriangles(self._model)
            return self._meshes[number]
        return None

    def _assemble(
        self,
        body: int,
        shapes: list[tuple[int, Triangles, Floats, Floats]],
        quadrics: list[int],
        rows_of_quadrics: list[npt.NDArray[np.float32]],
    ) -> tuple[Part, npt.NDArray[np.float32]]:
        """Returns the part before Embree has it, and its triangles' points, three for each."""
        counts = [len(triangles.faces) for _, triangles, _, _ in shapes]
        points = np.empty((3 * sum(counts), 3), np.float32)
        table = np.empty((sum(counts), 2), np.int32)
        own = [count for count, shape in zip(counts, shapes, strict=True) if shape[1].corners is not None]
        corners = np.empty((sum(own), 16), np.float32)
        row = corner_row = 0
        for count, (obj, triangles, position, rotation) in zip(counts, shapes, strict=True):
            rows = slice(row, row + count)
            points[3 * row : 3 * (row + count)] = triangles.points.reshape(-1, 3) @ rotation.T + position
            table[rows, 0], table[rows, 1] = obj, triangles.faces
            if triangles.corners is not None:
                corner_rows = slice(corner_row, corner_row + count)
                table[rows, 1] = np.arange(corner_row, corner_row + count)
                _turn(triangles.corners, rotation, corners[corner_rows])
                corner_row += count
            row += count
        part = Part(
            body,
            table,
            corners,
            np.array(quadrics, np.int32),
            np.stack(rows_of_quadrics) if rows_of_quadrics else np.zeros((0, QUADRIC_FLOATS), np.float32),
        )
        return part, points

    def _enter(self, part: Part, points: npt.NDArray[np.float32]) -> None:
        """Hands the part's geometry to Embree."""
        raw, device = self._library.raw, self._device
        part.scene = int(raw.rtcNewScene(device))
        # A tree of high quality takes 2.3 times as long to build and is no faster to trace in houses.
        quality = embree.QUALITY_LOW if part.body == EXTRAS else embree.QUALITY_MEDIUM
        raw.rtcSetSceneBuildQuality(part.scene, quality)
        if len(points):
            corners = np.arange(len(points), dtype=np.uint32).reshape(-1, 3)
            geometry = self._library.new_triangles(device, points, corners)
            part.geometries.append(geometry)
            raw.rtcAttachGeometryByID(part.scene, geometry, TRIANGLES_ID)
        if len(part.quadric_rows):
            geometry = int(raw.rtcNewGeometry(device, GEOMETRY_USER))
            part.geometries.append(geometry)
            raw.rtcSetGeometryUserPrimitiveCount(geometry, len(part.quadric_rows))
            raw.rtcSetGeometryUserData(geometry, part.quadric_rows.ctypes.data)
            raw.rtcSetGeometryBoundsFunction(geometry, QUADRIC_CALLBACKS.bounds, None)
            raw.rtcSetGeometryIntersectFunction(geometry, QUADRIC_CALLBACKS.intersect)
            raw.rtcSetGeometryOccludedFunction(geometry, QUADRIC_CALLBACKS.occluded)
            raw.rtcCommitGeometry(geometry)
            raw.rtcAttachGeometryByID(part.scene, geometry, QUADRICS_ID)
        raw.rtcCommitScene(part.scene)
        part.instance = self._library.new_instance(device, part.scene)
        self._library.check(device)


def _turn(corners: npt.NDArray[np.float32], rotation: Floats, turned: npt.NDArray[np.float32]) -> None:
    turned[:, :9] = (corners[:, :9].reshape(-1, 3) @ rotation.T.astype(np.float32)).reshape(-1, 9)
    turned[:, 9:] = corners[:, 9:]


def _declare_user_geometry(raw: Any) -> None:
    pointer, number = ctypes.c_void_p, ctypes.c_uint
    signatures = {
        "rtcSetGeometryUserPrimitiveCount": [pointer, number],
        "rtcSetGeometryUserData": [pointer, pointer],
        "rtcSetGeometryBoundsFunction": [pointer, pointer, pointer],
        "rtcSetGeometryIntersectFunction": [pointer, pointer],
        "rtcSetGeometryOccludedFunction": [pointer, pointer],
    }
    for name, arguments in signatures.items():
        getattr(raw, name).argtypes = arguments
        getattr(raw, name).restype = None
