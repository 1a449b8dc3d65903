"""Views of many houses: made in parallel, and read as one table of objects and one tensor of pictures."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import numpy.typing as npt

from pentathlon.core import to_plain
from pentathlon.core.errors import DataError, UsageError
from pentathlon.core.making import Item, Pool
from pentathlon.learning.detectors.attributes import Attributes, Bits, TypeWords
from pentathlon.learning.detectors.views import HouseViews, Part, ViewsJob, array_path, make_views
from pentathlon.learning.detectors.vocabulary import UNCOMMON
from pentathlon.storage.making import SERIAL, make_missing

if TYPE_CHECKING:
    import torch

READERS = 6


@dataclass(frozen=True)
class Recipe:
    """How many houses and views to render.

    Attributes:
        train: houses to learn from.
        tune: houses that thresholds are chosen on.
        held_out: houses that are only measured.
        frames: views of a house to learn from.
        measured_frames: views of each other house.
    """

    train: int = 1800
    tune: int = 24
    held_out: int = 60
    frames: int = 80
    measured_frames: int = 50


def make_corpus(
    recipe: Recipe,
    out: Path,
    *,
    minutes: float | None = None,
    pool: Pool = SERIAL,
    progress: Callable[[int, int], None] = lambda made, wanted: None,
) -> int:
    """Renders the houses that are not there, first those to measure on, and returns how many there are.

    Args:
        recipe: what to render.
        out: folder for it.
        minutes: begin no house after this time; the same call goes on.
        pool: who renders.
        progress: called with the houses there and wanted.
    """
    until_s = None if minutes is None else time.time() + 60 * minutes
    items = list(_items(recipe, out.absolute(), until_s))

    def there() -> int:
        return sum(Path(item.path).exists() for item in items)

    made = there()

    def tell(path: Path) -> None:
        nonlocal made
        made += 1
        progress(made, len(items))

    try:
        make_missing(f"{__name__}:make_in_time", items, pool=pool, on_made=tell)
    except DataError:
        if until_s is None or time.time() < until_s:
            raise
    return there()


def make_in_time(path: Path, about: dict[str, Any]) -> None:
    """Renders a house unless it is too late.

    Raises:
        UsageError: when it is.
    """
    until_s = about["until_s"]
    if until_s is not None and time.time() > until_s:
        raise UsageError("The given minutes are over. Give more, or go on with what is there.")
    make_views(path, about["job"])


def _items(recipe: Recipe, out: Path, until_s: float | None) -> Iterator[Item]:
    plan: tuple[tuple[Part, int, int], ...] = (
        ("tune", recipe.tune, recipe.measured_frames),
        ("held-out", recipe.held_out, recipe.measured_frames),
        ("train", recipe.train, recipe.frames),
    )
    for part, houses, frames in plan:
        for index in range(houses):
            job = to_plain(ViewsJob(part, index, frames))
            yield Item(str(out / part / f"house-{index:05d}.json"), {"job": job, "until_s": until_s})


def house_attributes() -> Attributes:
    """Numbers everything that can be said of generated houses."""
    from pentathlon.worlds.houses.assets.catalogue import catalogue
    from pentathlon.worlds.modelling.colours import COLOURS

    types = {name: TypeWords(kind.noun, kind.placement == "small") for name, kind in catalogue().items()}
    return Attributes.of(types, sorted(COLOURS))


@dataclass(frozen=True, eq=False)
class Corpus:
    """The objects of all houses in one table, whose row 0 is the building.

    Attributes:
        attributes: what the columns of ``bits`` mean.
        paths: the facts file of each house.
        bits: ``[objects, attributes]``.
        types: of each object.
        base: of each frame, the row of its house's first object.
        visible: of each frame, rows of object, pixels, depth in m, distance along the floor in m.
    """

    attributes: Attributes
    paths: tuple[Path, ...]
    bits: Bits
    types: tuple[str, ...]
    base: npt.NDArray[np.int64]
    visible: tuple[npt.NDArray[np.float32], ...]

    @property
    def uncommon(self) -> Bits:
        """Which objects are of a type that is kept from training."""
        return np.isin(np.array(self.types), UNCOMMON)

    def counts(self) -> npt.NDArray[np.int64]:
        """Returns of each object how many of its type there are."""
        count = Counter(self.types)
        return np.array([count[name] for name in self.types])


def read_pictures(paths: Sequence[Path], device: torch.device) -> torch.Tensor:
    """Returns the views of houses as bytes ``[frames, H, W, 6]`` on a device."""
    import torch

    shapes = [np.load(array_path(path), mmap_mode="r").shape for path in paths]
    starts = np.cumsum([0, *(shape[0] for shape in shapes)])
    whole = torch.empty((int(starts[-1]), *shapes[0][1:]), dtype=torch.uint8, device=device)

    def read(i: int) -> None:
        whole[starts[i] : starts[i + 1]] = torch.from_numpy(np.load(array_path(paths[i]))).to(device)

    with ThreadPoolExecutor(READERS) as readers:
        list(readers.map(read, range(len(paths))))
    return whole


def house_paths(folder: Path, part: Part, most: int | None = None) -> tuple[Path, ...]:
    """Returns the facts files of the houses of a part that are there.

    Raises:
        DataError: when there is none.
    """
    paths = tuple(sorted((folder / part).glob("house-*.json"))[:most])
    if not paths:
        raise DataError(f"Expected views of houses in {folder / part}, got none. Make them: pentathlon data views.")
    return paths


def read_corpus(paths: tuple[Path, ...], attributes: Attributes) -> Corpus:
    """Reads the facts of houses."""
    houses = [msgspec.json.decode(path.read_bytes(), type=HouseViews) for path in paths]
    return _joined(attributes, paths, houses)


def _joined(attributes: Attributes, paths: tuple[Path, ...], houses: Sequence[HouseViews]) -> Corpus:
    rows, types = [np.zeros(len(attributes.names), dtype=bool)], [""]
    base: list[int] = []
    visible: list[npt.NDArray[np.float32]] = []
    for house in houses:
        for frame in house.frames:
            seen = [(one.object + len(rows), one.pixels, one.depth_m, one.floor_m) for one in frame]
            visible.append(np.array(seen, np.float32).reshape(-1, 4))
            base.append(len(rows))
        rows += [attributes.row(facts) for facts in house.objects]
        types += [facts.type for facts in house.objects]
    return Corpus(attributes, paths, np.stack(rows), tuple(types), np.array(base), tuple(visible))
