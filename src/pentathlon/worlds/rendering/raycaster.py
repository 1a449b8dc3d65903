"""Renders any MuJoCo model on the CPU: colour, metric depth and object ids in one pass, without OpenGL."""

from __future__ import annotations

import concurrent.futures
import weakref
from collections.abc import Callable, Sequence
from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.core.closing import Closing
from pentathlon.core.errors import UsageError
from pentathlon.worlds.rendering.cameras import Camera, CameraPose, camera_row, check_size, pose_rows
from pentathlon.worlds.rendering.eyes import RendererInfo
from pentathlon.worlds.rendering.frame import Frame
from pentathlon.worlds.rendering.kernels import find_edges, trace_image
from pentathlon.worlds.rendering.kernels.arrays import SceneArrays
from pentathlon.worlds.rendering.kernels.image import FIRST_RAYS, SMOOTH_EDGES, ImageArrays
from pentathlon.worlds.rendering.kernels.packet import new_packet
from pentathlon.worlds.rendering.model.scene import Groups, Scene
from pentathlon.worlds.rendering.model.undrawn import say_undrawn
from pentathlon.worlds.rendering.rays import RayOptions
from pentathlon.worlds.rendering.settings import RenderSetting, find_setting

RAYCAST_VERSION: Final = "4"  # a change of any pixel is a new version
DEFAULT_GROUPS: Final = (True, True, True, False, False, False)  # as MuJoCo shows geoms and sites
NATIVE_RAYS: Final = RayOptions()
_COHERENT: Final = 1 << 16  # tells Embree that the rays of a packet go the same way
_ANY_FEATURE: Final = 0xFFFFFFFF
SAMPLE_OFFSETS: Final = {
    4: ((0.375, 0.125), (0.875, 0.375), (0.125, 0.625), (0.625, 0.875)),  # no two in one row or column
    9: tuple(((3 * x + y + 0.5) / 9, (3 * y + 2 - x + 0.5) / 9) for x in range(3) for y in range(3)),
}


