"""How often the 95 % intervals hold the truth, and how often a comparison of equals finds a difference.

    python bench/interval_coverage.py --evaluations 4000

Prints four tables: success rates and means in clusters that resemble each other, comparisons of two entrants of
equal skill, and the best of many evaluations as see takes it. Beside ours stands what comes out when trials are taken
as independent, or the choice is forgotten.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import tyro
from scipy.special import bdtr

from pentathlon.events.see.metrics import held_out_scores
from pentathlon.stats import mean_interval, paired_difference, success_interval, wilson_interval
from pentathlon.stats.clusters import FloatArray

SIZES = ((2, 25), (3, 25), (5, 25), (10, 10), (12, 3), (30, 10))
RATES = (0.05, 0.2, 0.5, 0.9)
LIKENESSES = (0.0, 0.1, 0.3, 0.5, 0.9)


@dataclass(frozen=True)
class Args:
    """How much to simulate."""

    evaluations: int = 4000
    """Simulated evaluations per number."""
    seed: int = 0
    """Of the generator."""
    tables: tuple[Literal["successes", "means", "comparisons", "selection"], ...] = (
        "successes",
        "means",
        "comparisons",
        "selection",
    )
    """Which to print."""


def main() -> None:
    """Prints the tables."""
    args = tyro.cli(Args)
    printers = {
        "successes": print_successes,
        "means": print_means,
        "comparisons": print_comparisons,
        "selection": print_selection,
    }
    for table in args.tables:
        printers[table](np.random.default_rng(args.seed), args.evaluations)


def print_successes(generator: np.random.Generator, times: int) -> None:
    """Success rates: the lowest and the mean coverage over the likenesses, for each size and rate."""
    print("| clusters × trials | true rate | ours, least | ours, mean | ours, mean width | Wilson of trials, least |")
    print("|---|---|---|---|---|---|")
    for clusters, trials in SIZES:
        labels = _labels(clusters, trials)
        for rate in RATES:
            rows = [_successes(generator, labels, rate, likeness, times) for likeness in LIKENESSES]
            ours, widths, plain = (np.array(column) for column in zip(*rows, strict=True))
            numbers = (_percent(ours.min()), _percent(ours.mean()), f"{100 * widths.mean():.0f}", _percent(plain.min()))
            print(f"| {clusters} × {trials} | {rate} | {' | '.join(numbers)} |", flush=True)


def _successes(
    generator: np.random.Generator, labels: list[str], rate: float, likeness: float, times: int
) -> tuple[float, float, float]:
    ours = width = plain = 0.0
    for _ in range(times):
        won = _draw_successes(generator, labels, rate, likeness)
        low, high, _ = success_interval(won, labels)
        ours, width = ours + (low <= rate <= high), width + high - low
        low, high, _ = wilson_interval(int(won.sum()), won.size)
        plain += low <= rate <= high
    return ours / times, width / times, plain / times


def print_means(generator: np.random.Generator, times: int) -> None:
    """Means: normal, skewed and bounded numbers, whose clusters share a part of the variance."""
    print("\n| numbers | clusters × trials | shared variance | ours | trials as independent |\n|---|---|---|---|---|")
    for name, draw, truth, bounds in DRAWS:
        for clusters, trials in SIZES:
            labels = _labels(clusters, trials)
            for shared in (0.0, 0.2, 0.5):
                ours = plain = 0
                for _ in range(times):
                    values = draw(generator, labels, shared)
                    low, high, _ = mean_interval(values, labels, bounds)
                    ours += low <= truth <= high
                    low, high, _ = mean_interval(values, None, bounds)
                    plain += low <= truth <= high
                shown = f"{_percent(ours / times)} | {_percent(plain / times)}"
                print(f"| {name} | {clusters} × {trials} | {shared} | {shown} |", flush=True)


def print_comparisons(generator: np.random.Generator, times: int) -> None:
    """Two entrants of equal skill: how often a difference is found at 5 %."""
    print("\n| clusters × trials | rate of both | likeness | ours | McNemar of trials |\n|---|---|---|---|---|")
    for clusters, trials in (*SIZES, (20, 1), (60, 1)):
        labels = _labels(clusters, trials)
        names = [f"t{index}" for index in range(len(labels))]
        seeds = dict(zip(names, labels, strict=True))
        for rate in (0.1, 0.5, 0.8):
            for likeness in (0.0, 0.1, 0.3) if trials > 1 else (0.0,):
                ours = plain = 0
                for _ in range(times):
                    a, b = (_draw_successes(generator, labels, rate, likeness) for _ in range(2))
                    first, second = (dict(zip(names, side.tolist(), strict=True)) for side in (a, b))
                    ours += paired_difference(first, second, seeds, (0.0, 1.0)).p_value <= 0.05
                    plain += _mcnemar(a, b) <= 0.05
                shown = f"{_percent(ours / times)} | {_percent(plain / times)}"
                print(f"| {clusters} × {trials} | {rate} | {likeness} | {shown} |", flush=True)


def print_selection(generator: np.random.Generator, times: int) -> None:
    """Three seeds, each evaluated often while it learns: the best evaluation's score, and the held-out score."""
    print("\n| evaluations × episodes | true rate | best | its interval covers | held out | its interval covers |")
    print("|---|---|---|---|---|---|")
    for evaluations, episodes in ((20, 25), (2, 10)):
        labels = _labels(3, episodes)
        for rate in RATES:
            means, covered = np.zeros((times, 2)), np.zeros((times, 2))
            for run in range(times):
                won = (generator.random((3, evaluations, episodes)) < rate).astype(float)
                best = [seed[seed.mean(axis=1).argmax()] for seed in won]
                held = [held_out_scores(seed.tolist()) for seed in won]
                for column, scores in enumerate((np.concatenate(best), np.concatenate(held))):
                    low, high, _ = success_interval(scores, labels)
                    means[run, column], covered[run, column] = scores.mean(), low <= rate <= high
            columns = zip(means.mean(axis=0), covered.mean(axis=0), strict=True)
            shown = " | ".join(f"{_percent(mean)} | {_percent(share)}" for mean, share in columns)
            print(f"| {evaluations} × {episodes} | {rate} | {shown} |", flush=True)


