"""Problem sets of the virtual home as they are planned: the paper's counts, and only tasks that can be done."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest

from pentathlon.events.judge.data.films import describe
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.events.judge.films.home.level_one import GROUPS, plan_level_one
from pentathlon.events.judge.films.home.near_misses import plan_near_misses, plan_progress
from pentathlon.events.judge.films.home.recipe import Recipe, start_of
from pentathlon.events.judge.films.home.sequences import plan_sequences
from pentathlon.events.judge.films.home.situation import HAND, follow
from pentathlon.events.judge.films.home.vocabulary import Deed, step_words


def recipes(problem_set: ProblemSet) -> list[Recipe]:
    return [msgspec.convert(clip.recipe, Recipe) for clip in problem_set.clips]


def test_level_one_has_the_paper_s_videos() -> None:
    """Tables 1 and 2: 45 problem sets, 1739 videos."""
    sets = [one for group in GROUPS for one in plan_level_one(group, "full")]
    assert len(sets) == 45
    assert sum(len(one.clips) for one in sets) == 1739
    counts = {one.id.rpartition("/")[2]: (len(one.descriptions), len(one.clips)) for one in sets}
    assert counts["counter_top"] == (40, 364)
    assert counts["butter_knife"] == (10, 91)
    assert Counter(one.group for one in sets)["heat"] == 5


@pytest.mark.parametrize("level", range(2, 9))
def test_permutation_sets_are_orders_of_the_same_steps(level: int) -> None:
    for one in plan_sequences("permutation", level, "full"):
        assert len(one.clips) == len(one.descriptions) == (2 if level == 2 else 3)
        assert len({tuple(sorted(steps)) for steps in one.steps.values()}) == 1
        assert len(set(one.descriptions.values())) == len(one.descriptions)
        assert len({(r.seed, r.things, r.dirty) for r in recipes(one)}) == 1


@pytest.mark.parametrize("level", range(2, 9))
def test_general_sets_share_beginnings_of_different_lengths(level: int) -> None:
    for one in plan_sequences("remix", level, "full"):
        base, *derived = one.steps.values()
        shared = [next(i for i in range(level) if steps[i] != base[i]) for steps in derived]
        assert shared == [number * level // 8 for number in range(8)]
        assert len(set(one.descriptions.values())) == 9


def test_every_planned_task_can_be_done_from_its_start() -> None:
    sets = [*plan_near_misses("full"), *plan_progress("full"), *plan_sequences("remix", 8, "full")]
    for recipe in (recipe for one in sets for recipe in recipes(one)):
        assert follow(recipe.deeds, start_of(recipe)) is not None


def test_descriptions_say_what_is_done() -> None:
    for one in (*plan_sequences("permutation", 4, "full"), *plan_level_one("heat", "lite")):
        for clip, recipe in zip(one.clips, recipes(one), strict=True):
            assert one.descriptions[clip.labels[0]] == describe([step_words(deed) for deed in recipe.deeds])


def test_near_misses_miss_in_every_way_and_say_so() -> None:
    sets = [one for one in plan_near_misses("full") if one.level > 1]
    assert len(sets) == 60
    for one in sets:
        ways = [clip.miss for clip in one.clips]
        assert ways == ["", "wrong object", "step left out", "steps swapped", "step undone", "step done twice"]
        assert [clip.labels for clip in one.clips] == [("task",), *[()] * 5]
        told = [describe([step_words(deed) for deed in recipe.deeds]) for recipe in recipes(one)]
        assert told[0] == one.descriptions["task"]
        assert one.descriptions["task"] not in told[1:]


def test_single_actions_of_all_kinds_are_missed_too() -> None:
    sets = [one for one in plan_near_misses("full") if one.level == 1]
    drawn = [one for one in sets if one.id.rpartition("/")[2].isdigit()]
    assert {step.action for one in drawn for step in one.steps["task"]} >= {"pick up", "put", "turn on", "heat"}
    for one in drawn:
        told = [describe([step_words(deed) for deed in recipe.deeds]) for recipe in recipes(one)]
        assert told[0] == one.descriptions["task"] not in told[1:]
        assert {clip.miss for clip in one.clips[1:]} <= {"wrong object", "step undone", "step done twice"}


def test_the_start_follows_from_the_deeds() -> None:
    found = follow([Deed("put", "mug", "fridge"), Deed("pick up", "apple", "shelf"), Deed("turn off", "desk lamp")])
    assert found is not None
    assert dict(found.start) == {"mug": HAND, "apple": "shelf", "desk lamp": "on"}
    assert found.held == "apple"


@pytest.mark.parametrize(
    "deeds",
    [
        [Deed("pick up", "mug", "shelf"), Deed("pick up", "apple", "shelf")],
        [Deed("put", "mug", "fridge"), Deed("pick up", "mug", "shelf")],
        [Deed("put", "mug", "fridge"), Deed("put", "mug", "fridge")],
        [Deed("clean", "mug", "sink"), Deed("clean", "mug", "sink")],
        [Deed("heat", "apple", "microwave"), Deed("slice", "apple", "counter top")],
        [Deed("slice", "apple", "counter top"), Deed("slice", "apple", "counter top")],
        [Deed("turn on", "desk lamp"), Deed("turn on", "desk lamp")],
    ],
)
def test_what_cannot_be_done_is_known(deeds: list[Deed]) -> None:
    assert follow(deeds) is None


def test_the_same_plan_every_time_and_another_in_training() -> None:
    first, again = (plan_sequences("remix", 3, "lite")[0].digest for _ in range(2))
    assert first == again
    trained = plan_sequences("remix", 3, "lite", "train")[0]
    assert trained.digest != first
    assert recipes(trained)[0].split == "train"
