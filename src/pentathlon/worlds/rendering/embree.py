"""Finds and loads the Embree 4 ray tracing library and declares the part of it that we call.

The library comes with the `embreex` wheel; a system-wide Embree 4 serves as well. Handles (device, scene,
geometry) are plain integers, so that they pass unchanged into numba kernels.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import importlib.util
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import types

from pentathlon.core.errors import MissingDependencyError, PentathlonError

# For numba kernels: (valid lanes, scene, rays, arguments), all addresses. A kernel that calls them can be
# compiled, or loaded from numba's cache, only after load().
_ray_query = types.void(types.intp, types.intp, types.intp, types.intp)
rtcIntersect4: Any = types.ExternalFunction("rtcIntersect4", _ray_query)
rtcIntersect8: Any = types.ExternalFunction("rtcIntersect8", _ray_query)
rtcIntersect16: Any = types.ExternalFunction("rtcIntersect16", _ray_query)
rtcOccluded4: Any = types.ExternalFunction("rtcOccluded4", _ray_query)
rtcOccluded8: Any = types.ExternalFunction("rtcOccluded8", _ray_query)
rtcOccluded16: Any = types.ExternalFunction("rtcOccluded16", _ray_query)


class EmbreeError(PentathlonError):
    """Embree refused a call; the message is Embree's own."""


class Layout(NamedTuple):
    """Where one operating system keeps the library."""

    wheel_folders: tuple[str, ...]  # relative to site-packages
    embree: str  # file name pattern
    tbb: str  # Embree's thread library, bundled beside it in wheels
    system_folders: tuple[str, ...]


LAYOUTS: Final[dict[str, Layout]] = {
    "linux": Layout(
        ("embreex.libs", "embreex"),
        "libembree4*.so*",
        "libtbb[.-]*so*",
        (
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/lib",
            "/usr/local/lib",
        ),
    ),
    "darwin": Layout(
        ("embreex/.dylibs", "embreex.libs", "embreex"),
        "libembree4*.dylib",
        "libtbb[.0-9]*dylib",
        ("/opt/homebrew/lib", "/usr/local/lib", "/opt/local/lib"),
    ),
    "win32": Layout(
        ("embreex.libs", "embreex"),
        "embree4*.dll",
        "tbb[-.0-9]*dll",
        ("C:/Program Files/Intel/Embree4/bin",),
    ),
}


class LibraryFiles(NamedTuple):
    """Paths (or names that the system's loader resolves) of the libraries to load."""

    embree: str
    tbb: str | None


def find_files(
    site_packages: Iterable[Path], platform: str = sys.platform, system_folders: Iterable[str] | None = None
) -> LibraryFiles | None:
    """Returns the first Embree 4 found: in a wheel's folders, then in the system's.

    Args:
        site_packages: folders that may hold an installed `embreex`.
        platform: a key of `LAYOUTS`, as in `sys.platform`.
        system_folders: looked in after the wheel; the layout's own when not given.
    """
    layout = LAYOUTS.get(platform, LAYOUTS["linux"])
    folders = [site / folder for site in site_packages for folder in layout.wheel_folders]
    folders += [Path(folder) for folder in (layout.system_folders if system_folders is None else system_folders)]
    for folder in folders:
        if embree := sorted(folder.glob(layout.embree)):
            tbb = sorted(folder.glob(layout.tbb))
            return LibraryFiles(str(embree[0]), str(tbb[0]) if tbb else None)
    return None


def _installed_files() -> LibraryFiles:
    spec = importlib.util.find_spec("embreex")
    packages = [Path(place).parent for place in (spec.submodule_search_locations or [])] if spec else []
    files = find_files(packages)
    if files is None and (name := ctypes.util.find_library("embree4")):
        files = LibraryFiles(name, None)
    if files is None:
        raise MissingDependencyError(
            "The Embree 4 library",
            "pip install embreex",
            why="It was found neither in the embreex package nor in the system.",
        )
    return files


_POINTER, _INT, _UINT, _SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_uint, ctypes.c_size_t

