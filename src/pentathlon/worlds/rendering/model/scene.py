"""The scene of one model: its parts in Embree and its flat arrays, kept equal to an MjModel and an MjData."""

from __future__ import annotations

import weakref
from typing import Final, NamedTuple, TypeVar

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import UsageError
from pentathlon.worlds.rendering.kernels import arrays as a
from pentathlon.worlds.rendering.kernels import place_planes, place_textures
from pentathlon.worlds.rendering.kernels.arrays import SceneArrays
from pentathlon.worlds.rendering.kernels.motion import ALL_MOVED, BAD_POSE
from pentathlon.worlds.rendering.model.built import BuiltScene
from pentathlon.worlds.rendering.model.coincidence import Flats, plane_flats
from pentathlon.worlds.rendering.model.extras import ExtraObjects, Extras
from pentathlon.worlds.rendering.model.lights import LightTable
from pentathlon.worlds.rendering.model.numbering import Numbering
from pentathlon.worlds.rendering.model.objects import ObjectTable
from pentathlon.worlds.rendering.model.parts import STATIC
from pentathlon.worlds.rendering.model.textures import texture_arrays
from pentathlon.worlds.rendering.rays import RayOptions
from pentathlon.worlds.rendering.settings import RenderSetting

_SKY_REACH: Final = 0.7  # of the far distance: where MuJoCo draws its sky
Groups = npt.ArrayLike
_Number = TypeVar("_Number", np.float32, np.int32)


