"""``pentathlon data``: what models and policies learn from: made, found, merged, exported and imported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import tyro

from pentathlon.cli.datasets import Get, Merge
from pentathlon.cli.demonstrations import Export, Import, Make
from pentathlon.cli.experts import Experts
from pentathlon.cli.frames import Frames


@dataclass(frozen=True)
class Data:
    """Make, get, merge, export or import what models and policies learn from, and measure who demonstrates."""

    action: (
        Annotated[Make, tyro.conf.subcommand("make")]
        | Annotated[Export, tyro.conf.subcommand("export")]
        | Annotated[Import, tyro.conf.subcommand("import")]
        | Annotated[Get, tyro.conf.subcommand("get")]
        | Annotated[Merge, tyro.conf.subcommand("merge")]
        | Annotated[Frames, tyro.conf.subcommand("frames")]
        | Annotated[Experts, tyro.conf.subcommand("experts")]
    )

    def run(self) -> int:
        """Runs the chosen action."""
        return self.action.run()
