"""MuJoCo's own OpenGL renderer behind the same interface as the ray caster, as the reference to compare with."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.core.closing import Closing
from pentathlon.core.errors import UnknownIdError, UsageError
from pentathlon.worlds.rendering.cameras import Camera, CameraPose
from pentathlon.worlds.rendering.eyes import RendererInfo
from pentathlon.worlds.rendering.frame import Frame
from pentathlon.worlds.rendering.model.numbering import Numbering
from pentathlon.worlds.rendering.opengl.probe import use_working_backend


@dataclass(frozen=True)
class OpenGLSetting:
    """How MuJoCo draws.

    Attributes:
        name: recorded with results.
        shadows: draw the shadows of every light that casts them.
        reflections: mirror the scene in reflective planes and boxes.
        haze: fade endless planes into the sky near the horizon.
        samples_per_pixel: multisampling; the model's own `offsamples` when None.
    """

    name: str
    shadows: bool = True
    reflections: bool = True
    haze: bool = True
    samples_per_pixel: int | None = None


SETTINGS: Final[dict[str, OpenGLSetting]] = {
    "fast": OpenGLSetting("fast", shadows=False, reflections=False, haze=False, samples_per_pixel=0),
    "fine": OpenGLSetting("fine"),
}


class OpenGLEyes(Closing):
    """Renders one model through `mujoco.Renderer`: three passes give colour, depth and ids.

    Changes of the model's textures, meshes and visual quality after the first picture are not seen, as in MuJoCo.
    """

    def __init__(self, model: mujoco.MjModel, setting: str | OpenGLSetting = "fine") -> None:
        if isinstance(setting, str) and setting not in SETTINGS:
            raise UnknownIdError("OpenGL setting", setting, SETTINGS)
        self.model = model
        self._numbering = Numbering(model)
        self.setting = SETTINGS[setting] if isinstance(setting, str) else setting
        self.backend = use_working_backend()
        self._renderer: mujoco.Renderer | None = None
        self._closed = False

    @property
    def info(self) -> RendererInfo:
        """What to record beside results that depend on these pictures."""
        return RendererInfo("opengl", f"mujoco-{mujoco.__version__}-{self.backend or 'native'}", self.setting.name)

    def render(self, data: mujoco.MjData, camera: Camera = -1, size: tuple[int, int] = (224, 224)) -> Frame:
        """Returns what a camera of the model, or a free one, sees; see `Eyes.render`."""
        if isinstance(camera, CameraPose):
            batch = self.render_poses(data, [camera], size)
            return Frame(batch.rgb[0], batch.depth_m[0], batch.geom_id[0])
        renderer = self._sized(size)
        renderer.update_scene(data, self._checked(camera))
        return self._draw(renderer)

    def render_poses(
        self, data: mujoco.MjData, poses: Sequence[CameraPose], size: tuple[int, int] = (224, 224)
    ) -> Frame:
        """Returns a batch seen from many poses, drawn one after the other; see `Eyes.render_poses`."""
        renderer = self._sized(size)
        frames = []
        for pose in poses:
            if pose.height_m is not None:
                raise UsageError("Expected a camera with perspective for OpenGL, got an orthographic pose.")
            position_m, rotation = np.asarray(pose.position_m, float), np.asarray(pose.camera_to_world, float)
            renderer.update_scene(data, _free_camera(position_m, rotation))
            _aim(renderer.scene, rotation, pose.fovy_deg)
            frames.append(self._draw(renderer))
        return Frame(*(np.stack(parts) for parts in zip(*((f.rgb, f.depth_m, f.geom_id) for f in frames), strict=True)))

    def close(self) -> None:
        """Frees the OpenGL context."""
        self._closed = True
        if self._renderer is not None:
            self._renderer.close()
            self._renderer = None

    def _checked(self, camera: str | int | mujoco.MjvCamera) -> str | int | mujoco.MjvCamera:
        if isinstance(camera, str):
            names = [self.model.camera(i).name for i in range(self.model.ncam)]
            if camera not in names:
                raise UnknownIdError("camera", camera, names)
        return camera

    def _sized(self, size: tuple[int, int]) -> mujoco.Renderer:
        """Returns the renderer, made anew when the picture's size changes."""
        width, height = size
        if self._closed:
            raise UsageError("These eyes are closed. Open new ones with open_eyes(model).")
        if width < 1 or height < 1:
            raise UsageError(f"Expected a picture of at least 1x1 pixels, got {width}x{height}.")
        if self._renderer is None or (self._renderer.width, self._renderer.height) != size:
            if self._renderer is not None:
                self._renderer.close()
            with _framebuffer(self.model, size, self.setting.samples_per_pixel):
                self._renderer = mujoco.Renderer(self.model, height, width)
            self._renderer.scene.flags[mujoco.mjtRndFlag.mjRND_SHADOW] = self.setting.shadows
            self._renderer.scene.flags[mujoco.mjtRndFlag.mjRND_REFLECTION] = self.setting.reflections
            self._renderer.scene.flags[mujoco.mjtRndFlag.mjRND_HAZE] = self.setting.haze
        return self._renderer

    def _draw(self, renderer: mujoco.Renderer) -> Frame:
        rgb = renderer.render()
        renderer.enable_depth_rendering()
        depth_m = self._flat_depth(renderer) if renderer.scene.camera[0].orthographic else renderer.render()
        renderer.enable_segmentation_rendering()
        pairs = renderer.render()
        geom_id = self._numbering.ids(pairs[..., 0], pairs[..., 1])
        renderer.disable_segmentation_rendering()
        return Frame(rgb, np.where(geom_id < 0, np.float32(0), depth_m), geom_id)

    def _flat_depth(self, renderer: mujoco.Renderer) -> npt.NDArray[np.float32]:
        """Returns depth of an orthographic camera, for which `mujoco.Renderer` applies the formula of perspective.

        Its result is undone to the depth buffer's value, 1 at the near plane and 0 at the far plane, both in metres.
        """
        extent_m = self.model.stat.extent
        near_m, far_m = self.model.vis.map.znear * extent_m, self.model.vis.map.zfar * extent_m
        wrong_m = np.asarray(renderer.render(), np.float64)
        buffer = (near_m * far_m / wrong_m - near_m) / (far_m - near_m)
        return np.asarray(far_m - buffer * (far_m - near_m), np.float32)


