"""Films of the virtual home, short ones: made once, whole, with a log that a checker can follow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from pentathlon.core import Workspace
from pentathlon.core.errors import DataError
from pentathlon.core.identity import content_hash
from pentathlon.events.judge.baselines import OracleJudge
from pentathlon.events.judge.data import films
from pentathlon.events.judge.data.films import make_films, read_log, trim_films
from pentathlon.events.judge.data.problem_sets import ProblemSet
from pentathlon.events.judge.films.checking import film_problems
from pentathlon.events.judge.films.home.making import make_film, shoot
from pentathlon.events.judge.films.home.recipe import Recipe, clip_of, write_recipe
from pentathlon.events.judge.films.home.vocabulary import Deed
from pentathlon.events.judge.films.shooting import never
from pentathlon.events.judge.tasks import make_task

TASK = [Deed("pick up", "mug", "cabinet"), Deed("clean", "mug", "sink"), Deed("put", "mug", "fridge")]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(films, "films_folder", lambda: tmp_path / "films")
    return tmp_path / "films"


def quick(deeds: list[Deed], **more: object) -> Recipe:
    recipe = write_recipe("test", 3, ("Mug", "Apple", "Knife"), deeds)
    return msgspec.structs.replace(recipe, quick=True, side_px=48, **more)


def test_a_film_tells_what_was_done_and_when(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    make_film(path, msgspec.to_builtins(quick(TASK)))
    log = read_log(path)
    assert log.description == (
        "First, we pick up a mug from the cabinet, then we clean the mug in the sink under running water, and finally "
        "we put the mug in the fridge"
    )
    assert [step.action for step in log.steps] == ["pick up", "clean", "put"]
    assert log.steps[0].end_s == log.steps[1].start_s
    assert film_problems(path, log.description) == []


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"description": "We dance"}, "is not that of its steps"),
        ({"frames": 3}, "frames"),
        ({"fps": 30.0}, "expected 8 to 16 frames a second"),
        ({"steps": ()}, "the log has other steps than the recipe"),
    ],
)
def test_a_log_that_lies_is_found(tmp_path: Path, change: dict[str, object], complaint: str) -> None:
    path = tmp_path / "film.mp4"
    make_film(path, msgspec.to_builtins(quick(TASK[:1])))
    log = msgspec.structs.replace(read_log(path), **change)
    if change == {"steps": ()}:
        log = msgspec.structs.replace(log, steps=(msgspec.structs.replace(read_log(path).steps[0], action="put"),))
    path.with_suffix(".json").write_bytes(msgspec.json.encode(log))
    assert any(complaint in problem for problem in film_problems(path))
    assert film_problems(path, "We sing") != []


def test_the_same_recipe_gives_the_same_frames() -> None:
    first, second = (shoot(quick(TASK)).frames for _ in range(2))
    assert content_hash(first.tobytes().hex()) == content_hash(second.tobytes().hex())


def test_what_the_kitchen_refuses_is_told_with_the_deed() -> None:
    recipe = quick([Deed("clean", "mug", "sink")])
    with pytest.raises(DataError, match=r"film-test-3: clean mug sink: Cannot clean Mug\|0: .*clean already"):
        shoot(msgspec.structs.replace(recipe, dirty=()), look=never)


def test_films_are_made_once_and_the_oldest_make_room(folder: Path) -> None:
    clips = tuple(clip_of(quick([Deed("put", "mug", place)]), (place,)) for place in ("sink", "counter top"))
    one = ProblemSet("a/b/c/d", "virtual home", 1, "containers", {"sink": "x", "counter top": "y"}, clips)
    one = replace(one, maker="pentathlon.events.judge.films.home.making:make_film")
    make_films(one)
    stamps = [clip.path.read_bytes() for clip in clips]
    make_films(one)
    assert [clip.path.read_bytes() for clip in clips] == stamps
    assert all(clip.path.is_relative_to(folder) for clip in clips)
    clips[0].path.with_suffix(".json").unlink()
    make_films(one)
    assert film_problems(clips[0].path) == []
    assert trim_films(0, keep=frozenset({clips[1].path})) > 0
    assert [clip.path.exists() for clip in clips] == [False, True]


@pytest.mark.parametrize(("group", "measure"), [("near_miss", "success"), ("progress", "progress")])
def test_the_oracle_detects_success_and_follows_progress(tmp_path: Path, group: str, measure: str) -> None:
    task = make_task("some", "lite", "virtual-home", group, 0, measure, rehearse=True)  # type: ignore[arg-type]
    (outcome,) = task.run(task.heats()[0], OracleJudge(), Workspace(tmp_path))
    assert list(outcome.metrics.values()) == pytest.approx([1.0] * len(outcome.metrics))
    assert task.scores([outcome])[0].metric == task.metrics[0].name
