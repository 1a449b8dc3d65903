"""The Embree library is found in every layout we know, loads, and turns its errors into ours."""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib.util
from pathlib import Path

import numpy as np
import pytest
from numba import njit

from pentathlon.core.errors import MissingDependencyError
from pentathlon.worlds.rendering import embree

# platform, files as auditwheel, delocate and delvewheel name them, expected embree, expected tbb
LAYOUTS = [
    (
        "linux",
        ["embreex/rtcore.so", "embreex.libs/libembree4-4aef3270.so.4", "embreex.libs/libtbb-dcf63f8c.so.12"],
        "embreex.libs/libembree4-4aef3270.so.4",
        "embreex.libs/libtbb-dcf63f8c.so.12",
    ),
    (
        "darwin",
        [
            "embreex/.dylibs/libembree4.4.dylib",
            "embreex/.dylibs/libtbb.12.14.dylib",
            "embreex/.dylibs/libtbbmalloc.2.dylib",
        ],
        "embreex/.dylibs/libembree4.4.dylib",
        "embreex/.dylibs/libtbb.12.14.dylib",
    ),
    (
        "win32",
        ["embreex.libs/embree4-0a1b2c.dll", "embreex.libs/tbb12-99ff.dll", "embreex.libs/tbbmalloc-12.dll"],
        "embreex.libs/embree4-0a1b2c.dll",
        "embreex.libs/tbb12-99ff.dll",
    ),
    ("win32", ["embreex/embree4.dll", "embreex/tbb12.dll"], "embreex/embree4.dll", "embreex/tbb12.dll"),
]


def lay_out(root: Path, files: list[str]) -> None:
    for file in files:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).touch()


@pytest.mark.parametrize(("platform", "files", "expected_embree", "expected_tbb"), LAYOUTS)
def test_finds_the_wheels_library(
    tmp_path: Path, platform: str, files: list[str], expected_embree: str, expected_tbb: str
) -> None:
    lay_out(tmp_path, files)
    found = embree.find_files([tmp_path], platform, system_folders=[])
    assert found == embree.LibraryFiles(str(tmp_path / expected_embree), str(tmp_path / expected_tbb))


def test_prefers_the_wheel_to_the_system(tmp_path: Path) -> None:
    lay_out(tmp_path, ["site/embreex.libs/libembree4-1.so.4", "usr/libembree4.so.4"])
    found = embree.find_files([tmp_path / "site"], "linux", [str(tmp_path / "usr")])
    assert found == embree.LibraryFiles(str(tmp_path / "site/embreex.libs/libembree4-1.so.4"), None)


def test_falls_back_to_the_system(tmp_path: Path) -> None:
    lay_out(tmp_path, ["usr/libembree3.so.3", "usr/libembree4.so.4"])
    found = embree.find_files([tmp_path], "linux", [str(tmp_path / "usr")])
    assert found == embree.LibraryFiles(str(tmp_path / "usr/libembree4.so.4"), None)


def test_missing_library_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: None)
    monkeypatch.setattr(embree, "LAYOUTS", {"linux": embree.Layout((), "x", "x", ())})
    with pytest.raises(MissingDependencyError, match="pip install embreex"):
        embree.load.__wrapped__()


def test_unloadable_library_is_a_missing_dependency(tmp_path: Path) -> None:
    lay_out(tmp_path, ["libembree4.so.4"])
    with pytest.raises(MissingDependencyError, match="Embree 4"):
        embree.EmbreeLibrary(embree.LibraryFiles(str(tmp_path / "libembree4.so.4"), None))


def test_every_declared_function_exists_and_the_version_is_four() -> None:
    library = embree.load()
    device = library.new_device()
    assert library.version(device).startswith("4.")
    library.raw.rtcReleaseDevice(device)


def test_a_refused_call_raises_once() -> None:
    library = embree.load()
    device = library.new_device()
    triangles = library.new_triangles(device, np.eye(3, dtype=np.float32), np.array([[0, 1, 2]], np.uint32))
    library.raw.rtcSetGeometryInstancedScene(triangles, None)
    with pytest.raises(embree.EmbreeError, match="invalid"):
        library.check(device)
    library.check(device)
    library.raw.rtcReleaseGeometry(triangles)
    library.raw.rtcReleaseDevice(device)


@njit
def _shoot(scene: int, valid: int, rays: int, arguments: int) -> None:
    embree.rtcIntersect16(valid, scene, rays, arguments)


@pytest.mark.parametrize("isa", ["sse2", "avx2", "avx512"])
def test_numba_shoots_sixteen_rays_on_every_instruction_set(isa: str) -> None:
    library = embree.load()
    device = library.new_device(f"threads=1,isa={isa}")
    corners_m = np.array([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], np.float32)
    triangle = library.new_triangles(device, corners_m, np.array([[0, 1, 2]], np.uint32))
    part, top = library.raw.rtcNewScene(device), library.raw.rtcNewScene(device)
    library.raw.rtcAttachGeometry(part, triangle)
    library.raw.rtcCommitScene(part)
    instance = library.new_instance(device, part)
    moved = np.eye(3, 4, dtype=np.float32)
    moved[2, 3] = 0.5
    library.set_transform(instance, moved)
    library.raw.rtcAttachGeometry(top, instance)
    library.raw.rtcCommitScene(top)
    library.check(device)

    rays = _aligned(1344).view(np.float32)
    rays[0:16] = np.linspace(-2, 2, 16)
    rays[32:48], rays[96:112], rays[128:144] = 3, -1, np.inf
    rays.view(np.int32)[144:160] = -1
    rays.view(np.uint32)[288:320] = embree.INVALID_ID
    valid, arguments = _aligned(64), _aligned(64)
    valid[:] = 255
    arguments.view(np.uint32)[1] = 0xFFFFFFFF
    _shoot(top, valid.ctypes.data, rays.ctypes.data, arguments.ctypes.data)

    hit = np.abs(rays[0:16]) < 0.5  # the triangle's half width at y = 0
    np.testing.assert_allclose(rays[128:144], np.where(hit, 2.5, np.inf), rtol=1e-6)
    for scene in (part, top):
        library.raw.rtcReleaseScene(scene)
    for geometry in (triangle, instance):
        library.raw.rtcReleaseGeometry(geometry)
    library.raw.rtcReleaseDevice(device)


def _aligned(size_bytes: int) -> np.ndarray:
    room = np.zeros(size_bytes + 64, np.uint8)
    start = -room.ctypes.data % 64
    return room[start : start + size_bytes]