def _mcnemar(a: FloatArray, b: FloatArray) -> float:
    """The exact test that takes trials as independent (McNemar 1947)."""
    fewer, more = sorted((int((a > b).sum()), int((b > a).sum())))
    return min(1.0, 2 * float(bdtr(fewer, fewer + more, 0.5))) if more else 1.0


def _labels(clusters: int, trials: int) -> list[str]:
    return [str(cluster) for cluster in range(clusters) for _ in range(trials)]


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _cluster_rates(generator: np.random.Generator, labels: list[str], rate: float, likeness: float) -> FloatArray:
    """Each trial's rate; the clusters' rates are beta distributed with ``likeness`` as their correlation."""
    clusters = len(set(labels))
    if likeness == 0:
        return np.full(len(labels), rate)
    concentration = (1 - likeness) / likeness
    rates = generator.beta(rate * concentration, (1 - rate) * concentration, size=clusters)
    return np.repeat(rates, len(labels) // clusters)


def _draw_successes(generator: np.random.Generator, labels: list[str], rate: float, likeness: float) -> FloatArray:
    rates = _cluster_rates(generator, labels, rate, likeness)
    return (generator.random(len(labels)) < rates).astype(float)


def _draw_sums(noise: Callable[[np.random.Generator, int], FloatArray]) -> Callable[..., FloatArray]:
    """A cluster's number plus a trial's; ``shared`` is the cluster's part of the variance."""

    def draw(generator: np.random.Generator, labels: list[str], shared: float) -> FloatArray:
        clusters = len(set(labels))
        of_cluster = np.repeat(noise(generator, clusters), len(labels) // clusters)
        return math.sqrt(shared) * of_cluster + math.sqrt(1 - shared) * noise(generator, len(labels))

    return draw


def _draw_scores(generator: np.random.Generator, labels: list[str], shared: float) -> FloatArray:
    """Scores between 0 and 1 around a mean of 0.2."""
    rates = np.clip(_cluster_rates(generator, labels, 0.2, shared), 1e-6, 1 - 1e-6)
    return generator.beta(2 * rates, 2 * (1 - rates))


DRAWS = (
    ("normal", _draw_sums(lambda generator, n: generator.normal(size=n)), 0.0, (-np.inf, np.inf)),
    ("exponential", _draw_sums(lambda generator, n: generator.exponential(size=n) - 1), 0.0, (-np.inf, np.inf)),
    ("0 to 1, mean 0.2", _draw_scores, 0.2, (0.0, 1.0)),
)

if __name__ == "__main__":
    main()
