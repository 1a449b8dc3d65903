"""Numbers of the paper: Table 2 of EXCALIBUR (Zhu et al., CVPR 2023)."""

from __future__ import annotations

from typing import NamedTuple

from pentathlon.core import PaperValue
from pentathlon.events.explore.protocol import Suite

SOURCE = "EXCALIBUR Table 2"
DIFFERENCE = "our houses, questions and body; see docs/explore.md"


class Row(NamedTuple):
    """A row of Table 2 for one test set; accuracies and ExQA in per cent, T3 in steps."""

    acc_exp: float
    acc_ref: float
    t3_steps: float | None
    exqa: float


TABLE_2: dict[Suite, dict[str, Row]] = {
    "generated": {
        "Random": Row(41.7, 41.7, None, 41.7),
        "Language": Row(53.5, 53.5, None, 53.5),
        "QA": Row(58.5, 60.2, 131.2, 60.0),
        "Novelty": Row(54.2, 56.5, 99.6, 56.4),
        "Novelty+QA": Row(58.7, 63.1, 203.2, 62.4),
    },
    "architect": {
        "Random": Row(39.1, 39.1, None, 39.1),
        "Language": Row(49.2, 49.2, None, 49.2),
        "QA": Row(52.4, 56.0, 159.1, 55.7),
        "Novelty": Row(49.9, 54.5, 125.7, 54.1),
        "Novelty+QA": Row(53.5, 56.3, 211.7, 55.9),
        "Human w/o replay": Row(63.6, 87.1, 759.4, 79.4),
        "Human w/ replay": Row(81.3, 94.3, 782.1, 90.1),
    },
}
BEST = "Novelty+QA"


def paper_value(suite: Suite, metric: str) -> PaperValue | None:
    """The best agent's number of Table 2, where there is one."""
    value = getattr(TABLE_2[suite][BEST], metric, None)
    return None if value is None else PaperValue(float(value), f"{SOURCE}, {BEST}", DIFFERENCE)
