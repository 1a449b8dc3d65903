"""Houses in ProcTHOR's format, written here by hand: two rooms, a door, a window, a sofa with things on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from procthor_maker import corner, hole, procthor_room, thing, walls, written

from pentathlon.core import DataError
from pentathlon.worlds.houses.files.procthor import import_procthor
from pentathlon.worlds.houses.ways.navigation import NavigationMap


@pytest.fixture
def document() -> dict[str, Any]:
    mug = thing("Mug_3", 2.1, 0.6, 0.6)
    return {
        "rooms": [procthor_room("room|1", "LivingRoom", 0, 0, 4, 5), procthor_room("room|2", "Kitchen", 4, 0, 8, 5)],
        "walls": walls("room|1", 0, 0, 4, 5) + walls("room|2", 4, 0, 8, 5),
        "doors": [
            {
                "id": "door|1|2",
                "room0": "room|1",
                "room1": "room|2",
                # This wall runs from (4, 5) to (4, 0), so that 1.0 m along it is z = 4.
                "wall0": "wall|1|4.00|0.00|4.00|5.00",
                "wall1": "wall|2|4.00|0.00|4.00|5.00",
                "holePolygon": hole(0.5, 1.5, 0.0, 2.1),
                "openness": 1,
            }
        ],
        "windows": [
            {
                "id": "window|1",
                "room0": "room|1",
                "room1": "room|1",
                "wall0": "wall|1|0.00|0.00|0.00|5.00",
                "wall1": "wall|exterior|0.00|0.00|0.00|5.00",
                "holePolygon": hole(1.0, 2.0, 0.9, 2.0),
            }
        ],
        "objects": [thing("Sofa_7", 2.0, 0.4, 0.6, 0.0, children=[mug]), thing("Gizmo_12", 6.0, 0.5, 2.0, 90.0)],
        "metadata": {"agent": {"position": corner(1.0, 3.0, 0.95), "rotation": {"x": 0, "y": 90, "z": 0}}},
    }


ASSETS = {
    "Sofa": [{"assetId": "Sofa_7", "boundingBox": {"x": 2.0, "y": 0.8, "z": 0.9}, "primaryProperty": "Static"}],
    "Mug": [{"assetId": "Mug_3", "boundingBox": {"x": 0.1, "y": 0.1, "z": 0.08}, "primaryProperty": "CanPickup"}],
    "Gizmo": [{"assetId": "Gizmo_12", "boundingBox": {"x": 0.6, "y": 1.0, "z": 0.4}}],
}


def test_rooms_doors_and_windows(document: dict[str, Any], tmp_path: Path) -> None:
    house, _ = import_procthor(written(tmp_path, document))
    assert [(room.type, len(room.outline_m)) for room in house.rooms] == [("LivingRoom", 4), ("Kitchen", 4)]
    assert house.rooms[0].floor.material == "planks"
    assert house.rooms[0].wall.colour == "orange"
    assert house.ceiling_m == 2.7
    assert house.doors[0].centre_m == (4.0, 4.0)
    assert house.doors[0].width_m == 1.0
    assert house.windows[0].centre_m == (0.0, 1.5)
    ways = NavigationMap.of_house(house)
    assert all(ways.reaches(room) for room in house.rooms)


def test_objects_turn_from_their_left_handed_frame_into_ours(document: dict[str, Any], tmp_path: Path) -> None:
    house, warnings = import_procthor(written(tmp_path, document), written(tmp_path, ASSETS, "assets.json"))
    sofa, mug, gizmo = house.objects
    # Theirs of turn 0 faces +z; ours of yaw 0 faces -y, so that it must be turned half round.
    assert (sofa.type, sofa.yaw_deg) == ("Sofa", 180.0)
    assert sofa.position_m == pytest.approx((2.0, 0.6, 0.0), abs=0.02)
    assert mug.support is not None
    assert (mug.type, mug.support.object) == ("Mug", sofa.id)
    assert 0.3 < mug.position_m[2] < 0.6
    # A quarter turn clockwise from +z faces +x, which is our yaw of 90 degrees.
    assert gizmo.yaw_deg == 90.0
    assert house.start is not None
    assert (house.start.position_m, house.start.yaw_deg) == ((1.0, 3.0), 0.0)
    assert len(warnings) == 1
    assert "$.objects[1].assetId" in warnings[0]
    assert "'Gizmo'" in warnings[0]


def test_unknown_kinds_become_boxes_of_the_right_size(document: dict[str, Any], tmp_path: Path) -> None:
    house, _ = import_procthor(written(tmp_path, document), written(tmp_path, ASSETS, "assets.json"))
    gizmo = house.objects[-1]
    assert gizmo.box is not None
    assert gizmo.box.size_m == (0.6, 0.4, 1.0)
    assert gizmo.position_m[2] == 0.0


def test_types_follow_from_names_without_the_asset_table(document: dict[str, Any], tmp_path: Path) -> None:
    house, warnings = import_procthor(written(tmp_path, document))
    assert [item.type for item in house.objects] == ["Sofa", "Mug", "Gizmo"]
    assert len(warnings) == 1


def test_an_object_outside_is_left_out_with_a_warning(document: dict[str, Any], tmp_path: Path) -> None:
    document["objects"].append(thing("Sofa_7", 30.0, 0.4, 0.6))
    house, warnings = import_procthor(written(tmp_path, document))
    assert len(house.objects) == 3
    assert any("$.objects[2].position" in warning for warning in warnings)


@pytest.mark.parametrize("key", ["rooms", "walls", "doors", "windows", "objects"])
def test_another_format_is_refused(document: dict[str, Any], tmp_path: Path, key: str) -> None:
    del document[key]
    with pytest.raises(DataError, match=rf"theirs\.json: \$\.{key}"):
        import_procthor(written(tmp_path, document))


def test_a_missing_field_is_named(document: dict[str, Any], tmp_path: Path) -> None:
    del document["objects"][0]["position"]
    with pytest.raises(DataError, match=r"position.*\$\.objects\[0\]"):
        import_procthor(written(tmp_path, document))


def test_malformed_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs.json").write_text("{")
    with pytest.raises(DataError, match=r"theirs\.json"):
        import_procthor(tmp_path / "theirs.json")
