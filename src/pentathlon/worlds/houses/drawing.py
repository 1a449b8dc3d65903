"""A schematic floor plan as a picture: rooms, walls, doors, windows, objects."""

from __future__ import annotations

from PIL import Image, ImageDraw

from pentathlon.worlds.houses.house import Door, House
from pentathlon.worlds.houses.polygons import Rect, bounds, rectangles
from pentathlon.worlds.houses.walls import inner_blocks, outer_blocks, walls_of

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
        _draw_panel(sheet, door)
    for room in house.rooms:
        largest = max(rectangles(room.outline_m), key=lambda rect: rect.area)
        sheet.text(*largest.centre, room.type, size_px=pixels_per_m // 4)
    return sheet.image


def _draw_panel(sheet: Sheet, door: Door) -> None:
    x, y = door.centre_m
    sheet.draw.circle(sheet.point(x, y), 3, fill=(160, 90, 40) if door.panel else (90, 140, 60))
