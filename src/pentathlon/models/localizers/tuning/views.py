"""Pictures of training houses with the exact masks of some categories.

Half of the views stand anywhere, half near a thing of one of the categories and turn to it; the camera is that of the
find event.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pentathlon.core.identity import derive_seed
from pentathlon.models.localizers.contract import Depth, Picture
from pentathlon.models.localizers.tuning.agreement import Truth
from pentathlon.worlds.houses.bodies.navigator import Navigator, NavigatorSettings, Pose
from pentathlon.worlds.houses.scene.house_scene import compile_house
from pentathlon.worlds.houses.splits import split_house

FOV_DEG = 90.0
NEAREST_M, FARTHEST_M = 0.5, 3.0
TRIES = 12
TURN_DEG = 30.0
AIMED = 0.5
VIEWS_PER_HOUSE = 20
FIRST_HOUSE = 9_000
"""Place in the train split; far from those that models are trained on first."""


@dataclass(frozen=True)
class Recipe:
    """Which views to render.

    Attributes:
        types: of objects, whose masks are wanted.
        images: how many views.
        size_px: side of a picture.
        fewest_px: a thing that shows fewer pixels in 224 x 224 is too small to be asked for; it counts as nothing.
    """

    types: tuple[str, ...]
    images: int = 500
    size_px: int = 224
    fewest_px: int = 20


class View(NamedTuple):
    """A picture, and by type where its things are; types that are not in it are left out."""

    rgb: Picture
    depth_m: Depth
    masks: Mapping[str, Truth]


def render_views(recipe: Recipe) -> Iterator[View]:
    """Yields the views of a recipe, always the same ones."""
    for index in range(-(-recipe.images // VIEWS_PER_HOUSE)):
        count = min(VIEWS_PER_HOUSE, recipe.images - index * VIEWS_PER_HOUSE)
        yield from _render_house(recipe, FIRST_HOUSE + index, count)


def _render_house(recipe: Recipe, index: int, count: int) -> Iterator[View]:
    random = np.random.default_rng(derive_seed("localizer-tuning", index))
    settings = NavigatorSettings(fovy_deg=FOV_DEG, size_px=(recipe.size_px, recipe.size_px), segmentation=True)
    photographer = _Photographer(
        Navigator(compile_house(split_house("train", index), switchable=False), settings), recipe
    )
    try:
        for _ in range(count):
            yield photographer.aim(random) if random.random() < AIMED else photographer.stand_anywhere(random)
    finally:
        photographer.navigator.close()


class _Photographer:
    """Takes views of one house."""

    def __init__(self, navigator: Navigator, recipe: Recipe) -> None:
        self.navigator, self._recipe = navigator, recipe
        low, high = navigator.geometry.bounds(navigator.data)
        self._middles_m = (low + high) / 2
        self._types = np.array([item.type for item in navigator.scene.house.objects] + [""])  # of the building
        self._wanted = sorted({str(kind) for kind in self._types} & set(recipe.types))

    def stand_anywhere(self, random: np.random.Generator) -> View:
        """Looks from any place in any direction."""
        return self._look(Pose(*self.navigator.ways.random_place(random), random.uniform(0.0, 360.0)))

    def aim(self, random: np.random.Generator) -> View:
        """Looks at a thing of a wanted type; from the first place where it shows, if a few tries find one."""
        view = self.stand_anywhere(random)
        if not self._wanted:
            return view
        kind = self._wanted[random.integers(len(self._wanted))]
        middles_m = self._middles_m[np.flatnonzero(self._types == kind)]
        for _ in range(TRIES):
            x_m, y_m, _ = middles_m[random.integers(len(middles_m))]
            distance_m, angle = random.uniform(NEAREST_M, FARTHEST_M), random.uniform(0.0, 2 * math.pi)
            place = x_m + distance_m * math.cos(angle), y_m + distance_m * math.sin(angle)
            if not self.navigator.ways.is_free(*place):
                continue
            view = self._look(Pose(*place, math.degrees(angle) + 180.0))
            if kind in view.masks:
                break
        return view

    def _look(self, pose: Pose) -> View:
        # The agents turn by so much at a time.
        sight = self.navigator.look(pose._replace(yaw_deg=TURN_DEG * round(pose.yaw_deg / TURN_DEG)))
        assert sight.object_index is not None
        seen = self._types[sight.object_index]
        fewest = self._recipe.fewest_px * (self._recipe.size_px / 224) ** 2
        masks = {kind: seen == kind for kind in self._wanted}
        return View(sight.rgb, sight.depth_m, {kind: mask for kind, mask in masks.items() if mask.sum() >= fewest})
