"""``pentathlon tune-localizer``: find the threshold above which a localizer's map means the target."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import tyro

from pentathlon.core import UsageError
from pentathlon.worlds.houses.tasks.targets import ROBOTHOR_TYPES, target_types


@dataclass(frozen=True)
class TuneLocalizer:
    """Find a localizer's threshold on pictures of training houses, and keep it beside its weights."""

    localizer: tyro.conf.Positional[str]
    """Such as clip-grad:openai/clip-vit-base-patch32 or owl:FOLDER."""
    images: int = 500
    """How many pictures to render."""
    size_px: int = 224
    """Side of a picture; that of the task that the localizer is for."""
    targets: tuple[str, ...] = ROBOTHOR_TYPES
    """Object types to ask for; RoboTHOR's twelve when not given."""

    def run(self) -> int:
        """Renders, asks, and writes the thresholds."""
        from pentathlon.models.localizers import open_localizer
        from pentathlon.models.localizers.thresholds import Thresholds, write_thresholds
        from pentathlon.models.localizers.tuning.tune import tune
        from pentathlon.models.localizers.tuning.views import Recipe, render_views
        from pentathlon.worlds.houses.assets.catalogue import catalogue

        if self.images < 1 or self.size_px < 1:
            raise UsageError(f"Expected images and a size of at least 1, got {self.images} and {self.size_px}.")
        types = target_types(self.targets)
        localizer = open_localizer(self.localizer)
        _tell(f"Rendering {self.images} pictures of training houses.")
        views = list(render_views(Recipe(types, self.images, self.size_px)))
        nouns = {kind: catalogue()[kind].noun for kind in types}
        found = tune(localizer, views, nouns, lambda noun: _tell(f"Asked for {noun}."))
        for noun, f1 in found.by_category.items():
            print(f"{noun:16} F1 {f1:.3f}")
        print(f"{'mean':16} F1 {found.f1:.3f} above {found.threshold:.4g}")
        kind, _, weights = self.localizer.partition(":")
        kept = Thresholds(found.threshold, found.threshold, found.f1, self.images)
        print(f"Kept in {write_thresholds(weights, kind, kept)}")
        return 0


def _tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)