class Scene:
    """Follows a model: `update` notices what changed and rebuilds as little as it can.

    Colours, materials, groups, lights, types, sizes, places, mesh choices, height fields and static bodies that move
    are noticed.
    New contents of meshes and textures are read after `refresh`.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        setting: RenderSetting,
        geom_groups: Groups,
        site_groups: Groups,
        option: mujoco.MjvOption,
        rays: RayOptions,
    ) -> None:
        self._model = model
        self._numbering = Numbering(model)
        self._extras = ExtraObjects(model, self._numbering, option)
        self._table = ObjectTable(model, geom_groups, site_groups)
        self._built = BuiltScene(model, self._table, rays)
        self.lights = LightTable(model, setting)
        self._moving = _moving_bodies(model)
        self._textures = texture_arrays(model)
        self._arrays: SceneArrays | None = None
        self._visible = np.zeros(self._table.count, bool)
        self._scales = np.zeros((1, 8))
        self._textured = np.zeros(0, np.int64)
        self._plane_lifts = np.zeros(0)
        self.close = weakref.finalize(self, self._built.close)

    @property
    def handles(self) -> tuple[int, int]:
        """Embree's scenes of what is still and of what moves; 0 for an empty one."""
        return self._built.handles

    @property
    def built(self) -> BuiltScene:
        """The parts, for ray casters that keep trees of their own."""
        return self._built

    @property
    def ray_width(self) -> int:
        """How many rays one query of that scene takes."""
        return self._built.ray_width

    @property
    def nbytes(self) -> int:
        """Memory of the flat arrays and of the geometry given to Embree; its trees take about as much again."""
        arrays = 0 if self._arrays is None else self._arrays.nbytes()
        return arrays + sum(part.nbytes for part in self._built.parts.values())

    def refresh(self) -> None:
        """Lets everything be read anew at the next update, the contents of meshes and textures included."""
        self._built.builder.forget_meshes()
        self._textures = texture_arrays(self._model)
        self._arrays = None

    def update(self, data: mujoco.MjData) -> SceneArrays:
        """Returns the arrays of the scene in the state of `data`."""
        check_data(self._model, data)
        looks, reshaped = self._table.looks_changed(), self._table.reshaped()
        if self._arrays is None:
            self._rebuild(data, set(self._body_keys()))
        elif looks or reshaped.any():
            materials = self._table.materials()
            dirty = reshaped | (self._table.visible(materials) != self._visible) | self._reordered(materials)
            if dirty.any():
                self._rebuild(data, {int(key) for key in self._body_keys()[dirty]})
            else:
                self._arrays = self._arrays._replace(**self._looks(materials)._asdict())
        self._move(data)
        return self._state(data)

    def _reordered(self, materials: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
        """Returns which objects share a place with others and are drawn at another turn than before."""
        changed = np.zeros(self._table.count, bool)
        lifted = list(self._built.builder.steps)
        if lifted:
            changed[lifted] = (self._table.drawing_order(materials) != self._built.builder.order).any()
        return changed

    def _body_keys(self) -> npt.NDArray[np.int32]:
        """Returns for each object the body whose part it belongs to."""
        bodies = self._table.bodies
        return np.where(self._moving[bodies], bodies, STATIC).astype(np.int32)

    def _looks(self, materials: npt.NDArray[np.float32]) -> _Looks:
        object_texture = _padded(self._table.textures(), self._numbering.count)
        self._scales = self._table.texture_scales(object_texture)
        self._textured = np.flatnonzero(np.isin(object_texture[:, 1], (a.MAPPING_PLANE, a.MAPPING_CUBE)))
        texture_maps = np.zeros((len(object_texture), 14), np.float32)
        texture_maps[: len(self._scales), 12:14] = self._scales[:, 6:8]
        return _Looks(_padded(materials, self._numbering.count), object_texture, texture_maps)

    def _rebuild(self, data: mujoco.MjData, dirty: set[int]) -> None:
        """Builds the parts of these bodies (STATIC for the static one) anew, and the arrays of all."""
        poses = _poses(data)
        materials = self._table.materials()
        self._visible = self._table.visible(materials)
        endless = self._table.endless_planes() & self._visible
        shown = np.flatnonzero(self._visible & ~endless)
        keys = self._body_keys()[shown]
        wanted = {int(key): shown[keys == key] for key in np.unique(keys)}
        self._built.builder.order = self._table.drawing_order(materials)
        self._built.replace(wanted, dirty, poses, self._static_planes(data, endless))
        self._arrays = self._joined(materials, np.flatnonzero(endless))
        self._built.forget_poses(poses, self._moving)

    def _static_planes(self, data: mujoco.MjData, endless: npt.NDArray[np.bool_]) -> Flats:
        """Returns the planes without end that do not move."""
        geoms = self._model.ngeom
        planes = np.flatnonzero(endless[:geoms] & ~self._moving[self._table.bodies[:geoms]])
        return plane_flats(planes, data.geom_xpos[planes], data.geom_xmat[planes][:, [2, 5, 8]])

    def _joined(self, materials: npt.NDArray[np.float32], endless: npt.NDArray[np.intp]) -> SceneArrays:
        parts = list(self._built.parts.values())
        triangles, corners = [], []
        corner_count = 0
        for part in parts:
            rows = part.triangles.copy()
            rows[rows[:, 1] >= 0, 1] += corner_count
            corner_count += len(part.corners)
            triangles.append(rows)
            corners.append(part.corners)
        firsts = np.zeros((len(parts), 2), np.int32)
        firsts[1:, 0] = np.cumsum([len(part.triangles) for part in parts])[:-1]
        firsts[1:, 1] = np.cumsum([len(part.quadrics) for part in parts])[:-1]
        planes = np.zeros((len(endless), a.PLANE_FLOATS), np.float32)
        sizes = self._table.sizes[endless, :2]
        planes[:, a.PLANE_HALF :] = np.where(sizes > 0, sizes, np.inf)
        builder = self._built.builder
        self._plane_lifts = np.array([builder.step_m * builder.steps.get(int(obj), 0) for obj in endless], np.float64)
        sky = np.flatnonzero(self._model.tex_type == mujoco.mjtTexture.mjTEXTURE_SKYBOX)
        looks = self._looks(materials)
        return SceneArrays(
            part_first=firsts,
            part_rotation=self._built.rotations,
            triangles=np.concatenate(triangles),
            corners=np.concatenate(corners),
            quadrics=np.concatenate([part.quadrics for part in parts]),
            planes=planes,
            plane_objects=endless.astype(np.int32),
            lines=np.zeros((0, 7), np.float32),
            line_objects=np.zeros(0, np.int32),
            materials=looks.materials,
            object_texture=looks.object_texture,
            texture_maps=looks.texture_maps,
            texture_levels=self._textures.levels,
            texture_counts=self._textures.counts,
            texels=self._textures.texels,
            lights=self.lights.rows,
            limits=np.zeros(4, np.float32),
            sky=np.array([sky[0] if len(sky) else -1], np.int32),
        )

    def _move(self, data: mujoco.MjData) -> None:
        """Moves parts to their bodies; a static body that moved becomes a part of its own."""
        state, body = self._built.move(data, ~self._moving)
        if state == BAD_POSE:
            name = self._model.body(body).name or body
            raise UsageError(f"Expected finite poses, got one that is not for body {name!r}. Did the physics diverge?")
        if state != ALL_MOVED:
            changed = (self._built.seen != _poses(data)).any(axis=1) & ~self._moving
            self._moving |= changed
            self._rebuild(data, {STATIC, *map(int, np.flatnonzero(changed))})
            self._built.move(data, ~self._moving)

    def _state(self, data: mujoco.MjData) -> SceneArrays:
        """Returns the arrays with what changes from frame to frame filled in."""
        scene, model = self._arrays, self._model
        assert scene is not None
        place_textures(
            self._textured, self._scales, model.ngeom, data.geom_xpos, data.geom_xmat, data.site_xpos, data.site_xmat,
            scene.texture_maps,
        )  # fmt: skip
        place_planes(scene.plane_objects, data.geom_xpos, data.geom_xmat, self._plane_lifts, scene.planes)
        self.lights.update(data)
        far = model.vis.map.zfar * model.stat.extent
        sky = _SKY_REACH * far if scene.sky[0] >= 0 else 0.0
        scene.limits[:] = model.vis.map.znear * model.stat.extent, far, sky, self.lights.ambient
        scene = scene._replace(lights=self.lights.rows)
        return self._with_extras(scene, self._extras.read(data)) if self._extras.present else scene

    def _with_extras(self, scene: SceneArrays, extras: Extras) -> SceneArrays:
        """Returns the arrays with what has a new shape in every state as the last part."""
        part = self._built.replace_extras(extras)
        for obj, row in extras.materials.items():
            scene.materials[obj] = row
        for obj, texture in extras.textures.items():
            scene.object_texture[obj] = texture, a.MAPPING_CORNERS
        triangles = part.triangles.copy()
        triangles[triangles[:, 1] >= 0, 1] += len(scene.corners)
        first = np.array([[len(scene.triangles), len(scene.quadrics)]], np.int32)
        return scene._replace(
            part_first=np.concatenate([scene.part_first, first]),
            part_rotation=np.concatenate([scene.part_rotation, np.eye(3, dtype=np.float32).reshape(1, 9)]),
            triangles=np.concatenate([scene.triangles, triangles]),
            corners=np.concatenate([scene.corners, part.corners]),
            quadrics=np.concatenate([scene.quadrics, part.quadrics]),
            lines=np.array(extras.lines, np.float32).reshape(-1, 7),
            line_objects=np.array(extras.line_objects, np.int32),
        )


class _Looks(NamedTuple):
    """The arrays that depend on colours, materials and sizes."""

    materials: npt.NDArray[np.float32]
    object_texture: npt.NDArray[np.int32]
    texture_maps: npt.NDArray[np.float32]


def _padded(rows: npt.NDArray[_Number], count: int) -> npt.NDArray[_Number]:
    """Returns the rows, followed by zeros for objects that have theirs in every state anew."""
    padded = np.zeros((max(len(rows), count, 1), rows.shape[1]), rows.dtype)
    padded[: len(rows)] = rows
    return padded


def check_data(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Refuses data of a model of another structure, whose arrays would be read beyond their ends."""
    if data.signature != model.signature:
        made_for = data.model
        raise UsageError(
            f"Expected an MjData of this renderer's model ({model.nbody} bodies, {model.ngeom} geoms), got one of "
            f"another model ({made_for.nbody} bodies, {made_for.ngeom} geoms). Make it by mujoco.MjData(model)."
        )


def _moving_bodies(model: mujoco.MjModel) -> npt.NDArray[np.bool_]:
    """Returns which bodies can move: those not welded to the world, and mocap bodies with what hangs on them."""
    moving = np.zeros(model.nbody, bool)
    for body in range(1, model.nbody):
        loose = model.body_weldid[body] != 0 or model.body_mocapid[body] >= 0
        moving[body] = loose or moving[model.body_parentid[body]]
    return moving


def _poses(data: mujoco.MjData) -> npt.NDArray[np.float64]:
    """Returns positions and rotations of all bodies, [bodies, 12]."""
    poses = np.hstack([data.xpos, data.xmat])
    if not poses[0, 3:].any():
        raise UsageError("Expected an MjData with poses, got a fresh one. Call mujoco.mj_forward(model, data) first.")
    return poses
