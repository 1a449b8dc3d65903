"""The seam between worlds and renderers: every renderer is an `Eyes`, opened by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, get_args

from pentathlon.core.errors import UnknownIdError
from pentathlon.core.eyes import Renderer
from pentathlon.worlds.rendering.frame import Frame

if TYPE_CHECKING:
    import mujoco

    from pentathlon.worlds.rendering.cameras import Camera, CameraPose

RENDERERS = get_args(Renderer)


@dataclass(frozen=True)
class RendererInfo:
    """What a run records about the renderer that made its pictures.

    Attributes:
        name: `raycast`, `opengl` or `gpu`.
        version: of the renderer's own pictures; a change of any pixel is a new version.
        setting: the named and versioned setting, such as `fast-v1`.
    """

    name: str
    version: str
    setting: str


class Eyes(Protocol):
    """Renders one model: colour, metric depth and ids in one call."""

    @property
    def info(self) -> RendererInfo:
        """What to record beside results that depend on these pictures."""
        ...

    def render(self, data: mujoco.MjData, camera: Camera = -1, size: tuple[int, int] = (224, 224)) -> Frame:
        """Returns what a camera of the model, or a free one, sees.

        Args:
            data: the state to show, after `mj_forward` or `mj_step`.
            camera: a name, an id (-1 is the free default camera), a MuJoCo camera or a pose of one's own.
            size: width and height in pixels.
        """
        ...

    def render_poses(
        self, data: mujoco.MjData, poses: Sequence[CameraPose], size: tuple[int, int] = (224, 224)
    ) -> Frame:
        """Returns a batch `[N, H, W]` of one state, seen from N poses."""
        ...

    def close(self) -> None:
        """Frees everything; the eyes cannot be used afterwards."""
        ...


def open_eyes(model: mujoco.MjModel, renderer: str = "raycast", setting: str = "fast") -> Eyes:
    """Opens a renderer by name for one model.

    Args:
        model: any MuJoCo model.
        renderer: `raycast`, which needs nothing but pip packages, `opengl`, MuJoCo's own, as a reference, or `gpu`, the
            ray caster's pictures on a GPU.
        setting: `fast` (one sample per pixel, no shadows) or `fine` (smooth edges, shadows).
    """
    if renderer == "raycast":
        from pentathlon.worlds.rendering.raycaster import Raycaster

        return Raycaster(model, setting=setting)
    if renderer == "opengl":
        from pentathlon.worlds.rendering.opengl.eyes import OpenGLEyes

        return OpenGLEyes(model, setting)
    if renderer == "gpu":
        from pentathlon.worlds.rendering.gpu import GpuEyes

        return GpuEyes(model, setting)
    raise UnknownIdError("renderer", renderer, RENDERERS)


def renderer_info(renderer: str = "raycast", setting: str = "fast") -> RendererInfo:
    """Tells what a run records about a renderer, without opening one."""
    if renderer == "raycast":
        from pentathlon.worlds.rendering.raycaster import RAYCAST_VERSION
        from pentathlon.worlds.rendering.settings import find_setting

        return RendererInfo("raycast", RAYCAST_VERSION, find_setting(setting).id)
    if renderer == "opengl":
        import mujoco

        return RendererInfo("opengl", f"mujoco-{mujoco.__version__}", setting)
    if renderer == "gpu":
        from pentathlon.worlds.rendering.gpu.eyes import GPU_VERSION
        from pentathlon.worlds.rendering.settings import find_setting

        return RendererInfo("gpu", GPU_VERSION, find_setting(setting).id)
    raise UnknownIdError("renderer", renderer, RENDERERS)
