"""A drop-in for `mujoco.Renderer` on the ray caster: existing code changes one import.

    from pentathlon.worlds.rendering.compat import Renderer

Shapes, types, backgrounds and errors are MuJoCo's. Two things differ: pictures may be larger than the model's
framebuffer, and there is no `scene` to add decoration to.
"""

from __future__ import annotations

from typing import Any, NoReturn

import mujoco
import numpy as np
import numpy.typing as npt

from pentathlon.core.closing import Closing
from pentathlon.core.errors import UsageError
from pentathlon.worlds.rendering.frame import Frame
from pentathlon.worlds.rendering.model.numbering import Numbering
from pentathlon.worlds.rendering.model.undrawn import say_undrawn
from pentathlon.worlds.rendering.raycaster import Raycaster


class BadCallError(UsageError, ValueError):
    """A wrong argument, where `mujoco.Renderer` raises ValueError."""


class ClosedError(UsageError, RuntimeError):
    """Use after close, where `mujoco.Renderer` raises RuntimeError."""


class Renderer(Closing):
    """Renders MuJoCo scenes by ray casting; see `mujoco.Renderer` for the interface."""

    def __init__(
        self,
        model: mujoco.MjModel,
        height: int = 240,
        width: int = 320,
        max_geom: int = 10000,
        font_scale: Any = None,
        setting: str = "fine",
    ) -> None:
        """Opens the renderer.

        Args:
            model: any MuJoCo model.
            height: in pixels.
            width: in pixels.
            max_geom: accepted for compatibility; there is no limit.
            font_scale: accepted for compatibility; no text is drawn.
            setting: the ray caster's setting; `fine` has shadows and smooth edges as MuJoCo's default has.
        """
        del max_geom, font_scale
        self._model, self._height, self._width = model, height, width
        self._setting = setting
        self._numbering = Numbering(model)
        self._eyes: dict[tuple[bytes, ...], Raycaster] | None = {}  # one for each choice of what is shown
        say_undrawn(model, mujoco.MjvOption())
        self._frame = Frame.blank((width, height))
        self._mode = "colour"

    @property
    def model(self) -> mujoco.MjModel:
        """The model that is rendered."""
        return self._model

    @property
    def height(self) -> int:
        """Height of the pictures in pixels."""
        return self._height

    @property
    def width(self) -> int:
        """Width of the pictures in pixels."""
        return self._width

    @property
    def scene(self) -> NoReturn:
        """Not there: a ray caster has no list of OpenGL geoms."""
        raise UsageError("The ray-cast Renderer has no scene to edit. For added decoration use mujoco.Renderer.")

    def enable_depth_rendering(self) -> None:
        """Makes `render` return depth in metres."""
        self._mode = "depth"

    def disable_depth_rendering(self) -> None:
        """Makes `render` return colour, unless segmentation is on."""
        self._mode = "colour" if self._mode == "depth" else self._mode

    def enable_segmentation_rendering(self) -> None:
        """Makes `render` return (object id, object type) pairs."""
        self._mode = "segmentation"

    def disable_segmentation_rendering(self) -> None:
        """Makes `render` return colour, unless depth is on."""
        self._mode = "colour" if self._mode == "segmentation" else self._mode

    def update_scene(
        self,
        data: mujoco.MjData,
        camera: int | str | mujoco.MjvCamera = -1,
        scene_option: mujoco.MjvOption | None = None,
    ) -> None:
        """Takes the picture that the next `render` calls return, all modes at once.

        Raises:
            BadCallError: no such camera.
        """
        eyes = self._showing(scene_option or mujoco.MjvOption())
        eyes.render(data, self._checked(camera), (self._width, self._height), out=self._frame)

    def render(self, *, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """Returns colour uint8 `[H, W, 3]`, depth float32 `[H, W]` or segmentation int32 `[H, W, 2]`.

        Raises:
            ClosedError: called after close.
            BadCallError: `out` has another shape.
        """
        if self._eyes is None:
            raise ClosedError("render cannot be called after close.")
        shape = (self._height, self._width) if self._mode == "depth" else (self._height, self._width, 3)
        if out is not None and out.shape != shape:
            raise BadCallError(f"Expected `out.shape == {shape}` for {self._mode} rendering, got {out.shape}.")
        if self._mode == "segmentation":  # as MuJoCo does, `out` is only checked: the result has two channels
            return self._numbering.pairs(self._frame.geom_id)
        picture: npt.NDArray[Any] = self._frame.rgb if self._mode == "colour" else self._depth()
        if out is None:
            return picture.copy()
        out[:] = picture
        return out

    def close(self) -> None:
        """Frees everything; may be called twice."""
        for eyes in (self._eyes or {}).values():
            eyes.close()
        self._eyes = None

    def _showing(self, option: mujoco.MjvOption) -> Raycaster:
        if self._eyes is None:
            raise ClosedError("update_scene cannot be called after close.")
        fields = (option.geomgroup, option.sitegroup, option.tendongroup, option.skingroup, option.flexgroup)
        shown = tuple(field.tobytes() for field in (*fields, option.flags))
        if shown not in self._eyes:
            self._eyes[shown] = Raycaster(
                self._model, self._setting, geom_groups=option.geomgroup, site_groups=option.sitegroup, extras=option
            )
        return self._eyes[shown]

    def _checked(self, camera: int | str | mujoco.MjvCamera) -> int | mujoco.MjvCamera:
        if isinstance(camera, mujoco.MjvCamera):
            return camera
        number = camera
        if isinstance(number, str):
            number = mujoco.mj_name2id(self._model, mujoco.mjtObj.mjOBJ_CAMERA, number)
            if number == -1:
                raise BadCallError(f'The camera "{camera}" does not exist.')
        if not -1 <= number < self._model.ncam:
            raise BadCallError(f"The camera id {number} is out of range [-1, {self._model.ncam}).")
        return int(number)

    def _depth(self) -> npt.NDArray[np.float32]:
        """MuJoCo shows nothing as the far end of its clipping range."""
        far_m = np.float32(self._model.vis.map.zfar * self._model.stat.extent)
        return np.where(self._frame.geom_id < 0, far_m, self._frame.depth_m)