# name: (result, arguments)
_SIGNATURES: Final[dict[str, tuple[object, list[object]]]] = {
    "rtcNewDevice": (_POINTER, [ctypes.c_char_p]),
    "rtcRetainDevice": (None, [_POINTER]),
    "rtcReleaseDevice": (None, [_POINTER]),
    "rtcGetDeviceError": (_INT, [_POINTER]),
    "rtcGetDeviceProperty": (ctypes.c_ssize_t, [_POINTER, _INT]),
    "rtcNewScene": (_POINTER, [_POINTER]),
    "rtcRetainScene": (None, [_POINTER]),
    "rtcReleaseScene": (None, [_POINTER]),
    "rtcSetSceneFlags": (None, [_POINTER, _INT]),
    "rtcSetSceneBuildQuality": (None, [_POINTER, _INT]),
    "rtcCommitScene": (None, [_POINTER]),
    "rtcNewGeometry": (_POINTER, [_POINTER, _INT]),
    "rtcRetainGeometry": (None, [_POINTER]),
    "rtcReleaseGeometry": (None, [_POINTER]),
    "rtcSetNewGeometryBuffer": (_POINTER, [_POINTER, _INT, _UINT, _INT, _SIZE, _SIZE]),
    "rtcGetGeometryBufferData": (_POINTER, [_POINTER, _INT, _UINT]),
    "rtcUpdateGeometryBuffer": (None, [_POINTER, _INT, _UINT]),
    "rtcSetGeometryBuildQuality": (None, [_POINTER, _INT]),
    "rtcSetGeometryMask": (None, [_POINTER, _UINT]),
    "rtcSetGeometryTimeStepCount": (None, [_POINTER, _UINT]),
    "rtcSetGeometryInstancedScene": (None, [_POINTER, _POINTER]),
    "rtcSetGeometryTransform": (None, [_POINTER, _UINT, _INT, _POINTER]),
    "rtcEnableGeometry": (None, [_POINTER]),
    "rtcDisableGeometry": (None, [_POINTER]),
    "rtcCommitGeometry": (None, [_POINTER]),
    "rtcAttachGeometry": (_UINT, [_POINTER, _POINTER]),
    "rtcAttachGeometryByID": (None, [_POINTER, _POINTER, _UINT]),
    "rtcDetachGeometry": (None, [_POINTER, _UINT]),
}

# Constants of rtcore_geometry.h, rtcore_buffer.h, rtcore_common.h and rtcore_scene.h.
GEOMETRY_TRIANGLE: Final = 0
GEOMETRY_INSTANCE: Final = 121
BUFFER_INDEX: Final = 0
BUFFER_VERTEX: Final = 1
FORMAT_UINT3: Final = 0x5003
FORMAT_FLOAT3: Final = 0x9003
FORMAT_FLOAT3X4_ROW_MAJOR: Final = 0x9134
SCENE_DYNAMIC: Final = 1 << 0
SCENE_COMPACT: Final = 1 << 1
SCENE_ROBUST: Final = 1 << 2
QUALITY_LOW: Final = 0
QUALITY_MEDIUM: Final = 1
QUALITY_HIGH: Final = 2
PROPERTY_VERSION: Final = 0
PROPERTY_NATIVE_RAYS: Final = {16: 34, 8: 33, 4: 32}  # rays in one call: the property that tells of it, widest first
INVALID_ID: Final = 0xFFFFFFFF

_ERROR_NAMES: Final = (
    "none",
    "unknown",
    "invalid argument",
    "invalid operation",
    "out of memory",
    "unsupported CPU",
    "cancelled",
)


