"""Keeps compiled houses on disk: to read one takes a sixth of the time that building and compiling it takes."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Mapping
from functools import cache, cached_property, partial
from pathlib import Path

import msgspec
import mujoco
import numpy as np
import platformdirs
from numpy.typing import NDArray

from pentathlon.storage.cache import FileCache
from pentathlon.storage.limits import limit_from
from pentathlon.worlds import modelling
from pentathlon.worlds.houses.assets.asset import Asset
from pentathlon.worlds.houses.assets.asset_store import digest_of_sources
from pentathlon.worlds.houses.assets.seen import SeenMesh
from pentathlon.worlds.houses.assets.to_mujoco import Placed
from pentathlon.worlds.houses.files.house_files import house_bytes
from pentathlon.worlds.houses.house import House, When
from pentathlon.worlds.houses.scene.house_scene import Blueprint, HouseScene, draw_blueprint, shown_asset
from pentathlon.worlds.houses.scene.leaves import build_leaf
from pentathlon.worlds.houses.scene.stitching import UnknownFormError, stitched

LIMIT_VARIABLE, DEFAULT_LIMIT_GIB = "PENTATHLON_SCENES_GIB", 4.0
HANDLES = "handles"
IN_MEMORY = "house.mjb"


class _Handle(msgspec.Struct, array_like=True):
    """The fields of `Placed` but for the asset, which the house tells."""

    name: str
    free_joint: str
    joints: dict[str, str]
    switched: tuple[tuple[str, When], ...]
    lights: tuple[str, ...]


class _Handles(msgspec.Struct):
    """Names in a model, written into the model itself."""

    placed: dict[str, _Handle]
    leaves: dict[str, _Handle]


class SceneStore:
    """Compiled houses by content, valid for one version of the sources; losing any of them costs only time."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or platformdirs.user_cache_path("pentathlon") / "scenes"

    @cached_property
    def _files(self) -> FileCache:
        return FileCache(self._folder, ".mjb", limit_from(LIMIT_VARIABLE, DEFAULT_LIMIT_GIB))

    def open(self, house: House) -> HouseScene:
        """Returns the scene of a house for those who only walk through it; see `compile_house`."""
        key = hashlib.sha256(house_bytes(house) + _sources().encode()).hexdigest()[:32]
        model = _read(self._files.path(key))
        if model is not None:
            return _scene(house, model)
        binary = _compiled(house)
        with contextlib.suppress(OSError):  # a full or read-only disk
            self._files.keep(key, partial(_write, binary))
        # Also when it was just written it is read: a house is the same to the last bit at its first and second opening.
        model = _read(self._files.path(key))
        return _scene(house, _loaded(binary) if model is None else model)


STORE = SceneStore()


def open_house(house: House) -> HouseScene:
    """Returns the scene of a house whose objects keep the state of its file, compiled once per machine."""
    return STORE.open(house)


def _compiled(house: House) -> list[NDArray[np.uint8]]:
    """Returns MuJoCo's binary form of a house, in pieces."""
    meshes: dict[str, SeenMesh] = {}
    try:
        return stitched(_drawn(house, meshes).compile().model, meshes)
    except UnknownFormError:
        model = _drawn(house, None).compile().model
    binary = np.empty(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, binary)
    return [binary]


def _drawn(house: House, later: dict[str, SeenMesh] | None) -> Blueprint:
    blueprint = draw_blueprint(house, switchable=False, later=later)
    handles = _Handles(_handles(blueprint.placed), _handles(blueprint.leaves))
    blueprint.spec.add_text(name=HANDLES, data=msgspec.json.encode(handles).decode())
    return blueprint


def _loaded(binary: list[NDArray[np.uint8]]) -> mujoco.MjModel:
    return mujoco.MjModel.from_binary_path(IN_MEMORY, {IN_MEMORY: np.concatenate(binary).tobytes()})


def _write(binary: list[NDArray[np.uint8]], path: Path) -> None:
    with path.open("wb") as file:
        file.writelines(piece.data for piece in binary)


def _read(path: Path) -> mujoco.MjModel | None:
    """Reads a model and marks it as used; one that a power cut left torn counts as missing."""
    try:
        os.utime(path)
        return mujoco.MjModel.from_binary_path(str(path))
    except (OSError, ValueError):
        return None


def _scene(house: House, model: mujoco.MjModel) -> HouseScene:
    handles = msgspec.json.decode(_text(model), type=_Handles)
    objects = {item.id: partial(shown_asset, item) for item in house.objects}
    leaves = {door.id: partial(build_leaf, door, house) for door in house.doors if door.panel}
    return HouseScene(house, model, _placed(handles.placed, objects), _placed(handles.leaves, leaves))


def _text(model: mujoco.MjModel) -> bytes:
    number = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_TEXT, HANDLES)
    start, length = int(model.text_adr[number]), int(model.text_size[number])
    return bytes(model.text_data[start : start + length - 1])  # the last byte ends the text


def _handles(placed: Mapping[str, Placed]) -> dict[str, _Handle]:
    return {
        key: _Handle(item.name, item.free_joint, item.joints, item.switched, item.lights)
        for key, item in placed.items()
    }


def _placed(handles: Mapping[str, _Handle], assets: Mapping[str, Callable[[], Asset]]) -> dict[str, Placed]:
    return {
        key: Placed(item.name, assets[key], item.free_joint, item.joints, item.switched, item.lights)
        for key, item in handles.items()
    }


@cache
def _sources() -> str:
    """Returns a name for all that decides what a house file's model is."""
    folders = Path(__file__).parents[1], Path(modelling.__file__ or "").parent
    return f"{digest_of_sources(*folders)} {mujoco.__version__}"
