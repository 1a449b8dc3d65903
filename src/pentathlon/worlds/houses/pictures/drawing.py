"""A schematic floor plan as a picture: rooms, walls, doors, windows, objects."""

from __future__ import annotations

import math

from PIL import Image, ImageDraw

from pentathlon.worlds.houses.furnishing.footprint import footprint, moved, resized
from pentathlon.worlds.houses.house import Door, House, PlacedObject
from pentathlon.worlds.houses.plan.polygons import Rect, bounds, rectangles
from pentathlon.worlds.houses.plan.walls import inner_blocks, outer_blocks, walls_of
from pentathlon.worlds.houses.ways.obstacles import panel_obstacle

ROOM_RGB = {
    "Bathroom": (205, 226, 240),
    "Bedroom": (226, 214, 238),
    "DiningRoom": (246, 228, 204),
    "Hallway": (232, 232, 228),
    "Kitchen": (250, 238, 196),
    "LivingRoom": (212, 236, 212),
    "Office": (238, 216, 212),
}
WALL_RGB = (70, 70, 74)
MARGIN_M = 0.5


class Sheet:
    """A picture in house coordinates, y up."""

    def __init__(self, house: House, pixels_per_m: int) -> None:
        self._area = bounds([room.outline_m for room in house.rooms]).grown(MARGIN_M)
        self._scale = pixels_per_m
        size = round(self._area.width * pixels_per_m), round(self._area.depth * pixels_per_m)
        self.image = Image.new("RGB", size, (250, 250, 248))
        self.draw = ImageDraw.Draw(self.image)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Turns metres into pixels."""
        return (x - self._area.x0) * self._scale, (self._area.y1 - y) * self._scale

    def rect(self, rect: Rect, fill: tuple[int, int, int], outline: tuple[int, int, int] | None = None) -> None:
        """Fills a rectangle."""
        x0, y0 = self.point(rect.x0, rect.y1)
        x1, y1 = self.point(rect.x1, rect.y0)
        self.draw.rectangle((x0, y0, x1, y1), fill=fill, outline=outline)

    def text(self, x: float, y: float, text: str, size_px: int = 14) -> None:
        """Writes text centred on a point."""
        self.draw.text(self.point(x, y), text, fill=(40, 40, 40), anchor="mm", font_size=size_px)


def draw_house(house: House, pixels_per_m: int = 60) -> Image.Image:
    """Draws the plan of a house."""
    sheet = Sheet(house, pixels_per_m)
    for room in house.rooms:
        for rect in rectangles(room.outline_m):
            sheet.rect(rect, ROOM_RGB[room.type])
    for wall in walls_of(house):
        for block in (*inner_blocks(wall, house.ceiling_m), *outer_blocks(wall, house.ceiling_m)):
            if block.bottom <= 0.0 < block.top:
                low = block.top < house.ceiling_m
                sheet.rect(block.rect, (120, 170, 215) if low else WALL_RGB)
    for door in house.doors:
        _draw_panel(sheet, house, door)
    for item in house.objects:
        _draw_object(sheet, item)
    for room in house.rooms:
        largest = max(rectangles(room.outline_m), key=lambda rect: rect.area)
        sheet.text(*largest.centre, room.type, size_px=pixels_per_m // 4)
    return sheet.image


def _draw_panel(sheet: Sheet, house: House, door: Door) -> None:
    if door.panel:
        leaf = panel_obstacle(house, door)
        dx, dy = math.cos(leaf.yaw_rad) * leaf.half_x, math.sin(leaf.yaw_rad) * leaf.half_x
        line = sheet.point(leaf.x - dx, leaf.y - dy), sheet.point(leaf.x + dx, leaf.y + dy)
        sheet.draw.line(line, fill=(160, 90, 40), width=3)


def _draw_object(sheet: Sheet, item: PlacedObject) -> None:
    x, y, z = item.position_m
    if item.box is not None:
        width, depth, height = item.box.size_m
        rect, colour = Rect(-width / 2, -depth / 2, width / 2, depth / 2), (190, 190, 190)
    else:
        view = resized(footprint(item.type, item.variant), item.factors)
        rect, height = view.rect, view.height_m
        colour = (222, 120, 70) if view.pickupable else (176, 150, 120)
    if z > 1.9:
        return
    corners = [sheet.point(*moved(corner, item.yaw_deg, x, y)) for corner in rect.outline()]
    flat = height < 0.04 and z < 0.02
    sheet.draw.polygon(corners, fill=(220, 200, 190) if flat else colour, outline=(110, 90, 70))
    if rect.area > 0.12:
        front = moved((rect.centre[0], rect.y0), item.yaw_deg, x, y)
        sheet.draw.circle(sheet.point(*front), 2, fill=(200, 30, 30))
        sheet.text(*moved(rect.centre, item.yaw_deg, x, y), item.type, size_px=9)
