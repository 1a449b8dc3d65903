"""Renders views of one house with what is true of everything in them: pictures, depth and the object of each pixel."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import msgspec
import numpy as np
import numpy.typing as npt

from pentathlon.core import derive_seed
from pentathlon.learning.detectors.attributes import ObjectFacts
from pentathlon.learning.detectors.vocabulary import RELATIONS
from pentathlon.storage.files import replacing

Part: TypeAlias = Literal["train", "tune", "held-out"]
PARTS: tuple[Part, ...] = get_args(Part)
HOUSES: Mapping[Part, tuple[str, int]] = {"train": ("train", 0), "tune": ("val", 0), "held-out": ("test", 900)}
"""The split that a part's houses come from and the first of them; benchmarks use earlier test houses."""

SIZE_PX = 224
CHANNELS = 6
"""Red, green, blue, depth in 5 cm, and the object's place in the house as two bytes, the lower first."""
BACKGROUND = 65535
DEPTH_STEP_M = 0.05
FEWEST_PX = 20
BARE_SHARE = 0.97


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """An object in a view: how many pixels it covers, their median depth, and the least distance along the floor."""

    object: int
    pixels: int
    depth_m: float
    floor_m: float


class HouseViews(msgspec.Struct, frozen=True):
    """What is true in the views of one house."""

    house: str
    objects: tuple[ObjectFacts, ...]
    frames: tuple[tuple[Seen, ...], ...]


class ViewsJob(msgspec.Struct, frozen=True):
    """Which views to render."""

    part: Part
    index: int
    frames: int


class _View(NamedTuple):
    pixels: npt.NDArray[np.uint8]
    seen: tuple[Seen, ...]


def array_path(facts: Path) -> Path:
    """Where the pictures of a facts file lie."""
    return facts.with_suffix(".npy")


def make_views(path: Path, about: dict[str, Any]) -> None:
    """Renders what ``about``, a :class:`ViewsJob`, describes; the facts at ``path`` are written last."""
    job = msgspec.convert(about, ViewsJob)
    facts, pixels = render_views(job)
    with replacing(array_path(path)) as temporary, temporary.open("wb") as file:
        np.save(file, pixels)
    with replacing(path) as temporary:
        temporary.write_bytes(msgspec.json.encode(facts))


def render_views(job: ViewsJob) -> tuple[HouseViews, npt.NDArray[np.uint8]]:
    """Renders one house."""
    from pentathlon.learning.detectors.poses import PoseStream
    from pentathlon.worlds.houses.graph.relations import build_graph
    from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
    from pentathlon.worlds.houses.scene.house_scene import compile_house
    from pentathlon.worlds.houses.splits import split_house
    from pentathlon.worlds.houses.ways.navigation import NavigationMap
    from pentathlon.worlds.rendering import Raycaster

    split, first = HOUSES[job.part]
    house = split_house(split, first + job.index)
    scene = compile_house(house)
    data = scene.new_data()
    graph = build_graph(scene, data, ObjectGeometry(scene))
    nodes = graph.nodes[: len(house.objects)]
    rng = np.random.default_rng(derive_seed("views", job.part, job.index))
    poses = PoseStream(NavigationMap.of_scene(house, scene.model, data), nodes, rng, stepwise=job.part != "train")
    views: list[_View] = []
    with Raycaster(scene.model, "fast") as eyes:
        for pose in poses:
            view = _look(eyes, data, scene.object_of_geom, pose)
            bare = not view.seen or (view.pixels[..., 5] == 255).mean() > BARE_SHARE
            # A bare wall teaches little, yet some must be seen.
            if not bare or rng.random() < 0.1:
                views.append(view)
            if len(views) == job.frames:
                break
    facts = HouseViews(f"{split}/{first + job.index}", _facts(house, graph), tuple(view.seen for view in views))
    return facts, np.stack([view.pixels for view in views])


def _look(eyes: Any, data: Any, object_of_geom: npt.NDArray[np.int32], pose: Any) -> _View:
    from pentathlon.worlds.rendering.look_at import agent_camera

    camera = agent_camera(pose.x_m, pose.y_m, pose.yaw_deg, pose.height_m, pose.pitch_deg, pose.fovy_deg)
    frame = eyes.render(data, camera, (SIZE_PX, SIZE_PX))
    ids = frame.ids(object_of_geom, background=-1)
    pixels = np.empty((SIZE_PX, SIZE_PX, CHANNELS), np.uint8)
    pixels[..., :3] = frame.rgb
    pixels[..., 3] = np.clip(np.nan_to_num(frame.depth_m, posinf=1e3) / DEPTH_STEP_M, 0, 255)
    numbers = np.where(ids < 0, BACKGROUND, ids).astype(np.uint16)
    pixels[..., 4], pixels[..., 5] = numbers & 255, numbers >> 8
    floor_m = floor_distances(frame.depth_m, pose.pitch_deg, pose.fovy_deg)
    return _View(pixels, _seen(ids, frame.depth_m, floor_m))


def _seen(ids: npt.NDArray[np.int32], depth_m: npt.NDArray[np.float32], floor_m: npt.NDArray[Any]) -> tuple[Seen, ...]:
    seen = []
    for number, count in zip(*np.unique(ids, return_counts=True), strict=True):
        if number >= 0 and count >= FEWEST_PX:
            at = ids == number
            seen.append(
                Seen(
                    int(number), int(count), round(float(np.median(depth_m[at])), 2), round(float(floor_m[at].min()), 2)
                )
            )
    return tuple(seen)


def floor_distances(depth_m: npt.NDArray[np.float32], pitch_deg: float, fovy_deg: float) -> npt.NDArray[Any]:
    """Returns how far each pixel of a square picture is from the camera along the floor."""
    size = len(depth_m)
    across = ((np.arange(size) + 0.5) / size * 2 - 1) * math.tan(math.radians(fovy_deg) / 2)
    tilt = math.radians(pitch_deg)
    ahead = depth_m * (math.cos(tilt) - across[:, None] * math.sin(tilt))
    return np.hypot(ahead, depth_m * across[None])


def _facts(house: Any, graph: Any) -> tuple[ObjectFacts, ...]:
    rooms = {room.id: room.type for room in house.rooms}
    return tuple(_object_facts(graph, node, rooms) for node in graph.nodes[: len(house.objects)])


def _object_facts(graph: Any, node: Any, rooms: Mapping[str, str]) -> ObjectFacts:
    relations = {}
    for relation in RELATIONS:
        others = {other.type for other in graph.objects(node.id, relation) if other.kind == "object"}
        relations[relation] = tuple(sorted(others))
    return ObjectFacts(
        type=node.type,
        colours=tuple(node.colours),
        materials=tuple(node.materials),
        states=tuple(sorted(node.states)),
        diagonal_m=round(float(np.linalg.norm(node.size_m)), 3),
        room=rooms.get(node.room, ""),
        relations=relations,
    )
