"""The numbers of act: grams, successes, and both apart for seen and unseen locations. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pentathlon.core import Metric, Outcome, Score

REWARD = Metric("reward_g", "mean", unit="g", bounds=(0.0, math.inf))
SUCCESS = Metric("success", "success", scale=100.0, unit="%")


def is_success(reward_g: float) -> bool:
    """A trial is successful if it obtains a positive reward (section III-C)."""
    return reward_g > 0.0


@dataclass(frozen=True)
class RewardStatistics:
    """What section III-D reports of a set of trials: mean and variance of the grams."""

    mean_g: float
    variance_g2: float


def reward_statistics(outcomes: Sequence[Outcome]) -> RewardStatistics:
    """Mean and (population) variance of the rewards; a trial that ended in an error weighs nothing."""
    rewards = np.array([outcome.metrics.get("reward_g", 0.0) for outcome in outcomes])
    return RewardStatistics(float(rewards.mean()), float(rewards.var()))


def score_trials(
    metrics: Sequence[Metric], outcomes: Sequence[Outcome], seen_location: Mapping[str, bool]
) -> tuple[Score, ...]:
    """Scores all trials under ``metrics``, then those at seen and those at unseen locations.

    Intervals are clustered by what stands on the bench (container and location): trials of different training seeds
    share it, so they are no independent samples.

    Args:
        metrics: the headline first.
        outcomes: of one run.
        seen_location: by trial id; also trials that ended in an error have a location.
    """
    # Robots run trials on machines without scipy.
    from pentathlon.stats import score_outcomes

    scores = list(score_outcomes(metrics, outcomes))
    for name, seen in (("seen", True), ("unseen", False)):
        chosen = [outcome for outcome in outcomes if seen_location[outcome.trial] is seen]
        parts = score_outcomes([replace(metric, paper=None) for metric in metrics], chosen)
        scores += [replace(score, metric=f"{score.metric}, {name} locations") for score in parts]
    return tuple(scores)
