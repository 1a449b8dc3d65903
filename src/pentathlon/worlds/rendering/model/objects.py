"""The objects that can be seen: a model's geoms, then its sites, in one table."""

from __future__ import annotations

from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.worlds.rendering.kernels.arrays import (
    MAPPING_CORNERS,
    MAPPING_CUBE,
    MAPPING_NONE,
    MAPPING_PLANE,
)
from pentathlon.worlds.rendering.model.shapes import half_sizes
from pentathlon.worlds.rendering.model.watch import Watch

_GEOM: Final = mujoco.mjtGeom
MESH_TYPES: Final = (int(_GEOM.mjGEOM_MESH), int(_GEOM.mjGEOM_SDF))
_OWN_SHAPE: Final = (*MESH_TYPES, int(_GEOM.mjGEOM_HFIELD), int(_GEOM.mjGEOM_PLANE))  # not a scaled unit shape
_DEFAULT_RGBA: Final = np.array([0.5, 0.5, 0.5, 1.0], np.float32)  # means: take the material's
# A numeric field of this name makes every flat mirror reflect; MuJoCo knows only the first.
EVERY_MIRROR: Final = "every_mirror"
_PLAIN: Final = np.array([0.0, 0.5, 0.5, 0.0], np.float32)  # emission, specular, shininess, reflectance
_OPAQUE: Final = 0.995
_GROUPS: Final = 6

Bools = npt.NDArray[np.bool_]


