"""Pictures of a house for people: from above, as a doll's house, of each room, and a walk through it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pentathlon.worlds.houses.house import House, Room
from pentathlon.worlds.houses.plan.polygons import bounds, contains, rectangles
from pentathlon.worlds.houses.scene.house_scene import CEILING_GROUP, HouseScene, compile_house
from pentathlon.worlds.houses.ways.navigation import NavigationMap
from pentathlon.worlds.rendering import CameraPose, Frame, Raycaster
from pentathlon.worlds.rendering.look_at import agent_camera, look_at

Picture = NDArray[np.uint8]
ROOM_KINDS, SHEET_COLUMNS = 6, 3
EYE_HEIGHT_M = 1.45
ROOM_FOVY_DEG = 62.0
TOP_FOVY_DEG = 30.0
GLANCE_PX, FEWEST_PX = (96, 72), 8
DIRECTIONS = 8
NEAR_M = 1.0
WALK_STEP_M = 0.08
TURN_STEP_RAD = math.radians(5.0)


def open_house(model: Any) -> Raycaster:
    """Returns fine eyes that see through ceilings."""
    groups = [1, 1, 1, 0, 0, 0]
    groups[CEILING_GROUP] = 0
    return Raycaster(model, "fine", geom_groups=groups)


def top_down(scene: HouseScene, data: Any, width_px: int = 1024) -> Picture:
    """Pictures the house from straight above, without ceilings."""
    area = bounds([room.outline_m for room in scene.house.rooms]).grown(0.4)
    height_px = max(2, round(width_px * area.depth / area.width))
    distance = area.depth / 2 / math.tan(math.radians(TOP_FOVY_DEG) / 2)
    x, y = area.centre
    pose = CameraPose((x, y, distance + 1.0), np.eye(3), TOP_FOVY_DEG)
    with open_house(scene.model) as eyes:
        return eyes.render(data, pose, (width_px, height_px)).rgb.copy()


def dollhouse(scene: HouseScene, data: Any, size_px: tuple[int, int] = (1024, 768)) -> Picture:
    """Pictures the house from above at a slant, without ceilings."""
    area = bounds([room.outline_m for room in scene.house.rooms])
    x, y = area.centre
    reach = max(area.width, area.depth)
    pose = look_at((x - 0.4 * reach, y - 1.0 * reach, 1.35 * reach), (x, y - 0.06 * reach, 0.0), 45.0)
    with open_house(scene.model) as eyes:
        return eyes.render(data, pose, size_px).rgb.copy()


def room_pictures(
    scene: HouseScene, data: Any, ways: NavigationMap, size_px: tuple[int, int] = (640, 480)
) -> Iterator[tuple[Room, Picture]]:
    """Pictures every room from a free place from which much of it is seen."""
    with Raycaster(scene.model, "fine") as eyes:
        for room in scene.house.rooms:
            yield room, eyes.render(data, room_camera(scene, data, ways, eyes, room), size_px).rgb.copy()


def room_sheet(first_seed: int, rooms: int = ROOM_KINDS) -> Image.Image:
    """Pictures rooms of all types alike often, taken from generated houses of five rooms and more, side by side."""
    columns = SHEET_COLUMNS if rooms <= ROOM_KINDS else 2 * SHEET_COLUMNS
    size_px = (640, 480) if rooms <= ROOM_KINDS else (320, 240)
    found: dict[str, list[Picture]] = {}
    seed, missing = first_seed, rooms
    while missing:
        for room, picture in _rooms_wanted(House.generate(seed, 5 + seed % 4), found, -(-rooms // ROOM_KINDS), size_px):
            if missing:
                found.setdefault(room.type, []).append(picture)
                missing -= 1
        seed += 1
    pictures = [picture for _, own in sorted(found.items()) for picture in own]
    sheet = Image.new("RGB", (columns * size_px[0], -(-rooms // columns) * size_px[1]))
    for i, picture in enumerate(pictures):
        sheet.paste(Image.fromarray(picture), (i % columns * size_px[0], i // columns * size_px[1]))
    return sheet


def _rooms_wanted(
    house: House, found: dict[str, list[Picture]], most: int, size_px: tuple[int, int]
) -> Iterator[tuple[Room, Picture]]:
    """Yields pictures of a house's rooms, one of each type of which there are not enough yet."""
    wanted = {room.type: room for room in house.rooms if len(found.get(room.type, ())) < most}
    wanted.pop("Hallway", None)
    if not wanted:
        return
    scene = compile_house(house)
    data = scene.new_data()
    ways = NavigationMap.of_scene(house, scene.model, data)
    with Raycaster(scene.model, "fine") as eyes:
        for room in wanted.values():
            yield room, eyes.render(data, room_camera(scene, data, ways, eyes, room), size_px).rgb.copy()


