"""An explorer is rewarded for places it has not been to, learns on the kernels' CPU build, and explores in `find`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from pentathlon.learning.reinforcement.navigation import house_stream
from pentathlon.learning.reinforcement.navigation.explorer import ExplorerWorlds, make_explorer
from pentathlon.learning.reinforcement.navigation.train_explorer import train_explorer
from pentathlon.learning.reinforcement.ppo import LearnerSettings
from pentathlon.learning.reinforcement.settings import ExplorerSettings
from pentathlon.worlds.houses.bodies.navigator import ACTIONS, NavigatorSettings
from pentathlon.worlds.houses.gpu import HouseSet, PackedHouse, TeamRules

pytestmark = pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler (apt install g++)")


def act(worlds: ExplorerWorlds, name: str) -> tuple[list[float], list[float]]:
    number = ACTIONS.index(name)  # type: ignore[arg-type]
    _, reward, _, _, info = worlds.step(torch.full((worlds.num_envs,), number))
    return reward.tolist(), info["places"].tolist()


def test_only_new_places_are_rewarded(small_pack: PackedHouse) -> None:
    houses = HouseSet("cpu", goals_per_house=1)
    houses.add(small_pack)
    rules = TeamRules(NavigatorSettings(size_px=(64, 64)), step_limit=30, scattered=False)
    worlds = ExplorerWorlds(houses, 4, rules)
    worlds.reset(seed=1)
    rewards, places = act(worlds, "RotateLeft")
    assert rewards == pytest.approx([-0.01] * 4)
    assert places == [1.0] * 4
    first, places = act(worlds, "MoveAhead")
    moved = [not bool(row["collided"]) for row in worlds.team.read(worlds.team.agents)]
    assert any(moved)
    assert first == pytest.approx([0.09 if went else -0.01 for went in moved])
    for _ in range(6):  # around, and back to where each came from
        act(worlds, "RotateLeft")
    again, _ = act(worlds, "MoveAhead")
    assert [again[i] for i in range(4) if moved[i]] == pytest.approx([-0.01] * sum(moved))
    for _ in range(30):
        _, places = act(worlds, "RotateLeft")
    assert worlds.places.tolist() == [1.0] * 4  # another episode has begun


def test_trains_and_measures(small_pack: PackedHouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_stream, "packed_houses", lambda split, places, workers: [small_pack for _ in places])
    settings = ExplorerSettings(
        out=tmp_path, houses=2, first_houses=1, tested_houses=2, agents=4, minutes=0.02, step_limit=6, device="cpu"
    )
    train_explorer(settings, LearnerSettings(steps=4, batches=2, epochs=1))
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["learned"]["low"] <= result["learned"]["places"] <= result["learned"]["high"]
    assert result["learned"]["places"] <= 7
    assert result["random walk"]["places"] >= 1
    make_explorer().load_state_dict(load_file(tmp_path / "explorer.safetensors"))
