"""Puts meshes that are only seen into a model that is compiled already.

MuJoCo takes most of its time for them: lists of numbers, frames of inertia, trees. So it compiles the house with a box
for each, of the same bounds: places, names and all else come out as they should. Then the model is written in MuJoCo's
binary form, in which arrays follow one another, with the meshes in place of the boxes.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from pentathlon.worlds.houses.assets.seen import SeenMesh
from pentathlon.worlds.houses.scene.mesh_trees import lay_out

Array = NDArray[Any]
# Runs of counts that follow one another in the head of the binary form.
RUNS: Final = (
    ("nbody", "nbvh", "nbvhstatic"),
    ("nmesh", "nmeshvert", "nmeshnormal", "nmeshtexcoord", "nmeshface"),
    ("narena", "nbuffer"),
)
ALIGNMENT: Final = 64  # bytes: where arrays begin in the model's memory
# For each kind of row: where a mesh's rows begin, how many there are, and the arrays that hold them.
ROWS: Final = {
    "vert": ("mesh_vertadr", "mesh_vertnum", ("mesh_vert", "mesh_polymapadr", "mesh_polymapnum")),
    "normal": ("mesh_normaladr", "mesh_normalnum", ("mesh_normal",)),
    "texcoord": ("mesh_texcoordadr", "mesh_texcoordnum", ("mesh_texcoord",)),
    "face": ("mesh_faceadr", "mesh_facenum", ("mesh_face", "mesh_facenormal", "mesh_facetexcoord")),
    "bvh": ("mesh_bvhadr", "mesh_bvhnum", ("bvh_depth", "bvh_child", "bvh_nodeid", "bvh_aabb")),
}
COUNTS: Final = {"bvh": ("nbvh", "nbvhstatic"), **{kind: (f"nmesh{kind}",) for kind in ROWS if kind != "bvh"}}


class UnknownFormError(Exception):
    """MuJoCo's binary form is not the one that is known here."""


def stitched(model: mujoco.MjModel, meshes: Mapping[str, SeenMesh]) -> list[NDArray[np.uint8]]:
    """Returns MuJoCo's binary form of a model with other meshes, in pieces: they are tens of megabytes.

    Args:
        model: compiled with boxes of the same bounds in place of them.
        meshes: by name, those to put in.

    Raises:
        UnknownFormError: this MuJoCo writes models in another way; they are then to be compiled whole.
    """
    binary = _Binary(model)
    numbers = {mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_MESH, name): mesh for name, mesh in meshes.items()}
    arrays = _new_arrays(model, numbers)
    for number, mesh in numbers.items():
        _lay_in(model, number, mesh, arrays)
    return binary.replaced(arrays, {name: len(arrays[ROWS[kind][2][0]]) for kind in ROWS for name in COUNTS[kind]})


class _Span(NamedTuple):
    first: int
    end: int


class _Binary:
    """A model's binary form: a head with all counts, then all arrays in the order of the model's memory."""

    def __init__(self, model: mujoco.MjModel) -> None:
        self._model = model
        self._bytes = np.empty(mujoco.mj_sizeModel(model), np.uint8)
        mujoco.mj_saveModel(model, None, self._bytes)
        fields = [(name, getattr(model, name)) for name in dir(model) if not name.startswith("_")]
        arrays = [(name, value) for name, value in fields if isinstance(value, np.ndarray) and value.size]
        arrays.sort(key=lambda item: item[1].ctypes.data)
        texts = sum(len(value) for _, value in fields if isinstance(value, bytes))
        ends = itertools.accumulate(
            (value.nbytes for _, value in arrays), initial=len(self._bytes) - sum(v.nbytes for _, v in arrays) - texts
        )
        self._spans = {name: _Span(*span) for (name, _), span in zip(arrays, itertools.pairwise(ends), strict=True)}
        self._head = self._spans[arrays[0][0]].first

    def replaced(self, arrays: Mapping[str, Array], counts: Mapping[str, int]) -> list[NDArray[np.uint8]]:
        """Returns the bytes, in pieces, with other arrays and counts."""
        grown = sum(_room(array) - _room(getattr(self._model, name)) for name, array in arrays.items())
        pieces, done = [self._counted({**counts, "nbuffer": self._model.nbuffer + grown})], self._head
        known = [name for name in arrays if name in self._spans]
        for name in sorted(known, key=lambda name: self._spans[name].first):
            span = self._spans[name]
            if not np.array_equal(self._bytes[span.first : span.end], _bytes_of(getattr(self._model, name))):
                raise UnknownFormError(name)
            pieces += [self._bytes[done : span.first], _bytes_of(arrays[name])]
            done = span.end
        return [*pieces, self._bytes[done:]]

    def _counted(self, counts: Mapping[str, int]) -> NDArray[np.uint8]:
        head = self._bytes[: self._head].tobytes()
        for run in RUNS:
            old = np.array([getattr(self._model, name) for name in run], np.int64)
            new = np.array([counts.get(name, value) for name, value in zip(run, old, strict=True)], np.int64)
            if head.count(old.tobytes()) != 1:
                raise UnknownFormError(run[0])
            head = head.replace(old.tobytes(), new.tobytes())
        return np.frombuffer(head, np.uint8)