class Raycaster(Closing):
    """Sees an MjModel through cameras.

    What changes in the model or data between two calls is noticed: poses, colours, materials, groups, lights, types,
    sizes, places, mesh choices, height fields. After writing into `model.mesh_*` or `model.tex_data`, call `refresh`.

    Args:
        model: any model; it is kept and read at every call.
        setting: `fast`, `fine`, one of their versioned ids, or a `RenderSetting`.
        geom_groups: which of the six groups of geoms are shown; an MjvOption's `geomgroup` fits.
        site_groups: the same for sites.
        threads: how many threads render one picture. Many processes with one thread each are faster than the reverse.
        extras: which tendons, skins, flexes and rays of rangefinders are shown; as MuJoCo shows them when None.
        rays: what to shoot rays with, for tests and measurements.
    """

    def __init__(
        self,
        model: mujoco.MjModel,
        setting: str | RenderSetting = "fast",
        *,
        geom_groups: Groups = DEFAULT_GROUPS,
        site_groups: Groups = DEFAULT_GROUPS,
        threads: int = 1,
        extras: mujoco.MjvOption | None = None,
        rays: RayOptions = NATIVE_RAYS,
    ) -> None:
        if threads < 1:
            raise UsageError(f"Expected at least one thread, got {threads}.")
        for name, groups in (("geom_groups", geom_groups), ("site_groups", site_groups)):
            if np.shape(groups) != (6,):
                raise UsageError(f"Expected {name} to tell six groups, got an array of shape {np.shape(groups)}.")
        self.setting = find_setting(setting)
        self._model = model
        option = mujoco.MjvOption() if extras is None else extras
        say_undrawn(model, option)
        self._scene = Scene(model, self.setting, geom_groups, site_groups, option, rays)
        self._packets = [new_packet() for _ in range(threads)]
        self._arguments = _query_arguments()
        self._offsets = np.array(SAMPLE_OFFSETS.get(self.setting.samples_per_pixel, ((0.5, 0.5),)), np.float32)
        self._edges = np.zeros(0, np.int64)
        self._sums = np.zeros((0, 3), np.float32)
        self._shade = np.zeros((0, 0), np.uint8)
        self._pool = concurrent.futures.ThreadPoolExecutor(threads) if threads > 1 else None
        if self._pool is not None:
            self._stop_pool = weakref.finalize(self, self._pool.shutdown)

    def close(self) -> None:
        """Gives all memory back; safe to call twice."""
        self._scene.close()
        if self._pool is not None:
            self._stop_pool()

    def refresh(self) -> None:
        """Lets meshes and textures be read anew from the model at the next call."""
        self._check_open()
        self._scene.refresh()

    @property
    def info(self) -> RendererInfo:
        """What to record beside results that depend on these pictures."""
        return RendererInfo("raycast", RAYCAST_VERSION, self.setting.id)

    @property
    def ray_width(self) -> int:
        """How many rays Embree takes in one call: 16, 8 or 4."""
        return self._scene.ray_width

    @property
    def memory_bytes(self) -> int:
        """Memory of the scene's arrays and of the work space; Embree's trees, about as large again, are not counted."""
        own = sum(packet.nbytes for packet in self._packets) + self._edges.nbytes
        own += self._sums.nbytes + self._shade.nbytes
        return self._scene.nbytes + own

    def render(
        self, data: mujoco.MjData, camera: Camera = -1, size: tuple[int, int] = (224, 224), *, out: Frame | None = None
    ) -> Frame:
        """Returns what a camera sees.

        Args:
            data: the state; call `mujoco.mj_forward` first after changing it by hand.
            camera: a name, an id (-1 is MuJoCo's free camera), an MjvCamera or a `CameraPose`.
            size: width and height in pixels.
            out: a frame of that size to write into, so that nothing is allocated.
        """
        self._check_open()
        size = check_size(size)
        frame = Frame.empty(size) if out is None else _checked(out, (size[1], size[0]))
        scene = self._scene.update(data)
        row = camera_row(self._model, data, camera, size)
        self._picture(scene, row, frame.rgb, frame.depth_m, frame.geom_id)
        return frame

    def render_poses(
        self,
        data: mujoco.MjData,
        poses: Sequence[CameraPose],
        size: tuple[int, int] = (224, 224),
        *,
        out: Frame | None = None,
    ) -> Frame:
        """Returns what many cameras see of one state, with a leading axis over them.

        Args:
            data: the state.
            poses: of the N cameras.
            size: width and height in pixels.
            out: a frame with N pictures of that size to write into.
        """
        self._check_open()
        size = check_size(size)
        rows = pose_rows(poses, size)
        count = len(rows)
        frames = Frame.empty(size, count) if out is None else _checked(out, (count, size[1], size[0]))
        scene = self._scene.update(data)
        for i, row in enumerate(rows):
            self._picture(scene, row, frames.rgb[i], frames.depth_m[i], frames.geom_id[i])
        return frames

    def _picture(
        self,
        scene: SceneArrays,
        camera: npt.NDArray[np.float32],
        rgb: npt.NDArray[np.uint8],
        depth_m: npt.NDArray[np.float32],
        geom_id: npt.NDArray[np.int32],
    ) -> None:
        self._scene.lights.aim_headlight(camera)
        setting = self.setting
        options = (setting.shadows, setting.reflections, setting.textures)

        self._fit_work_space(geom_id.shape)
        image = ImageArrays(rgb, depth_m, geom_id, self._shade, self._edges, self._sums, self._offsets)

        def trace(job: int, worker: int, first: int, last: int) -> None:
            packet = self._packets[worker]
            handles = *self._scene.handles, self._arguments.ctypes.data, packet.ctypes.data, self._scene.ray_width
            trace_image(packet, scene, camera, options, handles, image, job, first, last)

        self._share(trace, FIRST_RAYS, rgb.shape[0], step=4)
        if setting.samples_per_pixel > 1:
            count = find_edges(self._shade, geom_id, setting.edge_contrast // 2, self._edges)
            self._share(trace, SMOOTH_EDGES, count, step=1)

    def _fit_work_space(self, shape: tuple[int, ...]) -> None:
        """Fits the brightness image and the edge list to pictures of this shape."""
        if self._shade.shape != shape:
            self._shade = np.zeros(shape, np.uint8)
            if self.setting.samples_per_pixel > 1:
                self._edges = np.zeros(self._shade.size, np.int64)
                self._sums = np.zeros((self._shade.size, 3), np.float32)

    def _share(self, work: _Work, job: int, count: int, step: int) -> None:
        """Splits `count` items of a job into one range for each thread, in multiples of `step`."""
        if self._pool is None:
            work(job, 0, 0, count)
            return
        workers = len(self._packets)
        each = -(-count // (workers * step)) * step
        ranges = [(i, i * each, min((i + 1) * each, count)) for i in range(workers) if i * each < count]
        for future in [self._pool.submit(work, job, *span) for span in ranges]:
            future.result()

    def _check_open(self) -> None:
        if not self._scene.close.alive:
            raise UsageError("Expected an open Raycaster, got one after close(). Make a new one.")


_Work = Callable[[int, int, int, int], None]


def _query_arguments() -> npt.NDArray[np.uint32]:
    """Returns Embree's RTCIntersectArguments, which RTCOccludedArguments equals in the fields that are set."""
    arguments = np.zeros(16, np.uint32)
    arguments[0], arguments[1] = _COHERENT, _ANY_FEATURE
    return arguments


def _checked(frame: Frame, shape: tuple[int, ...]) -> Frame:
    """Returns a frame to write into, if it has this shape."""
    fields = ((frame.rgb, (*shape, 3), np.uint8), (frame.depth_m, shape, np.float32), (frame.geom_id, shape, np.int32))
    for array, wanted, kind in fields:
        if array.shape != wanted or array.dtype != kind or not array.flags.c_contiguous:
            raise UsageError(
                f"Expected `out` to hold contiguous {np.dtype(kind).name} arrays of shape {wanted}, "
                f"got {array.dtype.name} {array.shape}. Frame.empty makes a fitting one."
            )
    return frame
