"""``pentathlon train image-text``: train the dense image-text network on views of houses."""

from __future__ import annotations

from dataclasses import dataclass

from pentathlon.core.runs import Runs
from pentathlon.learning.detectors.settings import ImageTextSettings


@dataclass(frozen=True)
class ImageText(ImageTextSettings):
    """The dense image-text network, on views of houses that `pentathlon data views` made."""

    def run(self, runs: Runs) -> int:
        """Trains, measures on houses never seen, and names the file."""
        from pentathlon.learning.detectors.measuring.report import measure_trained
        from pentathlon.learning.detectors.training import train

        weights = train(self, say=lambda line: print(line, flush=True))
        measure_trained(weights, self, say=lambda line: print(line, flush=True))
        print(f"Wrote {weights}.")
        return 0
