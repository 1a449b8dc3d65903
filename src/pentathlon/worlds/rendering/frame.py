"""What a camera sees: colour, metric depth and object ids of the same pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import UsageError


@dataclass(frozen=True)
class Frame:
    """One picture, or a batch of them when the arrays have a leading axis.

    Attributes:
        rgb: uint8[H, W, 3].
        depth_m: float32[H, W], distance along the optical axis of the nearest surface, transparent ones included; 0 for
            the background.
        geom_id: int32[H, W], that surface: a geom's id, `model.ngeom` + a site's id, numbers that follow for tendons,
            skins, flexes, sensors and actuators (`model.numbering`), or -1 for the background.
    """

    rgb: npt.NDArray[np.uint8]
    depth_m: npt.NDArray[np.float32]
    geom_id: npt.NDArray[np.int32]

    @classmethod
    def empty(cls, size: tuple[int, int], count: int | None = None) -> Frame:
        """Returns a frame of (width, height) for `render(..., out=)`, with a leading axis if `count` is given.

        Its contents are arbitrary, as those of `numpy.empty` are.
        """
        lead = () if count is None else (count,)
        shape = (*lead, size[1], size[0])
        return cls(np.empty((*shape, 3), np.uint8), np.empty(shape, np.float32), np.empty(shape, np.int32))

    @classmethod
    def blank(cls, size: tuple[int, int]) -> Frame:
        """Returns a frame of (width, height) that shows black background."""
        frame = cls.empty(size)
        frame.rgb[:], frame.depth_m[:], frame.geom_id[:] = 0, 0.0, -1
        return frame

    def ids(self, table: npt.ArrayLike, background: int = -1) -> npt.NDArray[np.int32]:
        """Returns the ids translated by a table, such as `model.geom_bodyid` or an object's number for each geom.

        Args:
            table: indexed by `geom_id`; pixels whose id lies beyond it (sites) get `background`.
            background: the id of pixels without a geom.
        """
        lookup = np.asarray(table)
        if lookup.ndim != 1:
            raise UsageError(f"Expected a table with one id for each geom, got an array of shape {lookup.shape}.")
        padded = np.append(lookup.astype(np.int32), np.int32(background))
        known = (self.geom_id >= 0) & (self.geom_id < len(lookup))
        return padded[np.where(known, self.geom_id, len(lookup))]
