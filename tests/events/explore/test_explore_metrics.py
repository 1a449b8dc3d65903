"""ExQA and the accuracies, beside numbers worked out by hand and those of the paper."""

import math

import pytest

from pentathlon.core import DataError, Outcome
from pentathlon.events.explore.metrics import accuracy, accuracy_by, asked, by_family, by_touch, exqa, implied_energy
from pentathlon.events.explore.paper import TABLE_2, paper_value
from pentathlon.events.explore.protocol import ENERGY
from pentathlon.events.explore.tasks import make_task


def test_exqa_by_hand() -> None:
    assert exqa(0.5, 0.9, 0.0, 0.001) == pytest.approx(0.9)
    assert exqa(0.5, 0.9, 1000.0, 0.001) == pytest.approx(0.5 + 0.4 / math.e)
    assert exqa(0.5, 0.9, 1e9, 0.001) == pytest.approx(0.5)
    assert exqa(0.5, 0.3, 1000.0, math.log(2) / 1000) == pytest.approx(0.4)
    assert exqa(0.5, 0.9, 123.0, 0.0) == pytest.approx(0.9)


@pytest.mark.parametrize("row", ["Human w/o replay", "Human w/ replay"])
def test_the_energy_is_what_the_papers_people_imply(row: str) -> None:
    people = TABLE_2["architect"][row]
    assert people.t3_steps is not None
    assert implied_energy(people.acc_exp, people.acc_ref, people.t3_steps, people.exqa) == pytest.approx(
        ENERGY, rel=0.05
    )
    assert exqa(people.acc_exp, people.acc_ref, people.t3_steps, ENERGY) == pytest.approx(people.exqa, abs=0.35)


@pytest.mark.parametrize(("score", "steps"), [(0.4, 10.0), (0.95, 10.0), (0.7, 0.0)])
def test_a_score_outside_both_accuracies_implies_nothing(score: float, steps: float) -> None:
    with pytest.raises(DataError, match="between both accuracies"):
        implied_energy(0.5, 0.9, steps, score)


def test_accuracy_of_nothing_is_refused() -> None:
    assert accuracy([True, False, True, True]) == 0.75
    with pytest.raises(DataError, match="at least one answer"):
        accuracy([])


def test_questions_are_grouped_by_what_the_record_tells() -> None:
    questions = [
        {"family": "count", "kind": "count", "needs_touch": False, "right": [True, True]},
        {"family": "compare-mass", "kind": "yes-no", "needs_touch": True, "right": [False, True]},
        {"family": "compare-mass", "kind": "yes-no", "needs_touch": True, "right": [False, False]},
    ]
    good = Outcome("a", details={"questions": questions}, cluster="house-1")
    broken = Outcome("b", status="error", details={})
    found = asked([good, broken])
    assert [question["house"] for question in found] == ["house-1"] * 3
    assert accuracy_by(found, by_family) == {"compare-mass": (0.0, 0.5, 2), "count": (1.0, 1.0, 1)}
    assert accuracy_by(found, by_touch)["needs touch"] == (0.0, 0.5, 2)


def test_the_papers_numbers_stand_beside_ours() -> None:
    value = paper_value("generated", "exqa")
    assert value is not None
    assert (value.value, value.source) == (62.4, "EXCALIBUR Table 2, Novelty+QA")
    assert paper_value("generated", "coverage") is None


def test_the_papers_numbers_stand_beside_its_own_protocol_only() -> None:
    def shown(**changes: int) -> set[bool]:
        return {metric.paper is not None for metric in make_task("architect", "full", **changes).metrics}

    assert shown() == {True, False}
    assert shown(steps=20_000) == shown(size_px=64) == {False}
