"""The compiled part of the ray caster: what runs for every packet of sixteen rays."""

from __future__ import annotations

from typing import Final

from pentathlon.worlds.rendering import embree
from pentathlon.worlds.rendering.kernels.cache import Kernel, compiled_once, kept_here

embree.load()  # numba resolves Embree's symbols when it loads a kernel
with kept_here(), compiled_once("callbacks"):
    from pentathlon.worlds.rendering.kernels import image, motion, reading
    from pentathlon.worlds.rendering.kernels.quadrics import QUADRIC_CALLBACKS

any_byte_differs: Final = Kernel(motion.any_byte_differs)
find_edges: Final = Kernel(image.find_edges)
halve_texels: Final = Kernel(reading.halve_texels)
mark_shared_planes: Final = Kernel(reading.mark_shared_planes)
move_instances: Final = Kernel(motion.move_instances)
pack_texels: Final = Kernel(reading.pack_texels)
place_planes: Final = Kernel(motion.place_planes)
place_textures: Final = Kernel(motion.place_textures)
read_meshes: Final = Kernel(reading.read_meshes)
trace_image: Final = Kernel(image.trace_image)

__all__ = [
    "QUADRIC_CALLBACKS",
    "any_byte_differs",
    "find_edges",
    "halve_texels",
    "mark_shared_planes",
    "move_instances",
    "pack_texels",
    "place_planes",
    "place_textures",
    "read_meshes",
    "trace_image",
]
