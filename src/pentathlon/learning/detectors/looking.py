"""Looks into one house: pictures, depth and the object of each pixel, by the eyes of the CPU or those of a GPU."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, Protocol, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from pentathlon.core.closing import Closing

if TYPE_CHECKING:
    import torch

    from pentathlon.learning.detectors.poses import Pose
    from pentathlon.worlds.houses.scene.house_scene import HouseScene

Renderer: TypeAlias = Literal["cpu", "gpu"]
SIZE_PX: Final = 224
CHANNELS: Final = 6
"""Red, green, blue, depth in 5 cm, and the object's place in the house as two bytes, the lower first."""
BACKGROUND: Final = 65535
DEPTH_STEP_M: Final = 0.05
FEWEST_PX: Final = 20
_BATCH: Final = 128


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """An object in a view: how many pixels it covers, their median depth, and the least distance along the floor."""

    object: int
    pixels: int
    depth_m: float
    floor_m: float


class Look(NamedTuple):
    """What one camera saw: bytes ``[H, W, CHANNELS]``, and the objects of enough pixels."""

    pixels: npt.NDArray[np.uint8]
    seen: tuple[Seen, ...]


class Looker(Protocol):
    """Looks from many poses into a house that stands still."""

    @property
    def batch(self) -> int:
        """From how many poses it looks best at once."""
        ...

    def look(self, poses: Sequence[Pose]) -> list[Look]:
        """Returns what is seen from each pose."""
        ...

    def close(self) -> None:
        """Gives all memory back."""
        ...


def open_looker(renderer: Renderer, scene: HouseScene, data: Any) -> Looker:
    """Opens the eyes of the CPU, or those of the GPU."""
    return GpuLooker(scene, data) if renderer == "gpu" else CpuLooker(scene, data)


class CpuLooker(Closing):
    """Looks by the ray caster of the CPU, a pose at a time."""

    batch = 1

    def __init__(self, scene: HouseScene, data: Any) -> None:
        from pentathlon.worlds.rendering import Raycaster

        self._eyes, self._data, self._object_of_geom = Raycaster(scene.model, "fast"), data, scene.object_of_geom

    def look(self, poses: Sequence[Pose]) -> list[Look]:
        """Returns what is seen from each pose."""
        return [self._look(pose) for pose in poses]

    def close(self) -> None:
        """Gives all memory back."""
        self._eyes.close()

    def _look(self, pose: Pose) -> Look:
        frame = self._eyes.render(self._data, _camera(pose), (SIZE_PX, SIZE_PX))
        ids = frame.ids(self._object_of_geom, background=-1)
        pixels = np.empty((SIZE_PX, SIZE_PX, CHANNELS), np.uint8)
        pixels[..., :3] = frame.rgb
        pixels[..., 3] = np.clip(np.nan_to_num(frame.depth_m, posinf=1e3) / DEPTH_STEP_M, 0, 255)
        numbers = np.where(ids < 0, BACKGROUND, ids).astype(np.uint16)
        pixels[..., 4], pixels[..., 5] = numbers & 255, numbers >> 8
        return Look(pixels, measured(ids, frame.depth_m, floor_distances(frame.depth_m, pose.pitch_deg, pose.fovy_deg)))


class GpuLooker(Closing):
    """Looks by the eyes of the GPU, from many poses at once; what is seen is measured there too.

    Args:
        scene: the house.
        data: its state.
        device: `cuda`, or `cpu` to test the kernels without a GPU.
    """

    batch = _BATCH

    def __init__(self, scene: HouseScene, data: Any, device: str = "cuda") -> None:
        import torch

        from pentathlon.worlds.rendering.gpu import GpuEyes

        self._eyes, self._data = GpuEyes(scene.model, device=device), data
        self._objects = torch.from_numpy(np.append(scene.object_of_geom, -1).astype(np.int64)).to(self._eyes.device)

    def look(self, poses: Sequence[Pose]) -> list[Look]:
        """Returns what is seen from each pose."""
        import torch

        seen = self._eyes.see(self._data, [_camera(pose) for pose in poses], (SIZE_PX, SIZE_PX))
        assert seen.rgb is not None
        assert seen.depth_m is not None
        assert seen.geom_id is not None
        geom, last = seen.geom_id.long(), len(self._objects) - 1
        ids = self._objects[torch.where((geom >= 0) & (geom < last), geom, last)]
        depth = (torch.nan_to_num(seen.depth_m, posinf=1e3) / DEPTH_STEP_M).clamp(0, 255).to(torch.uint8)
        numbers = torch.where(ids < 0, BACKGROUND, ids)
        rest = torch.stack([depth, (numbers & 255).to(torch.uint8), (numbers >> 8).to(torch.uint8)], dim=-1)
        pixels = torch.cat([seen.rgb, rest], dim=-1).cpu().numpy()
        floor = seen.depth_m * torch.from_numpy(np.stack([_slopes(pose) for pose in poses])).to(geom.device)
        return [Look(*pair) for pair in zip(pixels, measured_together(ids, seen.depth_m, floor), strict=True)]

    def close(self) -> None:
        """Gives all memory back."""
        self._eyes.close()


