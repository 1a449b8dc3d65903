"""Renders views of one house with what is true of everything in them: pictures, depth and the object of each pixel."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, NamedTuple, TypeAlias, get_args

import msgspec
import numpy as np
import numpy.typing as npt

from pentathlon.core import derive_seed
from pentathlon.learning.detectors.attributes import ObjectFacts
from pentathlon.learning.detectors.vocabulary import RELATIONS
from pentathlon.storage.files import replacing

if TYPE_CHECKING:
    from pentathlon.worlds.houses.house import House

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


class GroupViews(msgspec.Struct, frozen=True):
    """The houses of one file, their pictures one after the other; houses that could not be made, with the reason."""

    houses: tuple[HouseViews, ...]
    skipped: tuple[str, ...] = ()


class ViewsJob(msgspec.Struct, frozen=True):
    """Which views to render: of ``houses`` houses from the place ``first`` of their part on.

    Attributes:
        frames: views of each house.
        group: the number of these houses among the groups of their part.
        variants: of each object type that the group holds, if it is one to learn from.
        until_s: no house is begun after this time, in seconds since 1970.
    """

    part: Part
    first: int
    houses: int
    frames: int
    group: int = 0
    variants: int = 4
    until_s: float | None = None


class _View(NamedTuple):
    pixels: npt.NDArray[np.uint8]
    seen: tuple[Seen, ...]


def array_path(facts: Path) -> Path:
    """Where the pictures of a facts file lie."""
    return facts.with_suffix(".npy")


def make_views(path: Path, about: dict[str, Any]) -> None:
    """Renders what ``about``, a :class:`ViewsJob`, describes; the facts at ``path`` are written last."""
    from pentathlon.worlds.houses.furnishing.footprint import passing_variants

    job = msgspec.convert(about, ViewsJob)
    with passing_variants(), replacing(array_path(path)) as temporary, temporary.open("wb") as file:
        _write_header(file, 0)
        group = render_group(job, lambda pixels: pixels.tofile(file))
        _write_header(file, sum(len(house.frames) for house in group.houses))
    with replacing(path) as temporary:
        temporary.write_bytes(msgspec.json.encode(group))


def _write_header(file: BinaryIO, frames: int) -> None:
    """Says how many views an array file holds; numpy leaves room for more digits, so it is said again at the end."""
    file.seek(0)
    shape = (frames, SIZE_PX, SIZE_PX, CHANNELS)
    np.lib.format.write_array_header_1_0(file, {"descr": "|u1", "fortran_order": False, "shape": shape})


def render_group(job: ViewsJob, keep: Callable[[npt.NDArray[np.uint8]], None]) -> GroupViews:
    """Renders the houses of a job and hands on their pictures; one that cannot be made does not keep the others."""
    houses: list[HouseViews] = []
    skipped: list[str] = []
    for index in range(job.first, job.first + job.houses):
        if job.until_s is not None and time.time() > job.until_s:
            break
        try:
            facts, seen = render_house(job, index)
        except Exception as error:  # whatever a generated house dies of; it is counted and told
            skipped.append(f"{job.part} house {index}: {type(error).__name__}: {error}")
        else:
            houses.append(facts)
            keep(seen)
    return GroupViews(tuple(houses), tuple(skipped))


def render_house(job: ViewsJob, index: int) -> tuple[HouseViews, npt.NDArray[np.uint8]]:
    """Renders one house."""
    from pentathlon.learning.detectors.poses import PoseStream
    from pentathlon.worlds.houses.graph.relations import build_graph
    from pentathlon.worlds.houses.scene.geometry import ObjectGeometry
    from pentathlon.worlds.houses.scene.house_scene import compile_house
    from pentathlon.worlds.houses.ways.navigation import NavigationMap
    from pentathlon.worlds.rendering import Raycaster

    rng = np.random.default_rng(derive_seed("views", job.part, index))
    name, house = _house(job, index, rng)
    scene = compile_house(house, switchable=False)
    data = scene.new_data()
    graph = build_graph(scene, data, ObjectGeometry(scene))
    nodes = graph.nodes[: len(house.objects)]
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
    facts = HouseViews(name, _facts(house, graph), tuple(view.seen for view in views))
    return facts, np.stack([view.pixels for view in views])


def _house(job: ViewsJob, index: int, rng: np.random.Generator) -> tuple[str, House]:
    """A house of the part; those to learn from hold many variants, and the things that are looked for."""
    from pentathlon.learning.detectors.stocking import stocked
    from pentathlon.worlds.houses.house import House
    from pentathlon.worlds.houses.splits import split_house, split_seeds, training_variants

    split, first = HOUSES[job.part]
    name = f"{split}/{first + index}"
    if job.part != "train":
        return name, split_house(split, first + index)
    variants = training_variants(job.group, job.variants)
    house = House.generate(split_seeds(split)[first + index], variants=variants)
    return name, stocked(house, variants, rng)


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
    return _View(pixels, measured(ids, frame.depth_m, floor_m))


def measured(
    ids: npt.NDArray[np.int32], depth_m: npt.NDArray[np.float32], floor_m: npt.NDArray[Any]
) -> tuple[Seen, ...]:
    """Measures every object of enough pixels; pixels are sorted by object once, not looked for again for each."""
    flat = (ids.ravel() + 1).astype(np.int16)
    counts = np.bincount(flat)
    ends = np.cumsum(counts)
    # The stable sort of short integers goes by their digits.
    order = np.argsort(flat, kind="stable")[counts[0] :]
    depth, floor = depth_m.ravel()[order], floor_m.ravel()[order]
    seen = []
    for number in np.flatnonzero(counts[1:] >= FEWEST_PX).tolist():
        own = slice(ends[number] - counts[0], ends[number + 1] - counts[0])
        count = int(counts[number + 1])
        seen.append(Seen(number, count, _rounded(np.median(depth[own])), _rounded(floor[own].min())))
    return tuple(seen)


def _rounded(metres: np.floating[Any]) -> float:
    return round(float(metres), 2)


def floor_distances(depth_m: npt.NDArray[np.float32], pitch_deg: float, fovy_deg: float) -> npt.NDArray[Any]:
    """Returns how far each pixel of a square picture is from the camera along the floor."""
    size = len(depth_m)
    across = ((np.arange(size) + 0.5) / size * 2 - 1) * math.tan(math.radians(fovy_deg) / 2)
    tilt = math.radians(pitch_deg)
    ahead = math.cos(tilt) - across[:, None] * math.sin(tilt)
    slope = np.sqrt(np.square(ahead) + np.square(across)).astype(np.float32)
    found: npt.NDArray[Any] = depth_m * slope
    return found


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
        # A variant that was just built may name its colours in numpy's strings.
        colours=tuple(map(str, node.colours)),
        materials=tuple(map(str, node.materials)),
        states=tuple(sorted(node.states)),
        diagonal_m=round(float(np.linalg.norm(node.size_m)), 3),
        room=rooms.get(node.room, ""),
        relations=relations,
    )
