"""``pentathlon train mae``, ``train contrastive`` and ``train places``: pre-train an encoder on frames."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pentathlon.core.runs import Runs
from pentathlon.learning.pretraining.settings import ContrastiveSettings, MaeSettings, PlacesSettings, Settings

if TYPE_CHECKING:
    from pentathlon.learning.pretraining.loop import Objective


@dataclass(frozen=True)
class Mae(MaeSettings):
    """Masked autoencoders (He et al. 2021)."""

    def run(self, runs: Runs) -> int:
        """Trains and prints how to enter the encoder."""
        from pentathlon.learning.pretraining.loop import default_device
        from pentathlon.learning.pretraining.mae import MaskedObjective

        return _train(MaskedObjective(self, default_device()), self)


@dataclass(frozen=True)
class Contrastive(ContrastiveSettings):
    """Contrastive learning: MoCo v3 or BYOL."""

    def run(self, runs: Runs) -> int:
        """Trains and prints how to enter the encoder."""
        from pentathlon.learning.pretraining.contrastive import ContrastiveObjective
        from pentathlon.learning.pretraining.loop import default_device

        return _train(ContrastiveObjective(self, default_device()), self)


@dataclass(frozen=True)
class Places(PlacesSettings):
    """Tell where bodies are, by the simulator's own truth."""

    def run(self, runs: Runs) -> int:
        """Trains and prints how to enter the encoder."""
        from pentathlon.learning.pretraining.places import train_places

        return _tell(train_places(self))


def _train(objective: Objective, settings: Settings) -> int:
    from pentathlon.learning.pretraining.loop import train

    return _tell(train(objective, settings))


def _tell(encoder: Path) -> int:
    print(f"Wrote {encoder}. Enter it as: trained@{encoder}")
    return 0
