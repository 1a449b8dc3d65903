"""Training for ImageNav runs on the kernels' CPU build, goes on where it was ended, and is examined in other houses."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from pentathlon.core.errors import UsageError
from pentathlon.learning.reinforcement.navigation import house_stream, train_imagenav
from pentathlon.learning.reinforcement.settings import ImageNavSettings
from pentathlon.worlds.houses.gpu import PackedHouse

pytestmark = pytest.mark.skipif(shutil.which("c++") is None, reason="no C++ compiler (apt install g++)")


@pytest.fixture(autouse=True)
def _small_houses(monkeypatch: pytest.MonkeyPatch, small_pack: PackedHouse) -> None:
    monkeypatch.setattr(house_stream, "packed_houses", lambda split, places, workers: [small_pack for _ in places])


@pytest.fixture
def settings(tmp_path: Path) -> ImageNavSettings:
    return settings_for(tmp_path / "run", minutes=0.01)


def settings_for(out: Path, minutes: float) -> ImageNavSettings:
    return ImageNavSettings(
        out=out, houses=2, tested_houses=1, goals_per_house=2, agents=4, side_px=36, depth=True, senses=True,
        minutes=minutes, step_limit=6, tested_steps=6, first_houses=1, device="cpu", encoder="conv", steps=4, batches=2,
    )  # fmt: skip


def test_trains_examines_and_goes_on(settings: ImageNavSettings) -> None:
    train_imagenav.train_policy(settings)
    result = json.loads((settings.out / "result.json").read_text())
    assert result["tested"]["episodes"] == 4
    assert 0 <= result["tested"]["low"] <= result["tested"]["success"] <= result["tested"]["high"] <= 1
    assert "<svg" in (settings.out / "curve.svg").read_text()
    rounds = len((settings.out / "curve.jsonl").read_text().splitlines())
    before = load_file(settings.out / "policy.safetensors")

    train_imagenav.train_policy(replace(settings, minutes=0.03))
    again = json.loads((settings.out / "result.json").read_text())
    assert again["rounds"] > result["rounds"] == rounds
    after = load_file(settings.out / "policy.safetensors")
    assert not torch.equal(before["gates.weight"], after["gates.weight"])


KILLED = """
import os, sys
from dataclasses import replace
from pathlib import Path
sys.path[:0] = {paths!r}
import test_imagenav_training as tests
from pentathlon.learning.reinforcement.navigation import house_stream, train_imagenav
house_stream.packed_houses = lambda split, places, workers: [tests.PackedHouse.load(Path({house!r})) for _ in places]
train_imagenav.SAVED_EVERY_S = 0.0
plain, rounds = train_imagenav.Learner.round, []
def round(learner):
    rounds.append(1)
    if len(rounds) == 4:
        os.kill(os.getpid(), 9)
    return plain(learner)
train_imagenav.Learner.round = round
train_imagenav.train_policy(tests.settings_for(Path({out!r}), minutes=5.0))
"""


def test_goes_on_after_a_kill(settings: ImageNavSettings, small_pack: PackedHouse, tmp_path: Path) -> None:
    small_pack.save(tmp_path / "house.npz")
    paths = [str(Path(__file__).parent), str(Path(__file__).parents[2])]
    script = KILLED.format(paths=paths, house=str(tmp_path / "house.npz"), out=str(settings.out))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == -9, done.stderr[-2000:]
    state = torch.load(settings.out / "state.pt", weights_only=True)
    assert state["rounds"] == 3
    train_imagenav.train_policy(replace(settings, minutes=(state["notes"]["trained_s"] + 0.3) / 60))
    result = json.loads((settings.out / "result.json").read_text())
    assert result["rounds"] > 3
    assert len((settings.out / "curve.jsonl").read_text().splitlines()) == result["rounds"]


def test_houses_join_and_a_policy_is_taken_over(settings: ImageNavSettings, capsys: pytest.CaptureFixture[str]) -> None:
    train_imagenav.train_policy(replace(settings, houses=3, encoder="pixels-16", depth=False, minutes=0.1))
    assert re.search(r"[23] houses", capsys.readouterr().out)
    first, second = settings.out / "policy.safetensors", settings.out.parent / "second"
    started = replace(settings, encoder="pixels-16", depth=False, out=second, start=first, minutes=1e-6)
    train_imagenav.train_policy(started)
    weights = [load_file(path)["critic.weight"].float() for path in (first, second / "policy.safetensors")]
    assert (weights[0] - weights[1]).abs().max() < 0.005  # one round was learned


def test_a_frozen_encoder_sees_no_depth(settings: ImageNavSettings) -> None:
    with pytest.raises(UsageError, match="no depth"):
        train_imagenav.train_policy(replace(settings, encoder="mae-tiny"))
