"""Where compiled kernels are kept, and who compiles them when many processes start at once.

numba itself looks only at the file of the outermost function, and would load stale code after a change in a file that
this one uses; so the folder's name holds a digest of all sources. Safe as numba's cache is, it lets every process that
finds it empty compile everything: here one does, and the others wait and load.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
import numba.core.config
import platformdirs
from filelock import FileLock

_numba_config: Any = numba.core.config


def kernel_processor() -> str:
    """Returns LLVM's name of the processor that kernels are compiled for: this one, or what NUMBA_CPU_NAME says."""
    return str(_numba_config.CPU_NAME or llvmlite.binding.get_host_cpu_name())


def kernel_vectors() -> str:
    """Returns the widest vector instructions that kernels are compiled with."""
    chosen = _numba_config.CPU_FEATURES
    features = llvmlite.binding.get_host_cpu_features().flatten() if chosen is None else chosen
    known = {"+avx512f": "AVX-512", "+avx2": "AVX2", "+avx": "AVX", "+neon": "NEON"}
    return next((name for feature, name in known.items() if feature in features.split(",")), "SSE")


def cache_folder() -> Path:
    """Returns the folder of this version's compiled kernels, inside NUMBA_CACHE_DIR where that is set.

    Where that cannot be written, every process has its own among the temporary files.
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    root = Path(chosen) if chosen else platformdirs.user_cache_path("pentathlon") / "numba"
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    processor = f"{kernel_processor()} {_numba_config.CPU_FEATURES}"
    digest.update(f"{sys.version} {numba.__version__} {processor}".encode())
    name = f"eyes-{digest.hexdigest()[:16]}"
    try:
        (root / name).mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix=name))
    return root / name if os.access(root / name, os.W_OK) else Path(tempfile.mkdtemp(prefix=name))


FOLDER = cache_folder()


@contextmanager
def kept_here() -> Iterator[None]:
    """Lets numba keep functions that are decorated inside in our folder."""
    previous = _numba_config.CACHE_DIR
    _numba_config.CACHE_DIR = str(FOLDER)
    try:
        yield
    finally:
        _numba_config.CACHE_DIR = previous


@contextmanager
def compiled_once(name: str) -> Iterator[None]:
    """Runs what compiles `name` in one process at a time, until one has ended; the cache then holds it."""
    done = FOLDER / f"{name}.done"
    if done.exists():
        yield
        return
    with FileLock(FOLDER / "compiling.lock"):
        yield
        done.touch()


class Kernel:
    """A compiled function whose first call, which may compile it, is made by `compiled_once`."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.__doc__ = function.__doc__
        self._function = function
        self._called = False

    def __call__(self, *arguments: Any) -> Any:
        """Calls the function."""
        if self._called:
            return self._function(*arguments)
        with compiled_once(self._function.__name__):
            result = self._function(*arguments)
        self._called = True
        return result
