"""What is printed on things: dials, labels, packets, newspapers, maps, cards and boards."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

from pentathlon.worlds.modelling.colours import COLOURS, Colour, colour
from pentathlon.worlds.modelling.mesh import Floats
from pentathlon.worlds.modelling.pictures import picture, write
from pentathlon.worlds.modelling.textures import Texture, noise, to_pixels

Rgb = Sequence[float]
INK = (0.10, 0.10, 0.12)


def ink(rgb: Rgb | Floats) -> tuple[int, int, int]:
    """A colour of 0..1 as bytes."""
    red, green, blue = (round(255 * min(1.0, channel)) for channel in rgb)
    return red, green, blue


def blank(ground: Rgb, width_px: int = 256, height_px: int = 256) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """An empty image and the pen that draws on it."""
    image = Image.new("RGB", (width_px, height_px), ink(ground))
    return image, ImageDraw.Draw(image)


def disc(draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, rgb: Rgb) -> None:
    """Fill a circle given in pixels."""
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ink(rgb))


def dial(rng: np.random.Generator, ground: Rgb, hands: Rgb) -> Texture:
    """A clock face with twelve numerals and two hands at some time of day."""
    image, draw = blank(ground)
    for hour in range(1, 13):
        angle = math.radians(30 * hour - 90)
        write(image, str(hour), (0.5 + 0.38 * math.cos(angle), 0.5 + 0.38 * math.sin(angle)), 0.13, hands)
    minutes = int(rng.integers(720))
    for turn, reach, width in ((minutes / 720, 62, 11), (minutes % 60 / 60, 92, 7)):
        angle = 2 * math.pi * turn - math.pi / 2
        draw.line(
            (128, 128, 128 + reach * math.cos(angle), 128 + reach * math.sin(angle)), fill=ink(hands), width=width
        )
    disc(draw, 128, 128, 9, (0.8, 0.1, 0.1))
    return picture(image)


def digits(text: str, glow: Rgb) -> Texture:
    """Bright digits on a black display."""
    image, _ = blank((0.02, 0.02, 0.03), 256, 112)
    write(image, text, (0.5, 0.48), 0.85, glow)
    return picture(image)


def band(ground: Colour, title: str, accent: Colour) -> Texture:
    """A label around a bottle or can: the title between two rules, thrice, so that one always faces the viewer."""
    image, draw = blank(ground.rgb, 512, 160)
    draw.rectangle((0, 10, 512, 22), fill=ink(accent.rgb))
    draw.rectangle((0, 138, 512, 150), fill=ink(accent.rgb))
    bright = sum(ground.rgb) > 1.7
    for middle in (1 / 6, 3 / 6, 5 / 6):
        write(image, title, (middle, 0.42), 0.27, INK if bright else (0.98, 0.97, 0.93))
        for line in range(2):
            x, y = 512 * middle, 104 + 13 * line
            draw.rectangle((x - 45 + 10 * line, y, x + 45 - 10 * line, y + 4), fill=ink(accent.rgb))
    return picture(image)


def packet(rng: np.random.Generator, ground: Colour, accent: Colour, title: str, *, height_px: int = 360) -> Texture:
    """The front of a packet: a burst of colour, the title large, a picture of what is inside."""
    image, draw = blank(ground.rgb, 256, height_px)
    middle = (128.0, height_px * 0.64)
    for i in range(24):
        a, b = (2 * math.pi * (i + share) / 24 for share in (0.0, 0.5))
        far = 400.0
        draw.polygon(
            [middle, (middle[0] + far * math.cos(a), middle[1] + far * math.sin(a)),
             (middle[0] + far * math.cos(b), middle[1] + far * math.sin(b))],
            fill=ink(np.array(ground.rgb) * 0.6 + np.array(accent.rgb) * 0.4),
        )  # fmt: skip
    draw.rounded_rectangle((14, height_px * 0.07, 242, height_px * 0.30), 16, fill=(252, 250, 244))
    write(image, title, (0.5, 0.185), 0.15 * 256 / height_px * 1.25, accent.darker(0.8).rgb)
    draw.pieslice((48, height_px * 0.45, 208, height_px * 0.92), 0, 180, fill=(250, 250, 250))
    draw.ellipse((48, height_px * 0.60, 208, height_px * 0.77), fill=(245, 238, 220))
    for _ in range(36):
        x, y = 128 + 66 * rng.uniform(-1, 1), height_px * (0.685 + 0.055 * rng.uniform(-1, 1))
        disc(draw, x, y, 9, (0.86, 0.58, 0.22))
        disc(draw, x, y, 3.5, (0.97, 0.88, 0.66))
    return picture(image)


def milk_front(tint: Colour) -> Texture:
    """The side of a milk carton: the word, a round picture of a cow's hide, the volume."""
    image, draw = blank((0.97, 0.97, 0.96), 160, 400)
    draw.rectangle((0, 0, 160, 120), fill=ink(tint.rgb))
    draw.ellipse((-40, 80, 200, 170), fill=ink((0.97, 0.97, 0.96)))
    write(image, "MILK", (0.5, 0.14), 0.12, (1, 1, 1))
    draw.ellipse((35, 210, 125, 290), fill=(250, 250, 250), outline=ink(tint.rgb), width=4)
    for x, y, r in ((60, 235, 12), (95, 255, 16), (78, 275, 8)):
        draw.ellipse((x - r, y - r, x + r, y + r), fill=(30, 30, 32))
    draw.rectangle((0, 340, 160, 400), fill=ink(tint.rgb))
    write(image, "1 L", (0.5, 0.92), 0.08, (1, 1, 1))
    return picture(image)


