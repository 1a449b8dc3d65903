"""Machines of the kitchen and the laundry."""

from __future__ import annotations

import numpy as np

from pentathlon.worlds.houses.assets.assembly import Assembly, corners
from pentathlon.worlds.houses.assets.asset import Asset, Emitter, Joint
from pentathlon.worlds.houses.assets.types import object_type
from pentathlon.worlds.modelling.colours import Colour, pick_colour
from pentathlon.worlds.modelling.colours import colour as named_colour
from pentathlon.worlds.modelling.curves import ellipse
from pentathlon.worlds.modelling.materials import Look, look
from pentathlon.worlds.modelling.mesh import Mesh, from_faces, merge
from pentathlon.worlds.modelling.pictures import label
from pentathlon.worlds.modelling.shapes import box, cylinder, lathe, rounded_box, torus
from pentathlon.worlds.modelling.sweeps import handle, panel

DARK = Colour("black", (0.05, 0.05, 0.06))
GLOW = Colour("orange", (1.0, 0.35, 0.08))
LAMP = Colour("yellow", (1.0, 0.85, 0.55))


def enamel(tint: Colour) -> Look:
    """Painted or brushed sheet metal."""
    return look("metal", tint) if tint.name == "silver" else look("metal", tint, texture="")


def dial(radius: float, depth: float = 0.022) -> Mesh:
    """A control knob on a surface at y = 0, with a grip across it."""
    body = cylinder(radius, depth, top_radius_m=0.9 * radius, segments=14).turned("x", 90).moved(y=-depth / 2)
    return merge([body, box((radius * 0.28, 0.008, radius * 1.9)).moved(y=-depth - 0.002)])


def window(width: float, height: float, frame: float, thickness: float) -> Mesh:
    """A frame around an opening, centred, facing the front."""
    return merge(
        [
            *(box((frame, thickness, height)).moved(s * (width - frame) / 2) for s in (-1, 1)),
            *(box((width - 2 * frame, thickness, frame)).moved(z=s * (height - frame) / 2) for s in (-1, 1)),
        ]
    )


def smoked() -> Look:
    """Dark glass to look through."""
    return look("glass", DARK)


