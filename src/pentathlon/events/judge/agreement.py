"""How well a judge's reward agrees with the true one: rank correlation within groups, with an interval over groups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pentathlon.core import Metric, Outcome
from pentathlon.events.judge.detection import order_correlation
from pentathlon.events.judge.metrics import Numbers

METRIC = Metric("rank_correlation", bounds=(-1.0, 1.0))


class Agreement(NamedTuple):
    """Spearman's correlation with its 95 % interval, and how many groups it is the mean of."""

    value: float
    low: float | None
    high: float | None
    groups: int

    def __str__(self) -> str:
        ends = "" if self.low is None or self.high is None else f" [{self.low:.2f}, {self.high:.2f}]"
        return f"{self.value:.2f}{ends} over {self.groups} groups"


def rank_agreement(judged: Numbers, true: Numbers) -> Agreement:
    """Compares two rewards of the same rollouts, ``[groups, rollouts]`` each; a group starts from one place.

    Groups whose rollouts all have the same true reward tell nothing and are left out.

    Args:
        judged: by the judge.
        true: by the environment.
    """
    from pentathlon.stats import score_outcomes

    telling = [i for i in range(len(true)) if np.ptp(true[i]) > 0]
    values = [order_correlation(judged[i], true[i]) for i in telling]
    outcomes = [Outcome(str(i), {METRIC.name: value}, cluster=str(i)) for i, value in zip(telling, values, strict=True)]
    score = score_outcomes([METRIC], outcomes)[0]
    return Agreement(score.value, score.low, score.high, len(telling))