def newsprint(rng: np.random.Generator) -> Texture:
    """The front page of a newspaper: name, headline, a photograph, columns of grey lines."""
    image, draw = blank((0.91, 0.90, 0.86), 320, 400)
    write(image, "The Daily News", (0.5, 0.065), 0.09, INK)
    draw.line((12, 48, 308, 48), fill=ink(INK), width=3)
    write(image, ("HOUSE FOUND TIDY", "ROBOT LEARNS TO COOK", "SUN TO SHINE ALL DAY")[int(rng.integers(3))],
          (0.5, 0.175), 0.058, INK)  # fmt: skip
    draw.rectangle((112, 95, 306, 218), fill=(176, 180, 182))
    draw.polygon([(112, 218), (175, 130), (215, 180), (255, 145), (306, 218)], fill=(96, 100, 102))
    disc(draw, 270, 118, 12, (0.93, 0.93, 0.92))
    for column in range(3):
        left = 14 + 98 * column
        for y in range(95 if column == 0 else 230, 388, 7):
            draw.line((left, y, left + rng.uniform(70, 92), y), fill=(120, 120, 118), width=2)
    return picture(image)


def world_map() -> Texture:
    """Continents on a blue sea, wrapped once around a ball."""
    image, draw = blank((0.20, 0.45, 0.72), 512, 256)
    lands = {
        (0.42, 0.60, 0.28): [
            [(60, 50), (120, 38), (175, 48), (160, 80), (135, 95), (120, 125), (100, 108), (80, 90)],
            [(130, 130), (165, 135), (180, 160), (160, 195), (148, 225), (138, 190), (128, 155)],
        ],
        (0.80, 0.68, 0.36): [
            [(232, 95), (280, 90), (310, 120), (300, 150), (285, 190), (268, 200), (255, 150), (235, 125)],
        ],
        (0.62, 0.62, 0.30): [
            [(235, 55), (270, 38), (350, 30), (450, 45), (440, 75), (400, 85), (390, 115), (365, 95), (345, 120),
             (325, 90), (290, 85), (250, 82)],
            [(405, 165), (450, 155), (470, 180), (445, 200), (410, 190)],
        ],
    }  # fmt: skip
    for tone, shapes in lands.items():
        for shape in shapes:
            draw.polygon(shape, fill=ink(tone))
    draw.rectangle((0, 0, 512, 12), fill=(240, 244, 246))
    draw.rectangle((0, 240, 512, 256), fill=(240, 244, 246))
    for x in range(0, 512, 43):
        draw.line((x, 0, x, 256), fill=(120, 160, 190), width=1)
    return picture(image)


