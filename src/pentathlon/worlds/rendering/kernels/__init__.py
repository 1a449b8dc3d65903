"""The compiled part of the ray caster: what runs for every packet of sixteen rays.

numba keeps compiled kernels in the user's cache folder, under a digest of these sources: numba itself looks only at
the file of the outermost function, and would load stale code after a change in a file that this one uses.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import numba.core.config
import platformdirs

from pentathlon.worlds.rendering import embree


def cache_folder() -> Path:
    """Returns the folder of this version's compiled kernels, inside NUMBA_CACHE_DIR where that is set."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    root = Path(chosen) if chosen else platformdirs.user_cache_path("pentathlon") / "numba"
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return root / f"eyes-{digest.hexdigest()[:16]}"


embree.load()  # numba resolves Embree's symbols when it loads a kernel
_numba_config: Any = numba.core.config
_previous = _numba_config.CACHE_DIR
_numba_config.CACHE_DIR = str(cache_folder())  # read when a function is decorated
try:
    from pentathlon.worlds.rendering.kernels.image import find_edges, render_rows, smooth_edges
    from pentathlon.worlds.rendering.kernels.motion import move_instances, place_planes, place_textures
    from pentathlon.worlds.rendering.kernels.quadrics import QUADRIC_CALLBACKS
finally:
    _numba_config.CACHE_DIR = _previous

__all__ = [
    "QUADRIC_CALLBACKS",
    "cache_folder",
    "find_edges",
    "move_instances",
    "place_planes",
    "place_textures",
    "render_rows",
    "smooth_edges",
]
