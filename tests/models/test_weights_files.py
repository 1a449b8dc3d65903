"""Weights by reference: files, folders, built-ins and the hub, and what is refused."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import huggingface_hub.constants
import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from pentathlon.core import ENTRANTS, resolve_entrant
from pentathlon.core.errors import DataError, EntrantError, UnknownIdError
from pentathlon.models import weights
from pentathlon.models.encoders.factories import trained
from pentathlon.models.encoders.resnet import ResNet
from pentathlon.models.encoders.trained import load_trained, save_trained
from pentathlon.models.encoders.vit import ViT, ViTConfig


def test_paths_and_builtins_resolve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "house.safetensors").write_bytes(b"")
    monkeypatch.setattr(weights, "BUILTIN_FOLDER", tmp_path)
    assert weights.resolve_weights(str(tmp_path)) == tmp_path
    assert weights.resolve_weights("house") == tmp_path / "house.safetensors"
    with pytest.raises(UnknownIdError, match="Did you mean 'house'"):
        weights.resolve_weights("hause")


def test_hub_out_of_reach_is_one_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(EntrantError, match=r"'nobody/no-such-model' are not on this machine.*hf download"):
        weights.resolve_weights("nobody/no-such-model")


def test_missing_file_is_not_taken_for_a_hub_id() -> None:
    with pytest.raises(UnknownIdError):
        weights.resolve_weights("folder/missing.pth")


class Exploit:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (Path.touch, ("never",))


def test_pickled_code_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "evil.pth"
    path.write_bytes(pickle.dumps({"a": Exploit()}, protocol=2))
    with pytest.raises(DataError, match="cannot be read safely"):
        weights.read_checkpoint(path)


@pytest.mark.parametrize("name", ["a.pth", "a.txt", "a.safetensors", "a"])
@pytest.mark.parametrize("text", [b"", b"root:x:0:0:root:/root:/bin/bash\n", b"import torch\n", b"\xff" * 200])
def test_any_file_that_holds_no_weights_is_one_clear_sentence(name: str, text: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(text)
    with pytest.raises(DataError, match=r"Expected a (torch|safetensors) file.*, got") as refused:
        resolve_entrant(f"trained@{tmp_path / name}").make()
    assert "weights_only" not in str(refused.value)


def test_truncated_files_are_refused(tmp_path: Path) -> None:
    good = tmp_path / "good.safetensors"
    weights.write_checkpoint(good, {"a": torch.arange(6.0)}, {"step": 3})
    assert weights.read_checkpoint(good).tensors["a"].tolist() == [0, 1, 2, 3, 4, 5]
    assert weights.read_checkpoint(good).metadata["step"] == "3"
    for suffix in (".safetensors", ".pth"):
        broken = tmp_path / f"broken{suffix}"
        broken.write_bytes(good.read_bytes()[:-5])
        with pytest.raises(DataError):
            weights.read_checkpoint(broken)
    with pytest.raises(DataError, match="got nothing"):
        weights.read_checkpoint(tmp_path / "none.pth")


def test_nested_torch_files_are_flattened(tmp_path: Path) -> None:
    path = tmp_path / "nested.pth"
    torch.save({"epoch": 3, "model": {"norm.bias": torch.ones(2)}}, path)
    assert list(weights.read_checkpoint(path).tensors) == ["model.norm.bias"]


def test_trained_encoder_survives_the_file(tmp_path: Path) -> None:
    config = ViTConfig(image_size=32, patch_size=8, dim=32, depth=2, heads=2, pooling="mean")
    network = ViT(config)
    save_trained(tmp_path / "vit.safetensors", network, history={"steps": 5}, half=False)
    encoder = trained(str(tmp_path / "vit.safetensors"), device="cpu")
    assert encoder.network.identity == config
    state = encoder.module.state_dict()
    assert all(torch.equal(state[name], tensor) for name, tensor in network.state_dict().items())
    features = encoder.encode(np.zeros((1, 50, 50, 3), np.uint8))
    assert features.pooled.shape == (1, 32)


def test_half_files_are_half_the_size_and_close(tmp_path: Path) -> None:
    network = ResNet(18)
    save_trained(tmp_path / "half.safetensors", network, history={})
    loaded = load_trained(tmp_path / "half.safetensors")
    assert (tmp_path / "half.safetensors").stat().st_size < 23_000_000
    assert isinstance(loaded, ResNet)
    assert loaded.conv1.weight.dtype == torch.float32
    torch.testing.assert_close(loaded.conv1.weight, network.conv1.weight, rtol=1e-3, atol=1e-4)


def test_other_safetensors_files_are_refused(tmp_path: Path) -> None:
    for name, metadata in {"bare": None, "transformers": {"format": "pt"}}.items():
        save_file({"a": torch.zeros(1)}, tmp_path / f"{name}.safetensors", metadata)
        with pytest.raises(DataError, match=r"got another file\..*vc1@FILE or vit-mae@FILE") as refused:
            load_trained(tmp_path / f"{name}.safetensors")
        for family in re.findall(r"(\S+)@FILE", str(refused.value)):
            assert ENTRANTS.get(family).needs_weights


@pytest.mark.parametrize("safe", [True, False])
def test_older_hub_models_are_fetched_with_their_only_weights(
    safe: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def download(hub_id: str, allow_patterns: list[str]) -> str:
        asked.extend(allow_patterns)
        if safe:
            (tmp_path / "model.safetensors").touch()
        return str(tmp_path)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    assert weights.resolve_weights("someone/some-model") == tmp_path
    assert ("pytorch_model*.bin" in asked) is not safe
