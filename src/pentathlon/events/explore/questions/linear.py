"""A linear classifier over sparse features, for what can be guessed from words alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LinearSettings:
    """How a classifier is fitted.

    Attributes:
        l2: weight decay on the sum of the losses.
        least_uses: features in fewer examples are left out.
        epochs: passes over all examples.
        rate: of Adagrad.
    """

    l2: float = 1.0
    least_uses: int = 2
    epochs: int = 60
    rate: float = 0.3


@dataclass(frozen=True)
class LinearModel:
    """Scores of classes: the sum of the weights of the features that an example has."""

    classes: tuple[str, ...]
    features: dict[str, int]
    weights: Floats

    def scores(self, example: Sequence[str]) -> Floats:
        """Returns a score for each class."""
        places = [self.features[name] for name in example if name in self.features]
        return np.asarray(self.weights[places].sum(axis=0))

    def guess(self, example: Sequence[str]) -> str:
        """Returns the likeliest class."""
        return self.classes[int(np.argmax(self.scores(example)))]


def fit_linear(
    examples: Sequence[Sequence[str]], labels: Sequence[str], settings: LinearSettings | None = None
) -> LinearModel:
    """Fits softmax regression by Adagrad on batches; the same examples give the same weights.

    Args:
        examples: the features of each.
        labels: their classes.
        settings: how.
    """
    settings = settings or LinearSettings()
    uses = Counter(name for example in examples for name in set(example))
    features = {name: i for i, name in enumerate(sorted(n for n, c in uses.items() if c >= settings.least_uses))}
    classes = tuple(sorted(set(labels)))
    rows = [np.array([features[name] for name in example if name in features], dtype=np.int64) for example in examples]
    targets = np.array([classes.index(label) for label in labels])
    weights = _descend(rows, targets, (len(features), len(classes)), settings)
    return LinearModel(classes, features, weights)


def _descend(
    rows: Sequence[NDArray[np.int64]], targets: NDArray[np.int64], shape: tuple[int, int], settings: LinearSettings
) -> Floats:
    rng = np.random.default_rng(0)
    weights, squares = np.zeros(shape), np.full(shape, 1e-3)
    for _ in range(settings.epochs):
        order = rng.permutation(len(rows))
        for batch in np.array_split(order, max(1, len(rows) // 64)):
            slope = settings.l2 * weights * len(batch) / len(rows)
            for i in batch:
                chances = _softmax(weights[rows[i]].sum(axis=0))
                chances[targets[i]] -= 1.0
                np.add.at(slope, rows[i], chances)
            squares += slope**2
            weights -= settings.rate * slope / np.sqrt(squares)
    return weights


def _softmax(scores: Floats) -> Floats:
    raised = np.exp(scores - scores.max())
    return np.asarray(raised / raised.sum())
