"""``pentathlon train``: pre-train an encoder on frames, or adapt one to a task's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import tyro

from pentathlon.learning.settings import ContrastiveSettings, MaeSettings

if TYPE_CHECKING:
    from pentathlon.learning.pretraining import Objective


@dataclass(frozen=True)
class Train:
    """Pre-train an encoder on frames; the same command again continues."""

    method: (
        Annotated[MaeSettings, tyro.conf.subcommand("mae")]
        | Annotated[ContrastiveSettings, tyro.conf.subcommand("contrastive")]
    )

    def run(self) -> int:
        """Trains and prints how to enter the result."""
        from pentathlon.learning.pretraining import train

        encoder = train(self._objective(), self.method)
        print(f"Wrote {encoder}. Enter it as: trained@{encoder}")
        return 0

    def _objective(self) -> Objective:
        from pentathlon.learning.pretraining import default_device

        if isinstance(self.method, MaeSettings):
            from pentathlon.learning.mae import MaskedObjective

            return MaskedObjective(self.method, default_device())
        from pentathlon.learning.contrastive import ContrastiveObjective

        return ContrastiveObjective(self.method, default_device())
