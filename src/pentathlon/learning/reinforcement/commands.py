"""``pentathlon train dmcontrol-expert`` and others that learn by trying, on a CPU or in houses on a GPU."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pentathlon.core.registry import resolve
from pentathlon.core.runs import Runs
from pentathlon.learning.reinforcement.settings import (
    DmcontrolExpertSettings,
    ExplorerSettings,
    ImageNavSettings,
    PenExpertSettings,
    RelocateExpertSettings,
)

_FOLDER = "pentathlon.learning.reinforcement"


class _Training:
    """Calls a trainer with the settings, of which ``out`` is one."""

    trainer: ClassVar[str]
    out: Path

    def run(self, runs: Runs) -> int:
        """Trains and names the file."""
        resolve(self.trainer)(self)
        print(f"Wrote {self.out}.")
        return 0


@dataclass(frozen=True)
class DmcontrolExpert(DmcontrolExpertSettings, _Training):
    """Soft actor-critic for a DMControl task, starting from its planner's episodes."""

    trainer: ClassVar[str] = f"{_FOLDER}.train_dmcontrol:train_expert"


@dataclass(frozen=True)
class PenExpert(PenExpertSettings, _Training):
    """PPO (Schulman et al. 2017) for Adroit's pen."""

    trainer: ClassVar[str] = f"{_FOLDER}.train_pen:train_expert"


@dataclass(frozen=True)
class ImageNav(ImageNavSettings, _Training):
    """PPO for ImageNav in generated houses on a GPU; tested in houses that it never saw."""

    trainer: ClassVar[str] = f"{_FOLDER}.train_imagenav:train_policy"


@dataclass(frozen=True)
class FindExplorer(ExplorerSettings, _Training):
    """PPO for exploring generated houses on a GPU, by CoW's count-based reward; an explorer of `find`."""

    trainer: ClassVar[str] = f"{_FOLDER}.train_explorer:train_explorer"


@dataclass(frozen=True)
class RelocateExpert(RelocateExpertSettings, _Training):
    """The cross-entropy method for the grasp of Adroit relocate's script."""

    trainer: ClassVar[str] = f"{_FOLDER}.tune_relocate:tune"
