"""Views of many houses: made in parallel, and read as one table of objects and one tensor of pictures."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from pentathlon.core.errors import DataError
from pentathlon.core.making import Item, Pool
from pentathlon.learning.detectors.attributes import Attributes, Bits, TypeWords
from pentathlon.learning.detectors.looking import Renderer
from pentathlon.learning.detectors.views import GroupViews, Part, ViewsJob, array_path, make_views
from pentathlon.learning.detectors.vocabulary import UNCOMMON
from pentathlon.storage.making import SERIAL, make_missing

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Recipe:
    """How many houses and views to render.

    Attributes:
        train: houses to learn from.
        tune: houses that thresholds are chosen on.
        held_out: houses that are only measured.
        frames: views of a house to learn from.
        measured_frames: views of each other house.
        group: houses that are rendered one after the other and hold the same variants of things.
        variants: of each type in such a group of houses to learn from; other groups hold others.
        first: house to learn from; a later training takes others than an earlier one by a higher number.
    """

    train: int = 3200
    tune: int = 24
    held_out: int = 60
    frames: int = 100
    measured_frames: int = 50
    group: int = 32
    variants: int = 6
    first: int = 0


class Made(NamedTuple):
    """How many houses there are, and which could not be made, with the reason."""

    houses: int
    skipped: tuple[str, ...]


def make_corpus(
    recipe: Recipe,
    out: Path,
    *,
    renderer: Renderer = "cpu",
    minutes: float | None = None,
    pool: Pool = SERIAL,
    progress: Callable[[int, int], None] = lambda made, wanted: None,
) -> Made:
    """Renders the groups of houses that are not there, first those to measure on.

    Args:
        recipe: what to render.
        out: folder for it.
        renderer: whose eyes look; pictures of both agree (`docs/gpu.md`).
        minutes: begin no house after this time; the same call goes on with the groups that were not begun.
        pool: who renders.
        progress: called with the groups there and wanted.

    Raises:
        DataError: when a group could not be made at all.
    """
    until_s = None if minutes is None else time.time() + 60 * minutes
    items = list(_items(recipe, out.absolute(), renderer, until_s))
    paths = [Path(item.path) for item in items]
    made = sum(map(is_begun, paths))

    def tell(path: Path) -> None:
        nonlocal made
        made += is_begun(path)
        progress(made, len(items))

    try:
        make_missing(f"{__name__}:make_in_time", items, pool=pool, is_whole=is_begun, on_made=tell)
    finally:
        for path in paths:
            if path.exists() and not is_begun(path):
                path.unlink()
    groups = [_read_group(path) for path in paths if path.exists()]
    return Made(sum(len(group.houses) for group in groups), tuple(text for group in groups for text in group.skipped))


def make_in_time(path: Path, about: dict[str, Any]) -> None:
    """Renders a group of houses; leaves an empty file where it is too late for any."""
    until_s = about["until_s"]
    if until_s is not None and time.time() > until_s:
        path.touch()
    else:
        make_views(path, about)


def is_begun(path: Path) -> bool:
    """Tells whether a file of facts is there and was not left empty."""
    return path.exists() and path.stat().st_size > 0


def _items(recipe: Recipe, out: Path, renderer: Renderer, until_s: float | None) -> Iterator[Item]:
    plan: tuple[tuple[Part, range, int], ...] = (
        ("tune", range(recipe.tune), recipe.measured_frames),
        ("held-out", range(recipe.held_out), recipe.measured_frames),
        ("train", range(recipe.first, recipe.first + recipe.train), recipe.frames),
    )
    for part, houses, frames in plan:
        for first in houses[:: recipe.group]:
            count = min(recipe.group, houses.stop - first)
            job = ViewsJob(part, first, count, frames, first // recipe.group, recipe.variants, renderer, until_s)
            yield Item(str(out / part / f"houses-{first:05d}.json"), msgspec.to_builtins(job))


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
        houses: how many.
        bits: ``[objects, attributes]``.
        types: of each object.
        base: of each frame, the row of its house's first object.
        visible: of each frame, rows of object, pixels, depth in m, distance along the floor in m.
        kept: types that are kept from training.
    """

    attributes: Attributes
    houses: int
    bits: Bits
    types: tuple[str, ...]
    base: npt.NDArray[np.int64]
    visible: tuple[npt.NDArray[np.float32], ...]
    kept: tuple[str, ...] = UNCOMMON

    @property
    def uncommon(self) -> Bits:
        """Which objects are of a type that is kept from training."""
        return np.isin(np.array(self.types), self.kept)

    def counts(self) -> npt.NDArray[np.int64]:
        """Returns of each object how many of its type there are."""
        count = Counter(self.types)
        return np.array([count[name] for name in self.types])


def read_pictures(paths: Sequence[Path], device: torch.device) -> torch.Tensor:
    """Returns the views of houses as bytes ``[frames, H, W, 6]`` on a device."""
    from pentathlon.learning.loading import read_stacked

    return read_stacked([array_path(path) for path in paths], device)


def group_paths(folder: Path, part: Part, most: int | None = None) -> tuple[Path, ...]:
    """Returns the facts files of a part that are there.

    Raises:
        DataError: when there is none.
    """
    paths = tuple(path for path in sorted((folder / part).glob("houses-*.json")) if is_begun(path))[:most]
    if not paths:
        raise DataError(f"Expected views of houses in {folder / part}, got none. Make them: pentathlon data views.")
    return paths


def read_corpus(paths: Sequence[Path], attributes: Attributes, kept: tuple[str, ...] = UNCOMMON) -> Corpus:
    """Reads the facts of houses; ``kept`` are the types to keep from training."""
    houses = [house for path in paths for house in _read_group(path).houses]
    rows, types = [np.zeros((1, len(attributes.names)), dtype=bool)], [""]
    base: list[int] = []
    visible: list[npt.NDArray[np.float32]] = []
    for house in houses:
        for frame in house.frames:
            seen = [(one.object + len(types), one.pixels, one.depth_m, one.floor_m) for one in frame]
            visible.append(np.array(seen, np.float32).reshape(-1, 4))
            base.append(len(types))
        rows += [attributes.row(facts)[None] for facts in house.objects]
        types += [facts.type for facts in house.objects]
    return Corpus(attributes, len(houses), np.concatenate(rows), tuple(types), np.array(base), tuple(visible), kept)


def _read_group(path: Path) -> GroupViews:
    return msgspec.json.decode(path.read_bytes(), type=GroupViews)
