"""``pentathlon data frames``: pictures to pre-train encoders on."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pentathlon.core import Runs
from pentathlon.events.pool_options import PoolOptions

WORLDS, PLACES = "worlds", "places"


@dataclass(frozen=True)
class Frames(PoolOptions):
    """Pack pictures for `train mae|contrastive|places`; the same command again makes only what is missing."""

    source: tyro.conf.Positional[str]
    """worlds: houses and control tasks, drawn anew; places: control tasks with the truth about places; or a dataset of
    act, such as act/pour-lite, or its folder."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])]
    """Folder for the frames; those of worlds lie in houses and control below it."""
    size_px: int = 146
    """Side of a frame; 146 leaves room for crops of 128."""
    houses: int = 400
    """Of worlds: houses of the train split."""
    frames_per_house: int = 250
    """Of worlds: random reachable poses in each."""
    episodes_per_task: int = 16
    """Of worlds: episodes of random play in each control task, a frame every second step."""
    shards_per_task: int = 25
    """Of places: shards of 240 frames of each control task."""
    every: int = 1
    """Of a dataset: take one of so many pictures; neighbours are nearly equal."""

    def run(self, runs: Runs) -> int:
        """Makes what is missing and tells how much there is."""
        drawn = {WORLDS: self._draw_worlds, PLACES: self._draw_places}
        return drawn.get(self.source, self._pack_dataset)(runs)

    def _draw_worlds(self, runs: Runs) -> int:
        from pentathlon.learning.pretraining.world_frames import Recipe, make_frames

        recipe = Recipe(self.houses, self.frames_per_house, self.episodes_per_task, self.size_px)
        print(f"{make_frames(recipe, self.out, pool=self.pool(runs), progress=_show)} shards made in {self.out}")
        return 0

    def _draw_places(self, runs: Runs) -> int:
        from pentathlon.learning.pretraining.place_frames import make_place_frames

        made = make_place_frames(self.shards_per_task, self.size_px, self.out, pool=self.pool(runs), progress=_show)
        print(f"{made} shards made in {self.out}")
        return 0

    def _pack_dataset(self, runs: Runs) -> int:
        from pentathlon.events.act.data.dataset import get_dataset
        from pentathlon.events.act.data.frames import pack_frames

        pool = self.pool(runs)
        dataset = get_dataset(self.source, pool=pool)
        print(f"{self.out}: {pack_frames(dataset, self.out, self.size_px, every=self.every, pool=pool)} frames")
        return 0


def _show(made: int, wanted: int) -> None:
    if made % 50 == 0 or made == wanted:
        print(f"{made}/{wanted} shards", flush=True)
