"""``pentathlon train judge-order``: train the judge that sees order on films whose steps are known."""

from __future__ import annotations

from dataclasses import dataclass

from pentathlon.core.runs import Runs
from pentathlon.learning.ordering.settings import OrderSettings


@dataclass(frozen=True)
class JudgeOrder(OrderSettings):
    """The judge that sees order, on films that `pentathlon data judge-lessons` made."""

    def run(self, runs: Runs) -> int:
        """Trains, measures on kitchens never learnt from, and names the file."""
        from pentathlon.learning.ordering.training import train

        weights = train(self, say=lambda line: print(line, flush=True))
        print(f"Wrote {weights}.")
        return 0
