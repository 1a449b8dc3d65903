"""What hangs on walls and before windows."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image, ImageDraw

from pentathlon.worlds.houses.assets.assembly import Assembly, pick, timber, trim
from pentathlon.worlds.houses.assets.asset import Asset, Joint
from pentathlon.worlds.houses.assets.families.furniture.storage import COVERS, books
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import COLOURS, Colour, pick_colour
from pentathlon.worlds.modelling.materials import look, wood
from pentathlon.worlds.modelling.mesh import Mesh, merge
from pentathlon.worlds.modelling.pictures import abstract, landscape, picture, stripes, write
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box, sphere, torus
from pentathlon.worlds.modelling.sweeps import panel, sheet
from pentathlon.worlds.modelling.textures import Texture

BLIND_STEPS = 5

POSTER_WORDS = ("JAZZ", "ROCKET", "PARIS", "SUMMER", "OCEAN", "MUSEUM", "CINEMA", "GARDEN", "TOKYO", "COFFEE")


def _frame(
    work: Assembly, width: float, height: float, band: float, deep: float, surface_name: str, rng: np.random.Generator
) -> None:
    surface = timber(rng, None, "white", "black") if surface_name == "wood" else trim(rng)
    rails = [rounded_box((band, deep, height), 0.004, 1).moved(s * (width - band) / 2, -deep / 2) for s in (-1, 1)]
    rails += [
        rounded_box((width - 2 * band + 0.004, deep, band), 0.004, 1).moved(0, -deep / 2, s * (height - band) / 2)
        for s in (-1, 1)
    ]
    work.show(merge(rails), surface)


@object_type("Painting", "decor", "a framed painting", "on_wall", ("LivingRoom", "Bedroom", "Kitchen"))
def painting(rng: np.random.Generator, *, subject: str | None = None) -> Asset:
    """A painting in a frame: a landscape, or an abstract of a few colours."""
    work, width = Assembly(), rng.uniform(0.45, 0.95)
    height = width * rng.uniform(0.6, 0.8) if rng.random() < 0.7 else width * rng.uniform(1.1, 1.3)
    band, aspect = rng.uniform(0.025, 0.05), width / height
    kind = subject if subject is not None else pick(rng, "landscape", "abstract")
    names = list(rng.choice(sorted(COLOURS), 4, replace=False))
    image = (
        landscape(rng, aspect=aspect)
        if kind == "landscape"
        else abstract(rng, [COLOURS[name] for name in names], aspect=aspect)
    )
    _frame(work, width, height, band, 0.03, pick(rng, "wood", "wood", "metal"), rng)
    mount = rng.random() < 0.4
    inset = 0.05 if mount else 0.0
    work.show(box((width - band, 0.008, height - band)).moved(0, -0.006), look("paper", "white"))
    work.show(
        panel(width - 2 * (band + inset), height - 2 * (band + inset), 0.004).moved(0, -0.014),
        look("paper", "white", texture=image),
    )
    work.touch((width, 0.03, height), (0, -0.015, 0))
    colours = ("green", "blue") if kind == "landscape" else (names[0], names[1])
    return work.asset(mass_kg=2.5 * width * height + 0.4, colours=colours, materials=("paper", "wood"))


def _poster_picture(rng: np.random.Generator, ground: Colour, ink: Colour, word: str) -> Texture:
    image = Image.new("RGB", (180, 256), _rgb(ground))
    draw = ImageDraw.Draw(image)
    style = int(rng.integers(3))
    for i in range(6, 0, -1):
        tint = _rgb(ink if i % 2 else ground)
        if style == 0:
            draw.ellipse((90 - 13 * i, 105 - 13 * i, 90 + 13 * i, 105 + 13 * i), fill=tint)
        elif style == 1:
            draw.polygon([(90, 105 - 15 * i), (90 - 13 * i, 105 + 13 * i), (90 + 13 * i, 105 + 13 * i)], fill=tint)
        else:
            draw.rectangle((90 - 13 * i, 105 - 14 * i, 90 + 13 * i, 105 + 14 * i), fill=tint)
    write(image, word, (0.5, 0.83), 0.14, ink.rgb)
    draw.rectangle((30, 234, 150, 238), fill=_rgb(ink))
    return picture(image)


def _rgb(tint: Colour) -> tuple[int, int, int]:
    red, green, blue = (round(255 * channel) for channel in tint.rgb)
    return red, green, blue


@object_type("Poster", "decor", "a printed poster", "on_wall", ("Bedroom", "LivingRoom"))
def poster(rng: np.random.Generator, *, colour: str | None = None, text: str | None = None) -> Asset:
    """An unframed poster with a bold figure and a word, held by four pins."""
    work, width = Assembly(), rng.uniform(0.42, 0.60)
    height = width * 256 / 180
    ground = pick_colour(rng, colour, "navy", "cream", "teal", "maroon", "yellow", "black")
    ink = (
        pick_colour(rng, None, "red", "black", "navy")
        if ground.name in ("cream", "yellow")
        else pick_colour(rng, None, "cream", "yellow", "orange", "pink")
    )
    word = text if text is not None else pick(rng, *POSTER_WORDS)
    print_ = panel(width, height, 0.003).moved(0, -0.004)
    work.show(print_, look("paper", "white", texture=_poster_picture(rng, ground, ink, word)))
    pins = merge(
        [
            sphere(0.006, 10).moved(x * (width / 2 - 0.015), -0.006, z * (height / 2 - 0.015))
            for x in (-1, 1)
            for z in (-1, 1)
        ]
    )
    work.show(pins, look("plastic", pick_colour(rng, None, "red", "blue", "yellow")))
    work.touch((width, 0.004, height), (0, -0.002, 0))
    return work.asset(mass_kg=0.1, colours=(ground.name, ink.name), materials=("paper",))


@object_type(
    "WallClock", "decor", "a round clock on the wall", "on_wall", ("Kitchen", "LivingRoom", "Bedroom"), noun="clock"
)
def wall_clock(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A round wall clock: dial with numerals, hour, minute and second hands."""
    work, radius = Assembly(), rng.uniform(0.14, 0.20)
    rim = (
        look("plastic", pick_colour(rng, colour, "black", "red", "white", "blue", "teal"))
        if rng.random() < 0.6
        else wood(rng)
    )
    profile = [
        (radius * 0.90, 0.0),
        (radius, 0.0),
        (radius, 0.025),
        (radius * 0.95, 0.035),
        (radius * 0.90, 0.028),
        (radius * 0.90, 0.0),
    ]
    work.show(lathe(profile, 40).turned("x", 90), rim)
    face = Image.new("RGB", (256, 256), (246, 245, 240))
    draw = ImageDraw.Draw(face)
    for i in range(60):
        angle, inner = i * math.pi / 30, 0.40 if i % 5 else 0.37
        ends = [(128 + 256 * r * math.sin(angle), 128 - 256 * r * math.cos(angle)) for r in (inner, 0.42)]
        draw.line([*ends[0], *ends[1]], fill=(30, 30, 30), width=1 if i % 5 else 4)
    for hour in range(1, 13):
        angle = hour * math.pi / 6
        write(face, str(hour), (0.5 + 0.30 * math.sin(angle), 0.5 - 0.30 * math.cos(angle)), 0.10, (0.08, 0.08, 0.08))
    disc = cylinder(radius * 0.92, 0.014, segments=40).turned("x", 90).moved(0, -0.007).with_projected_uvs("y")
    work.show(disc, look("paper", "white", texture=picture(face)))
    minutes = float(rng.integers(0, 720))
    for length, width, angle, tint in (
        (0.48, 0.014, minutes / 2, "black"),
        (0.74, 0.009, minutes * 6, "black"),
        (0.78, 0.003, rng.uniform(0, 360), "red"),
    ):
        hand = (
            box((width * radius / 0.16, 0.002, length * radius))
            .moved(0, 0, length * radius * 0.42)
            .turned("y", float(angle))
        )
        work.show(hand.moved(0, -0.017 - 0.002 * length), look("plastic", tint))
    work.show(cylinder(0.008, 0.006, segments=14).turned("x", 90).moved(0, -0.019), look("plastic", "black"))
    work.touch((2 * radius, 0.035, 2 * radius), (0, -0.0175, 0))
    return work.asset(mass_kg=rng.uniform(0.5, 0.9), colours=("white", rim.colour.name))


