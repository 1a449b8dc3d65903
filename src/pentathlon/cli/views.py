"""``pentathlon data views``: views of houses to train the image-text network on."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import tyro

from pentathlon.core import Runs
from pentathlon.events.pool_options import PoolOptions
from pentathlon.learning.detectors.corpus import Recipe


@dataclass(frozen=True)
class Views(PoolOptions):
    """Render views of houses for `pentathlon train image-text`; the same command again makes only what is missing."""

    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])]
    """Folder for the views, in train, tune and held-out below it."""
    recipe: Annotated[Recipe, tyro.conf.arg(name="")] = field(default_factory=Recipe)
    renderer: Literal["cpu", "gpu"] = "cpu"
    """Whose eyes look: those of each worker's core, or a GPU that all workers share."""
    minutes: float | None = None
    """Begin no house after this time."""

    def run(self, runs: Runs) -> int:
        """Makes what is missing and tells how much there is."""
        from pentathlon.learning.detectors.corpus import make_corpus

        def show(made: int, wanted: int) -> None:
            if made % 10 == 0 or made == wanted:
                print(f"{made}/{wanted} groups of houses", flush=True)

        made = make_corpus(
            self.recipe,
            self.out,
            renderer=self.renderer,
            minutes=self.minutes,
            pool=self.pool(runs),
            progress=show,
        )
        for reason in made.skipped:
            print(f"Skipped {reason}")
        print(f"{self.out}: views of {made.houses} houses, {len(made.skipped)} skipped")
        return 0
