"""Fits k of ExQA (eq. 1) to people's trials. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from scipy.optimize import minimize_scalar

from pentathlon.core import DataError
from pentathlon.events.explore.metrics import exqa
from pentathlon.events.explore.protocol import ENERGY

LARGEST = 0.02
"""With it, ExQA forgets a return of 200 steps."""


class Played(NamedTuple):
    """What a trial of a person gave."""

    acc_exp: float
    acc_ref: float
    t3_steps: float


class Prior(NamedTuple):
    """What k is believed to be before anybody has played."""

    mean: float = ENERGY
    deviation: float = ENERGY / 2


def fit_energy(played: Sequence[Played], prior: Prior | None = None) -> float:
    """The k with the highest product of people's ExQA, each as a likelihood, and of a Gaussian prior.

    The product alone would always take 0 where returning helps; the prior keeps steps from being free.

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
        likelihood = sum(math.log(max(score, 1e-12)) for score in scores)
        return 0.5 * ((energy - belief.mean) / belief.deviation) ** 2 - likelihood

    return float(minimize_scalar(unlikely, bounds=(0.0, LARGEST), method="bounded", options={"xatol": 1e-9}).x)
