"""Making the benchmark: the first houses that will do, whoever makes them, and again where it was stopped."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pentathlon.cli.main import main
from pentathlon.core.errors import DataError
from pentathlon.events.find.episodes import benchmark
from pentathlon.events.find.episodes.benchmark import make_benchmark
from pentathlon.events.find.episodes.checking import check_files
from pentathlon.events.find.episodes.files import read_capability, read_houses
from pentathlon.events.find.episodes.records import Change, Draft, FindEpisode, Part, Place
from pentathlon.events.find.episodes.scenes import View, look_into
from pentathlon.events.find.episodes.starts import draw_starts, way_m
from pentathlon.events.find.episodes.statistics import statistics
from pentathlon.worlds.houses.house import House, State

REPLACE = msgspec.structs.replace


def part(small_house: House, index: int) -> Part:
    """Every third house is large, every fourth has no places."""
    name = f"seed-{11_000 + index}-rooms-2"
    rooms = small_house.rooms * (4 if index % 3 == 0 else 2)
    house = REPLACE(small_house, name=name, rooms=rooms)
    episode = FindEpisode(f"{name}-a", name, "fridge", "Fridge", "fridge", "fridge", Place(5.5, 3.4, 90.0), 2.0)
    capability: Any = "objectnav-large" if index % 3 == 0 else "objectnav"
    drafts = () if index % 4 == 0 else (Draft(capability, Change(name), (episode,)),)
    return Part(house=house, drafts=drafts, line=f"made {index}")


@pytest.fixture
def made(small_house: House, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    asked: list[int] = []

    def stand_in(index: int) -> Part:
        asked.append(index)
        return part(small_house, index)

    monkeypatch.setattr(benchmark, "house_part", stand_in)
    return asked


def test_the_first_houses_that_will_do_are_taken(made: list[int], tmp_path: Path) -> None:
    lines: list[str] = []
    make_benchmark(tmp_path / "a", 3, 2, say=lines.append)
    assert lines == [f"made {index}" for index in made]
    assert read_capability("objectnav", tmp_path / "a").houses == tuple(
        f"seed-{11_000 + index}-rooms-2" for index in (17, 19, 22)
    )
    assert read_capability("objectnav-large", tmp_path / "a").houses == ("seed-11015-rooms-2", "seed-11018-rooms-2")
    assert len(read_houses(tmp_path / "a")) == 5
    assert not (tmp_path / "a" / "parts").exists()


def test_files_do_not_depend_on_batches(made: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_benchmark(tmp_path / "a", 3, 2)
    monkeypatch.setattr(benchmark, "BATCH", 1)
    make_benchmark(tmp_path / "b", 3, 2)
    for path in (tmp_path / "a").iterdir():
        assert (tmp_path / "b" / path.name).read_bytes() == path.read_bytes()


def test_the_same_call_goes_on_where_it_stopped(
    small_house: House, made: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(index: int) -> Part:
        if index == 18:
            raise OSError("no such thing")
        return part(small_house, index)

    with monkeypatch.context() as patch:
        patch.setattr(benchmark, "house_part", failing)
        with pytest.raises(DataError, match="1 of 20 files could not be made.*run the same command again"):
            make_benchmark(tmp_path, 3, 2)
    make_benchmark(tmp_path, 3, 2)
    assert made == [18]


def test_starts_are_far_enough_in_every_state_of_the_house(small_house: House) -> None:
    import numpy as np

    emptied = REPLACE(small_house, objects=tuple(one for one in small_house.objects if one.id != "table"))
    views = [look_into(small_house), look_into(emptied)]
    starts = draw_starts(views, "fridge", 20, 6.0, np.random.default_rng(1))
    assert look_into(emptied) is views[1]
    for view in views:
        assert all(1.0 <= way_m(view.goal("fridge"), start) <= 6.0 for start in starts)
    with pytest.raises(DataError, match="expected 5 starts for 'fridge', got 0"):
        draw_starts(views, "fridge", 5, 0.5, np.random.default_rng(1))


def test_a_broken_thing_is_no_target(small_house: House) -> None:
    objects = tuple(
        REPLACE(one, state=State(broken=True)) if one.id == "lost mug" else one for one in small_house.objects
    )
    with closing(View(REPLACE(small_house, objects=objects))) as view:
        assert not view.is_fair("lost mug")
        assert view.is_fair("fridge")


def test_files_are_checked_by_several_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (checked,) = check_files(["pasture-hidden"], 1, 1)
    assert (checked.capability, checked.houses, checked.complaints) == ("pasture-hidden", 1, [])
    assert main(["find", "check", "objectnav", "--folder", str(tmp_path)]) == 2
    assert "expected a readable file" in capsys.readouterr().err


def test_statistics_count_what_is_shipped() -> None:
    text = statistics()
    file = read_capability("pasture-hidden")
    assert f"| `pasture-hidden` | {len(file.houses)} | {len(file.episodes)} |" in text
    assert "say small (paper: 47 %)" in text
