"""Renders views of one house with what is true of everything in them: pictures, depth and the object of each pixel."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeAlias, get_args

import msgspec
import numpy as np
import numpy.typing as npt

from pentathlon.core import derive_seed
from pentathlon.learning.detectors.attributes import ObjectFacts
from pentathlon.learning.detectors.looking import CHANNELS, SIZE_PX, Look, Looker, Renderer, Seen, open_looker
from pentathlon.learning.detectors.vocabulary import RELATIONS
from pentathlon.storage.files import replacing

if TYPE_CHECKING:
    from pentathlon.learning.detectors.poses import Pose
    from pentathlon.worlds.houses.house import House

Part: TypeAlias = Literal["train", "tune", "held-out"]
PARTS: tuple[Part, ...] = get_args(Part)
HOUSES: Mapping[Part, tuple[str, int]] = {"train": ("train", 0), "tune": ("val", 0), "held-out": ("test", 900)}
"""The split that a part's houses come from and the first of them; benchmarks use earlier test houses."""

BARE_SHARE = 0.97


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
        renderer: whose eyes look.
        until_s: no house is begun after this time, in seconds since 1970.
    """

    part: Part
    first: int
    houses: int
    frames: int
    group: int = 0
    variants: int = 4
    renderer: Renderer = "cpu"
    until_s: float | None = None


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

    rng = np.random.default_rng(derive_seed("views", job.part, index))
    name, house = _house(job, index, rng)
    scene = compile_house(house, switchable=False)
    data = scene.new_data()
    graph = build_graph(scene, data, ObjectGeometry(scene))
    nodes = graph.nodes[: len(house.objects)]
    poses = PoseStream(NavigationMap.of_scene(house, scene.model, data), nodes, rng, stepwise=job.part != "train")
    with closing(open_looker(job.renderer, scene, data)) as looker:
        views = _views(looker, iter(poses), job.frames, rng)
    facts = HouseViews(name, _facts(house, graph), tuple(view.seen for view in views))
    return facts, np.stack([view.pixels for view in views])


def _views(looker: Looker, poses: Iterator[Pose], wanted: int, rng: np.random.Generator) -> list[Look]:
    """Looks until so many views are worth keeping, or there are no more poses."""
    views: list[Look] = []
    while batch := list(islice(poses, min(looker.batch, wanted - len(views)))):
        for view in looker.look(batch):
            bare = not view.seen or (view.pixels[..., 5] == 255).mean() > BARE_SHARE
            # A bare wall teaches little, yet some must be seen.
            if not bare or rng.random() < 0.1:
                views.append(view)
    return views


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
