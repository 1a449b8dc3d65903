"""The film of a trial: what the camera saw, step by step."""

from __future__ import annotations

import numpy as np

from pentathlon.core import Workspace
from pentathlon.core.entrants import Images
from pentathlon.events.find.episodes.records import FindEpisode
from pentathlon.events.find.trial import Moment
from pentathlon.storage import write_mp4
from pentathlon.worlds.houses.bodies.navigator import Navigator

FRAMES_PER_SECOND = 8.0


class Film:
    """Collects the moments of one trial."""

    def __init__(self, episode: FindEpisode, navigator: Navigator) -> None:
        self._episode, self._navigator = episode, navigator
        self._frames: list[Images] = []

    def add(self, moment: Moment) -> None:
        """Adds a step."""
        self._frames.append(moment.sight.rgb)

    def save(self, workspace: Workspace) -> dict[str, str]:
        """Writes the film and returns the artifacts of the trial."""
        path = workspace.artifact(self._episode.id, "video.mp4")
        write_mp4(path, np.stack(self._frames), fps=FRAMES_PER_SECOND)
        return {"video": workspace.relative(path)}
