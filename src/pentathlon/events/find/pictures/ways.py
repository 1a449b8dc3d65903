"""The ways of trials drawn on the plan of their house: where each began, went, and ended, and what it looked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from PIL.Image import Image

from pentathlon.core.trial import Outcome
from pentathlon.events.find.heats import changed_house
from pentathlon.events.find.protocol import FindTrials
from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.pictures.drawing import Sheet, draw_house

PIXELS_PER_M = 60
FOUND_RGB, FAILED_RGB, START_RGB, TARGET_RGB = (40, 150, 60), (200, 50, 40), (40, 90, 220), (230, 150, 0)


def draw_ways(trials: FindTrials, outcomes: Mapping[str, Outcome]) -> Iterator[tuple[str, Image]]:
    """Yields for each house its plan with the ways of all its trials, green where the target was found."""
    by_house: dict[str, list[Outcome]] = {}
    for episode in trials.episodes:
        if episode.id in outcomes and outcomes[episode.id].details.get("path"):
            by_house.setdefault(episode.house, []).append(outcomes[episode.id])
    for name, own in by_house.items():
        yield name, draw_on_plan(changed_house(trials, name), own)


def draw_on_plan(house: House, outcomes: list[Outcome]) -> Image:
    """Draws the ways of trials on the plan of a house."""
    sheet = Sheet(house, PIXELS_PER_M)
    sheet.image.paste(draw_house(house, PIXELS_PER_M))
    places = {item.id: item.position_m for item in house.objects}
    for outcome in outcomes:
        _draw_way(sheet, outcome.details["path"], bool(outcome.metrics.get("success")))
        target = places.get(str(outcome.details.get("target")))
        if target is not None:
            _dot(sheet, target[0], target[1], TARGET_RGB)
    return sheet.image


def _draw_way(sheet: Sheet, path: list[Any], found: bool) -> None:
    points = [sheet.point(float(x), float(y)) for x, y, *_ in path]
    sheet.draw.line(points, fill=FOUND_RGB if found else FAILED_RGB, width=3)
    _dot(sheet, float(path[0][0]), float(path[0][1]), START_RGB)


def _dot(sheet: Sheet, x_m: float, y_m: float, rgb: tuple[int, int, int], radius_px: float = 6.0) -> None:
    x, y = sheet.point(x_m, y_m)
    sheet.draw.ellipse((x - radius_px, y - radius_px, x + radius_px, y + radius_px), fill=rgb, outline=(255, 255, 255))
