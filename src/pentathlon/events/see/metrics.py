"""What a run of see is scored by, beside the paper's value where the two can be compared."""

from __future__ import annotations

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

    Args:
        protocol: of the task.
        given: whether a user gives the demonstrations; our expert's score is then no ceiling.
    """
    kind: Aggregation = "success" if protocol.task.rule in ("achieved-steps", "last-step") else "mean"
    ceiling = None if given else expert_score(protocol.task)
    return (
        Metric("score", kind, scale=100.0, unit="%", paper=paper_value(protocol), ceiling=ceiling, bounds=(0.0, 1.0)),
    )


def paper_value(protocol: SeeProtocol) -> PaperValue | None:
    """The paper's number, for its own protocol only."""
    value = PAPER.get(protocol.task.name)
    if value is None or protocol.tier != "full" or protocol.adapt != "frozen":
        return None
    demonstrations = "another" if protocol.teacher.startswith("dataset-") else "our own demonstrations and"
    reason = f"another encoder, {demonstrations} renderer; see docs/see.md"
    return PaperValue(value, "CortexBench Table 8, VC-1 (ViT-L)", reason)
