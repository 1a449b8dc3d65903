"""The film of a trial: camera, relevance, the agent's map and the true way, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PIL import Image, ImageDraw

from pentathlon.core import Workspace
from pentathlon.core.entrants import Images
from pentathlon.events.find.episodes.records import FindEpisode
from pentathlon.events.find.pictures.panels import PANEL_PX, Panels, draw_panels
from pentathlon.events.find.trial import Moment, phase_of
from pentathlon.storage import write_mp4
from pentathlon.worlds.houses.bodies.navigator import Navigator
from pentathlon.worlds.houses.pictures.drawing import Sheet, draw_house

FRAMES_PER_SECOND = 8.0
PLAN_PX_PER_M = 30
START_RGB, WAY_RGB, HERE_RGB = (60, 60, 60), (38, 110, 235), (222, 72, 52)


class Film:
    """Collects the moments of one trial."""

    def __init__(self, episode: FindEpisode, navigator: Navigator) -> None:
        self._episode = episode
        house = navigator.scene.house
        self._sheet = Sheet(house, PLAN_PX_PER_M)
        self._plan = draw_house(house, PLAN_PX_PER_M)
        self._way: list[tuple[float, float]] = []
        self._frames: list[Images] = []

    def add(self, moment: Moment) -> None:
        """Adds a step."""
        self._way.append(self._sheet.point(moment.pose.x_m, moment.pose.y_m))
        caption = f"{self._episode.description}   {len(self._way)} {moment.action}"
        panels = Panels(
            moment.sight.rgb,
            told(moment.insight, "relevance"),
            told(moment.insight, "map"),
            self._drawn_plan(),
            caption,
            phase_of(moment.insight),
        )
        self._frames.append(draw_panels(panels))

    def save(self, workspace: Workspace) -> dict[str, str]:
        """Writes the film and returns the artifacts of the trial."""
        path = workspace.artifact(self._episode.id, "video.mp4")
        write_mp4(path, np.stack(self._frames), fps=FRAMES_PER_SECOND)
        return {"video": workspace.relative(path)}

    def _drawn_plan(self) -> Images:
        """The house from above with the way so far, no larger than its panel."""
        plan = self._plan.copy()
        draw = ImageDraw.Draw(plan)
        width = max(2, max(plan.size) // 90)
        if len(self._way) > 1:
            draw.line(self._way, fill=WAY_RGB, width=width)
        for (x, y), colour in ((self._way[0], START_RGB), (self._way[-1], HERE_RGB)):
            draw.ellipse((x - 2 * width, y - 2 * width, x + 2 * width, y + 2 * width), fill=colour)
        plan.thumbnail((PANEL_PX, PANEL_PX), Image.Resampling.BILINEAR)
        return np.asarray(plan)


def told(insight: Any, what: str) -> Any:
    """Returns an array that an agent tells of itself; ``None`` where it tells none."""
    found = insight.get(what) if isinstance(insight, Mapping) else getattr(insight, what, None)
    return found if isinstance(found, np.ndarray) else None
