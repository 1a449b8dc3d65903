"""Intervals, paired comparison and ranks."""

from pentathlon.stats.intervals import Interval, mean_interval, success_interval, wilson_interval
from pentathlon.stats.paired import PairedDifference, paired_difference
from pentathlon.stats.ranks import Ranked, mean_rank, mean_success, rank_rows, suite_means
from pentathlon.stats.scores import bounds_of, metric_value, refuse_mixed_weights, score_outcomes

__all__ = [
    "Interval",
    "PairedDifference",
    "Ranked",
    "bounds_of",
    "mean_interval",
    "mean_rank",
    "mean_success",
    "metric_value",
    "paired_difference",
    "rank_rows",
    "refuse_mixed_weights",
    "score_outcomes",
    "success_interval",
    "suite_means",
    "wilson_interval",
]
