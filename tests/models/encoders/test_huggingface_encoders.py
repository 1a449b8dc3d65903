"""Folders of transformers: our features equal what the library itself gives."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from pentathlon.core.errors import DataError, EntrantError
from pentathlon.core.specs import EncoderSpec
from pentathlon.models.attention import attention_maps
from pentathlon.models.encoders import factories
from pentathlon.models.encoders.checked import checked_encode
from pentathlon.models.encoders.preprocess import CLIP, INCEPTION, VIT

TINY = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64, "image_size": 32}
IMAGES = np.random.default_rng(0).integers(0, 256, (2, 40, 40, 3), dtype=np.uint8)


def build(model_type: str) -> Any:
    torch.manual_seed(0)
    if model_type == "vit_mae":
        config = transformers.ViTMAEConfig(**TINY, patch_size=8, decoder_hidden_size=16, decoder_num_hidden_layers=1)
        return transformers.ViTMAEForPreTraining(config)
    if model_type == "vit":
        return transformers.ViTModel(transformers.ViTConfig(**TINY, patch_size=8))
    if model_type == "dinov2":
        return transformers.Dinov2Model(transformers.Dinov2Config(**TINY, patch_size=8))
    if model_type == "clip":
        vision = {**TINY, "patch_size": 8}
        text = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "vocab_size": 99}
        return transformers.CLIPModel(transformers.CLIPConfig(vision_config=vision, text_config=text))
    return transformers.ResNetModel(
        transformers.ResNetConfig(embedding_size=8, hidden_sizes=[8, 16, 24, 32], depths=[1] * 4)
    )


@pytest.mark.parametrize("model_type", ["vit", "dinov2", "clip"])
def test_cls_and_patches_equal_the_library(model_type: str, tmp_path: Path) -> None:
    model = build(model_type).eval()
    model.save_pretrained(tmp_path)
    encoder = factories.from_transformers(model_type, str(tmp_path), device="cpu")
    features = checked_encode(encoder, IMAGES)
    size = 224 if model_type == "dinov2" else 32
    rule = {"vit": INCEPTION, "dinov2": VIT, "clip": CLIP}[model_type].at(size)
    with torch.inference_mode():
        output = (model.vision_model if model_type == "clip" else model)(rule(torch.from_numpy(IMAGES)))
    cls = output.pooler_output if model_type == "clip" else output.last_hidden_state[:, 0]
    np.testing.assert_allclose(features.pooled, cls.numpy(), rtol=1e-4, atol=1e-5)
    assert features.patches is not None
    if model_type != "clip":
        np.testing.assert_allclose(features.patches, output.last_hidden_state[:, 1:].numpy(), rtol=1e-4, atol=1e-5)
    assert attention_maps(encoder, IMAGES).shape == (2, size, size)


def test_vit_mae_sees_every_patch_in_its_place(tmp_path: Path) -> None:
    model = build("vit_mae").eval()
    model.save_pretrained(tmp_path)
    encoder = factories.from_transformers("vit_mae", str(tmp_path), device="cpu")
    features = checked_encode(encoder, IMAGES)
    model.config.mask_ratio = 0.0
    with torch.inference_mode():
        output = model.vit(VIT.at(32)(torch.from_numpy(IMAGES)), noise=torch.arange(16.0).expand(2, 16))
    np.testing.assert_allclose(features.pooled, output.last_hidden_state[:, 0].numpy(), rtol=1e-4, atol=1e-5)
    assert features.patches is not None
    np.testing.assert_allclose(features.patches, output.last_hidden_state[:, 1:].numpy(), rtol=1e-4, atol=1e-5)
    assert np.array_equal(encoder.encode(IMAGES).pooled, features.pooled)


def test_resnet_folder_gives_pooled_map(tmp_path: Path) -> None:
    model = build("resnet").eval()
    model.save_pretrained(tmp_path)
    encoder = factories.from_transformers("resnet", str(tmp_path), device="cpu")
    features = checked_encode(encoder, IMAGES[:1])
    assert encoder.spec.grid == (7, 7)
    assert features.patches is not None
    np.testing.assert_allclose(features.pooled, features.patches.mean(axis=1), rtol=1e-4, atol=1e-6)


def test_folder_of_another_architecture_is_refused(tmp_path: Path) -> None:
    build("vit").save_pretrained(tmp_path)
    with pytest.raises(DataError, match="holds a 'vit' model, expected 'clip'"):
        factories.from_transformers("clip", str(tmp_path), device="cpu")


def test_folder_that_lacks_tensors_is_refused_with_all_their_names(tmp_path: Path) -> None:
    model = build("vit")
    kept = {name: tensor for name, tensor in model.state_dict().items() if not name.endswith(".bias")}
    missing = len([name for name in model.state_dict().keys() - kept.keys() if "pooler" not in name])
    model.save_pretrained(tmp_path, state_dict=kept)
    with pytest.raises(DataError, match=rf"lacks {missing} tensors.*\n.*layers?\.0-1\.layernorm_after\.bias"):
        factories.from_transformers("vit", str(tmp_path), device="cpu")


def test_folder_without_config_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"Expected config\.json"):
        factories.from_transformers("vit", str(tmp_path), device="cpu")


@pytest.mark.parametrize("model_type", ["vit", "clip"])
def test_folder_with_more_layers_than_its_configuration_is_refused(model_type: str, tmp_path: Path) -> None:
    build(model_type).save_pretrained(tmp_path)
    path = tmp_path / "config.json"
    path.write_text(path.read_text().replace('"num_hidden_layers": 2', '"num_hidden_layers": 1'))
    with pytest.raises(DataError, match=r"adds \d+ tensors of layers that its config\.json does not have"):
        factories.from_transformers(model_type, str(tmp_path), device="cpu")


def test_what_is_left_out_on_purpose_is_not_listed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    build("clip").save_pretrained(tmp_path)
    library = logging.getLogger("transformers")
    library.addHandler(caplog.handler)
    try:
        factories.from_transformers("clip", str(tmp_path), device="cpu")
    finally:
        library.removeHandler(caplog.handler)
    assert "UNEXPECTED" not in caplog.text


class BareArray:
    spec = EncoderSpec(dim=3, image_size=(40, 40))

    def encode(self, images: Any) -> Any:
        return images.mean((1, 2)).astype(np.float32)


def test_a_bare_array_is_told_what_to_return() -> None:
    with pytest.raises(EntrantError, match=r"expected Features, got ndarray\. Return Features\(pooled\)"):
        checked_encode(BareArray(), IMAGES)
