"""What every renderer returns: colour, metric depth and ids of the same pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

BACKGROUND_ID: Final = -1
"""Where only the sky is seen."""
FIRST_SITE_ID: Final = -2
"""Site `s` has the id `FIRST_SITE_ID - s`; geoms have their own ids, 0 and up."""


@dataclass(frozen=True)
class Frame:
    """One picture `[H, W]`, or a batch of them `[N, H, W]`.

    Attributes:
        rgb: uint8 `[..., H, W, 3]`, the colours as displayed.
        depth_m: float32 `[..., H, W]`, distance along the optical axis; 0 where nothing is seen.
        geom_id: int32 `[..., H, W]`, the nearest geom; `BACKGROUND_ID` for sky, `FIRST_SITE_ID` and below for sites.
    """

    rgb: npt.NDArray[np.uint8]
    depth_m: npt.NDArray[np.float32]
    geom_id: npt.NDArray[np.int32]

    @classmethod
    def empty(cls, width: int, height: int, count: int | None = None) -> Frame:
        """Returns unwritten arrays for one picture, or for a batch of `count`."""
        shape = (height, width) if count is None else (count, height, width)
        return cls(np.empty((*shape, 3), np.uint8), np.empty(shape, np.float32), np.empty(shape, np.int32))

    def ids(self, table: npt.ArrayLike, background: int = -1) -> npt.NDArray[np.int32]:
        """Translates geom ids by a table: `frame.ids(model.geom_bodyid)` gives bodies, a user's own table objects.

        Args:
            table: one id per geom of the model.
            background: the id for sky and sites.
        """
        with_background = np.append(np.asarray(table, np.int32), np.int32(background))
        return with_background[np.where(self.geom_id < 0, len(with_background) - 1, self.geom_id)]