@object_type("Microwave", "appliance", "a microwave oven", rooms=("Kitchen",), shape="cube")
def microwave(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A microwave oven: a glazed door, a keypad and clock, a turntable; its inside is lit while it is on."""
    work, width, depth, height = Assembly(), rng.uniform(0.46, 0.52), rng.uniform(0.34, 0.40), rng.uniform(0.27, 0.31)
    tint = pick_colour(rng, colour, "white", "silver", "black", "red", "cream")
    coat, black = enamel(tint), look("plastic", DARK)
    foot, wall, panel_w = 0.012, 0.018, width * 0.24
    cave_w, right = width - panel_w, width / 2
    middle, tall = (height + foot) / 2, height - foot
    work.block((width, depth, wall), (0, 0, height - wall / 2), coat, fill=0.2)
    work.block((width, depth, wall), (0, 0, foot + wall / 2), coat, fill=0.2)
    work.block((wall, depth, tall), (-width / 2 + wall / 2, 0, middle), coat, fill=0.2)
    work.block((panel_w, depth, tall), (right - panel_w / 2, 0, middle), coat, fill=0.2)
    work.block((width, wall, tall), (0, depth / 2 - wall / 2, middle), coat, fill=0.2)
    for x, y in corners(width - 0.06, depth - 0.06):
        work.show(cylinder(0.014, foot, segments=10).moved(x, y, foot / 2), black)
    cave_x, y = -panel_w / 2 + wall / 2, -depth / 2
    liner = [
        box((cave_w - wall, 0.003, tall - 2 * wall)).moved(cave_x, depth / 2 - wall - 0.002, middle),
        box((0.003, depth - wall, tall - 2 * wall)).moved(right - panel_w - 0.002, 0, middle),
        box((cave_w - wall, depth - wall, 0.003)).moved(cave_x, -wall / 2, height - wall - 0.002),
    ]
    inside = look("plastic", Colour("cream", (0.82, 0.80, 0.74)))
    work.show(merge(liner), inside, when="off")
    work.show(merge(liner), inside.tinted(LAMP).glowing(0.8), when="on")
    plate_z = foot + wall + 0.012
    work.show(
        cylinder(min(cave_w, depth) * 0.38, 0.008, bevel_m=0.003, segments=28).moved(cave_x, -0.01, plate_z - 0.004),
        look("glass", "white"),
    )
    work.touch((cave_w * 0.8, depth * 0.75, 0.012), (cave_x, -0.01, plate_z - 0.006))
    door_x, door_w = -panel_w / 2, cave_w - 0.004
    work.show(window(door_w, tall - 0.004, 0.045, 0.022).moved(door_x, y - 0.012, middle), coat, joint="door", fill=0.5)
    work.show(box((door_w - 0.085, 0.006, tall - 0.09)).moved(door_x, y - 0.012, middle), smoked(), joint="door")
    grip = (
        handle(tall * 0.62, 0.03, 0.007, steps=2).turned("y", 90).moved(door_x + door_w / 2 - 0.022, y - 0.022, middle)
    )
    work.show(grip, look("metal", "grey" if tint.name == "silver" else "silver"), joint="door")
    work.touch((door_w, 0.022, tall), (door_x, y - 0.012, middle), joint="door")
    work.joints.append(
        Joint.hinge(
            "door", (0, 0, -1), (-width / 2, y - 0.012, middle), 105, (door_x + door_w / 2 - 0.022, y - 0.05, middle)
        )
    )
    _keypad(work, rng, right - panel_w / 2, y, panel_w, height, middle)
    work.emitters.append(
        Emitter("inside", (cave_x, -0.03, height - wall - 0.03), (0.30, 0.25, 0.16), (0, -1, -0.3), 80.0, (1, 1.5, 2.0))
    )
    work.hold("inside", "in", (cave_x, -0.01, plate_z), (cave_w * 0.62, depth * 0.62), tall - 0.08, door="door")
    work.hold("top", "on", (0, 0, height), (width - 0.08, depth - 0.08), 0.25)
    return work.asset("heats", mass_kg=rng.uniform(10, 14), colours=(tint.name,))


def _keypad(
    work: Assembly, rng: np.random.Generator, x: float, y: float, width: float, height: float, middle: float
) -> None:
    work.show(box((width - 0.012, 0.004, height - 0.035)).moved(x, y - 0.001, middle), look("plastic", DARK))
    keys = [
        box((width * 0.20, 0.004, 0.016)).moved(x + (i - 1) * width * 0.26, y - 0.004, height * (0.52 - 0.10 * j))
        for i in range(3)
        for j in range(4)
    ]
    work.show(merge(keys), look("plastic", "grey"))
    clock = panel(width * 0.72, height * 0.14).moved(x, y - 0.0045, height * 0.80)
    digits = f"{int(rng.integers(1, 13))}:{int(rng.integers(0, 60)):02d}"
    work.show(
        clock,
        look(
            "plastic",
            "white",
            texture=label(digits, named_colour("lime"), DARK, aspect=width * 0.72 / (height * 0.14), height=0.8),
            emission=0.7,
        ),
    )


def _drop_door(
    work: Assembly, width: float, z: tuple[float, float], y: float, coat: Look, metal: Look, *, glass: bool
) -> None:
    """A door hinged along its lower edge, with a bar handle across its top."""
    height, middle = z[1] - z[0] - 0.006, (z[0] + z[1]) / 2
    if glass:
        work.show(window(width - 0.006, height, 0.075, 0.035).moved(0, y - 0.019, middle), coat, joint="door", fill=0.3)
        work.show(box((width - 0.15, 0.010, height - 0.145)).moved(0, y - 0.022, middle), smoked(), joint="door")
    else:
        work.show(
            rounded_box((width - 0.006, 0.035, height), 0.006, 1).moved(0, y - 0.019, middle),
            coat,
            joint="door",
            fill=0.3,
        )
    grip_z = z[1] - 0.055
    work.show(handle(width * 0.78, 0.045, 0.010, steps=2).moved(0, y - 0.036, grip_z), metal, joint="door", fill=0.4)
    work.touch((width - 0.006, 0.035, height), (0, y - 0.019, middle), joint="door")
    work.joints.append(Joint.hinge("door", (1, 0, 0), (0, y - 0.019, z[0]), 88, (0, y - 0.08, grip_z)))


@object_type("Stove", "appliance", "a cooker with burners and an oven", "against_wall", ("Kitchen",))
def stove(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A cooker: four burners that glow, knobs, an oven with a glazed drop-down door and two racks."""
    work, width, depth, height = Assembly(), rng.uniform(0.56, 0.66), 0.58, 0.90
    tint = pick_colour(rng, colour, "white", "silver", "black", "red", "cream")
    coat, metal, black = enamel(tint), look("metal", "silver"), look("metal", DARK, texture="")
    foot, low, high, y = 0.06, 0.20, 0.74, -depth / 2
    work.case(width, depth, (low, high), coat, board_m=0.03, inside=black, fill=0.2)
    work.block((width, depth, low - foot), (0, 0, (low + foot) / 2), coat, fill=0.05)
    work.block((width - 0.04, depth - 0.08, foot), (0, 0.03, foot / 2), look("plastic", "black"), fill=0.1)
    work.block((width, depth, height - 0.02 - high), (0, 0, (height - 0.02 + high) / 2), coat, fill=0.05)
    work.block((width, depth + 0.02, 0.02), (0, -0.01, height - 0.01), black, radius_m=0.005, fill=0.3)
    work.show(rounded_box((width, 0.03, 0.11), 0.006, 1).moved(0, depth / 2 - 0.015, height + 0.05), coat, fill=0.2)
    work.show(box((width - 0.02, 0.01, low - foot - 0.02)).moved(0, y - 0.004, (low + foot) / 2), coat)
    _burners(work, width, depth, height)
    knobs = [dial(0.021).moved((i - 2) * width * 0.19, y, (high + height - 0.02) / 2) for i in range(5)]
    work.show(merge(knobs), metal if tint.name != "silver" else look("plastic", DARK))
    _drop_door(work, width, (low, high), y, coat, metal, glass=True)
    inner, racks = width - 0.09, (low + 0.05, low + 0.27)
    for i, z in enumerate(racks):
        rods = [box((0.004, depth - 0.10, 0.004)).moved((k - 6) * inner / 13, 0, z) for k in range(13)]
        rods += [box((inner, 0.006, 0.006)).moved(0, s * (depth / 2 - 0.05), z) for s in (-1, 1)]
        work.show(merge(rods), metal)
        work.touch((inner, depth - 0.10, 0.006), (0, 0, z))
        work.hold(f"rack_{i}", "in", (0, 0, z + 0.003), (inner - 0.08, depth - 0.18), 0.18, door="door")
    work.hold("top", "on", (0, 0.0, height + 0.012), (width * 0.7, depth * 0.6), 0.5)
    return work.asset("heats", mass_kg=rng.uniform(40, 55), colours=(tint.name,))


def _burners(work: Assembly, width: float, depth: float, height: float) -> None:
    plates, coils, grates = [], [], []
    for i, (x, y) in enumerate(corners(width * 0.48, depth * 0.44)):
        radius = 0.085 if i in (0, 3) else 0.07
        plates.append(cylinder(radius, 0.006, segments=24).moved(x, y - 0.01, height + 0.002))
        coils += [torus(radius * share, 0.005, 20, 4).moved(x, y - 0.01, height + 0.007) for share in (0.9, 0.62, 0.34)]
        grates.append(cylinder(radius * 0.12, 0.006, segments=12).moved(x, y - 0.01, height + 0.007))
    work.show(merge(plates), look("metal", "grey", texture=""))
    work.show(merge(coils + grates), look("metal", DARK, texture=""), when="off")
    work.show(merge(coils + grates), look("metal", GLOW, texture="", emission=1.0), when="on", fill=0.0)
    work.touch((width * 0.85, depth * 0.8, 0.012), (0, 0, height + 0.006))
    work.emitters.append(
        Emitter("burners", (0, -0.01, height + 0.06), (0.28, 0.09, 0.02), (0, 0, 1), 85.0, (1, 2.0, 4.0))
    )


@object_type("Dishwasher", "appliance", "a dishwasher", "against_wall", ("Kitchen",))
def dishwasher(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A dishwasher under a worktop: a drop-down door, two baskets with plates, a light that shows it is on."""
    work, width, depth, height = Assembly(), rng.uniform(0.56, 0.62), 0.58, 0.90
    tint = pick_colour(rng, colour, "white", "silver", "silver", "black")
    coat, steel, wire = enamel(tint), look("metal", "silver"), look("metal", "grey", texture="")
    foot, top, y = 0.09, height - 0.04, -depth / 2
    work.case(width, depth, (foot, top), coat, board_m=0.025, inside=steel, fill=0.15)
    work.block((width, depth - 0.08, foot), (0, 0.04, foot / 2), look("plastic", "grey"), fill=0.1)
    slab = look("stone", pick_colour(rng, None, "grey", "black", "white", "beige"), rng, texture="granite")
    work.block((width, depth + 0.045, 0.04), (0, -0.012, height - 0.02), slab, radius_m=0.005)
    _drop_door(work, width, (foot, top - 0.09), y, coat, steel, glass=False)
    work.block((width - 0.006, 0.035, 0.084), (0, y - 0.019, top - 0.045), coat, fill=0.3)
    lamp = cylinder(0.006, 0.004, segments=12).turned("x", 90).moved(width * 0.36, y - 0.038, top - 0.045)
    work.show(lamp, look("plastic", "grey"), when="off")
    work.show(lamp, look("plastic", "lime", emission=1.0), when="on", fill=0.0)
    buttons = [
        cylinder(0.008, 0.006, segments=12).turned("x", 90).moved(-width * 0.36 + i * 0.035, y - 0.039, top - 0.045)
        for i in range(4)
    ]
    work.show(merge(buttons), look("plastic", "grey"))
    inner = width - 0.09
    for i, z in enumerate((foot + 0.07, foot + 0.38)):
        rods = [box((0.004, depth - 0.10, 0.004)).moved((k - 5) * inner / 11, 0, z) for k in range(11)]
        rods += [
            box((inner, 0.005, 0.005)).moved(0, s * (depth / 2 - 0.06), z + up) for s in (-1, 1) for up in (0, 0.09)
        ]
        work.show(merge(rods), wire)
        work.touch((inner, depth - 0.10, 0.006), (0, 0, z))
        work.hold(f"basket_{i}", "in", (0.08, 0, z + 0.004), (inner - 0.26, depth - 0.18), 0.22, door="door")
    plates = [
        cylinder(0.12, 0.005, bevel_m=0.002, segments=24)
        .turned("y", 78)
        .moved(-inner / 2 + 0.05 + 0.035 * i, 0, foot + 0.195)
        for i in range(4)
    ]
    work.show(merge(plates), look("ceramic", "white"))
    work.hold("top", "on", (0, 0, height), (width - 0.04, depth - 0.06), 0.45)
    return work.asset("cleans", mass_kg=rng.uniform(35, 45), colours=(tint.name,))


@object_type("WashingMachine", "appliance", "a front-loading washing machine", "against_wall", ("Bathroom", "Kitchen"))
def washing_machine(rng: np.random.Generator, *, colour: str | None = None) -> Asset:
    """A washing machine: a round glazed door before a steel drum, a dial, a soap drawer, a display."""
    work, width, depth, height = Assembly(), rng.uniform(0.58, 0.62), rng.uniform(0.54, 0.60), rng.uniform(0.83, 0.87)
    tint = pick_colour(rng, colour, "white", "white", "silver", "grey")
    coat, steel, y = enamel(tint), look("metal", "silver"), -depth / 2
    middle, radius = height * 0.47, 0.175
    hole = ellipse(2 * radius, 2 * radius, 28)
    square = np.array(
        [(-width / 2, 0.02), (width / 2, 0.02), (width / 2, height - 0.12), (-width / 2, height - 0.12)]
    ) - (0, middle)
    work.show(_plate_with_hole(square, hole, 0.02).moved(0, y, middle), coat, fill=0.5)
    for side in (-1, 1):
        work.block(
            (0.02, depth - 0.02, height - 0.02), (side * (width / 2 - 0.01), 0.01, height / 2 + 0.01), coat, fill=0.2
        )
    work.block((width, 0.02, height - 0.02), (0, depth / 2 - 0.01, height / 2 + 0.01), coat, fill=0.2)
    work.block((width, depth, 0.03), (0, 0, height - 0.015), coat, radius_m=0.006, fill=0.3)
    work.block((width - 0.02, depth - 0.02, 0.02), (0, 0, 0.03), coat, fill=0.3)
    work.block((width, 0.03, 0.12), (0, y + 0.015, height - 0.075), coat, fill=0.3)
    for x, fy in corners(width - 0.08, depth - 0.08):
        work.show(cylinder(0.02, 0.022, segments=12).moved(x, fy, 0.011), look("rubber", "black"))
    drum = lathe([(0.24, 0.0), (0.24, 0.34), (0, 0.34), (0, 0.335), (0.235, 0.335), (0.235, 0.0), (0.24, 0.0)], 28)
    work.show(drum.turned("x", -90).moved(0, y + 0.03, middle), steel, fill=0.3)
    gasket = torus(radius, 0.018, 32, 10).turned("x", 90).moved(0, y + 0.012, middle)
    work.show(gasket, look("rubber", "grey"))
    rim = lathe(
        [(radius - 0.035, 0), (radius + 0.03, 0), (radius + 0.025, 0.03), (radius - 0.02, 0.04), (radius - 0.035, 0)],
        36,
        crease_deg=30,
    )
    work.show(
        rim.turned("x", 90).moved(0, y - 0.002, middle),
        steel if tint.name == "white" else look("plastic", "white"),
        joint="door",
        fill=0.3,
    )
    bubble = lathe(
        [(0, 0.0), (radius - 0.03, 0.0), (radius - 0.03, 0.012), (radius * 0.5, 0.032), (0, 0.036)], 28, crease_deg=60
    )
    work.show(bubble.turned("x", 90).moved(0, y - 0.006, middle), smoked(), joint="door")
    grip = rounded_box((0.018, 0.022, 0.09), 0.006, 1).moved(radius + 0.005, y - 0.042, middle)
    work.show(grip, look("plastic", "grey"), joint="door")
    work.touch((2 * radius + 0.05, 0.04, 2 * radius + 0.05), (0, y - 0.02, middle), joint="door")
    work.joints.append(
        Joint.hinge("door", (0, 0, -1), (-radius - 0.03, y - 0.002, middle), 115, (radius, y - 0.06, middle))
    )
    work.show(dial(0.03, 0.026).moved(0.02, y, height - 0.075), steel)
    work.show(rounded_box((0.16, 0.012, 0.075), 0.005, 1).moved(-width / 2 + 0.11, y - 0.004, height - 0.075), coat)
    shade = panel(0.11, 0.045).moved(width / 2 - 0.11, y - 0.001, height - 0.075)
    work.show(shade, look("plastic", DARK), when="off")
    digits = label(f"0:{int(rng.integers(15, 59))}", named_colour("cyan"), DARK, aspect=2.4, height=0.7)
    work.show(shade, look("plastic", "white", texture=digits, emission=0.9), when="on", fill=0.0)
    work.touch((0.44, 0.32, 0.02), (0, y + 0.2, middle - 0.23))
    work.hold("drum", "in", (0, y + 0.19, middle - 0.22), (0.24, 0.24), 0.3, door="door")
    work.hold("top", "on", (0, 0, height), (width - 0.06, depth - 0.06), 0.7)
    return work.asset("cleans", mass_kg=rng.uniform(60, 75), colours=(tint.name,))


def _plate_with_hole(outline: np.ndarray, hole: np.ndarray, thickness: float) -> Mesh:
    """An upright plate from y = 0 backwards, between an outer quad and an inner ring (x, z)."""
    count = len(hole)
    angles = np.arctan2(hole[:, 1], hole[:, 0])
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    low, high = outline.min(axis=0), outline.max(axis=0)
    reach = np.minimum(
        np.where(rays[:, 0] > 0, high[0], -low[0]) / np.maximum(np.abs(rays[:, 0]), 1e-9),
        np.where(rays[:, 1] > 0, high[1], -low[1]) / np.maximum(np.abs(rays[:, 1]), 1e-9),
    )
    outer = rays * reach[:, None]
    for corner in outline:
        outer[np.argmin(np.linalg.norm(outer - corner, axis=1))] = corner
    rings = [
        np.column_stack([flat[:, 0], np.full(count, depth), flat[:, 1]])
        for flat, depth in ((hole, 0.0), (outer, 0.0), (outer, thickness), (hole, thickness))
    ]
    step, after = np.arange(count), (np.arange(count) + 1) % count
    faces = []
    for i in range(4):
        a, b = i * count, (i + 1) % 4 * count
        faces += [np.stack([a + step, b + step, b + after], axis=1), np.stack([a + step, b + after, a + after], axis=1)]
    return from_faces(np.concatenate(rings), np.concatenate(faces))
