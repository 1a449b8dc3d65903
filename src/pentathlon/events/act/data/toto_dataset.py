"""A dataset in TOTO's own layout as one of act: ``parsed.pkl`` and a picture for each step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image as Pictures

from pentathlon.core import DataError
from pentathlon.events.act.data.toto_pickle import IMAGES_FOLDER, import_toto
from pentathlon.learning.policies.trajectories import Trajectory


@dataclass(frozen=True)
class TotoDataset:
    """Episodes in TOTO's own layout, with a picture for each step."""

    folder: Path
    frame_every: int = 1

    @cached_property
    def _imported(self) -> list[Trajectory]:
        return import_toto(self.folder)

    def trajectories(self) -> list[Trajectory]:
        """Reads all episodes without pictures."""
        return self._imported

    def pictures(self, index: int) -> Iterator[npt.NDArray[np.uint8]]:
        """Gives the pictures of an episode.

        Raises:
            DataError: when there are none, or one cannot be read.
        """
        trajectory = self._imported[index]
        names = trajectory.facts.get("cam0c", ())
        if not names:
            raise DataError(
                f"Expected pictures of trajectory {trajectory.id!r} in {self.folder}, its cam0c names none. "
                "Train on joints alone: --features none."
            )
        for name in names:
            path = self.folder / IMAGES_FOLDER / trajectory.id / name
            try:
                with Pictures.open(path) as picture:
                    yield np.asarray(picture.convert("RGB"))
            except OSError as error:
                raise DataError(f"Expected a picture at {path}, could not read one ({error}).") from error
