"""Intervals, paired comparison and ranks."""

from pentathlon.stats.intervals import Interval, bootstrap_interval, clustered_wilson_interval, wilson_interval
from pentathlon.stats.paired import McNemar, PairedDifference, mcnemar, paired_difference
from pentathlon.stats.ranks import Ranked, mean_rank, mean_success, rank_rows
from pentathlon.stats.scores import metric_value, refuse_mixed_weights, score_outcomes

__all__ = [
    "Interval",
    "McNemar",
    "PairedDifference",
    "Ranked",
    "bootstrap_interval",
    "clustered_wilson_interval",
    "mcnemar",
    "mean_rank",
    "mean_success",
    "metric_value",
    "paired_difference",
    "rank_rows",
    "refuse_mixed_weights",
    "score_outcomes",
    "wilson_interval",
]