def measured(
    ids: npt.NDArray[np.int32], depth_m: npt.NDArray[np.float32], floor_m: npt.NDArray[Any]
) -> tuple[Seen, ...]:
    """Measures every object of enough pixels; pixels are sorted by object once, not looked for again for each."""
    flat = (ids.ravel() + 1).astype(np.int16)
    counts = np.bincount(flat)
    ends = np.cumsum(counts)
    # The stable sort of short integers goes by their digits.
    order = np.argsort(flat, kind="stable")[counts[0] :]
    depth, floor = depth_m.ravel()[order], floor_m.ravel()[order]
    seen = []
    for number in np.flatnonzero(counts[1:] >= FEWEST_PX).tolist():
        own = slice(ends[number] - counts[0], ends[number + 1] - counts[0])
        count = int(counts[number + 1])
        seen.append(Seen(number, count, _rounded(np.median(depth[own])), _rounded(floor[own].min())))
    return tuple(seen)


def measured_together(ids: torch.Tensor, depth_m: torch.Tensor, floor_m: torch.Tensor) -> list[tuple[Seen, ...]]:
    """Measures the objects of many views ``[N, H, W]`` at once, as :func:`measured` does those of one."""
    import torch

    count, width = len(ids), int(ids.max()) + 2
    views = torch.arange(count, device=ids.device)[:, None]
    keys = (views * width + ids.flatten(1) + 1).flatten()
    pixels = torch.bincount(keys, minlength=count * width)
    order = depth_m.flatten().argsort()
    order = order[keys[order].argsort(stable=True)]
    sorted_m, starts = depth_m.flatten()[order], pixels.cumsum(0) - pixels
    nearest = torch.full((count * width,), torch.inf, device=ids.device)
    nearest.scatter_reduce_(0, keys, floor_m.flatten().float(), "amin")
    kept = torch.nonzero((pixels >= FEWEST_PX) & (torch.arange(count * width, device=ids.device) % width > 0))[:, 0]
    low, high = starts[kept] + (pixels[kept] - 1) // 2, starts[kept] + pixels[kept] // 2
    middle = (sorted_m[low] + sorted_m[high]) / 2
    found: list[list[Seen]] = [[] for _ in range(count)]
    rows = zip(*(column.tolist() for column in (kept, pixels[kept], middle, nearest[kept])), strict=True)
    for key, size, depth, floor in rows:
        found[key // width].append(Seen(key % width - 1, size, round(depth, 2), round(floor, 2)))
    return [tuple(seen) for seen in found]


def floor_distances(depth_m: npt.NDArray[np.float32], pitch_deg: float, fovy_deg: float) -> npt.NDArray[Any]:
    """Returns how far each pixel of a square picture is from the camera along the floor."""
    found: npt.NDArray[Any] = depth_m * _floor_slopes(len(depth_m), pitch_deg, fovy_deg)
    return found


def _slopes(pose: Pose) -> npt.NDArray[np.float32]:
    return _floor_slopes(SIZE_PX, pose.pitch_deg, pose.fovy_deg)


def _floor_slopes(size: int, pitch_deg: float, fovy_deg: float) -> npt.NDArray[np.float32]:
    """Distances along the floor for each metre of depth, of the pixels of a square picture."""
    across = ((np.arange(size) + 0.5) / size * 2 - 1) * math.tan(math.radians(fovy_deg) / 2)
    tilt = math.radians(pitch_deg)
    ahead = math.cos(tilt) - across[:, None] * math.sin(tilt)
    slopes: npt.NDArray[np.float32] = np.sqrt(np.square(ahead) + np.square(across)).astype(np.float32)
    return slopes


def _camera(pose: Pose) -> Any:
    from pentathlon.worlds.rendering.look_at import agent_camera

    return agent_camera(pose.x_m, pose.y_m, pose.yaw_deg, pose.height_m, pose.pitch_deg, pose.fovy_deg)


def _rounded(metres: np.floating[Any]) -> float:
    return round(float(metres), 2)
