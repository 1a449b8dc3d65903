"""The numbers of find against worked examples."""

from __future__ import annotations

import pytest

from pentathlon.core import Outcome
from pentathlon.events.find.metrics import action_success, by_category, failure_class, failure_shares, spl


@pytest.mark.parametrize(
    ("success", "shortest_m", "travelled_m", "expected"),
    [
        (True, 4.0, 4.0, 1.0),
        (True, 4.0, 8.0, 0.5),
        (True, 5.0, 4.9, 1.0),
        (True, 0.0, 0.0, 1.0),
        (True, 0.0, 2.0, 0.0),
        (False, 4.0, 4.0, 0.0),
    ],
)
def test_spl_follows_its_equation(success: bool, shortest_m: float, travelled_m: float, expected: float) -> None:
    assert spl(success, shortest_m, travelled_m) == pytest.approx(expected)


def test_mean_spl_of_three_episodes() -> None:
    """Anderson et al. 2018, eq. 1: (1 * 4/8 + 0 + 1 * 3/3) / 3."""
    episodes = [(True, 4.0, 8.0), (False, 6.0, 6.0), (True, 3.0, 2.8)]
    assert sum(spl(*episode) for episode in episodes) / 3 == pytest.approx(0.5)


def test_failures_are_told_apart_as_in_the_paper() -> None:
    assert failure_class(success=True, stopped=True, seen=True) == ""
    assert failure_class(success=False, stopped=True, seen=False) == "localisation"
    assert failure_class(success=False, stopped=False, seen=False) == "exploration"
    assert failure_class(success=False, stopped=False, seen=True) == "planning"


def test_shares_are_of_all_trials() -> None:
    failures = ["", "planning", "planning", "exploration"]
    outcomes = [Outcome(str(i), details={"failure": failure}) for i, failure in enumerate(failures)]
    assert failure_shares(outcomes) == {"exploration": 0.25, "localisation": 0.0, "planning": 0.5}


def test_action_success_is_the_share_not_blocked() -> None:
    assert action_success([False, True, False, False]) == pytest.approx(0.75)
    assert action_success([]) == 1.0


def test_outcomes_are_sorted_by_category() -> None:
    outcomes = [Outcome(name, details={"category": name[:3]}) for name in ("mug 1", "cup 1", "mug 2")]
    assert {name: len(own) for name, own in by_category(outcomes).items()} == {"cup": 1, "mug": 2}
