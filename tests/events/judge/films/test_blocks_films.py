"""Films of a voxel world: planned as released, made in a few frames, followed by a checker and by the oracles."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from pentathlon.core import Workspace
from pentathlon.events.judge.baselines import ObjectsOnlyOracle, OracleJudge, OrderBlindOracle
from pentathlon.events.judge.data import films
from pentathlon.events.judge.data.films import describe, read_log
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.events.judge.films.blocks.making import make_film, shoot
from pentathlon.events.judge.films.blocks.plan import plan
from pentathlon.events.judge.films.blocks.recipe import Ground, Recipe, write_recipes
from pentathlon.events.judge.films.blocks.situation import follow
from pentathlon.events.judge.films.blocks.vocabulary import Deed, craft, labels_of, step_words
from pentathlon.events.judge.films.checking import film_problems
from pentathlon.events.judge.films.shooting import shortened
from pentathlon.events.judge.films.worlds import attempt
from pentathlon.events.judge.protocol import make_protocol
from pentathlon.events.judge.tasks import JudgeTask, make_task

GROUND = Ground("test", 5, "birch log", "gravel", ("stone", "coal ore", "diamond ore"))
TASK = (Deed("find", "pig"), Deed("attack", "pig"), Deed("pick up", "porkchop"))
SEVERAL = (("permutation", 2), ("remix", 2), ("permutation", 3), ("remix", 3))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(films, "films_folder", lambda: tmp_path / "films")
    return tmp_path / "films"


def recipes(problem_set: ProblemSet) -> list[Recipe]:
    return [msgspec.convert(clip.recipe, Recipe) for clip in problem_set.clips]


def quick(deeds: tuple[Deed, ...]) -> Recipe:
    (recipe,) = write_recipes(GROUND, [deeds])
    return msgspec.structs.replace(recipe, quick=True, side_px=48)


def test_level_one_has_the_released_videos_and_labels() -> None:
    (one,) = plan("actions", 1, "lite")
    assert len(one.clips) == 32
    assert sum(len(clip.labels) > 1 for clip in one.clips) == 17
    assert Counter(label for clip in one.clips for label in clip.labels) == {
        "break": 9, "mine": 2, "place": 13, "pickup": 9, "combat": 5, "find": 6, "craft": 9,
    }  # fmt: skip
    for clip, recipe in zip(one.clips, recipes(one), strict=True):
        assert clip.labels == labels_of(recipe.deeds)


def test_higher_levels_have_the_released_sets_in_ten_lands() -> None:
    assert [len(plan(*kind, "full")) for kind in SEVERAL] == [30, 20, 20, 30]
    lite = [one for kind in SEVERAL for one in plan(*kind, "lite")]
    assert [len(one.clips) for one in lite] == [2, 2, 2, 4, 4, 3, 2, 4, 4, 4]
    assert len({one.id for one in lite}) == len(lite)


@pytest.mark.parametrize("kind", SEVERAL)
def test_sets_say_what_is_done_in_one_land(kind: tuple[str, int]) -> None:
    for one in plan(*kind, "full"):
        found = recipes(one)
        assert len({(recipe.seed, recipe.ores, recipe.carried) for recipe in found}) == 1
        assert len(set(one.descriptions.values())) == len(one.descriptions)
        for clip, recipe in zip(one.clips, found, strict=True):
            assert one.descriptions[clip.labels[0]] == describe([step_words(deed) for deed in recipe.deeds])
        if kind[0] == "permutation":
            assert len({tuple(sorted(steps)) for steps in one.steps.values()}) == 1


def test_near_misses_miss_in_every_way_and_can_be_done() -> None:
    for one in plan("near_miss", 0, "full"):
        ways = ["", "wrong object", "step left out", "steps swapped", "step undone", "step done twice"]
        found = [clip.miss for clip in one.clips]
        assert found == (ways if one.level > 1 else [way for way in ways if way in found])
        assert len(found) >= 2
        told = [describe([step_words(deed) for deed in recipe.deeds]) for recipe in recipes(one)]
        assert told[0] == one.descriptions["task"] not in told[1:]
        assert all(follow(recipe.deeds) is not None for recipe in recipes(one))


def test_planned_films_can_be_made() -> None:
    sets = [one for kind in SEVERAL for one in plan(*kind, "lite")[:1]]
    for one in (*sets, plan("near_miss", 0, "lite")[0]):
        for clip in one.clips:
            assert clip.recipe is not None
            attempt("blocks", {**clip.recipe, "quick": True, "side_px": 32})


@pytest.mark.parametrize(
    "deeds",
    [
        (Deed("find", "pig"), Deed("find", "pig")),
        (Deed("attack", "pig"), Deed("find", "pig")),
        (Deed("attack", "pig"), Deed("attack", "pig")),
        (Deed("mine", "coal ore"), Deed("mine", "coal ore")),
        (Deed("place", "bricks"), Deed("place", "bricks"), Deed("place", "bricks")),
        (Deed("pick up", "coal"), Deed("pick up", "coal")),
    ],
)
def test_what_cannot_be_done_is_known(deeds: tuple[Deed, ...]) -> None:
    assert follow(deeds) is None


def test_what_is_gained_need_not_be_carried() -> None:
    found = follow((craft("stick"), craft("torch"), Deed("place", "bricks"), Deed("break", "bricks")))
    assert found is not None
    assert dict(+found.needs) == {"oak planks": 2, "coal": 1, "bricks": 2, "pickaxe": 1}


def test_a_film_tells_what_was_done_and_a_lying_log_is_found(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    make_film(path, msgspec.to_builtins(quick(TASK)))
    log = read_log(path)
    told = "First, we find a pig, then we attack a pig, and finally we pick up the dropped pork chops"
    assert log.description == told
    assert film_problems(path, told) == []
    steps = (log.steps[0], *log.steps[:0:-1])
    path.with_suffix(".json").write_bytes(msgspec.json.encode(msgspec.structs.replace(log, steps=steps)))
    problems = film_problems(path, told)
    assert any("other steps than the recipe" in problem for problem in problems)
    assert any("one after the other" in problem for problem in problems)


def test_the_same_recipe_gives_the_same_frames() -> None:
    first, second = (shoot(quick(TASK)).frames for _ in range(2))
    assert np.array_equal(first, second)


def test_where_several_sentences_are_true_the_oracles_know_them_all(tmp_path: Path) -> None:
    (one,) = plan("actions", 1, "lite")
    places = [next(i for i, clip in enumerate(one.clips) if clip.labels == labels) for labels in
              (("combat",), ("break", "mine", "pickup"), ("craft",), ("place", "find"))]  # fmt: skip
    few = replace(one, clips=tuple(shortened(one.clips[i], Recipe, "blocks", 48) for i in places))
    task = JudgeTask(make_protocol("blocks-actions", "lite", "match", [few]), [few])
    scores = {}
    for judge in (OracleJudge(), OrderBlindOracle(), ObjectsOnlyOracle()):
        (outcome,) = task.run(task.heats()[0], judge, Workspace(tmp_path))
        scores[type(judge).__name__] = outcome.metrics["macro_f1"]
    assert scores["OracleJudge"] == scores["OrderBlindOracle"] == 1.0
    assert scores["ObjectsOnlyOracle"] < 1.0


@pytest.mark.parametrize(("group", "measure"), [("near_miss", "success"), ("progress", "progress")])
def test_the_oracle_detects_success_and_follows_progress(tmp_path: Path, group: str, measure: str) -> None:
    task = make_task("some", "lite", "blocks", group, 0, measure, rehearse=True)  # type: ignore[arg-type]
    (outcome,) = task.run(task.heats()[0], OracleJudge(), Workspace(tmp_path))
    assert list(outcome.metrics.values()) == pytest.approx([1.0] * len(outcome.metrics))
