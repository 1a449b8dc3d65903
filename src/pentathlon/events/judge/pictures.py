"""What a judge saw of a problem set, as one picture: a strip of frames for each video."""

from __future__ import annotations

import numpy as np
from PIL import Image

from pentathlon.core import Workspace
from pentathlon.events.judge.data.frames import Frames, even_places

MOST_STRIPS, SHOWN, SIDE_PX = 24, 8, 96
QUALITY = 80


class FrameStrips:
    """Gathers strips while a trial runs; empty where no pictures are wanted, or the judge looks at single frames."""

    def __init__(self, workspace: Workspace, trial: str) -> None:
        self._workspace, self._trial = workspace, trial
        self._strips: list[Frames] = []

    def add(self, frames: Frames) -> None:
        """Adds a video's strip."""
        if self._workspace.videos and len(frames) > 1 and len(self._strips) < MOST_STRIPS:
            shown = frames[even_places(len(frames), min(SHOWN, len(frames)))]
            small = [np.asarray(Image.fromarray(one).resize((SIDE_PX, SIDE_PX)), np.uint8) for one in shown]
            self._strips.append(np.concatenate(small, axis=1))

    def save(self) -> dict[str, str]:
        """Writes the picture; returns it as an outcome names it."""
        if not self._strips:
            return {}
        path = self._workspace.artifact(self._trial, "frames.jpg")
        Image.fromarray(np.concatenate(self._strips, axis=0)).save(path, quality=QUALITY)
        return {"frames": self._workspace.relative(path)}
