"""Light in a house: soft light everywhere, a lamp under each ceiling, daylight through windows."""

from __future__ import annotations

from collections.abc import Mapping

import mujoco

from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.houses.assets.to_mujoco import Placed
from pentathlon.worlds.houses.house import House, PlacedObject, Room, Window
from pentathlon.worlds.houses.plan.polygons import Outline, Rect, rectangles, union_outline
from pentathlon.worlds.houses.plan.walls import edge_of
from pentathlon.worlds.rendering.model.lights import BOUNDS_PREFIX
from pentathlon.worlds.rendering.model.objects import EVERY_MIRROR

AMBIENT = (0.36, 0.36, 0.37)
HEADLIGHT = (0.10, 0.10, 0.10)
LAMP_RGB = (0.48, 0.46, 0.42)
LAMP_ATTENUATION = (0.75, 0.0, 0.16)
LAMP_BELOW_CEILING_M = 0.5
DAYLIGHT_RGB = (0.34, 0.37, 0.42)
DAYLIGHT_ATTENUATION = (0.7, 0.0, 0.2)
LARGE_ROOM_M2 = 24.0
SKY_HIGH_RGB = (0.93, 0.95, 0.97)
SKY_LOW_RGB = (0.80, 0.83, 0.86)
# Walls part rooms, not floor and ceiling: above and below, bounds are only beyond everything.
BEYOND_M = 1.0
# Within the wall: at its middle, where the sashes of windows begin, light would end on their surface and speckle it.
INTO_WALL_M = 0.05


def set_daylight(spec: mujoco.MjSpec) -> None:
    """Sets the light that is everywhere, the sky, and that all mirrors reflect."""
    spec.add_numeric(name=EVERY_MIRROR, data=[1.0], size=1)
    spec.visual.headlight.ambient = list(AMBIENT)
    spec.visual.headlight.diffuse = list(HEADLIGHT)
    spec.visual.headlight.specular = [0.0, 0.0, 0.0]
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=list(SKY_HIGH_RGB),
        rgb2=list(SKY_LOW_RGB),
        width=32,
        height=192,
    )


def add_lights(spec: mujoco.MjSpec, house: House, placed: Mapping[str, Placed]) -> None:
    """Adds lamps under the ceilings of rooms that have no lit one, and daylight from one window of each room.

    Where light casts no shadows, walls would not stop it: that of a room and of the things in it is kept inside.
    """
    lit = {item.room for item in house.objects if item.state.on and _hangs_from_ceiling(item)}
    for room in house.rooms:
        names = [light for item in house.objects if item.room == room.id for light in placed[item.id].lights]
        if room.id not in lit:
            names += _add_lamps(spec, room, house.ceiling_m)
        windows = [window for window in house.windows if window.room == room.id]
        if windows:
            names.append(_add_daylight(spec, room, max(windows, key=lambda window: (window.width_m, window.id))))
        corners = _light_corners(room, house.ceiling_m)
        for name in names:
            spec.add_numeric(name=f"{BOUNDS_PREFIX}{name}", data=corners, size=len(corners))


def light_outline(room: Room) -> Outline:
    """Returns the outline that a room's light stays in: the room's, moved into its walls."""
    return union_outline([part.grown(INTO_WALL_M) for part in rectangles(room.outline_m)])


def _light_corners(room: Room, ceiling_m: float) -> list[float]:
    """The lower and upper corners of the boxes that a room's light stays in: several in a room round a corner."""
    corners: list[float] = []
    for part in rectangles(light_outline(room)):
        corners += [part.x0, part.y0, -BEYOND_M, part.x1, part.y1, ceiling_m + BEYOND_M]
    return corners


def _add_lamps(spec: mujoco.MjSpec, room: Room, ceiling_m: float) -> list[str]:
    """Adds a room's lamps and returns their names."""
    names = []
    for i, (x, y) in enumerate(_lamp_places(room)):
        names.append(f"{room.id}/lamp_{i}")
        spec.worldbody.add_light(
            name=names[-1],
            type=mujoco.mjtLightType.mjLIGHT_POINT,
            pos=[x, y, ceiling_m - LAMP_BELOW_CEILING_M],
            diffuse=list(LAMP_RGB),
            ambient=[0.0, 0.0, 0.0],
            specular=[0.25, 0.25, 0.25],
            attenuation=list(LAMP_ATTENUATION),
            castshadow=True,
        )
    return names


def _hangs_from_ceiling(item: PlacedObject) -> bool:
    kind = catalogue().get(item.type)
    return kind is not None and kind.placement == "ceiling"


def _lamp_places(room: Room) -> list[tuple[float, float]]:
    parts = sorted(rectangles(room.outline_m), key=lambda rect: -rect.area)
    places = _places_in(parts[0])
    return places + [part.centre for part in parts[1:] if part.area > 3.0]


def _places_in(rect: Rect) -> list[tuple[float, float]]:
    if rect.area < LARGE_ROOM_M2 and max(rect.width, rect.depth) < 7.0:
        return [rect.centre]
    x, y = rect.centre
    if rect.width > rect.depth:
        return [(x - rect.width / 4, y), (x + rect.width / 4, y)]
    return [(x, y - rect.depth / 4), (x, y + rect.depth / 4)]


def _add_daylight(spec: mujoco.MjSpec, room: Room, window: Window) -> str:
    """Adds the light that comes through a window and returns its name."""
    edge = edge_of(room, window.centre_m, window.width_m)
    assert edge is not None
    dx, dy = edge.inward
    x, y = window.centre_m
    name = f"{window.id}/daylight"
    spec.worldbody.add_light(
        name=name,
        type=mujoco.mjtLightType.mjLIGHT_SPOT,
        pos=[x + 0.1 * dx, y + 0.1 * dy, window.sill_m + window.height_m * 0.8],
        dir=[float(dx), float(dy), -0.45],
        diffuse=list(DAYLIGHT_RGB),
        ambient=[0.0, 0.0, 0.0],
        specular=[0.1, 0.1, 0.1],
        attenuation=list(DAYLIGHT_ATTENUATION),
        cutoff=89.0,
        exponent=2.0,
        castshadow=True,
    )
    return name