def bank_card(ground: Colour, accent: Colour) -> Texture:
    """The front of a bank card: chip, number, two overlapping discs."""
    image, draw = blank(ground.rgb, 320, 200)
    draw.polygon([(0, 200), (320, 60), (320, 200)], fill=ink(np.array(ground.rgb) * 0.75))
    draw.rounded_rectangle((28, 62, 76, 98), 6, fill=ink(colour("gold").rgb))
    draw.line((28, 80, 76, 80), fill=(120, 90, 30), width=2)
    write(image, "4539 1488 0343 6467", (0.48, 0.64), 0.125, (0.97, 0.97, 0.97))
    write(image, "BANK", (0.20, 0.16), 0.15, (0.97, 0.97, 0.97))
    disc(draw, 262, 162, 22, (0.86, 0.18, 0.14))
    disc(draw, 286, 162, 22, accent.rgb)
    return picture(image)


def phone_apps(rng: np.random.Generator) -> Texture:
    """A telephone's home screen: a wash of colour, the time, rows of icons."""
    image, draw = blank((0.2, 0.3, 0.6), 160, 320)
    low, high = rng.uniform(0.2, 0.9, 3), rng.uniform(0.1, 0.7, 3)
    for y in range(320):
        draw.line((0, y, 160, y), fill=ink(low + (high - low) * y / 320))
    write(image, f"{rng.integers(8, 20)}:{rng.integers(10, 59)}", (0.5, 0.15), 0.13, (1, 1, 1))
    names = tuple(COLOURS)
    for i in range(20):
        x, y = 14 + 35 * (i % 4), 100 + 42 * (i // 4)
        draw.rounded_rectangle((x, y, x + 27, y + 27), 7, fill=ink(COLOURS[names[int(rng.integers(len(names)))]].rgb))
    return picture(image)


def circuit(rng: np.random.Generator, ground: Colour) -> Texture:
    """A printed circuit board: traces, holes and small chips."""
    image, draw = blank(ground.rgb, 384, 160)
    trace = np.array(ground.rgb) * 1.5 + 0.06
    for _ in range(60):
        x, y = rng.uniform(0, 384), rng.uniform(0, 160)
        reach, drop = rng.uniform(20, 90), rng.choice((-1, 1)) * rng.uniform(5, 25)
        draw.line((x, y, x + reach, y, x + reach + abs(drop), y + drop), fill=ink(trace), width=2)
        disc(draw, x, y, 3, (0.78, 0.72, 0.45))
    for _ in range(26):
        x, y = rng.uniform(0, 370), rng.uniform(0, 150)
        w, h = rng.uniform(6, 22), rng.uniform(5, 14)
        draw.rectangle((x, y, x + w, y + h), fill=(24, 24, 26), outline=(150, 150, 150))
    return picture(image)


def pizza_top(rng: np.random.Generator) -> Texture:
    """Melted cheese on tomato with salami, olives and basil, seen from above."""
    size = 256
    y, x = np.mgrid[:size, :size] / size - 0.5
    reach = np.hypot(x, y)
    image = np.empty((size, size, 3))
    image[:] = (0.95, 0.78, 0.36)
    image[noise(rng, 9, 9) > 0.60] = (0.88, 0.42, 0.16)
    image[noise(rng, 14, 14) > 0.72] = (0.80, 0.55, 0.22)
    image[reach > 0.415] = (0.80, 0.54, 0.27)
    board = Image.fromarray(to_pixels(image * (0.85 + 0.15 * noise(rng, 40, 40))[..., None]))
    draw = ImageDraw.Draw(board)
    for i in range(13):
        angle, far = 2.4 * i + rng.uniform(0, 0.5), 92 * math.sqrt((i + 0.4) / 13)
        cx, cy = 128 + far * math.cos(angle), 128 + far * math.sin(angle)
        disc(draw, cx, cy, 18, (0.50, 0.10, 0.07))
        disc(draw, cx, cy, 16, (0.74, 0.18, 0.12))
        for _ in range(5):
            disc(draw, cx + rng.uniform(-9, 9), cy + rng.uniform(-9, 9), 1.6, (0.90, 0.55, 0.45))
    for _ in range(12):
        angle, far = rng.uniform(0, 6.28), 95 * math.sqrt(rng.random())
        cx, cy = 128 + far * math.cos(angle), 128 + far * math.sin(angle)
        if rng.random() < 0.5:
            draw.ellipse((cx - 9, cy - 5, cx + 9, cy + 5), fill=(52, 118, 44))
        else:
            disc(draw, cx, cy, 6, (0.10, 0.09, 0.10))
            disc(draw, cx, cy, 2.5, (0.90, 0.70, 0.30))
    return picture(board)


def written_board(text: str, marker: Rgb) -> Texture:
    """A whiteboard with a word in marker, an arrow and a small sketch underneath."""
    image, draw = blank((0.965, 0.97, 0.975), 384, 256)
    write(image, text, (0.5, 0.42), 0.46, marker)
    draw.line((60, 190, 250, 190), fill=ink(marker), width=5)
    draw.line((90, 214, 210, 214), fill=(60, 110, 190), width=4)
    draw.rectangle((290, 176, 336, 222), outline=(60, 140, 80), width=4)
    draw.line((250, 190, 284, 198), fill=(60, 140, 80), width=4)
    return picture(image)


def ball_seams(ground: Colour) -> Texture:
    """A pebbled ball with black seams: two great circles and two curves, over u around and v up."""
    height, width = 256, 512
    v, u = np.mgrid[:height, :width] / np.array([height, width])[:, None, None]
    latitude, longitude = (0.5 - v) * math.pi, u * 2 * math.pi
    x, y = np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude)
    z = np.sin(latitude)
    curve = np.abs(np.abs(y) - 0.42 - 0.30 * x**2)
    seams = (np.abs(z) < 0.026) | (np.abs(x) < 0.026) | (curve < 0.028)
    grain = noise(np.random.default_rng(3), 60, 60, 512)[:height]
    image: Floats = np.array(ground.rgb) * (0.80 + 0.35 * grain)[..., None]
    image[seams] = (0.06, 0.05, 0.05)
    return picture(to_pixels(image))