class EmbreeLibrary:
    """The loaded library: `raw` has the declared `rtc...` functions, methods wrap those that take arrays.

    Each `new_...` returns a handle that its caller owns and gives back with `raw.rtcRelease...`.
    """

    def __init__(self, files: LibraryFiles) -> None:
        self.path = files.embree
        self.raw = _open(files)
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(self.raw, name)
            function.restype, function.argtypes = result, arguments

    def new_device(self, config: str = "threads=1") -> int:
        """Returns a device; `config` is Embree's own configuration string."""
        device = self.raw.rtcNewDevice(config.encode())
        if not device:
            self.check(0)
            raise EmbreeError(f"Embree made no device from the configuration {config!r}.")
        return int(device)

    def version(self, device: int) -> str:
        """Returns Embree's version, such as `4.4.0`."""
        number = int(self.raw.rtcGetDeviceProperty(device, PROPERTY_VERSION))
        return f"{number // 10000}.{number // 100 % 100}.{number % 100}"

    def native_width(self, device: int) -> int:
        """Returns how many rays one call takes best: 16 with AVX-512, 8 with AVX, otherwise 4."""
        known = PROPERTY_NATIVE_RAYS.items()
        native = (width for width, number in known if self.raw.rtcGetDeviceProperty(device, number))
        return next(native, min(PROPERTY_NATIVE_RAYS))

    def check(self, device: int) -> None:
        """Raises the device's pending error, if there is one, and clears it."""
        if code := self.raw.rtcGetDeviceError(device or None):
            name = _ERROR_NAMES[code] if 0 <= code < len(_ERROR_NAMES) else f"error {code}"
            raise EmbreeError(f"Embree refused a call: {name}. Library: {self.path}.")

    def new_triangles(self, device: int, vertices_m: npt.NDArray[np.float32], triangles: npt.NDArray[np.uint32]) -> int:
        """Returns a committed triangle geometry holding copies of both `[N, 3]` arrays."""
        geometry = self.raw.rtcNewGeometry(device, GEOMETRY_TRIANGLE)
        self._fill(geometry, BUFFER_VERTEX, FORMAT_FLOAT3, np.ascontiguousarray(vertices_m, np.float32))
        self._fill(geometry, BUFFER_INDEX, FORMAT_UINT3, np.ascontiguousarray(triangles, np.uint32))
        self.raw.rtcCommitGeometry(geometry)
        self.check(device)
        return int(geometry)

    def _fill(self, geometry: int, buffer: int, element_format: int, rows: npt.NDArray[np.generic]) -> None:
        if address := self.raw.rtcSetNewGeometryBuffer(geometry, buffer, 0, element_format, 12, len(rows)):
            ctypes.memmove(address, rows.ctypes.data, rows.nbytes)

    def new_instance(self, device: int, scene: int) -> int:
        """Returns a geometry that shows a committed scene, at the world's origin until it is moved."""
        instance = self.raw.rtcNewGeometry(device, GEOMETRY_INSTANCE)
        self.raw.rtcSetGeometryInstancedScene(instance, scene)
        self.raw.rtcSetGeometryTimeStepCount(instance, 1)
        self.set_transform(instance, np.eye(3, 4, dtype=np.float32))
        self.check(device)
        return int(instance)

    def set_transform(self, instance: int, local_to_world: npt.NDArray[np.float32]) -> None:
        """Places an instance by a C-contiguous `[3, 4]` matrix, from the top scene's next commit on."""
        address = local_to_world.ctypes.data
        self.raw.rtcSetGeometryTransform(instance, 0, FORMAT_FLOAT3X4_ROW_MAJOR, address)
        self.raw.rtcCommitGeometry(instance)


def _open(files: LibraryFiles) -> ctypes.CDLL:
    """Loads the files for ctypes and makes Embree's symbols known to numba's linker."""
    import llvmlite.binding

    folder = os.path.dirname(files.embree)
    if sys.platform == "win32" and folder:  # dependent DLLs are only looked for in folders named like this
        os.add_dll_directory(folder)
    try:
        if files.tbb:
            ctypes.CDLL(files.tbb, mode=ctypes.RTLD_GLOBAL)
        library = ctypes.CDLL(files.embree, mode=ctypes.RTLD_GLOBAL)
        llvmlite.binding.load_library_permanently(files.embree)
    except (OSError, RuntimeError) as error:
        raise MissingDependencyError(
            "The Embree 4 library", "pip install --force-reinstall embreex", why=str(error)
        ) from error
    return library


@functools.cache
def load() -> EmbreeLibrary:
    """Returns the library, loaded once per process.

    Raises:
        MissingDependencyError: Embree 4 is not installed or cannot be loaded.
    """
    return EmbreeLibrary(_installed_files())