class ObjectTable:
    """Reads what the renderer needs of geoms and sites. Arrays are views of the model wherever that is possible."""

    def __init__(self, model: mujoco.MjModel, geom_groups: npt.ArrayLike, site_groups: npt.ArrayLike) -> None:
        self._model = model
        self._shown = np.asarray(geom_groups, bool), np.asarray(site_groups, bool)
        self.count = model.ngeom + model.nsite
        self.types = self._read_types()
        self.bodies = np.concatenate([model.geom_bodyid, model.site_bodyid]).astype(np.int32)
        self._looks = Watch([
            model.geom_group, model.site_group,
            model.geom_rgba, model.geom_matid, model.site_rgba, model.site_matid, model.mat_rgba, model.mat_emission,
            model.mat_specular, model.mat_shininess, model.mat_reflectance, model.mat_texid, model.mat_texrepeat,
            model.mat_texuniform,
        ])  # fmt: skip
        self._geoms = Watch([model.geom_type, model.geom_size, model.geom_pos, model.geom_quat, model.geom_dataid])
        self._sites = Watch([model.site_type, model.site_size, model.site_pos, model.site_quat])
        self._heights = Watch([model.hfield_data])

    def looks_changed(self) -> bool:
        """Tells whether colours, materials or groups differ from those at the last call, and remembers them."""
        changed = self._looks.changed()
        if changed:
            self._looks.remember()
        return changed

    def reshaped(self) -> Bools:
        """Returns which objects' type, size, place, mesh or height field differs from that at the last call."""
        changed, geoms = np.zeros(self.count, bool), self._model.ngeom
        if self._geoms.changed():
            changed[:geoms] = self._geoms.changed_rows(geoms)
        if self._sites.changed():
            changed[geoms:] = self._sites.changed_rows(self.count - geoms)
        if changed.any():
            self.types = self._read_types()
        if self._heights.changed():
            self._heights.remember()
            changed |= self.types == _GEOM.mjGEOM_HFIELD
        return changed

    def _read_types(self) -> npt.NDArray[np.int32]:
        return np.concatenate([self._model.geom_type, self._model.site_type]).astype(np.int32)

    def _in_groups(self) -> Bools:
        """Returns which objects belong to a group that is shown."""
        groups = self._model.geom_group, self._model.site_group
        pairs = zip(self._shown, groups, strict=True)
        return np.concatenate([shown[np.clip(group, 0, _GROUPS - 1)] for shown, group in pairs])

    def endless_planes(self) -> Bools:
        """Returns which objects are planes without end in some direction."""
        endless: Bools = (self.types == _GEOM.mjGEOM_PLANE) & (self.sizes[:, :2] <= 0).any(axis=1)
        return endless

    @property
    def sizes(self) -> npt.NDArray[np.float64]:
        """Sizes as in the model, [objects, 3]."""
        return np.concatenate([self._model.geom_size, self._model.site_size])

    @property
    def materials_of(self) -> npt.NDArray[np.int32]:
        """The material's number for each object, or -1."""
        return np.concatenate([self._model.geom_matid, self._model.site_matid]).astype(np.int32)

    def materials(self) -> npt.NDArray[np.float32]:
        """Returns the `materials` rows: RGBA, emission, specular, shininess * 128, reflectance."""
        model, material = self._model, self.materials_of
        rgba = np.concatenate([model.geom_rgba, model.site_rgba]).astype(np.float32).reshape(-1, 4)
        rows = np.concatenate([rgba, np.tile(_PLAIN, (self.count, 1))], axis=1)
        has = np.flatnonzero(material >= 0)
        chosen = material[has]
        plain = (rgba[has] == _DEFAULT_RGBA).all(axis=1)
        rows[has[plain], :4] = model.mat_rgba[chosen[plain]]
        fields = (model.mat_emission, model.mat_specular, model.mat_shininess, model.mat_reflectance)
        for column, field in enumerate(fields, start=4):
            rows[has, column] = field[chosen]
        rows[:, 6] *= 128
        self._keep_one_mirror(rows)
        return np.ascontiguousarray(rows, np.float32)

    def _keep_one_mirror(self, rows: npt.NDArray[np.float32]) -> None:
        """Clears the reflectance of all but the first mirror, as MuJoCo does, unless the model asks for every one."""
        if any(self._model.numeric(i).name == EVERY_MIRROR for i in range(self._model.nnumeric)):
            return
        flat = np.isin(self.types, (_GEOM.mjGEOM_PLANE, _GEOM.mjGEOM_BOX))
        mirrors = flat & (rows[:, 7] > 0) & (rows[:, 3] >= _OPAQUE) & self._in_groups()
        keep = np.flatnonzero(mirrors)[:1]
        reflectance = rows[keep, 7]
        rows[:, 7] = 0
        rows[keep, 7] = reflectance

    def drawing_order(self, materials: npt.NDArray[np.float32]) -> npt.NDArray[np.int64]:
        """Returns when MuJoCo draws each object: the mirror first, then opaque ones by number, then clear ones."""
        turn = np.where(materials[:, 3] < _OPAQUE, 2, np.where(materials[:, 7] > 0, 0, 1))
        order = np.empty(self.count, np.int64)
        order[np.lexsort((np.arange(self.count), turn))] = np.arange(self.count)
        return order

    def visible(self, materials: npt.NDArray[np.float32]) -> Bools:
        """Returns which objects are shown: their group is, and their alpha is not zero."""
        return self._in_groups() & (materials[:, 3] > 0)

    def textures(self) -> npt.NDArray[np.int32]:
        """Returns the `object_texture` rows: texture and mapping."""
        model, material = self._model, self.materials_of
        rows = np.full((max(1, self.count), 2), (-1, MAPPING_NONE), np.int32)
        for obj in np.flatnonzero(material >= 0):
            texture = int(model.mat_texid[material[obj], mujoco.mjtTextureRole.mjTEXROLE_RGB])
            if texture >= 0:
                rows[obj] = texture, self._mapping(int(obj), texture)
        return rows

    def _mapping(self, obj: int, texture: int) -> int:
        flat = self._model.tex_type[texture] == mujoco.mjtTexture.mjTEXTURE_2D
        if self._has_texcoords(obj):
            return MAPPING_CORNERS if flat else MAPPING_NONE  # OpenGL has no such cube, and shows none
        return MAPPING_PLANE if flat else MAPPING_CUBE

    def _has_texcoords(self, obj: int) -> bool:
        if self.types[obj] not in MESH_TYPES or obj >= self._model.ngeom:
            return False
        mesh = self._model.geom_dataid[obj]
        return bool(mesh >= 0 and self._model.mesh_texcoordadr[mesh] >= 0)

    def texture_scales(self, textures: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
        """Returns [objects, 8]: scale and offset from the object's own x, y, z to texture coordinates, knee, slope.

        The two last describe a capsule's caps: along z, MuJoCo scales them by the radius and the tube by its length.
        """
        model, material, sizes = self._model, self.materials_of, self.sizes
        rows = np.zeros((max(1, self.count), 8))
        rows[:, 6], rows[:, 7] = np.inf, 1.0
        for obj in np.flatnonzero(np.isin(textures[: self.count, 1], (MAPPING_PLANE, MAPPING_CUBE))):
            half = half_sizes(self.types[obj], sizes[obj])
            inverse = np.array([1 / side if side > 0 else 1.0 for side in half])
            uniform = bool(model.mat_texuniform[material[obj]])
            if textures[obj, 1] == MAPPING_PLANE:
                scale = np.ones(3) if uniform else inverse
                repeat = model.mat_texrepeat[material[obj]]
                rows[obj, :6] = 0.5 * repeat[0] * scale[0], -0.5 * repeat[1] * scale[1], 0, -0.5, -0.5, 0
                continue
            if self.types[obj] in _OWN_SHAPE:
                rows[obj, :3] = half if uniform else 1.0
            else:
                rows[obj, :3] = 1.0 if uniform else inverse
            if self.types[obj] == _GEOM.mjGEOM_CAPSULE:
                rows[obj, 6:8] = half[2] * rows[obj, 2], half[2] * inverse[0]
        return rows
