"""A house made ready for a GPU: its picture as plain arrays and the floor that one can walk on, in one small file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError
from pentathlon.storage.files import replacing
from pentathlon.worlds.houses.bodies.navigator import Navigator
from pentathlon.worlds.houses.gpu.objects import PackedObjects, pack_objects
from pentathlon.worlds.rendering.gpu.eyes import ModelScene
from pentathlon.worlds.rendering.gpu.records import pack_part
from pentathlon.worlds.rendering.gpu.scenes import PlacedPart
from pentathlon.worlds.rendering.kernels.arrays import SceneArrays
from pentathlon.worlds.rendering.model.parts import PartShape
from pentathlon.worlds.rendering.model.textures import TextureArrays, joined_levels
from pentathlon.worlds.rendering.settings import FAST

PACKED_VERSION = 2


class PreparedHouse(NamedTuple):
    """A house as a `SceneTable` takes it."""

    parts: list[PlacedPart]
    arrays: SceneArrays


@dataclass(frozen=True, eq=False)
class PackedHouse:
    """One house in the state that its file describes; nothing in it moves.

    Attributes:
        shape: all triangles, in the world's frame.
        arrays: materials, lights and textures; those fields that `shape` holds are empty, and `texels` hold the finest
            levels only.
        headlight: whether the first light is the camera's.
        origin_m: x and y of the middle of the map's first cell.
        free: which cells of the map the navigator may stand on.
        main: which of them belong to the largest region.
        objects: what is in it, to be looked for.
    """

    name: str
    shape: PartShape
    arrays: SceneArrays
    headlight: bool
    origin_m: npt.NDArray[np.float64]
    free: npt.NDArray[np.bool_]
    main: npt.NDArray[np.bool_]
    objects: PackedObjects

    def prepared(self) -> PreparedHouse:
        """Builds the tree and the textures' levels: what the device needs, and what takes longest."""
        textures = joined_levels(_finest(self.arrays))
        arrays = self.arrays._replace(
            texture_levels=textures.levels, texture_counts=textures.counts, texels=textures.texels
        )
        return PreparedHouse([PlacedPart(pack_part(self.shape), np.eye(3, 4, dtype=np.float32))], arrays)

    def save(self, path: Path) -> None:
        """Writes the house as one compressed file."""
        fields: dict[str, Any] = {f"shape_{name}": array for name, array in self.shape._asdict().items()}
        fields |= {f"arrays_{name}": array for name, array in self.arrays._asdict().items()}
        fields |= {f"objects_{name}": array for name, array in self.objects._asdict().items()}
        own = {name: getattr(self, name) for name in ("name", "headlight", "origin_m", "free", "main")}
        with replacing(path) as beside, beside.open("wb") as file:
            np.savez_compressed(file, version=PACKED_VERSION, **fields, **own)

    @staticmethod
    def load(path: Path) -> PackedHouse:
        """Reads a house that `save` wrote.

        Raises:
            DataError: the file is not one, or of another version.
        """
        try:
            with np.load(path, allow_pickle=False) as stored:
                version = int(stored["version"])
                fields = {name: stored[name] for name in stored.files} if version == PACKED_VERSION else {}
        except (OSError, ValueError, KeyError) as error:
            raise DataError(f"Expected a packed house, got {path.name!r}: {error}") from error
        if not fields:
            raise DataError(f"Expected a packed house of version {PACKED_VERSION}, got {version}. Pack it again.")
        shape = PartShape(*(fields[f"shape_{name}"] for name in PartShape._fields))
        arrays = SceneArrays(*(fields[f"arrays_{name}"] for name in SceneArrays._fields))
        return PackedHouse(
            str(fields["name"]),
            shape,
            arrays,
            bool(fields["headlight"]),
            fields["origin_m"],
            fields["free"],
            fields["main"],
            PackedObjects(*(fields[f"objects_{name}"] for name in PackedObjects._fields)),
        )


def pack_house(navigator: Navigator) -> PackedHouse:
    """Packs the house that a navigator stands in, for navigators of its size."""
    scene = ModelScene(navigator.scene.model, FAST)
    try:
        shape, arrays = scene.read_baked(navigator.data)
        headlight = scene.headlight
    finally:
        scene.close()
    ways = navigator.ways
    textures = _only_finest(arrays)
    arrays = arrays._replace(
        part_first=np.zeros((1, 2), np.int32),
        part_rotation=np.eye(3, dtype=np.float32).reshape(1, 9),
        triangles=np.zeros((0, 2), np.int32),
        corners=np.zeros((0, 16), np.float32),
        quadrics=np.zeros(0, np.int32),
        texture_levels=textures.levels,
        texels=textures.texels,
    )
    origin = np.array([ways.x0_m, ways.y0_m])
    main = ways.regions == ways.main_region
    name, objects = navigator.scene.house.name, pack_objects(navigator)
    return PackedHouse(name, shape, arrays, headlight, origin, ways.free, main, objects)


def _finest(arrays: SceneArrays) -> list[npt.NDArray[np.uint8]]:
    """Returns the images of the finest levels, [faces, height, width, 4]."""
    images = []
    for first, width, height in arrays.texture_levels[:, 0]:
        is_cube = bool(height < 0)
        faces, high = (6, width) if is_cube else (1, height)
        texels = arrays.texels[first : first + faces * width * high]
        images.append(texels.view(np.uint8).reshape(faces, high, width, 4))
    return images


def _only_finest(arrays: SceneArrays) -> TextureArrays:
    """Returns textures without their coarser levels; a height of -1 marks a cube."""
    kept, levels, first = [], arrays.texture_levels.copy(), 0
    ends = [*arrays.texture_levels[1:, 0, 0], len(arrays.texels)]
    for number, (start, width, height) in enumerate(arrays.texture_levels[:, 0]):
        second = int(arrays.texture_levels[number, 1, 0]) if arrays.texture_counts[number] > 1 else int(ends[number])
        texels = arrays.texels[start:second]
        levels[number, 0] = first, width, height if len(texels) == width * height else -1
        kept.append(texels)
        first += len(texels)
    return TextureArrays(levels, arrays.texture_counts, np.concatenate(kept))
