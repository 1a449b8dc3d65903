"""``pentathlon train``: parsed without torch, trains for real."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tyro

from pentathlon.cli.train import Bc, Train, Vinn
from pentathlon.learning.pretraining.settings import ContrastiveSettings, MaeSettings


def parse(*words: str) -> Train:
    return tyro.cli(Train, args=words, config=(tyro.conf.OmitArgPrefixes, tyro.conf.OmitSubcommandPrefixes))


def test_methods_parse_to_their_settings() -> None:
    mae = parse("mae", "--data", "a.npy=2", "b", "--out", "o", "--size", "small").method
    assert mae == MaeSettings(data=("a.npy=2", "b"), out=Path("o"), size="small")
    byol = parse("contrastive", "--data", "a", "--out", "o", "--method", "byol", "--backbone", "resnet18").method
    assert byol == ContrastiveSettings(data=("a",), out=Path("o"), method="byol", backbone="resnet18")


def test_a_folder_is_chosen_where_none_is_named() -> None:
    mae = parse("mae", "--data", "FRAMES", "--size", "small").method
    assert mae == MaeSettings(data=("FRAMES",), size="small")
    assert mae.out == Path("trained/mae")
    assert parse("contrastive", "--data", "FRAMES").method == ContrastiveSettings(
        ("FRAMES",), Path("trained/contrastive")
    )
    bc = parse("bc", "--data", "act/pour", "--features", "moco-tiny").method
    assert isinstance(bc, Bc)
    assert bc.folder == Path("policies/pour-bc-moco-tiny")
    vinn = parse("vinn", "--data", "my data/", "--features", "trained@runs/moco/encoder.safetensors").method
    assert isinstance(vinn, Vinn)
    assert vinn.folder == Path("policies/my-data-vinn-trained-runs-moco-encoder.safetensors")
    assert Bc("act/pour", Path("mine")).folder == Path("mine")


def test_parsing_imports_no_torch() -> None:
    code = "import sys, pentathlon.cli.train; sys.exit('torch' in sys.modules)"
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
    assert parse("mae", *words, "--size", "tiny", "--image-size", "32", "--threads", "1").run() == 0
    assert f"trained@{tmp_path / 'run' / 'encoder.safetensors'}" in capsys.readouterr().out
    assert (tmp_path / "run" / "encoder.safetensors").is_file()
