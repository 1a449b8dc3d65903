from __future__ import annotations

import numpy as np
import pytest

from pentathlon.events.find.agents.relations import (
    AGAINST,
    FLOOR_AGAINST,
    FLOOR_FOR,
    FOR,
    Link,
    Said,
    Surroundings,
    take_apart,
)
from pentathlon.models.localizers import Relevance
from pentathlon.models.navigation.back_projection import Points
from pentathlon.models.navigation.mapper import FloorMap
from pentathlon.models.navigation.settings import MENDED


@pytest.mark.parametrize(
    ("sentence", "category", "said"),
    [
        ("mug on the floor", "mug", Said("mug", (Link("on", "floor"),))),
        ("mug under a bed", "mug", Said("mug", (Link("under", "bed"),))),
        (
            "alarm clock on top of a side table, near a bed, an armchair",
            "alarm clock",
            Said("alarm clock", (Link("on", "side table"), Link("near", "bed"), Link("near", "armchair"))),
        ),
        ("small, red and white, ceramic mug", "mug", Said("small, red and white, ceramic mug", ())),
        ("what stands on the desk", "lamp", Said("what stands on the desk", ())),
        ("plant in the sink", "plant", Said("plant", (Link("in", "sink"),))),
    ],
)
def test_sentences_are_taken_apart(sentence: str, category: str, said: Said) -> None:
    assert take_apart(sentence, category) == said


def row_of(values: list[float]) -> np.ndarray:
    return np.array([values], np.float32)


def seen(*values: float) -> Relevance:
    return Relevance(row_of(list(values)), 1.0, 2.0)


# Four pixels in a row: two mugs, each with a piece of furniture beside it, two metres apart.
POINTS = Points(row_of([1.0, 1.1, 3.0, 3.1]), row_of([0.0, 0.0, 0.0, 0.0]), row_of([0.2, 0.6, 0.9, 0.7]))
MUGS = seen(5.0, -5.0, 5.0, -5.0)


def weighed(links: list[Link], *beside: Relevance) -> list[float]:
    return Surroundings(FloorMap(MENDED), links).weigh(POINTS, MUGS, beside).map[0].tolist()


def test_a_thing_far_from_what_is_named_scores_lower() -> None:
    found = weighed([Link("near", "bed")], seen(-5.0, 5.0, -5.0, -5.0))
    assert found[0] == pytest.approx(5.0 + FOR["near"])
    assert found[2] == pytest.approx(5.0 - AGAINST["near"])


def test_under_means_that_it_is_higher() -> None:
    bed = seen(-5.0, 5.0, -5.0, 5.0)
    found = weighed([Link("under", "bed")], bed)
    assert found[0] == pytest.approx(5.0 + FOR["under"]), "the first mug is below the bed's top"
    assert found[2] == pytest.approx(5.0 - AGAINST["under"]), "the second is above it"


def test_on_the_floor_needs_no_other_thing() -> None:
    found = weighed([Link("on", "floor")])
    assert (found[0], found[2]) == (pytest.approx(5.0 + FLOOR_FOR), pytest.approx(5.0 - FLOOR_AGAINST))


def test_what_was_seen_once_is_remembered_and_nan_is_left_alone() -> None:
    around = Surroundings(FloorMap(MENDED), [Link("on", "desk")])
    around.weigh(POINTS, MUGS, [seen(-5.0, 5.0, -5.0, -5.0)])
    again = around.weigh(POINTS, MUGS, [seen(-5.0, -5.0, -5.0, -5.0)]).map[0]
    assert (again[0], again[2]) == (5.0 + FOR["on"], 5.0 - AGAINST["on"])
    nowhere = Points(*(np.full((1, 4), np.nan, np.float32) for _ in range(3)))
    assert around.weigh(nowhere, MUGS, [MUGS]) is MUGS
