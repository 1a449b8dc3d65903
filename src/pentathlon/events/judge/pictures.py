"""What a judge saw of each video, as a strip of frames."""

from __future__ import annotations

import numpy as np
from PIL import Image

from pentathlon.core import Workspace
from pentathlon.events.judge.data.frames import Frames, even_places

SHOWN, SIDE_PX = 8, 96
QUALITY = 80


def artifact_name(place: int) -> str:
    """What an outcome calls the strip of a video, by its place in the problem set."""
    return f"video {place + 1}"


class FrameStrips:
    """Keeps strips while a trial runs; none where no pictures are wanted, or the judge looks at single frames."""

    def __init__(self, workspace: Workspace, trial: str) -> None:
        self._workspace, self._trial = workspace, trial
        self._added = 0
        self.artifacts: dict[str, str] = {}

    def add(self, frames: Frames) -> None:
        """Writes the strip of the next video."""
        place = self._added
        self._added += 1
        if not self._workspace.videos or len(frames) < 2:
            return
        shown = frames[even_places(len(frames), min(SHOWN, len(frames)))]
        small = [np.asarray(Image.fromarray(one).resize((SIDE_PX, SIDE_PX)), np.uint8) for one in shown]
        path = self._workspace.artifact(self._trial, f"frames-{place + 1:03d}.jpg")
        Image.fromarray(np.concatenate(small, axis=1)).save(path, quality=QUALITY)
        self.artifacts[artifact_name(place)] = self._workspace.relative(path)
