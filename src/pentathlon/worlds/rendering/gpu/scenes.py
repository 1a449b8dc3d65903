"""Scenes in a device's memory, many at a time, each by its number; what is alike among them is kept once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from pentathlon.core.errors import UsageError
from pentathlon.worlds.rendering.gpu.records import (
    LEVELS,
    PART,
    SCENE,
    TEXTURE,
    PackedPart,
    pack_lights,
)
from pentathlon.worlds.rendering.gpu.tree import build_tree
from pentathlon.worlds.rendering.kernels.arrays import SceneArrays

Array = npt.NDArray[Any]
_ALIGNED = 16  # bytes, as the kernels' widest loads need


class PlacedPart(NamedTuple):
    """A part and where it is: [3, 4] to the world."""

    part: PackedPart
    to_world: npt.NDArray[np.float32]


class Blob:
    """Arrays laid one after the other in one piece of a device's memory."""

    def __init__(self, arrays: dict[str, Array], device: torch.device) -> None:
        offsets, size = {}, 0
        for name, array in arrays.items():
            offsets[name] = size
            size += -(-max(array.nbytes, 1) // _ALIGNED) * _ALIGNED
        host = np.zeros(max(size, _ALIGNED), np.uint8)
        for name, array in arrays.items():
            host[offsets[name] : offsets[name] + array.nbytes] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        self._memory = torch.from_numpy(host).to(device)
        self._offsets = offsets

    def __getitem__(self, name: str) -> int:
        """Returns the address of an array."""
        return self._memory.data_ptr() + self._offsets[name]

    @property
    def nbytes(self) -> int:
        """How much memory it takes."""
        return self._memory.numel()


class Textures:
    """Textures on a device, each content once for as long as a scene uses it."""

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._kept: dict[bytes, tuple[torch.Tensor, int]] = {}

    @property
    def nbytes(self) -> int:
        """How much memory all of them take."""
        return sum(4 * texels.numel() for texels, _ in self._kept.values())

    def take(self, texels: npt.NDArray[np.uint32]) -> tuple[bytes, int]:
        """Returns the key and the address of one texture's texels."""
        key = hashlib.sha256(texels.tobytes()).digest()
        if key not in self._kept:
            self._kept[key] = torch.from_numpy(texels.view(np.int32)).to(self._device), 0
        tensor, users = self._kept[key]
        self._kept[key] = tensor, users + 1
        return key, tensor.data_ptr()

    def give_back(self, key: bytes) -> None:
        """Frees a texture that no other scene uses."""
        tensor, users = self._kept.pop(key)
        if users > 1:
            self._kept[key] = tensor, users - 1


@dataclass
class _Kept:
    """What of a scene lies on the device."""

    geometry: dict[int, tuple[PackedPart, Blob]] = field(default_factory=dict)
    looks: Blob | None = None
    texture_keys: list[bytes] = field(default_factory=list)
    texture_source: Array | None = None
    texture_rows: Array | None = None
    plain: bool = True


class SceneTable:
    """Scenes on a device. `rows` is what kernels read; it is another tensor after the table had to grow.

    Args:
        device: where.
    """

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self.rows = torch.zeros(8, SCENE.itemsize, dtype=torch.uint8, device=device)
        self.textures = Textures(device)
        self._scenes: dict[int, _Kept] = {}

    @property
    def plain(self) -> bool:
        """Whether all scenes hold nothing but still meshes, such as houses do."""
        return all(kept.plain for kept in self._scenes.values())

    @property
    def nbytes(self) -> int:
        """How much memory the scenes take."""
        blobs = [blob for kept in self._scenes.values() for _, blob in kept.geometry.values()]
        blobs += [kept.looks for kept in self._scenes.values() if kept.looks is not None]
        return self.rows.numel() + self.textures.nbytes + sum(blob.nbytes for blob in blobs)

    def __len__(self) -> int:
        return len(self._scenes)

    def add(self, parts: list[PlacedPart], arrays: SceneArrays, *, headlight: bool) -> int:
        """Takes a scene in and returns its number.

        Args:
            parts: the still one first.
            arrays: what else of the scene kernels read.
            headlight: whether the first light is the camera's.
        """
        number = next(i for i in range(len(self._scenes) + 1) if i not in self._scenes)
        if number >= len(self.rows):
            self.rows = torch.cat([self.rows, torch.zeros_like(self.rows)])
        self._scenes[number] = _Kept()
        self.replace(number, parts, arrays, headlight=headlight)
        return number

    def replace(self, number: int, parts: list[PlacedPart], arrays: SceneArrays, *, headlight: bool) -> None:
        """Brings a scene to another state; parts that are the same objects as before are not sent again."""
        kept = self._kept(number)
        known = kept.geometry
        kept.geometry = {id(part): known.get(id(part)) or (part, self._send(part)) for part, _ in parts}
        self._take_textures(kept, arrays)
        moving = [placed for placed in parts[1:] if placed.part.size]
        top, places = _top(moving)
        rows = np.zeros(max(len(moving), 1), PART)
        for row, place in zip(rows, places, strict=False):
            placed = moving[place]
            self._point(row, kept.geometry[id(placed.part)][1])
            row["to_part"] = _inverse(placed.to_world)
        assert kept.texture_rows is not None
        kept.looks = Blob(
            {
                "top": top, "parts": rows, "planes": arrays.planes, "plane_objects": arrays.plane_objects,
                "lines": arrays.lines, "line_objects": arrays.line_objects, "materials": arrays.materials,
                "object_texture": arrays.object_texture, "texture_maps": arrays.texture_maps,
                "textures": kept.texture_rows, "lights": pack_lights(arrays.lights),
            },
            self.device,
        )  # fmt: skip
        still = parts[0].part
        # Flat triangles have no texture coordinates at their corners, which is where the kernels for plain scenes look.
        dressed = arrays.object_texture.reshape(-1, 2)[still.flat_objects, 1].any()
        only_still = still.plain and still.size > 0 and not moving and not dressed
        kept.plain = only_still and not len(arrays.planes) + len(arrays.lines)
        scene = np.zeros((), SCENE)
        self._point(scene, kept.geometry[id(still)][1])
        for name in ("top", "parts", "planes", "plane_objects", "lines", "line_objects", "materials"):
            scene[name] = kept.looks[name]
        for name in ("object_texture", "texture_maps", "textures", "lights"):
            scene[name] = kept.looks[name]
        scene["still_count"], scene["part_count"], scene["plane_count"] = still.size, len(moving), len(arrays.planes)
        scene["line_count"], scene["light_count"] = len(arrays.lines), len(arrays.lights)
        scene["sky"], scene["headlight"] = arrays.sky[0], headlight
        for name, value in zip(("near_m", "far_m", "sky_m", "ambient"), arrays.limits, strict=True):
            scene[name] = value
        self.rows[number].copy_(torch.from_numpy(np.frombuffer(scene.tobytes(), np.uint8).copy()))

    def remove(self, number: int) -> None:
        """Frees a scene; its number may be given to another."""
        for key in self._kept(number).texture_keys:
            self.textures.give_back(key)
        del self._scenes[number]

    def _kept(self, number: int) -> _Kept:
        if number not in self._scenes:
            raise UsageError(f"Expected the number of a scene in this table, got {number}.")
        return self._scenes[number]

    def _send(self, part: PackedPart) -> Blob:
        arrays = {"nodes": part.nodes, "prims": part.prims, "looks": part.looks, "quadrics": part.quadrics}
        return Blob(arrays, self.device)

    def _point(self, row: Any, blob: Blob) -> None:
        for name in ("nodes", "prims", "looks", "quadrics"):
            row[name] = blob[name]

    def _take_textures(self, kept: _Kept, arrays: SceneArrays) -> None:
        """Sends the textures if they are not those of before."""
        if kept.texture_source is arrays.texels:
            return
        before, kept.texture_keys = kept.texture_keys, []
        rows = np.zeros(len(arrays.texture_counts), TEXTURE)
        for number, row in enumerate(rows):
            levels, count = arrays.texture_levels[number], int(arrays.texture_counts[number])
            first, last = int(levels[0, 0]), _end(arrays, number)
            key, row["texels"] = self.textures.take(arrays.texels[first:last])
            kept.texture_keys.append(key)
            row["count"], row["width"], row["height"] = count, levels[0, 1], levels[0, 2]
            row["first"][:LEVELS] = levels[:, 0] - first
        kept.texture_source, kept.texture_rows = arrays.texels, rows
        for key in before:
            self.textures.give_back(key)


def _end(arrays: SceneArrays, number: int) -> int:
    """Returns where a texture's texels end."""
    later = number + 1 < len(arrays.texture_counts)
    return int(arrays.texture_levels[number + 1, 0, 0]) if later else len(arrays.texels)


def _top(moving: list[PlacedPart]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]]:
    """Returns the tree over the parts' boxes in the world, and the parts in the order of its leaves."""
    if not moving:
        return np.zeros((1, 16), np.float32), np.zeros(0, np.int32)
    boxes = np.empty((len(moving), 6), np.float32)
    for row, (part, to_world) in zip(boxes, moving, strict=True):
        middle, half = (part.box[:3] + part.box[3:]) / 2, (part.box[3:] - part.box[:3]) / 2
        place, reach = to_world[:, :3] @ middle + to_world[:, 3], np.abs(to_world[:, :3]) @ half
        reach = reach * np.float32(1.00001) + np.float32(1e-6)
        row[:3], row[3:] = place - reach, place + reach
    tree = build_tree(boxes)
    return tree.nodes, tree.order


def _inverse(to_world: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    rotation, position = to_world[:, :3].astype(np.float64), to_world[:, 3].astype(np.float64)
    return np.hstack([rotation.T, (-rotation.T @ position)[:, None]]).astype(np.float32).ravel()