@object_type("Curtains", "textile", "curtains on a rail", "on_wall", ("LivingRoom", "Bedroom"), noun="curtains")
def curtains(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """Two curtains in folds, drawn to the sides of a rail with ball ends."""
    work, width, height = Assembly(), rng.uniform(1.5, 2.0), rng.uniform(1.5, 1.9)
    tint = pick_colour(rng, colour, "beige", "grey", "navy", "teal", "maroon", "green", "white", "yellow")
    striped = bool(rng.random() < 0.3)
    cloth = look("fabric", "white", texture=stripes([tint, tint.darker(1.3)], 10)) if striped else look("fabric", tint)
    metal, top, share = trim(rng), height / 2, rng.uniform(0.26, 0.36)
    for side in (-1, 1):
        s, t = np.linspace(0, 1, 57), np.linspace(0, 1, 5)
        folds = 0.032 * np.cos(s * 2 * math.pi * 7)
        across = side * (width / 2 - 0.06 - width * share * s)
        points = np.array(
            [
                [(x, -0.075 + f * (0.55 + 0.45 * v), top - 0.04 - v * (height - 0.04)) for v in t]
                for x, f in zip(across, folds, strict=True)
            ]
        )
        work.show(sheet(points if side > 0 else points[::-1], 0.004, crease_deg=70), cloth, fill=0.6)
        work.touch((width * share, 0.07, height - 0.05), (float(across.mean()), -0.075, -0.02))
        rings = [torus(0.022, 0.003, 10, 4).turned("y", 90).moved(float(x), -0.075, top - 0.02) for x in across[::8]]
        work.show(
            merge(
                [
                    *rings,
                    sphere(0.026, 14).moved(side * (width / 2 + 0.02), -0.075, top - 0.02),
                    box((0.02, 0.08, 0.02)).moved(side * (width / 2 - 0.02), -0.04, top - 0.02),
                ]
            ),
            metal,
        )
    work.show(cylinder(0.012, width + 0.02, segments=12).turned("y", 90).moved(0, -0.075, top - 0.02), metal, fill=0.4)
    return work.asset(mass_kg=rng.uniform(2.5, 4.5), colours=(tint.name,), materials=("fabric", "metal"))


@object_type("Blinds", "decor", "a blind of slats", "on_wall", ("Kitchen", "Bathroom", "Bedroom"), noun="blinds")
def blinds(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A Venetian blind: a head rail, tilted slats on cords, a bottom bar and a wand; it is drawn up from below."""
    work, width, height = Assembly(), rng.uniform(0.8, 1.3), rng.uniform(0.8, 1.2)
    surface = timber(rng, colour, "white", "white", "white", "cream", "black")
    top, y = height / 2, -0.035
    work.show(rounded_box((width, 0.055, 0.045), 0.006, 1).moved(0, -0.0285, top - 0.0225), surface)
    count, tilt = round(height / 0.045), rng.uniform(20, 60)
    pitch = (height - 0.08) / count
    slat = box((width - 0.01, 0.048, 0.003)).turned("x", -float(tilt))
    bar = rounded_box((width - 0.01, 0.045, 0.02), 0.006, 1).moved(0, y, -top + 0.012)
    slats = [slat.moved(0, y, top - 0.07 - i * pitch) for i in range(count)]
    work.show(merge(slats[: count // BLIND_STEPS]), surface)
    leader = f"slats_{BLIND_STEPS - 1}"
    for step in range(BLIND_STEPS - 1, 0, -1):
        # Each bundle comes to rest under those above it, its slats as far apart as before.
        first, last = step * count // BLIND_STEPS, (step + 1) * count // BLIND_STEPS
        lowest = last == count
        bundle, name = merge([*slats[first:last], *([bar] if lowest else [])]), f"slats_{step}"
        work.show(bundle, surface, joint=name)
        reach = (first - (BLIND_STEPS - step) * 0.1) * pitch * 0.98
        grip = (0.0, y - 0.03, top - 0.07 - (last - 0.5) * pitch)
        work.joints.append(Joint(name, "slide", (0, 0, 1), (0, y, 0), reach, grip, "" if name == leader else leader))
    cords = [box((0.008, 0.0015, height - 0.06)).moved(s * width * 0.34, y - 0.026, -0.01) for s in (-1, 1)]
    work.show(
        merge(
            [
                *cords,
                cylinder(0.004, height * 0.55, segments=8).moved(
                    -width / 2 + 0.06, y - 0.035, top - 0.05 - height * 0.275
                ),
            ]
        ),
        look("plastic", "white"),
    )
    work.touch((width, 0.06, height), (0, -0.03, 0))
    return work.asset(mass_kg=rng.uniform(0.5, 0.7))


@object_type(
    "Shelf",
    "furniture",
    "a board on the wall with books",
    "on_wall",
    ("LivingRoom", "Bedroom", "Kitchen"),
    noun="wall shelf",
)
def shelf(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A wall shelf on brackets with a few books at one end."""
    work, width, depth = Assembly(), rng.uniform(0.70, 1.0), rng.uniform(0.20, 0.25)
    surface, metal, base = timber(rng, colour, "white", "black"), trim(rng), -0.03
    work.block((width, depth, 0.025), (0, -depth / 2, base - 0.0125), surface, radius_m=0.004)
    for s in (-1, 1):
        x = s * width * 0.34
        bracket = [
            box((0.02, depth * 0.8, 0.006)).moved(x, -depth * 0.4, base - 0.028),
            box((0.02, 0.006, 0.14)).moved(x, -0.003, base - 0.095),
        ]
        brace = box((0.012, 0.008, depth * 0.85)).turned("x", -52).moved(x, -depth * 0.34, base - 0.085)
        work.show(merge([*bracket, brace]), metal)
    left = -width / 2 + 0.02
    by_colour: dict[str, list[Mesh]] = {}
    for mesh, name in books(rng, width * rng.uniform(0.3, 0.45), 0.24, 0.16):
        by_colour.setdefault(name, []).append(mesh.moved(left, -depth + 0.02, base))
    for name, meshes in by_colour.items():
        work.show(merge(meshes), COVERS[name], fill=0.8)
    work.touch((width * 0.45, 0.16, 0.22), (left + width * 0.225, -depth + 0.10, base + 0.11))
    work.hold("board", "on", (width * 0.24, -depth / 2, base), (width * 0.46, depth - 0.04), 0.35)
    return work.asset(colours=(surface.colour.name,), materials=("wood", "paper"))


@object_type(
    "CoatHooks", "furniture", "a row of hooks with a coat", "on_wall", ("LivingRoom", "Bedroom"), noun="coat hooks"
)
def coat_hooks(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A board with hooks on the wall; a scarf hangs from one of them."""
    work, width, count = Assembly(), rng.uniform(0.5, 0.75), int(rng.integers(4, 7))
    surface, metal, top = timber(rng, colour, "white", "teal"), trim(rng), 0.24
    work.show(rounded_box((width, 0.02, 0.11), 0.006, 1).moved(0, -0.01, top), surface)
    xs = [(i - (count - 1) / 2) * width / count for i in range(count)]
    hook = merge(
        [
            cylinder(0.006, 0.06, segments=8).turned("x", 62).moved(0, -0.045, 0.012),
            sphere(0.011, 10).moved(0, -0.073, 0.026),
            cylinder(0.006, 0.04, segments=8).turned("x", 110).moved(0, -0.035, -0.025),
            sphere(0.009, 10).moved(0, -0.054, -0.030),
        ]
    )
    work.show(merge([hook.moved(x, 0, top) for x in xs]), metal)
    tint = pick_colour(rng, None, "red", "blue", "green", "orange", "purple", "grey")
    x = xs[int(rng.integers(count))]
    s, t = np.linspace(-1, 1, 13), np.linspace(0, 1, 9)
    rows = []
    for u in s:
        rows.append(
            [
                (x + u * (0.035 + 0.05 * min(1.0, 2.5 * v)), -0.085 + 0.012 * math.cos(u * 7), top + 0.035 - v * 0.52)
                for v in t
            ]
        )
    work.show(
        sheet(np.array(rows)[::-1], 0.006, crease_deg=70),
        look("fabric", "white", texture=stripes([tint, COLOURS["cream"]], 8)),
        fill=0.5,
    )
    work.touch((width, 0.08, 0.11), (0, -0.04, top))
    work.touch((0.14, 0.06, 0.5), (x, -0.07, top - 0.22))
    return work.asset(mass_kg=rng.uniform(1.2, 2.0))
