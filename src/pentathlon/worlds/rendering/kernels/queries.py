"""Hands a packet's rays to Embree, as many in one call as the processor takes at once.

Embree splits a call that is wider than the processor into single rays, which takes twice the time. So a packet of
sixteen goes as it is where sixteen are native, and otherwise by copies of four or eight of its lanes.

What does not move is a scene of its own and comes first: it needs no step through an instance, and what lies behind it
is not looked at. Its hits have no instance.
"""

from __future__ import annotations

from typing import Any, Final

from pentathlon.worlds.rendering import embree
from pentathlon.worlds.rendering.kernels import packet as p
from pentathlon.worlds.rendering.kernels.packet import LANES, all_bits, copy_lanes, inlined

_TIME: Final = 7  # rows of Embree's ray-hits, at any width
_T_FAR: Final = 8
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
    copy, any_bit = copy_lanes[width], all_bits[width]
    given = tuple(row for row in range(_T_FAR + 1) if row != _TIME)
    found = (_T_FAR, *range(_FIRST_OF_HIT, _INSTANCE + 1)) if hits else (_T_FAR,)
    emptied = (_MASK, _GEOMETRY, _INSTANCE) if hits else (_MASK,)

    @inlined
    def wanted(s: Any, first: Any) -> Any:
        """Copies which lanes from `first` on are to be shot; tells whether any is."""
        copy(s, p.NARROW_VALID, valid + first)
        return any_bit(s, valid + first) != 0

    @inlined
    def shoot(s: Any, handles: Any) -> None:
        still, moving, arguments, base, _ = handles
        for first in range(0, LANES, width):
            if wanted(s, first):
                for row in given:
                    copy(s, p.NARROW + row * width, rays + row * LANES + first)
                for row in emptied:
                    copy(s, p.NARROW + row * width, p.MASK)
                if still != 0:
                    query(base + 4 * p.NARROW_VALID, still, base + 4 * p.NARROW, arguments)
                if moving != 0:
                    query(base + 4 * p.NARROW_VALID, moving, base + 4 * p.NARROW, arguments)
                for row in found:
                    copy(s, rays + row * LANES + first, p.NARROW + row * width)

    return shoot


_intersect8 = _narrow_query(8, embree.rtcIntersect8, 0, p.ACTIVE, hits=True)
_intersect4 = _narrow_query(4, embree.rtcIntersect4, 0, p.ACTIVE, hits=True)
_occlude8 = _narrow_query(8, embree.rtcOccluded8, p.SHADOW, p.SHADOW_VALID, hits=False)
_occlude4 = _narrow_query(4, embree.rtcOccluded4, p.SHADOW, p.SHADOW_VALID, hits=False)


@inlined
def intersect(s: Any, handles: Any) -> None:
    """Finds the nearest surface on each lane of ACTIVE."""
    still, moving, arguments, base, width = handles
    if width == 16:
        if still != 0:
            embree.rtcIntersect16(base + 4 * p.ACTIVE, still, base, arguments)
        if moving != 0:
            embree.rtcIntersect16(base + 4 * p.ACTIVE, moving, base, arguments)
    elif width == 8:
        _intersect8(s, handles)
    else:
        _intersect4(s, handles)


@inlined
def occlude(s: Any, handles: Any) -> None:
    """Gives each shadow ray of SHADOW_VALID that meets anything an end below zero."""
    still, moving, arguments, base, width = handles
    if width == 16:
        if still != 0:
            embree.rtcOccluded16(base + 4 * p.SHADOW_VALID, still, base + 4 * p.SHADOW, arguments)
        if moving != 0:
            embree.rtcOccluded16(base + 4 * p.SHADOW_VALID, moving, base + 4 * p.SHADOW, arguments)
    elif width == 8:
        _occlude8(s, handles)
    else:
        _occlude4(s, handles)
