"""Pre-training runs: learning, resuming bit for bit, schedules, losses by hand, and the bare command."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from pentathlon.core.errors import DataError, UsageError
from pentathlon.learning.descent import decaying_matrices
from pentathlon.learning.pretraining.contrastive import ContrastiveObjective, byol_loss, moco_loss
from pentathlon.learning.pretraining.loop import learning_rate, train
from pentathlon.learning.pretraining.mae import MaskedObjective
from pentathlon.learning.pretraining.settings import ContrastiveSettings, MaeSettings, Settings
from pentathlon.models.encoders import factories
from pentathlon.models.encoders.resnet import ResNet
from pentathlon.models.weights import read_checkpoint

CPU = torch.device("cpu")


@pytest.fixture
def frames(tmp_path: Path) -> str:
    """Bars at eight places in three colours."""
    images = np.zeros((24, 36, 36, 3), np.uint8)
    for i in range(24):
        images[i, :, 4 * (i % 8) : 4 * (i % 8) + 6, i // 8] = 220
    np.save(tmp_path / "frames.npy", images)
    return str(tmp_path / "frames.npy")


def mae_settings(frames: str, out: Path, **changes: Any) -> MaeSettings:
    settings = MaeSettings(
        data=(frames,),
        out=out,
        epochs=2,
        batch_size=8,
        size="tiny",
        image_size=32,
        threads=1,
        log_every=1,
        base_lr=0.05,
    )
    return replace(settings, **changes)


def contrastive_settings(frames: str, out: Path, **changes: Any) -> ContrastiveSettings:
    settings = ContrastiveSettings(
        data=(frames,), out=out, epochs=2, batch_size=8, image_size=32, hidden=32, projection=16, threads=1, log_every=1
    )
    return replace(settings, **changes)


def losses(out: Path) -> list[float]:
    return [json.loads(line)["loss"] for line in (out / "log.jsonl").read_text().splitlines()]


def test_masked_training_learns_and_its_encoder_enters(frames: str, tmp_path: Path) -> None:
    settings = mae_settings(frames, tmp_path / "run", epochs=14, base_lr=0.03)
    encoder = train(MaskedObjective(settings, CPU), settings)
    found = losses(tmp_path / "run")
    assert len(found) == 42
    assert np.mean(found[-5:]) < 0.8 * np.mean(found[:5])
    entrant = factories.trained(str(encoder), device="cpu")
    assert entrant.spec.image_size == (32, 32)
    history = json.loads(read_checkpoint(encoder).metadata["history"])
    assert history["done"] == history["steps"] == 42


@pytest.mark.parametrize("method", ["mae", "moco", "byol"])
def test_a_broken_run_continues_bit_for_bit(method: str, frames: str, tmp_path: Path) -> None:
    def run(out: Path, **changes: Any) -> dict[str, torch.Tensor]:
        objective: Any
        settings: Any
        if method == "mae":
            settings = mae_settings(frames, out, **changes)
            objective = MaskedObjective(settings, CPU)
        else:
            backbone = "vit-tiny" if method == "moco" else "resnet18"
            settings = contrastive_settings(frames, out, method=method, backbone=backbone, **changes)
            objective = ContrastiveObjective(settings, CPU)
        train(objective, settings)
        return dict(read_checkpoint(out / "checkpoint.safetensors").tensors)

    whole = run(tmp_path / "whole", epochs=1)
    for _ in range(3):
        broken = run(tmp_path / "broken", epochs=1, stop_after_s=0.0)
    assert whole.keys() == broken.keys()
    assert all(torch.equal(whole[name], broken[name]) for name in whole)
    assert losses(tmp_path / "whole") == losses(tmp_path / "broken")
    assert len(losses(tmp_path / "whole")) == 3


def test_a_checkpoint_of_other_settings_is_refused(frames: str, tmp_path: Path) -> None:
    settings = mae_settings(frames, tmp_path, epochs=1)
    train(MaskedObjective(settings, CPU), settings)
    other = replace(settings, mask_ratio=0.5)
    with pytest.raises(DataError, match="made with other mask_ratio"):
        train(MaskedObjective(other, CPU), other)


@pytest.mark.parametrize("changes", [{"epochs": 0.0}, {"epochs": float("inf")}, {"batch_size": 0}])
def test_a_training_of_no_step_leaves_nothing_behind(changes: dict[str, Any], frames: str, tmp_path: Path) -> None:
    settings = mae_settings(frames, tmp_path / "run")
    with pytest.raises(UsageError, match="Expected"):
        train(MaskedObjective(settings, CPU), replace(settings, **changes))
    assert not (tmp_path / "run").exists()


def test_adaptation_starts_from_the_encoder(frames: str, tmp_path: Path) -> None:
    settings = mae_settings(frames, tmp_path / "first", epochs=1)
    encoder = train(MaskedObjective(settings, CPU), settings)
    adapted = MaskedObjective(mae_settings(frames, tmp_path / "second", start=str(encoder), seed=9), CPU)
    stored = read_checkpoint(encoder).tensors["blocks.0.attn.qkv.weight"].float()
    assert torch.equal(adapted.encoder.state_dict()["blocks.0.attn.qkv.weight"], stored)


def test_rate_rises_then_falls_as_a_cosine() -> None:
    settings = Settings(data=(), out=Path(), batch_size=512, base_lr=1.0, warmup_share=0.1)
    rates = [learning_rate(step, 110, settings) for step in range(110)]
    assert rates[0] == pytest.approx(2.0 / 11)
    assert rates[10] == pytest.approx(2.0)
    assert rates[11] == pytest.approx(2.0)
    assert rates[11 + 99 // 3] == pytest.approx(1.5)
    assert rates[-1] < 0.001


def test_only_matrices_decay(frames: str, tmp_path: Path) -> None:
    objective = MaskedObjective(mae_settings(frames, tmp_path), CPU)
    groups = decaying_matrices(objective.module, mae_settings(frames, tmp_path).weight_decay, 0.95).param_groups
    assert [group["weight_decay"] for group in groups] == [0.05, 0.0]
    assert {p.ndim for p in groups[1]["params"]} == {1}
    trained = {id(p) for group in groups for p in group["params"]}
    assert id(objective.encoder.pos_embed) not in trained


def test_moco_loss_by_hand() -> None:
    # Two frames with orthogonal features that match: logits 1/τ against 0.
    eye = torch.eye(2)
    expected = 2 * 0.5 * np.log(1 + np.exp(-2.0))
    assert moco_loss(3 * eye, eye, 0.5).item() == pytest.approx(expected, rel=1e-5)
    assert moco_loss(eye, eye.flip(0), 0.5).item() == pytest.approx(2 * 0.5 * np.log(1 + np.exp(2.0)), rel=1e-5)


def test_byol_loss_by_hand() -> None:
    query = torch.tensor([[2.0, 0.0], [0.0, 1.0]])
    assert byol_loss(query, torch.tensor([[1.0, 0.0], [0.0, -3.0]])).item() == pytest.approx((0 + 4) / 2)


def test_average_moves_by_its_momentum_and_patches_stay_fixed(frames: str, tmp_path: Path) -> None:
    settings = contrastive_settings(frames, tmp_path, momentum=0.9, epochs=1)
    objective = ContrastiveObjective(settings, CPU)
    network = objective.module
    patches = network.online.encoder.state_dict()["patch_embed.proj.weight"].clone()
    before = network.average.encoder.state_dict()["norm.weight"].clone()
    with torch.no_grad():
        network.online.encoder.get_parameter("norm.weight").add_(1.0)
    objective.after_step(0.0)
    torch.testing.assert_close(network.average.encoder.state_dict()["norm.weight"], before + 0.1)
    objective.after_step(1.0)
    torch.testing.assert_close(network.average.encoder.state_dict()["norm.weight"], before + 0.1)
    train(objective, settings)
    assert torch.equal(network.online.encoder.state_dict()["patch_embed.proj.weight"], patches)


def test_byol_trains_a_resnet_that_enters(frames: str, tmp_path: Path) -> None:
    settings = contrastive_settings(frames, tmp_path / "run", method="byol", backbone="resnet18", epochs=1)
    encoder = train(ContrastiveObjective(settings, CPU), settings)
    entrant = factories.trained(str(encoder), device="cpu")
    assert isinstance(entrant.network, ResNet)
    assert (entrant.spec.dim, entrant.spec.image_size) == (512, (32, 32))
