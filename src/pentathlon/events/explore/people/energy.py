"""Fits k of ExQA (eq. 1) to people's trials. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scipy.optimize import minimize_scalar

from pentathlon.core import DataError, UsageError
from pentathlon.events.explore.metrics import exqa
from pentathlon.events.explore.protocol import ENERGY

LARGEST = 0.02
"""With it, ExQA forgets a return of 200 steps."""


class Played(NamedTuple):
    """What a trial of a person gave."""

    acc_exp: float
    acc_ref: float
    t3_steps: float


@dataclass(frozen=True)
class Prior:
    """What k is believed to be before anybody has played.

    Raises:
        UsageError: when it is none.
    """

    mean: float = ENERGY
    deviation: float = ENERGY / 2

    def __post_init__(self) -> None:
        if not 0.0 < self.mean < LARGEST:
            raise UsageError(f"Expected a prior mean between 0 and {LARGEST:g}, got {self.mean:g}.")
        if not 0.0 < self.deviation < math.inf:
            raise UsageError(f"Expected a prior deviation above 0, got {self.deviation:g}.")


def fit_energy(played: Sequence[Played], prior: Prior | None = None) -> float:
    """The k with the highest product of people's mean ExQA, as a likelihood, and of a Gaussian prior.

    ExQA alone is highest at 0 where returning helps; the prior keeps steps from being free. The mean is the geometric
    one, so that k does not depend on how many have played: a product over all of them would go to 0 with their number.

    Raises:
        DataError: when nobody has played, or somebody knew nothing at all, which no k explains.
    """
    belief = prior or Prior()
    if not played:
        raise DataError("Expected trials of people, got none. Play some: pentathlon explore play")
    if any(exqa(*trial[:2], trial.t3_steps, 0.0) <= 0 and trial.acc_exp <= 0 for trial in played):
        raise DataError("Expected trials with at least one right answer, got one without. Leave it out.")

    def unlikely(energy: float) -> float:
        scores = (exqa(trial.acc_exp, trial.acc_ref, trial.t3_steps, energy) for trial in played)
        likelihood = sum(math.log(max(score, 1e-12)) for score in scores) / len(played)
        return 0.5 * ((energy - belief.mean) / belief.deviation) ** 2 - likelihood

    return float(minimize_scalar(unlikely, bounds=(0.0, LARGEST), method="bounded", options={"xatol": 1e-9}).x)
