"""What MuJoCo draws beside geoms and sites: tendons, skins, flexes, rangefinders' rays and slider-cranks.

Where these are in a state is asked of MuJoCo itself: `mjv_updateScene`, which needs no OpenGL, lists what its own
renderer would draw. So slack tendons hang and flexes are as thick as there.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.model.numbering import Numbering
from pentathlon.worlds.rendering.model.shapes import (
    QUADRIC_TYPES,
    Triangles,
    box_triangles,
    quadric_row,
    texture_density,
)

_GEOM: Final = mujoco.mjtGeom
_ROUND: Final = (int(_GEOM.mjGEOM_CAPSULE), int(_GEOM.mjGEOM_CYLINDER))
_SPARE: Final = 1000  # entries of MuJoCo's list beyond those counted
_PER_WRAP: Final = 64  # a slack tendon is a chain of capsules

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.float32]


@dataclass
class Extras:
    """The extra objects of one state, in the world's frame.

    Attributes:
        shapes: object and triangles.
        quadrics: objects of `quadric_rows`.
        quadric_rows: rows that Embree's callbacks read.
        lines: rows of `SceneArrays.lines`.
        line_objects: their objects.
        materials: object, and its row of `SceneArrays.materials`.
        textures: object, and its texture, which is mapped by the triangles' corners.
    """

    shapes: list[tuple[int, Triangles]] = field(default_factory=list)
    quadrics: list[int] = field(default_factory=list)
    quadric_rows: list[Rows] = field(default_factory=list)
    lines: list[list[float]] = field(default_factory=list)
    line_objects: list[int] = field(default_factory=list)
    materials: dict[int, list[float]] = field(default_factory=dict)
    textures: dict[int, int] = field(default_factory=dict)


class ExtraObjects:
    """Reads the extra objects of a model in any state."""

    def __init__(self, model: mujoco.MjModel, numbering: Numbering, option: mujoco.MjvOption) -> None:
        self._model, self._numbering = model, numbering
        self.present = _has_extras(model)
        self._option = copy.copy(option)
        self._option.geomgroup[:] = self._option.sitegroup[:] = 0
        self._camera = mujoco.MjvCamera()
        room = _SPARE + _PER_WRAP * model.nwrap + model.nsensordata + 4 * model.nu if self.present else 0
        self._scene = mujoco.MjvScene(model, room) if self.present else None

    def read(self, data: mujoco.MjData) -> Extras:
        """Returns what is drawn in this state."""
        extras, scene = Extras(), self._scene
        if scene is None:
            return extras
        kinds = mujoco.mjtCatBit.mjCAT_ALL
        mujoco.mjv_updateScene(self._model, data, self._option, None, self._camera, kinds, scene)
        for entry in scene.geoms[: scene.ngeom]:
            first = self._numbering.first.get(int(entry.objtype))
            if first is not None and entry.objid >= 0:
                self._add(extras, first + int(entry.objid), entry, scene)
        return extras

    def _add(self, extras: Extras, obj: int, entry: mujoco.MjvGeom, scene: mujoco.MjvScene) -> None:
        extras.materials[obj] = [
            *entry.rgba.tolist(), entry.emission, entry.specular, 128 * entry.shininess, 0.0
        ]  # fmt: skip
        kind, number = int(entry.type), int(entry.objid)
        if kind == _GEOM.mjGEOM_SKIN:
            extras.shapes.append((obj, self._skin(number, scene)))
            self._note_texture(extras, obj, entry)
        elif kind == _GEOM.mjGEOM_FLEX:
            self._add_flex(extras, obj, entry, scene)
        elif kind == _GEOM.mjGEOM_LINE:
            self._add_line(extras, obj, entry)
        elif kind == _GEOM.mjGEOM_BOX:
            triangles = box_triangles(np.asarray(entry.size, np.float64))
            points = triangles.points @ np.asarray(entry.mat, np.float64).T + entry.pos
            extras.shapes.append((obj, Triangles(points, np.full(len(points), a.FLAT, np.int32))))
        elif kind in QUADRIC_TYPES:
            size = np.asarray(entry.size, np.float64)
            size = size[[0, 2, 2]] if kind in _ROUND else size
            extras.quadrics.append(obj)
            extras.quadric_rows.append(quadric_row(kind, size, entry.pos, np.asarray(entry.mat, np.float64)))

    def _add_line(self, extras: Extras, obj: int, entry: mujoco.MjvGeom) -> None:
        """A line is as many pixels wide as its size says."""
        end = entry.pos + entry.mat[:, 2] * entry.size[2]
        half_px = 0.5 * entry.size[0] * self._model.vis.global_.linewidth
        extras.lines.append([*entry.pos.tolist(), *end.tolist(), half_px])
        extras.line_objects.append(obj)

    def _skin(self, number: int, scene: mujoco.MjvScene) -> Triangles:
        model = self._model
        count = int(model.skin_vertnum[number])
        face = int(model.skin_faceadr[number])
        faces = model.skin_face[face : face + int(model.skin_facenum[number])]
        place = 3 * int(scene.skinvertadr[number])
        vertices = scene.skinvert[place : place + 3 * count].reshape(-1, 3)
        normals = scene.skinnormal[place : place + 3 * count].reshape(-1, 3)
        uv = None
        if model.skin_texcoordadr[number] >= 0:
            begin = int(model.skin_texcoordadr[number])
            uv = model.skin_texcoord[begin : begin + count][faces]
        return _smooth(vertices[faces], normals[faces], uv)

    def _add_flex(self, extras: Extras, obj: int, entry: mujoco.MjvGeom, scene: mujoco.MjvScene) -> None:
        number, used = int(entry.objid), int(scene.flexfaceused[entry.objid])
        if used:
            face = slice(int(scene.flexfaceadr[number]), int(scene.flexfaceadr[number]) + used)
            uv = scene.flextexcoord.reshape(-1, 3, 2)[face] if entry.texcoord else None
            points, normals = scene.flexface.reshape(-1, 3, 3)[face], scene.flexnormal.reshape(-1, 3, 3)[face]
            extras.shapes.append((obj, _smooth(points, normals, uv)))
            self._note_texture(extras, obj, entry)
        if entry.size[0] > 0 and not (scene.flexskinopt and used):
            self._add_edges(extras, obj, float(entry.size[0]), number, scene)

    def _add_edges(self, extras: Extras, obj: int, radius: float, number: int, scene: mujoco.MjvScene) -> None:
        place, count = int(scene.flexvertadr[number]), int(scene.flexvertnum[number])
        vertices = scene.flexvert.reshape(-1, 3)[place : place + count].astype(np.float64)
        first = int(scene.flexedgeadr[number])
        edges = scene.flexedge.reshape(-1, 2)[first : first + int(scene.flexedgenum[number])]
        for start, end in vertices[edges]:
            length = float(np.linalg.norm(end - start))
            size = np.array([radius, length / 2, 0])
            rotation = _along((end - start) / max(length, 1e-12))
            extras.quadrics.append(obj)
            extras.quadric_rows.append(quadric_row(int(_GEOM.mjGEOM_CYLINDER), size, (start + end) / 2, rotation))

    def _note_texture(self, extras: Extras, obj: int, entry: mujoco.MjvGeom) -> None:
        if entry.matid >= 0 and entry.texcoord:
            texture = int(self._model.mat_texid[entry.matid, mujoco.mjtTextureRole.mjTEXROLE_RGB])
            if texture >= 0 and self._model.tex_type[texture] == mujoco.mjtTexture.mjTEXTURE_2D:
                extras.textures[obj] = texture


def _has_extras(model: mujoco.MjModel) -> bool:
    """Tells whether the model has anything that MuJoCo draws beside geoms and sites."""
    tendons = np.isin(model.wrap_type, (mujoco.mjtWrap.mjWRAP_SITE,)).any()
    rays = (model.sensor_type == mujoco.mjtSensor.mjSENS_RANGEFINDER).any()
    cranks = (model.actuator_trntype == mujoco.mjtTrn.mjTRN_SLIDERCRANK).any()
    return bool(model.nskin or model.nflex or tendons or rays or cranks)


def _smooth(points: npt.ArrayLike, normals: npt.ArrayLike, uv: Rows | None) -> Triangles:
    """Returns triangles shaded by normals at their corners, [n, 3, 3], with texture coordinates [n, 3, 2] if given."""
    places = np.asarray(points, np.float64)
    corners = np.zeros((len(places), 16), np.float32)
    corners[:, :9] = np.asarray(normals, np.float32).reshape(-1, 9)
    if uv is not None:
        cross = np.cross(places[:, 1] - places[:, 0], places[:, 2] - places[:, 0])
        corners[:, 9:15] = uv.reshape(-1, 6)
        corners[:, 15] = texture_density(uv.astype(np.float64), np.linalg.norm(cross, axis=1))
    return Triangles(places, np.zeros(len(places), np.int32), corners)


def _along(axis: Floats) -> Floats:
    """Returns a rotation whose z axis is the given one."""
    quaternion, flat = np.empty(4), np.empty(9)
    mujoco.mju_quatZ2Vec(quaternion, axis)
    mujoco.mju_quat2Mat(flat, quaternion)
    return flat.reshape(3, 3)