@contextmanager
def _framebuffer(model: mujoco.MjModel, size: tuple[int, int], samples: int | None) -> Iterator[None]:
    """Lends the model the wanted framebuffer, because MuJoCo takes its size from the model's XML."""
    whole, quality = model.vis.global_, model.vis.quality
    before = whole.offwidth, whole.offheight, quality.offsamples
    whole.offwidth, whole.offheight = max(size[0], whole.offwidth), max(size[1], whole.offheight)
    quality.offsamples = quality.offsamples if samples is None else samples
    try:
        yield
    finally:
        whole.offwidth, whole.offheight, quality.offsamples = before


def _free_camera(position_m: npt.NDArray[np.float64], rotation: npt.NDArray[np.float64]) -> mujoco.MjvCamera:
    """Returns MuJoCo's free camera at that place and in that direction; roll is left to `_aim`."""
    forward = -rotation[:, 2]
    camera = mujoco.MjvCamera()
    camera.lookat[:] = position_m + forward
    camera.distance = 1.0
    camera.azimuth = math.degrees(math.atan2(forward[1], forward[0]))
    camera.elevation = math.degrees(math.asin(np.clip(forward[2], -1.0, 1.0)))
    return camera


def _aim(scene: mujoco.MjvScene, rotation: npt.NDArray[np.float64], fovy_deg: float) -> None:
    """Gives the scene's (left and right) camera the exact direction, roll and field of view."""
    for camera in scene.camera:
        camera.forward[:], camera.up[:] = -rotation[:, 2], rotation[:, 1]
        top = camera.frustum_near * math.tan(math.radians(fovy_deg) / 2)
        camera.frustum_top, camera.frustum_bottom = top, -top
        camera.frustum_center = camera.frustum_width = 0.0
