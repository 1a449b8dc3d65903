"""The checker finds what is wrong with episodes, and nothing with those that are shipped."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from pentathlon.core.errors import DataError
from pentathlon.events.find.episodes.checking import complaints, repeated_ids
from pentathlon.events.find.episodes.files import packed, read_capability, read_houses, schema_text, unpacked
from pentathlon.events.find.episodes.records import CAPABILITIES, EpisodeFile, FindEpisode, Place
from pentathlon.worlds.houses.house import House

REPLACE = msgspec.structs.replace


def file_of(*episodes: FindEpisode) -> EpisodeFile:
    return EpisodeFile(capability="objectnav", houses=("small",), houses_hash="-", episodes=episodes)


@pytest.fixture(scope="module")
def good(small_house: House) -> FindEpisode:
    from contextlib import closing

    from pentathlon.events.find.episodes.scenes import View
    from pentathlon.events.find.episodes.starts import way_m
    from pentathlon.worlds.houses.tasks.goals import InstanceGoal

    start = Place(5.5, 3.4, 90.0)
    with closing(View(small_house)) as view:
        length_m = way_m(InstanceGoal(view.navigator, "fridge"), start)
    return FindEpisode("e", "small", "fridge", "Fridge", "fridge", "fridge", start, length_m)


def said(small_house: House, *episodes: FindEpisode) -> str:
    return " ".join(complaints(file_of(*episodes), {"small": small_house}))


def test_a_good_episode_has_no_complaints(small_house: House, good: FindEpisode) -> None:
    assert said(small_house, good) == ""


def test_wrong_episodes_are_told(small_house: House, good: FindEpisode) -> None:
    mug = REPLACE(good, target="left mug", type="Mug", category="mug", description="mug")
    assert "fits right mug, lost mug too" in said(small_house, mug)
    assert "is false of" in said(small_house, REPLACE(good, description="fridge on top of a dining table"))
    assert "names" in said(small_house, REPLACE(good, description="flurble")).replace("name of", "names")
    assert "expected the object 'ghost'" in said(small_house, REPLACE(good, target="ghost"))
    assert "got Fridge" in said(small_house, REPLACE(good, type="Mug"))
    assert "expected a way of" in said(small_house, REPLACE(good, length_m=99.0))
    assert "expected a start" in said(small_house, REPLACE(good, start=Place(50.0, 50.0, 0.0)))
    assert repeated_ids(file_of(good, good)) == ["e: the id of 2 episodes."]


def test_an_unknown_house_is_told(good: FindEpisode) -> None:
    assert "not there" in " ".join(complaints(file_of(good), {}))


def test_a_slice_of_the_benchmark_stands_the_check() -> None:
    file = read_capability("pasture-space-distract")
    assert list(complaints(file, read_houses(), file.houses[:1])) == []


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_every_house_has_twelve_targets(capability: str) -> None:
    file = read_capability(capability)  # type: ignore[arg-type]
    assert file.capability == capability
    assert set(file.houses) <= set(read_houses())
    for house in file.houses:
        targets = {episode.target for episode in file.episodes if episode.house == house}
        assert len(targets) == 12
        rooms = len(read_houses()[house].rooms)
        assert rooms in (range(7, 10) if capability == "objectnav-large" else range(3, 7))
    assert all(1.0 <= episode.length_m <= 32.0 for episode in file.episodes)


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_every_target_is_whole_and_has_as_many_of_its_kind_beside_it_as_the_capability_says(capability: str) -> None:
    file = read_capability(capability)  # type: ignore[arg-type]
    counts = {"objectnav": 1800, "objectnav-large": 180}
    assert len(file.episodes) == counts.get(capability, 360)
    changes = {change.house: change for change in file.changes}
    for name in file.houses:
        house = changes[name].applied(read_houses()[name]) if name in changes else read_houses()[name]
        kinds = Counter(item.type for item in house.objects)
        for episode in (one for one in file.episodes if one.house == name):
            assert house.object(episode.target).type == episode.type
            assert not house.object(episode.target).state.broken, episode.id
            assert kinds[episode.type] == (2 if capability.endswith("distract") else 1), episode.id


def test_the_published_schema_is_that_of_the_code() -> None:
    published = Path(__file__).parents[4] / "docs" / "find-v1.schema.json"
    assert published.read_text() == schema_text()


def test_files_are_the_same_for_the_same_episodes(good: FindEpisode) -> None:
    data = packed(file_of(good))
    assert data == packed(file_of(good))
    assert unpacked(data, EpisodeFile, "x") == file_of(good)


def test_broken_files_are_refused(good: FindEpisode) -> None:
    data = packed(file_of(good))
    for broken in (b"", b"no", data[:-20]):
        with pytest.raises(DataError, match="expected"):
            unpacked(broken, EpisodeFile, "broken")
    empty = packed(file_of(REPLACE(good, description="")))
    with pytest.raises(DataError, match="description"):
        unpacked(empty, EpisodeFile, "empty")
