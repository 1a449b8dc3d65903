"""Keeps built assets on disk, since reading one takes a tenth of the time that building it takes."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import platformdirs
from numpy.typing import NDArray
from safetensors import SafetensorError

from pentathlon.storage.cache import ArrayCache, Arrays
from pentathlon.worlds import modelling
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.modelling.mesh import Measures
from pentathlon.worlds.modelling.textures import pixels_digest

LIMIT_BYTES = 2**30
HEADER = "header"
# Flat arrays of one kind lie one after another in one array: a file of few arrays is read fastest.
KINDS = {"floats": np.dtype(np.float64), "integers": np.dtype(np.int64)}


class _Header(msgspec.Struct):
    """An asset whose arrays are given by kind, place and shape, its pictures by digest.

    Attributes:
        measures: of the meshes of its parts.
        bounds_m: of the same.
        pictures: digests of the textures of its parts, empty where a part has none.
    """

    asset: Asset
    measures: list[Measures]
    bounds_m: list[tuple[list[float], list[float]]]
    pictures: list[str]


class _Place(msgspec.Struct, array_like=True):
    kind: str
    first: int
    shape: tuple[int, ...]


class Keeper:
    """Keeps things on disk, but for a while not: for those who go through more variants than a disk should hold."""

    _keeps = True

    @contextmanager
    def unkept(self) -> Iterator[None]:
        """Neither reads nor writes."""
        self._keeps = False
        try:
            yield
        finally:
            self._keeps = True


class AssetStore(Keeper):
    """Built assets by name, valid for one version of the sources; losing any of them costs only time."""

    def __init__(self, folder: Path | None = None) -> None:
        self._arrays = ArrayCache(folder or platformdirs.user_cache_path("pentathlon") / "assets", LIMIT_BYTES)
        self._pixels = lru_cache(maxsize=256)(self._read_pixels)

    def get_or_build(self, name: str, build: Callable[[], Asset]) -> Asset:
        """Returns the asset of that name, the same to the last bit whether it is read or built.

        Args:
            name: what it is among the assets of these sources.
            build: makes it; a disk that cannot be written to is no error.
        """
        if not self._keeps:
            return build()
        built: list[Asset] = []

        def pack() -> Arrays:
            built.append(build())
            return self._packed(built[0])

        try:
            arrays = self._arrays.get_or_compute(f"asset-{sources_digest()}-{name}", pack)
            return built[0] if built else self._unpacked(arrays)
        except (OSError, SafetensorError):
            return built[0] if built else build()

    def _packed(self, asset: Asset) -> Arrays:
        flat: dict[str, list[NDArray[Any]]] = {kind: [] for kind in KINDS}
        filled = dict.fromkeys(KINDS, 0)

        def hook(value: Any) -> object:
            if not isinstance(value, np.ndarray):
                return value.item()  # one of numpy's numbers
            if value.dtype == np.uint8:
                return self._keep_pixels(value)
            kind = next(kind for kind, dtype in KINDS.items() if dtype == value.dtype)
            place = _Place(kind, filled[kind], value.shape)
            flat[kind].append(value.ravel())
            filled[kind] += value.size
            return place

        textures = [part.look.texture for part in asset.parts]
        header = _Header(
            asset,
            [part.mesh.measures for part in asset.parts],
            [(low.tolist(), high.tolist()) for low, high in (part.mesh.bounds_m for part in asset.parts)],
            ["" if texture is None else texture.digest for texture in textures],
        )
        encoded = np.frombuffer(msgspec.json.encode(header, enc_hook=hook), np.uint8)
        joined = {kind: np.concatenate([np.zeros(0, KINDS[kind]), *arrays]) for kind, arrays in flat.items()}
        return {HEADER: encoded, "floats": joined["floats"], "integers": joined["integers"].astype(np.int32)}

    def _unpacked(self, arrays: Arrays) -> Asset:
        kept = {kind: arrays[kind].astype(dtype, copy=False) for kind, dtype in KINDS.items()}

        def hook(_: type, value: Any) -> NDArray[Any]:
            if isinstance(value, str):
                return self._pixels(value)
            kind, first, shape = value
            return kept[kind][first : first + math.prod(shape)].reshape(shape)

        header = msgspec.json.decode(arrays[HEADER].tobytes(), type=_Header, dec_hook=hook)
        rows = zip(header.asset.parts, header.measures, header.bounds_m, header.pictures, strict=True)
        for part, measures, (low, high), digest in rows:
            part.mesh.measured(measures, (np.array(low), np.array(high)))
            if part.look.texture is not None:
                part.look.texture.known_as(digest)
        return header.asset

    def _keep_pixels(self, pixels: NDArray[np.uint8]) -> str:
        digest = pixels_digest(pixels)
        self._arrays.get_or_compute(f"picture-{digest}", lambda: {"pixels": pixels})
        return digest

    def _read_pixels(self, digest: str) -> NDArray[np.uint8]:
        def lost() -> Arrays:
            raise FileNotFoundError(digest)

        return self._arrays.get_or_compute(f"picture-{digest}", lost)["pixels"]


@cache
def sources_digest() -> str:
    """Returns a name for these sources of assets and this numpy, since each could change an asset."""
    return digest_of_sources(Path(__file__).parent, Path(modelling.__file__ or "").parent)


def digest_of_sources(*folders: Path) -> str:
    """Returns a name for the Python files in some folders and this numpy."""
    digest = hashlib.sha256(np.__version__.encode())
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
