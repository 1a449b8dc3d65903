"""The compiled part of the ray caster: what runs for every packet of sixteen rays."""

from __future__ import annotations

from typing import Final

from pentathlon.worlds.rendering import embree
from pentathlon.worlds.rendering.kernels.cache import Kernel, compiled_once, kept_here

embree.load()  # numba resolves Embree's symbols when it loads a kernel
with kept_here(), compiled_once("callbacks"):
    from pentathlon.worlds.rendering.kernels import image, motion
    from pentathlon.worlds.rendering.kernels.quadrics import QUADRIC_CALLBACKS

any_byte_differs: Final = Kernel(motion.any_byte_differs)
find_edges: Final = Kernel(image.find_edges)
move_instances: Final = Kernel(motion.move_instances)
place_planes: Final = Kernel(motion.place_planes)
place_textures: Final = Kernel(motion.place_textures)
trace_image: Final = Kernel(image.trace_image)

__all__ = [
    "QUADRIC_CALLBACKS",
    "any_byte_differs",
    "find_edges",
    "move_instances",
    "place_planes",
    "place_textures",
    "trace_image",
]
