"""``pentathlon explore fit-k``: fits k of ExQA to what people did in recorded runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from pentathlon.core import RUNS, Runs, Tier, content_hash


@dataclass(frozen=True)
class FitK:
    """Fit k of ExQA, the price of a step of the return, to the runs of people (`pentathlon explore play`)."""

    tier: Tier = "full"
    """Whose tier was played."""
    out: Annotated[Path, tyro.conf.arg(aliases=["-o"])] = RUNS
    """Folder that holds the run folders."""
    replay: bool = False
    """Fit to those who saw again what they saw while they answered, in place of the others."""
    prior_mean: float | None = None
    """Of the Gaussian prior; the present k by default."""
    prior_deviation: float | None = None
    """Of the Gaussian prior; half of the present k by default."""

    def run(self, runs: Runs) -> int:
        """Prints k, and what people's scores are with it."""
        from pentathlon.events.explore.metrics import exqa
        from pentathlon.events.explore.people.energy import LARGEST, Played, Prior, fit_energy
        from pentathlon.events.explore.people.person import FACTORY
        from pentathlon.events.explore.protocol import ENERGY, SUITES, make_protocol

        protocols = {content_hash(make_protocol(suite, self.tier)) for suite in SUITES}
        played = [
            Played(*(outcome.metrics[name] for name in Played._fields))
            for record in runs.find(self.out, protocols)
            if record.factory == FACTORY and record.entrant.endswith("-replay") == self.replay
            for outcome in record.outcomes.values()
            if outcome.status == "ok"
        ]
        given = {"mean": self.prior_mean, "deviation": self.prior_deviation}
        energy = fit_energy(played, Prior(**{name: value for name, value in given.items() if value is not None}))
        for k, meaning in ((ENERGY, "now"), (energy, "fitted")):
            mean = sum(exqa(*trial, k) for trial in played) / len(played)
            print(f"k {k:.3g} ({meaning}): mean ExQA of {len(played)} trials of people {100 * mean:.1f} %")
        if not 1e-3 * ENERGY < energy < 0.999 * LARGEST:
            print("This k is at the edge of what is tried: these trials do not tell what a step is worth.")
        return 0
