"""What a run of see is scored by, beside the paper's value where the two can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pentathlon.core import Metric, PaperValue
from pentathlon.core.scores import Aggregation
from pentathlon.events.see.protocol import SeeProtocol
from pentathlon.worlds.control.experts.table import expert_score

PAPER = {
    "adroit-pen": 80.0,
    "adroit-relocate": 38.7,
    "metaworld-assembly": 88.0,
    "metaworld-bin-picking": 84.0,
    "metaworld-button-press-topdown": 80.0,
    "metaworld-drawer-open": 100.0,
    "metaworld-hammer": 92.0,
    "dmcontrol-finger-spin": 76.8,
    "dmcontrol-reacher-easy": 88.0,
    "dmcontrol-cheetah-run": 32.8,
    "dmcontrol-walker-stand": 83.3,
    "dmcontrol-walker-walk": 53.7,
    "trifinger-reach-cube": 83.3,
    "trifinger-push-cube": 60.2,
}
"""VC-1 (ViT-L) in CortexBench's Table 8, in percent; the paper has no reacher-hard."""


def make_metrics(protocol: SeeProtocol, *, given: bool) -> tuple[Metric, ...]:
    """The score in percent: a success rate, or the mean of normalised returns or progress.

    ``score`` is the best evaluation's, as in the paper; ``held_out_score`` each episode's at the evaluation that the
    other episodes choose, which choosing does not raise; ``last_score`` the last evaluation's.

    Args:
        protocol: of the task.
        given: whether a user gives the demonstrations; our expert's score is then no ceiling.
    """
    kind: Aggregation = "success" if protocol.task.rule in ("achieved-steps", "last-step") else "mean"
    ceiling = None if given else expert_score(protocol.task)
    score = Metric("score", kind, scale=100.0, unit="%", ceiling=ceiling, bounds=(0.0, 1.0))
    return (
        replace(score, paper=paper_value(protocol)),
        replace(score, name="held_out_score"),
        replace(score, name="last_score"),
    )


def held_out_scores(evaluations: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """Scores each episode at the evaluation that is best over all other episodes.

    The best of many evaluations is partly the luckiest. What chooses the evaluation here has no part in the score, so
    that its mean is what the chosen policies are worth.

    Args:
        evaluations: scores ``[evaluations, episodes]`` of the same episodes while a policy learns.
    """
    scores = np.asarray(evaluations, np.float64)
    if scores.shape[1] == 1:
        return tuple(scores[-1].tolist())
    of_others = scores.sum(axis=1, keepdims=True) - scores
    chosen = np.round(of_others, 9).argmax(axis=0)
    return tuple(scores[chosen, np.arange(scores.shape[1])].tolist())


def paper_value(protocol: SeeProtocol) -> PaperValue | None:
    """The paper's number, for its own protocol only."""
    value = PAPER.get(protocol.task.name)
    variant = protocol.adapt != "frozen" or protocol.recipe.standardise_input
    if value is None or protocol.tier != "full" or variant:
        return None
    demonstrations = "another" if protocol.teacher.startswith("dataset-") else "our own demonstrations and"
    reason = f"another encoder, {demonstrations} renderer; see docs/see.md"
    return PaperValue(value, "CortexBench Table 8, VC-1 (ViT-L)", reason)
