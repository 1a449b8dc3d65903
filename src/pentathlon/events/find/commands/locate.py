"""``pentathlon find locate``: where in a picture of one's own does a localizer see what a sentence describes?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import tyro

from pentathlon.core import DataError, Runs


@dataclass(frozen=True)
class Locate:
    """Lay a localizer's relevance over a picture: red where it is highest."""

    picture: tyro.conf.Positional[Path]
    """A picture file."""
    sentence: tyro.conf.Positional[str]
    """What to find, such as "red mug on the desk"."""
    localizer: str
    """Such as clip-grad:openai/clip-vit-base-patch32 or owl:FOLDER."""
    category: str = ""
    """The noun of what is described, such as mug; the whole sentence when not given."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = Path("located.png")
    """The picture to write."""

    def run(self, runs: Runs) -> int:
        """Writes the picture and prints where the highest relevance lies."""
        from PIL import Image

        from pentathlon.events.find.pictures.panels import heated
        from pentathlon.models.localizers import open_localizer

        rgb = _read_picture(self.picture)
        localizer = open_localizer(self.localizer)
        localizer.describe(self.sentence, self.category or self.sentence)
        # A picture by itself has no depth; no localizer over released weights looks at it.
        found = localizer.relevance(rgb, np.zeros(rgb.shape[:2], np.float32))
        Image.fromarray(heated(rgb, found.map)).save(self.out)
        row, column = np.unravel_index(int(found.map.argmax()), found.map.shape)
        share = float((found.map > found.go).mean())
        print(
            f"{self.out}: highest {found.map.max():.4g} at column {column}, row {row} of "
            f"{found.map.shape[1]} x {found.map.shape[0]}; {share:.1%} of the picture lies above {found.go:.4g}"
        )
        return 0


def _read_picture(path: Path) -> np.ndarray:
    from PIL import Image, UnidentifiedImageError

    try:
        return np.asarray(Image.open(path).convert("RGB"))
    except (OSError, UnidentifiedImageError) as error:
        raise DataError(f"Expected a picture file, got {path}, which cannot be read ({error}).") from error
