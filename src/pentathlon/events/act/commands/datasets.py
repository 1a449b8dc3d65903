"""``pentathlon data get|merge``: the datasets that act learns from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import tyro

from pentathlon.core import Runs, UsageError
from pentathlon.events.pool_options import PoolOptions


@dataclass(frozen=True)
class Get(PoolOptions):
    """Find datasets of act, record what is missing of them, and print the paper's Table I with their rows."""

    names: tyro.conf.Positional[tuple[str, ...]]
    """Datasets, such as act/pour-lite, or folders that hold one."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """Folder for what is recorded; the user's cache when not given."""
    to: Path | None = None
    """Also write each in TOTO's layout into this folder."""
    videos: bool = True
    """Turn recorded pictures into videos, which needs PyAV; until then they are kept as PNG."""
    most_noise_rad: float | None = None
    """Greatest noise of cloned and replayed episodes, where another is tried; such a dataset is recorded apart."""

    def run(self, runs: Runs) -> int:
        """Makes what is missing, dataset by dataset, and prints the table."""
        from pentathlon.events.act.data.dataset import ActDataset, export_as_toto, get_dataset
        from pentathlon.events.act.data.overview import overview, overview_table, success_by_source
        from pentathlon.events.act.data.plan import find_recipe

        if not self.names:
            raise UsageError("Expected at least one dataset, got none. Name one, such as act/pour-lite.")
        rows = {}
        for name in self.names:

            def show(made: int, wanted: int, name: str = name) -> None:
                print(f"{name}: {made}/{wanted} episodes", flush=True)

            noise_rad = self.most_noise_rad
            recipe = None if noise_rad is None else replace(find_recipe(name), most_noise_rad=noise_rad)
            dataset = get_dataset(name, recipe, root=self.out, pool=self.pool(runs), videos=self.videos, progress=show)
            trajectories = dataset.trajectories()
            rows[name] = overview(trajectories)
            parts = ", ".join(f"{source} {share:.3f}" for source, share in success_by_source(trajectories).items())
            print(f"{dataset.folder}: success by source: {parts}")
            if self.to is not None and isinstance(dataset, ActDataset):
                export_as_toto(dataset, self.to / Path(name).name)
                print(f"{self.to / Path(name).name}: in TOTO's layout")
        print(overview_table(rows))
        return 0


@dataclass(frozen=True)
class Merge(PoolOptions):
    """Write a new version of a dataset of act: its episodes, then those that robots or people recorded."""

    data: tyro.conf.Positional[str]
    """The dataset, such as act/pour-lite, or its folder."""
    episodes: tyro.conf.Positional[tuple[Path, ...]]
    """Folders of episodes to add."""
    to: Path
    """Folder for the new version."""
    out: Annotated[Path | None, tyro.conf.arg(aliases=["-o"])] = None
    """Folder for what is recorded; the user's cache when not given."""

    def run(self, runs: Runs) -> int:
        """Writes the new version and prints its row of Table I."""
        from pentathlon.events.act.data.dataset import ActDataset, get_dataset
        from pentathlon.events.act.data.merging import merge
        from pentathlon.events.act.data.overview import overview, overview_table

        if not self.episodes:
            raise UsageError(
                "Expected at least one folder of episodes, got none. Name one that robots or people wrote."
            )
        base = get_dataset(self.data, root=self.out, pool=self.pool(runs))
        if not isinstance(base, ActDataset):
            raise UsageError(f"Expected a dataset of act, got one in TOTO's layout at {self.data}, which cannot grow.")
        merged = merge(base, self.episodes, self.to)
        print(overview_table({str(merged.folder): overview(merged.trajectories())}))
        return 0
