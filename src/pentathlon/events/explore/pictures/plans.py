"""A trial drawn on the plan of its house: the walk, what was seen, lifted and opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PIL.Image import Image

from pentathlon.worlds.houses.house import House
from pentathlon.worlds.houses.pictures.drawing import Sheet, draw_house

PIXELS_PER_M = 60
Rgb = tuple[int, int, int]
EXPLORE_RGB: Rgb = (40, 90, 220)
RETURN_RGB: Rgb = (150, 60, 190)
SEEN_RGB: Rgb = (70, 160, 80)
UNSEEN_RGB: Rgb = (200, 50, 40)
LIFTED_RGB: Rgb = (230, 150, 0)
OPENED_RGB: Rgb = (0, 160, 180)
WHITE: Rgb = (255, 255, 255)
LEGEND = "Walks: blue in phase I, violet in phase III. Dots: green seen, red never seen, orange lifted, cyan opened."


def draw_trial(house: House, phases: Mapping[str, Any]) -> Image:
    """Draws both walks and a dot for every object."""
    sheet = Sheet(house, PIXELS_PER_M)
    sheet.image.paste(draw_house(house, PIXELS_PER_M))
    for name, rgb in (("explore", EXPLORE_RGB), ("return", RETURN_RGB)):
        points = [sheet.point(float(x), float(y)) for x, y in phases[name]["path"]]
        if len(points) > 1:
            sheet.draw.line(points, fill=rgb, width=2)
    seen, lifted, opened = (_all(phases, what) for what in ("seen", "lifted", "opened"))
    for item in house.objects:
        rgb = LIFTED_RGB if item.id in lifted else OPENED_RGB if item.id in opened else SEEN_RGB
        _dot(sheet, item.position_m[0], item.position_m[1], rgb if item.id in seen else UNSEEN_RGB)
    x_m, y_m = phases["explore"]["path"][0]
    _dot(sheet, x_m, y_m, EXPLORE_RGB, radius_px=7.0)
    return sheet.image


def _all(phases: Mapping[str, Any], what: str) -> set[str]:
    return {name for phase in phases.values() for name in phase[what]}


def _dot(sheet: Sheet, x_m: float, y_m: float, rgb: Rgb, radius_px: float = 3.5) -> None:
    x, y = sheet.point(float(x_m), float(y_m))
    sheet.draw.ellipse((x - radius_px, y - radius_px, x + radius_px, y + radius_px), fill=rgb, outline=WHITE)
