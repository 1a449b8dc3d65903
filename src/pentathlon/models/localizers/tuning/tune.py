"""Finds the threshold of a localizer that gives the best mean F1 over categories."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.models.localizers.contract import Localizer, RelevanceMap
from pentathlon.models.localizers.post_processing import stretched
from pentathlon.models.localizers.tuning.agreement import Floats, Tally, judge_map, no_pictures
from pentathlon.models.localizers.tuning.views import View

STEPS = 256
PROBES = 2


class Tuned(NamedTuple):
    """What was found.

    Attributes:
        threshold: the best one.
        f1: mean over categories there.
        by_category: F1 of each category there.
    """

    threshold: float
    f1: float
    by_category: Mapping[str, float]


def tune(
    localizer: Localizer,
    views: Sequence[View],
    nouns: Mapping[str, str],
    progress: Callable[[str], None] = lambda noun: None,
) -> Tuned:
    """Asks for every category in every view and returns the best of evenly spaced thresholds.

    Args:
        localizer: what is tuned; its own thresholds do not matter.
        views: pictures with masks by type.
        nouns: what each type is called; types that no view shows are left out.
        progress: told each noun that is done.

    Raises:
        DataError: when no view shows any of the types, or the maps are all flat.
    """
    shown = {kind: noun for kind, noun in nouns.items() if any(kind in view.masks for view in views)}
    if not shown:
        raise DataError(f"Expected views that show any of {', '.join(nouns)}, got none. Render more images.")
    thresholds = _thresholds(localizer, views, shown)
    tallies: dict[str, Tally] = {}
    for kind, noun in shown.items():
        localizer.describe(noun, noun)
        tally = no_pictures(len(thresholds))
        for view in views:
            truth = view.masks.get(kind, np.zeros(view.rgb.shape[:2], bool))
            tally = tally.plus(judge_map(_look(localizer, view), truth, thresholds))
        tallies[noun] = tally
        progress(noun)
    return _best(thresholds, tallies)


def _look(localizer: Localizer, view: View) -> RelevanceMap:
    return stretched(localizer.relevance(view.rgb, view.depth_m).map, view.rgb.shape[:2])


def _thresholds(localizer: Localizer, views: Sequence[View], shown: Mapping[str, str]) -> Floats:
    """Even steps over the values that a few pictures with and without each category give."""
    low, high = np.inf, -np.inf
    for kind, noun in shown.items():
        localizer.describe(noun, noun)
        with_it = [view for view in views if kind in view.masks][:PROBES]
        without = [view for view in views if kind not in view.masks][:PROBES]
        for view in with_it + without:
            found = _look(localizer, view)
            low, high = min(low, float(found.min())), max(high, float(found.max()))
    if not low < high:
        raise DataError(f"Expected maps that differ from place to place, got {low} everywhere. Check the weights.")
    return np.linspace(low, high, STEPS, endpoint=False)


def _best(thresholds: Floats, tallies: Mapping[str, Tally]) -> Tuned:
    scores = {noun: tally.f1() for noun, tally in tallies.items()}
    mean = np.mean(list(scores.values()), axis=0)
    ties = np.flatnonzero(mean == mean.max())
    at = int(ties[len(ties) // 2])  # the middle of a plateau is the safest
    return Tuned(float(thresholds[at]), float(mean[at]), {noun: float(f1[at]) for noun, f1 in scores.items()})
