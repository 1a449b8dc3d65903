"""``pentathlon tune-localizer``: find the threshold above which a localizer's map means the target."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import tyro

from pentathlon.core import UsageError
from pentathlon.worlds.houses.tasks.targets import ROBOTHOR_TYPES, target_types

if TYPE_CHECKING:
    from pentathlon.models.localizers.tuning.views import View


@dataclass(frozen=True)
class TuneLocalizer:
    """Find thresholds of localizers on pictures of training houses, and keep them beside their weights."""

    localizers: tyro.conf.Positional[tuple[str, ...]]
    """Such as clip-grad:openai/clip-vit-base-patch32 or owl:FOLDER; several are asked about the same pictures."""
    images: int = 500
    """How many pictures to render."""
    size_px: int = 224
    """Side of a picture; that of the task that the localizer is for."""
    targets: tuple[str, ...] = ROBOTHOR_TYPES
    """Object types to ask for; RoboTHOR's twelve when not given."""

    def run(self) -> int:
        """Renders, asks, and writes the thresholds."""
        from pentathlon.models.localizers import open_localizer
        from pentathlon.models.localizers.tuning.views import Recipe, render_views

        if self.images < 1 or self.size_px < 1:
            raise UsageError(f"Expected images and a size of at least 1, got {self.images} and {self.size_px}.")
        if not self.localizers:
            raise UsageError("Expected at least one localizer, got none.")
        types = target_types(self.targets)
        for name in self.localizers:
            open_localizer(name)  # a wrong name is told before anything is rendered
        _tell(f"Rendering {self.images} pictures of training houses.")
        views = list(render_views(Recipe(types, self.images, self.size_px)))
        for name in self.localizers:
            self._tune(name, views, types)
        return 0

    def _tune(self, name: str, views: Sequence[View], types: Sequence[str]) -> None:
        from pentathlon.models.localizers import open_localizer
        from pentathlon.models.localizers.thresholds import Thresholds, write_thresholds
        from pentathlon.models.localizers.tuning.tune import tune
        from pentathlon.worlds.houses.assets.catalogue import catalogue

        nouns = {kind: catalogue()[kind].noun for kind in types}
        found = tune(open_localizer(name), views, nouns, lambda noun: _tell(f"Asked {name} for {noun}."))
        for noun, f1 in found.by_category.items():
            print(f"{noun:16} F1 {f1:.3f}")
        print(f"{'mean':16} F1 {found.f1:.3f} above {found.threshold:.4g}")
        kind, _, weights = name.partition(":")
        kept = Thresholds(found.threshold, found.threshold, found.f1, self.images)
        print(f"Kept in {write_thresholds(weights, kind, kept)}", flush=True)


def _tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
