"""Hands a packet's rays to Embree, as many in one call as the processor takes at once.

Embree splits a call that is wider than the processor into single rays, which takes twice the time. So a packet of
sixteen goes as it is where sixteen are native, and otherwise by copies of four or eight of its lanes.
"""

from __future__ import annotations

from typing import Any, Final

from pentathlon.worlds.rendering import embree
from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.packet import LANES, bits, inlined, put

_T_FAR: Final = 8  # rows of Embree's ray-hits, at any width
_MASK: Final = 9
_FIRST_OF_HIT: Final = 12
_GEOMETRY: Final = 18
_INSTANCE: Final = 19


def _narrow_query(width: int, query: Any, rays: int, valid: int, *, hits: bool) -> Any:
    """Returns a function that shoots a packet's rays by `width`.

    Args:
        width: rays in one call.
        query: Embree's function.
        rays: the packet's row where sixteen rays begin.
        valid: the packet's row of lanes to shoot.
        hits: whether the query writes hits, or only the far ends.
    """
    last_row = _INSTANCE + 1 if hits else _T_FAR + 1

    @inlined
    def load(s: Any, first: Any) -> Any:
        """Copies lanes from `first` on; tells whether any is to be shot."""
        wanted = 0
        for row in range(_T_FAR + 1):
            for k in range(width):
                s[p.NARROW + row * width + k] = s[rays + row * LANES + first + k]
        for k in range(width):
            put(s, p.NARROW + _MASK * width + k, -1)
            put(s, p.NARROW + _GEOMETRY * width + k, -1)
            put(s, p.NARROW + _INSTANCE * width + k, -1)
            lane = bits(s, valid + first + k)
            put(s, p.NARROW_VALID + k, lane)
            wanted |= lane
        return wanted != 0

    @inlined
    def shoot(s: Any, handles: Any) -> None:
        top, arguments, base, _ = handles
        for first in range(0, LANES, width):
            if load(s, first):
                query(base + 4 * p.NARROW_VALID, top, base + 4 * p.NARROW, arguments)
                for k in range(width):
                    s[rays + _T_FAR * LANES + first + k] = s[p.NARROW + _T_FAR * width + k]
                for row in range(_FIRST_OF_HIT, last_row):
                    for k in range(width):
                        s[rays + row * LANES + first + k] = s[p.NARROW + row * width + k]

    return shoot


_intersect8 = _narrow_query(8, embree.rtcIntersect8, 0, p.ACTIVE, hits=True)
_intersect4 = _narrow_query(4, embree.rtcIntersect4, 0, p.ACTIVE, hits=True)
_occlude8 = _narrow_query(8, embree.rtcOccluded8, p.SHADOW, p.SHADOW_VALID, hits=False)
_occlude4 = _narrow_query(4, embree.rtcOccluded4, p.SHADOW, p.SHADOW_VALID, hits=False)


@inlined
def intersect(s: Any, handles: Any) -> None:
    """Finds the nearest surface on each lane of ACTIVE."""
    top, arguments, base, width = handles
    if width == 16:
        embree.rtcIntersect16(base + 4 * p.ACTIVE, top, base, arguments)
    elif width == 8:
        _intersect8(s, handles)
    else:
        _intersect4(s, handles)


@inlined
def occlude(s: Any, handles: Any) -> None:
    """Gives each shadow ray of SHADOW_VALID that meets anything an end below zero."""
    top, arguments, base, width = handles
    if width == 16:
        embree.rtcOccluded16(base + 4 * p.SHADOW_VALID, top, base + 4 * p.SHADOW, arguments)
    elif width == 8:
        _occlude8(s, handles)
    else:
        _occlude4(s, handles)
