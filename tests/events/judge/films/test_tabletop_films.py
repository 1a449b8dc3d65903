"""Films of the desk: the paper's counts, moves that show what is said, and oracles that know it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import numpy as np
import pytest

from pentathlon.core import Workspace
from pentathlon.core.errors import DataError
from pentathlon.events.judge.baselines import ObjectsOnlyOracle, OracleJudge
from pentathlon.events.judge.data import films
from pentathlon.events.judge.data.films import describe, read_log
from pentathlon.events.judge.films.checking import film_problems
from pentathlon.events.judge.films.shooting import never
from pentathlon.events.judge.films.tabletop import making
from pentathlon.events.judge.films.tabletop.making import make_film, shoot
from pentathlon.events.judge.films.tabletop.plan import plan
from pentathlon.events.judge.films.tabletop.recipe import Recipe, leftmost, shown
from pentathlon.events.judge.records import Measure
from pentathlon.events.judge.tasks import make_task

GROUPS = {"object_tracking": (16, 95), "object_interaction": (1, 18), "opening_v_closing": (1, 200), "object": (1, 9)}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(films, "films_folder", lambda: tmp_path / "films")
    return tmp_path / "films"


def quick(recipe: Recipe) -> Recipe:
    return msgspec.structs.replace(recipe, quick=True, side_px=48)


def first(group: str, number: int = 0) -> Recipe:
    return quick(msgspec.convert(plan(group, 1, "lite")[0].clips[number].recipe, Recipe))


@pytest.mark.parametrize(("group", "counts"), GROUPS.items())
def test_sets_have_the_paper_s_counts(group: str, counts: tuple[int, int]) -> None:
    sets = plan(group, 1, "full")
    assert (len(sets), sum(len(one.clips) for one in sets)) == counts
    for one in sets:
        tally = Counter(clip.labels[0] for clip in one.clips)
        assert max(tally.values()) - min(tally.values()) <= 1
        assert set(tally) == set(one.descriptions)


@pytest.mark.parametrize("group", GROUPS)
def test_recipes_show_what_their_sentences_say(group: str) -> None:
    for one in plan(group, 1, "full"):
        for clip in one.clips:
            recipe = msgspec.convert(clip.recipe, Recipe)
            assert one.descriptions[clip.labels[0]] == describe(shown(recipe))


def test_the_leftmost_thing_is_moved_whether_it_comes_back_or_not() -> None:
    for one in plan("object_tracking", 1, "full"):
        for recipe in (msgspec.convert(clip.recipe, Recipe) for clip in one.clips):
            if recipe.kind == "shuffle":
                assert leftmost(recipe, moved=False) in {thing for thing, _ in recipe.moves}
                last = dict(recipe.moves)
                assert sorted({**dict(enumerate(recipe.places)), **last}.values()) == sorted(recipe.places)


@pytest.mark.parametrize("group", GROUPS)
def test_a_film_is_made_and_its_log_checked(group: str, tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    make_film(path, msgspec.to_builtins(first(group)))
    log = read_log(path)
    assert film_problems(path, log.description) == []
    step = msgspec.structs.replace(log.steps[0], words="dance")
    path.with_suffix(".json").write_bytes(msgspec.json.encode(msgspec.structs.replace(log, steps=(step,))))
    assert any("other steps than the recipe" in problem for problem in film_problems(path))


def test_the_same_recipe_gives_the_same_frames() -> None:
    recipe = first("object_tracking", 1)
    assert np.array_equal(shoot(recipe).frames, shoot(recipe).frames)


def test_a_film_that_does_not_show_what_it_is_to_show_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "DOOR_FRAMES", 1)
    monkeypatch.setattr(making, "QUICK_FRAMES", 1)
    with pytest.raises(DataError, match="expected: We open a door. The physics says otherwise"):
        shoot(first("opening_v_closing"))


@pytest.mark.parametrize("group", GROUPS)
def test_the_oracle_is_right_and_things_alone_tell_nothing_of_actions(group: str, tmp_path: Path) -> None:
    task = make_task(f"tabletop-{group}", "lite", "tabletop", group, 1, rehearse=True)
    found = {}
    for judge in (OracleJudge(), ObjectsOnlyOracle()):
        (outcome,) = task.run(task.heats()[0], judge, Workspace(tmp_path))
        found[type(judge).__name__] = outcome.metrics
    assert found["OracleJudge"]["macro_f1"] == 1.0
    if group != "object":
        assert found["ObjectsOnlyOracle"]["macro_f1"] == found["ObjectsOnlyOracle"]["majority_f1"]


@pytest.mark.parametrize(("group", "measure"), [("near_miss", "success"), ("progress", "progress")])
def test_the_oracle_detects_near_misses_and_knows_progress(group: str, measure: Measure, tmp_path: Path) -> None:
    task = make_task(f"tabletop-{group}", "lite", "tabletop", group, 0, measure, rehearse=True)
    (outcome,) = task.run(task.heats()[0], OracleJudge(), Workspace(tmp_path))
    # Rehearsals end with still frames, in which nothing is left to do.
    assert list(outcome.metrics.values())[-1] == 1.0


def test_every_kind_of_task_is_missed_in_several_ways_and_each_film_says_so() -> None:
    sets = plan("near_miss", 0, "full")
    assert {one.id.split("/")[2] for one in sets} == {"pin", "door", "pick", "choose", "shuffle", "tidy_2", "tidy_3"}
    for one in sets:
        told = [describe(shown(msgspec.convert(clip.recipe, Recipe))) for clip in one.clips]
        assert told[0] == one.descriptions["task"]
        assert told[0] not in told[1:]
        assert len({clip.miss for clip in one.clips}) == len(one.clips) >= 4
        assert [bool(clip.labels) for clip in one.clips] == [True] + [False] * (len(one.clips) - 1)


@pytest.mark.parametrize("number", range(7))
def test_near_misses_of_every_kind_come_out_as_their_logs_say(number: int) -> None:
    for clip in plan("near_miss", 0, "lite")[number].clips:
        take = shoot(quick(msgspec.convert(clip.recipe, Recipe)), look=never)
        assert [words for words, _, _ in take.steps] == list(shown(msgspec.convert(clip.recipe, Recipe)))
