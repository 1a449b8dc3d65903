"""RoboTHOR's episode files: a small one of their layout is read and listed, broken ones are refused."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from pentathlon.core.errors import DataError
from pentathlon.events.find.commands.episodes import list_episodes
from pentathlon.events.find.episodes.robothor import read_robothor

EPISODE: dict[str, Any] = {
    "id": "FloorPlan_Val1_1_Mug_0",
    "scene": "FloorPlan_Val1_1",
    "object_type": "Mug",
    "initial_position": {"x": 4.75, "y": 0.9, "z": -1.5},
    "initial_orientation": 30,
    "initial_horizon": 30,
    "shortest_path": [{"x": 4.75, "y": 0.0, "z": -1.5}, {"x": 4.75, "y": 0.0, "z": -4.5}],
    "shortest_path_length": 3.0,
}


def write(path: Path, episodes: Any) -> Path:
    path.write_bytes(gzip.compress(json.dumps(episodes).encode()))
    return path


def test_a_file_is_read_and_listed(tmp_path: Path) -> None:
    path = write(tmp_path / "val.json.gz", [EPISODE, {**EPISODE, "id": "b", "object_id": "Mug|1|2|3"}])
    first, second = read_robothor(path)
    assert (first.object_type, first.initial_position.z, first.object_id) == ("Mug", -1.5, "")
    assert second.object_id == "Mug|1|2|3"
    lines = list_episodes(path)
    assert "Mug  3.00 m" in lines[0]
    assert lines[-1] == "2 episodes in 1 scenes, shortest ways 3.00 m on average"


@pytest.mark.parametrize(
    "episodes",
    [
        {},
        [{"id": "a"}],
        [{**EPISODE, "shortest_path_length": 1.0}],
        [{**EPISODE, "shortest_path_length": -1.0}],
        [{**EPISODE, "initial_position": None}],
    ],
)
def test_broken_files_are_refused(tmp_path: Path, episodes: Any) -> None:
    with pytest.raises(DataError, match="Expected|expected|shorter"):
        list_episodes(write(tmp_path / "val.json.gz", episodes))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    plain = tmp_path / "plain.json"
    plain.write_text("[]")
    for path in (plain, tmp_path / "missing.json.gz"):
        with pytest.raises(DataError, match="expected gzipped RoboTHOR episodes"):
            list_episodes(path)