def _room(array: Array) -> int:
    """Returns how much memory an array takes in a model."""
    return -(-array.nbytes // ALIGNMENT) * ALIGNMENT


def _bytes_of(array: Array) -> NDArray[np.uint8]:
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _new_arrays(model: mujoco.MjModel, meshes: Mapping[int, SeenMesh]) -> dict[str, Array]:
    """Returns the arrays of all meshes, with room for the new ones and the others filled in."""
    arrays: dict[str, Array] = {}
    for kind, (first_name, count_name, names) in ROWS.items():
        old_firsts, counts = getattr(model, first_name), getattr(model, count_name).copy()
        old_counts = counts.copy()
        before = int(old_firsts.min()) if kind == "bvh" else 0  # the trees of bodies
        for number, mesh in meshes.items():
            counts[number] = mesh.count(kind)
        ends = before + np.cumsum(counts)
        firsts = np.where(counts > 0, ends - counts, -1).astype(old_firsts.dtype)
        arrays[first_name], arrays[count_name] = firsts, counts
        kept = [(int(old_firsts[i]), int(firsts[i]), int(old_counts[i])) for i in _others(model, meshes) if counts[i]]
        for name in names:
            old = getattr(model, name)
            if len(old) != before + old_counts.sum():
                raise UnknownFormError(name)
            new = np.empty((int(ends[-1]), *old.shape[1:]), old.dtype)
            new[:before] = old[:before]
            for old_first, first, count in kept:
                new[first : first + count] = old[old_first : old_first + count]
            arrays[name] = new
    return arrays


def _others(model: mujoco.MjModel, meshes: Mapping[int, SeenMesh]) -> Sequence[int]:
    return [i for i in range(model.nmesh) if i not in meshes]


def _lay_in(model: mujoco.MjModel, number: int, mesh: SeenMesh, arrays: Mapping[str, Array]) -> None:
    """Fills in the rows of one mesh, in the frame that MuJoCo chose for its box."""
    (vertices, polygon_firsts, polygon_counts), (normals,), texcoords, face_rows, (depths, children, leaves, boxes) = (
        [arrays[name][first : first + count] for name in names]
        for first, count, names in (
            (int(arrays[first][number]), int(arrays[count][number]), names) for first, count, names in ROWS.values()
        )
    )
    faces, face_normals, face_texcoords = face_rows
    rotation = np.empty(9)
    mujoco.mju_quat2Mat(rotation, model.mesh_quat[number])
    polygon_firsts[:] = polygon_counts[:] = 0
    lay_out(
        mesh.mesh.vertices_m, mesh.mesh.normals, mesh.mesh.faces, mesh.origin_m + model.mesh_pos[number],
        rotation.reshape(3, 3), vertices, normals, faces, face_normals, children, depths, leaves, boxes,
    )  # fmt: skip
    face_texcoords[:] = 0 if mesh.uvs is None else faces
    if mesh.uvs is not None:
        texcoords[0][:] = mesh.uvs
