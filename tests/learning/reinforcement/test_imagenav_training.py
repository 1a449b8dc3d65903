"""Training for ImageNav runs on the kernels' CPU build, goes on where it was ended, and is examined in other houses."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from pentathlon.core.errors import UsageError
from pentathlon.learning.reinforcement import train_imagenav
from pentathlon.learning.reinforcement.ppo import PpoSettings
from pentathlon.learning.reinforcement.settings import ImageNavSettings
from pentathlon.worlds.houses.bodies.navigator import Navigator
from pentathlon.worlds.houses.gpu import PackedHouse, pack_house
from pentathlon.worlds.houses.scene.house_scene import compile_house
from small_house import make_small_house

pytestmark = pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler (apt install g++)")
LEARNING = PpoSettings(steps=4, batches=2, epochs=1)


@pytest.fixture(autouse=True)
def _small_houses(monkeypatch: pytest.MonkeyPatch) -> None:
    navigator = Navigator(compile_house(make_small_house(), switchable=False))
    house: PackedHouse = pack_house(navigator)
    navigator.close()
    monkeypatch.setattr(train_imagenav, "packed_houses", lambda split, places, workers: [house for _ in places])


@pytest.fixture
def settings(tmp_path: Path) -> ImageNavSettings:
    return ImageNavSettings(
        tmp_path / "run", houses=2, tested_houses=1, goals_per_house=2, agents=4, side_px=36, depth=True, senses=True,
        minutes=0.01, step_limit=6, device="cpu",
    )  # fmt: skip


def test_trains_examines_and_goes_on(settings: ImageNavSettings) -> None:
    train_imagenav.train_policy(settings, LEARNING)
    result = json.loads((settings.out / "result.json").read_text())
    assert result["tested"]["episodes"] == 4
    assert 0 <= result["tested"]["low"] <= result["tested"]["success"] <= result["tested"]["high"] <= 1
    assert "without Stop" in result
    assert "<svg" in (settings.out / "curve.svg").read_text()
    rounds = len((settings.out / "curve.jsonl").read_text().splitlines())
    before = load_file(settings.out / "policy.safetensors")

    train_imagenav.train_policy(replace(settings, minutes=0.03), LEARNING)
    again = json.loads((settings.out / "result.json").read_text())
    assert again["rounds"] > result["rounds"] == rounds
    after = load_file(settings.out / "policy.safetensors")
    assert not torch.equal(before["gates.weight"], after["gates.weight"])


def test_a_frozen_encoder_sees_no_depth(settings: ImageNavSettings) -> None:
    with pytest.raises(UsageError, match="no depth"):
        train_imagenav.train_policy(replace(settings, encoder="mae-tiny"), LEARNING)
