"""Eyes on a GPU for one model, with the same arguments and the same pictures as the ray caster on the CPU."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import mujoco
import numpy as np
import numpy.typing as npt
import torch

from pentathlon.core.closing import Closing
from pentathlon.core.errors import UsageError
from pentathlon.worlds.rendering.cameras import Camera, CameraPose, camera_row, check_size, pose_rows
from pentathlon.worlds.rendering.eyes import RendererInfo
from pentathlon.worlds.rendering.frame import Frame
from pentathlon.worlds.rendering.gpu.batch import BatchEyes, Pictures
from pentathlon.worlds.rendering.gpu.code import find_device
from pentathlon.worlds.rendering.gpu.records import PackedPart, baked, pack_part
from pentathlon.worlds.rendering.gpu.scenes import PlacedPart, SceneTable
from pentathlon.worlds.rendering.kernels.arrays import SceneArrays
from pentathlon.worlds.rendering.model.parts import Part, PartShape
from pentathlon.worlds.rendering.model.scene import Scene
from pentathlon.worlds.rendering.model.undrawn import say_undrawn
from pentathlon.worlds.rendering.raycaster import DEFAULT_GROUPS, NATIVE_RAYS
from pentathlon.worlds.rendering.settings import RenderSetting, find_setting

GPU_VERSION: Final = "1"  # a change of any pixel is a new version


class ModelScene:
    """One model's scene, kept equal to an MjData, in the form that a `SceneTable` takes."""

    def __init__(self, model: mujoco.MjModel, setting: RenderSetting) -> None:
        option = mujoco.MjvOption()
        say_undrawn(model, option)
        self._scene = Scene(model, setting, DEFAULT_GROUPS, DEFAULT_GROUPS, option, NATIVE_RAYS)
        self._packed: dict[int, tuple[Part, PackedPart]] = {}

    @property
    def headlight(self) -> bool:
        """Whether the first light is the camera's."""
        return self._scene.lights.has_headlight

    def read(self, data: mujoco.MjData) -> tuple[list[PlacedPart], SceneArrays]:
        """Returns the parts where they are, and the scene's other arrays; parts that did not change are the same."""
        arrays = self._scene.update(data)
        placed, packed = [], {}
        for part, to_world in self._scene.built.placed_parts():
            known = self._packed.get(id(part))
            if known is None:
                known = part, pack_part(self._scene.built.builder.shape(part, to_world))
            packed[id(part)] = known
            placed.append(PlacedPart(known[1], to_world))
        self._packed = packed
        return placed, arrays

    def read_baked(self, data: mujoco.MjData) -> tuple[PartShape, SceneArrays]:
        """Returns all parts as one that does not move, and the scene's other arrays."""
        arrays = self._scene.update(data)
        built = self._scene.built
        return baked([built.builder.shape(part, to_world) for part, to_world in built.placed_parts()]), arrays

    def refresh(self) -> None:
        """Lets meshes and textures be read anew."""
        self._scene.refresh()

    def close(self) -> None:
        """Gives the memory back."""
        self._scene.close()


class GpuEyes(Closing):
    """Sees an MjModel through cameras, as `Raycaster` does.

    Args:
        model: any model; it is kept and read at every call.
        setting: `fast`, `fine`, one of their versioned ids, or a `RenderSetting`.
        device: `cuda`, or `cpu` to test the kernels without a GPU.
    """

    def __init__(
        self, model: mujoco.MjModel, setting: str | RenderSetting = "fast", *, device: str | torch.device = "cuda"
    ) -> None:
        self.device = find_device(device)
        self.setting = find_setting(setting)
        self._model = model
        self._scene: ModelScene | None = ModelScene(model, self.setting)
        self._table = SceneTable(self.device)
        self._eyes = BatchEyes(self._table, self.setting)
        self._number = -1

    @property
    def info(self) -> RendererInfo:
        """What to record beside results that depend on these pictures."""
        return RendererInfo("gpu", GPU_VERSION, self.setting.id)

    def close(self) -> None:
        """Gives all memory back; safe to call twice."""
        if self._scene is not None:
            self._scene.close()
            if self._number >= 0:
                self._table.remove(self._number)
        self._scene = None

    def refresh(self) -> None:
        """Lets meshes and textures be read anew from the model at the next call."""
        self._open().refresh()

    def render(self, data: mujoco.MjData, camera: Camera = -1, size: tuple[int, int] = (224, 224)) -> Frame:
        """Returns what a camera sees; see `Raycaster.render`."""
        row = camera_row(self._model, data, camera, check_size(size))
        frame = _frame(self._pictures(data, row[None], size))
        return Frame(frame.rgb[0], frame.depth_m[0], frame.geom_id[0])

    def render_poses(
        self, data: mujoco.MjData, poses: Sequence[CameraPose], size: tuple[int, int] = (224, 224)
    ) -> Frame:
        """Returns what many cameras see of one state; see `Raycaster.render_poses`."""
        return _frame(self._pictures(data, pose_rows(poses, check_size(size)), size))

    def see(self, data: mujoco.MjData, cameras: Sequence[Camera], size: tuple[int, int] = (224, 224)) -> Pictures:
        """Returns what many cameras see of one state, as tensors on the device."""
        rows = [camera_row(self._model, data, camera, check_size(size)) for camera in cameras]
        return self._pictures(data, np.stack(rows), size)

    def _pictures(self, data: mujoco.MjData, rows: npt.NDArray[np.float32], size: tuple[int, int]) -> Pictures:
        scene = self._open()
        parts, arrays = scene.read(data)
        if self._number < 0:
            self._number = self._table.add(parts, arrays, headlight=scene.headlight)
        else:
            self._table.replace(self._number, parts, arrays, headlight=scene.headlight)
        cameras = torch.from_numpy(np.ascontiguousarray(rows)).to(self.device)
        numbers = torch.full((len(rows),), self._number, dtype=torch.int32, device=self.device)
        return self._eyes.render(cameras, numbers, size)

    def _open(self) -> ModelScene:
        if self._scene is None:
            raise UsageError("Expected open GpuEyes, got some after close(). Make new ones.")
        return self._scene


def _frame(pictures: Pictures) -> Frame:
    assert pictures.rgb is not None
    assert pictures.depth_m is not None
    assert pictures.geom_id is not None
    return Frame(pictures.rgb.cpu().numpy(), pictures.depth_m.cpu().numpy(), pictures.geom_id.cpu().numpy())
