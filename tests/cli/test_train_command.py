"""``pentathlon train``: parsed without torch, trains for real."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pentathlon.cli.events.runs import EventRuns
from pentathlon.cli.main import parse as parse_command
from pentathlon.events.act.commands.train import TABLE, TrainPolicy
from pentathlon.learning.policies.learners import LEARNERS
from pentathlon.learning.pretraining.commands import Contrastive, Mae


def parse(*words: str) -> Any:
    return parse_command(["train", *words]).action  # type: ignore[attr-defined]


def test_methods_parse_to_their_settings() -> None:
    mae = parse("mae", "--data", "a.npy=2", "b", "--out", "o", "--size", "small")
    assert mae == Mae(data=("a.npy=2", "b"), out=Path("o"), size="small")
    byol = parse("contrastive", "--data", "a", "--out", "o", "--method", "byol", "--backbone", "resnet18")
    assert byol == Contrastive(data=("a",), out=Path("o"), method="byol", backbone="resnet18")


def test_a_folder_is_chosen_where_none_is_named() -> None:
    mae = parse("mae", "--data", "FRAMES", "--size", "small")
    assert mae == Mae(data=("FRAMES",), size="small")
    assert mae.out == Path("trained/mae")
    assert parse("contrastive", "--data", "FRAMES") == Contrastive(("FRAMES",), Path("trained/contrastive"))
    bc = parse("bc", "--data", "act/pour", "--features", "moco-tiny")
    assert isinstance(bc, TrainPolicy)
    assert bc.folder == Path("policies/pour-bc-moco-tiny")
    vinn = parse("vinn", "--data", "my data/", "--features", "trained@runs/moco/encoder.safetensors")
    assert vinn.folder == Path("policies/my-data-vinn-trained-runs-moco-encoder.safetensors")
    assert parse("bc", "--data", "act/pour", "--out", "mine").folder == Path("mine")


def test_every_learner_is_a_command_with_its_recipe() -> None:
    assert [row.name for row in TABLE] == list(LEARNERS)
    for name, learner in LEARNERS.items():
        command = parse(name, "--data", "act/pour")
        assert (command.learner, command.recipe) == (name, learner.recipe())
    assert parse("iql", "--data", "act/pour", "--expectile", "0.8").recipe.expectile == 0.8


def test_parsing_imports_no_torch() -> None:
    code = (
        "import sys; from pentathlon.cli.main import parse; parse(['train', 'mae', '--data', 'x']); "
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_training_writes_an_encoder_that_can_be_entered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "frames.npy", np.random.default_rng(0).integers(0, 256, (8, 36, 36, 3), dtype=np.uint8))
    words = [
        "--data",
        str(tmp_path / "frames.npy"),
        "--out",
        str(tmp_path / "run"),
        "--epochs",
        "1",
        "--batch-size",
        "4",
    ]
    assert parse("mae", *words, "--size", "tiny", "--image-size", "32", "--threads", "1").run(EventRuns()) == 0
    assert f"trained@{tmp_path / 'run' / 'encoder.safetensors'}" in capsys.readouterr().out
    assert (tmp_path / "run" / "encoder.safetensors").is_file()