def patches(ground: Colour, dark: Colour) -> Texture:
    """A football: dark pentagons about the corners of an icosahedron, seams between pale hexagons."""
    height, width = 256, 512
    v, u = np.mgrid[:height, :width] / np.array([height, width])[:, None, None]
    latitude, longitude = (0.5 - v) * math.pi, u * 2 * math.pi
    points = np.stack(
        [np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude)], axis=2
    )
    golden = (1 + math.sqrt(5)) / 2
    corners = [np.roll((0, a, b * golden), k) for a in (-1, 1) for b in (-1, 1) for k in range(3)]
    faces = [np.roll((0, a * golden, b / golden), k) for a in (-1, 1) for b in (-1, 1) for k in range(3)]
    faces += [np.array((a, b, c)) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]
    five = np.stack([points @ (c / np.linalg.norm(c)) for c in np.array(corners, dtype=float)], axis=2)
    six = np.stack([points @ (c / np.linalg.norm(c)) for c in np.array(faces, dtype=float)], axis=2)
    # Distances to the planes of a truncated icosahedron's faces: the nearest face wins, near ties are seams.
    reach = np.sort(np.concatenate([five * 0.974, six], axis=2), axis=2)
    is_five = 0.974 * five.max(axis=2) > six.max(axis=2)
    image: Floats = np.where(is_five[..., None], np.array(dark.rgb), np.array(ground.rgb))
    image[(reach[..., -1] - reach[..., -2] < 0.012)] = (0.35, 0.35, 0.36)
    return picture(to_pixels(image))