def room_camera(scene: HouseScene, data: Any, ways: NavigationMap, eyes: Raycaster, room: Room) -> CameraPose:
    """Returns the camera that sees most of a room's things, of some far from its middle that look at the middle."""
    middle = max(rectangles(room.outline_m), key=lambda rect: rect.area).centre
    places = list(_far_places(room, ways, middle))
    if not places:
        return look_at((*middle, EYE_HEIGHT_M), (middle[0] + 1.0, middle[1], 0.9), ROOM_FOVY_DEG)
    cameras = [look_at((*place, EYE_HEIGHT_M), (*middle, 0.75), ROOM_FOVY_DEG) for place in places]
    return max(cameras, key=lambda camera: _worth(scene, eyes.render(data, camera, GLANCE_PX), room))


def _far_places(room: Room, ways: NavigationMap, middle: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Yields the free place of a room that is farthest from its middle in each of some directions."""
    xs, ys = ways.axes()
    dx, dy = xs[:, None] - middle[0], ys[None, :] - middle[1]
    inside = contains(room.outline_m, xs[:, None], ys[None, :]) & ways.free
    sectors = np.floor((np.arctan2(dy, dx) / (2 * math.pi) + 0.5) * DIRECTIONS).astype(int) % DIRECTIONS
    for sector in range(DIRECTIONS):
        gaps = np.where(inside & (sectors == sector), np.hypot(dx, dy), -1.0)
        if gaps.max() >= 0.0:
            i, j = np.unravel_index(int(np.argmax(gaps)), gaps.shape)
            yield ways.point(int(i), int(j))


def _worth(scene: HouseScene, glance: Frame, room: Room) -> float:
    """How many of a room's things are seen; fewer count where something stands right before the eyes."""
    seen, pixels = np.unique(glance.ids(scene.object_of_geom, background=-1), return_counts=True)
    clear = seen[(pixels >= FEWEST_PX) & (seen >= 0)]
    things = sum(scene.house.objects[int(i)].room == room.id for i in clear)
    return float(things * np.mean(glance.depth_m > NEAR_M) ** 2)


def walk_through(
    scene: HouseScene, data: Any, ways: NavigationMap, size_px: tuple[int, int] = (480, 360), most_frames: int = 240
) -> Picture:
    """Films a walk from room to room, as frames[T, H, W, 3]; a long walk is shown in larger steps."""
    poses = _walk(scene.house, ways)
    poses = poses[:: math.ceil(len(poses) / most_frames)]
    with Raycaster(scene.model, "fine") as eyes:
        frames = [
            eyes.render(data, agent_camera(x, y, math.degrees(yaw), 1.2, 8.0, ROOM_FOVY_DEG), size_px).rgb.copy()
            for x, y, yaw in poses
        ]
    return np.stack(frames)


def _walk(house: House, ways: NavigationMap) -> list[tuple[float, float, float]]:
    stops = [stop for room in house.rooms if (stop := _stop(room, ways)) is not None]
    poses: list[tuple[float, float, float]] = []
    place, yaw = stops[0], 0.0
    left = stops[1:]
    poses += [(*place, yaw + turn) for turn in np.arange(0.0, 2 * math.pi, 2 * TURN_STEP_RAD)]
    while left:
        paths = [ways.path(place, stop) for stop in left]
        lengths = [math.inf if path is None else path.length_m for path in paths]
        nearest = int(np.argmin(lengths))
        path = paths[nearest]
        if path is not None:
            for start, end in zip(path.points_m, path.points_m[1:], strict=False):
                poses += _leg(start, end, yaw)
                yaw = poses[-1][2]
            place = left[nearest]
        left.pop(nearest)
    return poses


def _leg(start: NDArray[np.float64], end: NDArray[np.float64], yaw: float) -> list[tuple[float, float, float]]:
    heading = math.atan2(end[1] - start[1], end[0] - start[0])
    turn = math.remainder(heading - yaw, 2 * math.pi)
    turns = [(float(start[0]), float(start[1]), yaw + float(part)) for part in _parts(turn, TURN_STEP_RAD)]
    length = float(np.hypot(*(end - start)))
    shares = _parts(1.0, WALK_STEP_M / max(length, 1e-6))
    moves = [(*(float(value) for value in start + (end - start) * share), yaw + turn) for share in shares]
    return [*turns, *((x, y, angle) for x, y, angle in moves)]


def _parts(whole: float, step: float) -> NDArray[np.float64]:
    count = max(1, math.ceil(abs(whole) / step))
    return whole * np.arange(1, count + 1) / count


def _stop(room: Room, ways: NavigationMap) -> tuple[float, float] | None:
    """The reachable place of a room with most clearance."""
    xs, ys = ways.axes()
    inside = contains(room.outline_m, xs[:, None], ys[None, :]) & (ways.regions == ways.main_region)
    if not inside.any():
        return None
    middle = max(rectangles(room.outline_m), key=lambda rect: rect.area).centre
    centred = -0.02 * np.hypot(xs[:, None] - middle[0], ys[None, :] - middle[1])
    best = np.unravel_index(int(np.argmax(np.where(inside, ways.clearance_m + centred, -10.0))), inside.shape)
    return ways.point(int(best[0]), int(best[1]))
