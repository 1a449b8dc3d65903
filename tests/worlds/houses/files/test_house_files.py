from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from pentathlon.core import DataError
from pentathlon.worlds.houses.files.house_files import house_bytes, parse_house, read_house, schema_text, write_house
from pentathlon.worlds.houses.house import House

Change = Callable[[dict[str, Any]], object]


def changed(house: House, change: Change) -> bytes:
    document = json.loads(house_bytes(house))
    change(document)
    return json.dumps(document).encode()


def test_a_file_read_back_is_the_same_house(small_house: House, tmp_path: Path) -> None:
    write_house(small_house, tmp_path / "home.json")
    assert read_house(tmp_path / "home.json") == small_house


def test_the_published_schema_is_that_of_the_records() -> None:
    published = resources.files("pentathlon.worlds.houses.files").joinpath("house-v1.schema.json").read_text()
    assert published == schema_text()
    assert (Path(__file__).parents[4] / "docs" / "house-v1.schema.json").read_text() == published
    assert json.loads(published)["title"] == "pentathlon-house"


BAD: list[tuple[str, Change, list[str]]] = [
    ("negative size", lambda d: d["doors"][0].update(width_m=-0.9), ["$.doors[0].width_m", "-0.9"]),
    ("NaN", lambda d: d["doors"][0].update(width_m=float("nan")), ["$.doors[0].width_m", "finite", "nan"]),
    ("infinite", lambda d: d["objects"][1]["position_m"].__setitem__(2, float("inf")), ["$.objects[1].position_m[2]"]),
    ("unknown object type", lambda d: d["objects"][1].update(type="Mugg"), ["$.objects[1].type", "Mugg", "Mug"]),
    ("unknown room type", lambda d: d["rooms"][0].update(type="Cellar"), ["$.rooms[0].type", "Cellar"]),
    ("overlapping rooms", lambda d: d["rooms"][1]["outline_m"].__setitem__(0, [3.0, 0.0]) or
        d["rooms"][1]["outline_m"].__setitem__(3, [3.0, 4.0]), ["$.rooms[1].outline_m", "kitchen", "4.00 m²"]),
    ("slanted wall", lambda d: d["rooms"][0]["outline_m"].__setitem__(2, [4.5, 4.0]), ["$.rooms[0].outline_m"]),
    ("object outside", lambda d: d["objects"][5].update(position_m=[20.0, 1.0, 0.0]),
        ["$.objects[5].position_m", "outside every room", "20.0"]),
    ("object in another room", lambda d: d["objects"][5].update(position_m=[1.0, 1.0, 0.0]),
        ["$.objects[5].position_m", "'kitchen'"]),
    ("door on no wall", lambda d: d["doors"][0].update(centre_m=[4.5, 1.0]), ["$.doors[0].centre_m", "4.5"]),
    ("door past the corner", lambda d: d["doors"][0].update(centre_m=[4.0, 0.2]), ["$.doors[0].centre_m"]),
    ("door between strangers", lambda d: d["doors"][0].update(rooms=["bedroom", "attic"]),
        ["$.doors[0].rooms[1]", "attic"]),
    ("window in an inner wall", lambda d: d["windows"][0].update(centre_m=[4.0, 2.5]), ["$.windows[0].centre_m"]),
    ("window over a door", lambda d: d["windows"].append(
        {"id": "w", "room": "kitchen", "centre_m": [0.9, 0.0], "width_m": 0.5, "sill_m": 1.0, "height_m": 1.0}),
        ["$.windows", "side by side"]),
    ("same id twice", lambda d: d["objects"][1].update(id="table"), ["$.objects[1].id", "table"]),
    ("support in a circle", lambda d: d["objects"][0].update(support={"relation": "on", "object": "left mug"}),
        ["$.objects[0].support.object"]),
    ("start in a wall", lambda d: d["start"].update(position_m=[4.0, 2.0]), ["$.start.position_m", "wall"]),
    ("start outside", lambda d: d["start"].update(position_m=[9.0, 2.0]), ["$.start.position_m", "outside every room"]),
    ("unknown field", lambda d: d["rooms"][0].update(flor=1), ["$.rooms[0]", "flor"]),
    ("another version", lambda d: d.update(version=2), ["$.version", "2"]),
    ("unknown colour", lambda d: d["rooms"][0]["wall"].update(colour="mauve"), ["$.rooms[0].wall.colour", "mauve"]),
    ("no rooms", lambda d: d.update(rooms=[]), ["$.rooms"]),
    ("text for a number", lambda d: d.update(ceiling_m="high"), ["$.ceiling_m", "high"]),
]  # fmt: skip


@pytest.mark.parametrize(("change", "named"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_faults_are_named_by_path_and_value(small_house: House, change: Change, named: list[str]) -> None:
    with pytest.raises(DataError) as caught:
        parse_house(changed(small_house, change), "home.json")
    for words in ("home.json", *named):
        assert words in str(caught.value)


@pytest.mark.parametrize("text", [b"", b"{", b'{"rooms": [}', b"\xff\xfe", b"[" * 100_000, b"[]" * 10, b"null", b"3"])
def test_malformed_text_is_a_data_error(text: bytes) -> None:
    with pytest.raises(DataError, match=r"home\.json"):
        parse_house(text, "home.json")


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(50_000_000)
    with pytest.raises(DataError, match=r"huge\.json.*50 MB"):
        read_house(path)


def test_a_missing_file_is_a_data_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere\.json"):
        read_house(tmp_path / "nowhere.json")
