"""The masked autoencoder: masking, the loss by hand, and equality with the reference implementation."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
import transformers
from torch import Tensor
from torch._dynamo.testing import CompileCounter

from pentathlon.core.errors import DataError
from pentathlon.learning.pretraining.mae import load_start
from pentathlon.learning.pretraining.masked_autoencoder import (
    DecoderConfig,
    MaskedAutoencoder,
    blocks_of,
    patchify,
    pixel_loss,
)
from pentathlon.models.encoders.trained import save_trained
from pentathlon.models.encoders.vit import ViT, ViTConfig

SMALL = ViTConfig(image_size=32, patch_size=8, dim=32, depth=2, heads=2)
DECODER = DecoderConfig(dim=16, depth=1, heads=2)


def make(config: ViTConfig = SMALL, depth: int = 1) -> MaskedAutoencoder:
    torch.manual_seed(0)
    return MaskedAutoencoder(ViT(config), replace(DECODER, depth=depth))


def disturb(model: MaskedAutoencoder) -> None:
    """Moves every parameter, so that biases and gains that start at nought or one count."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.05 * torch.randn_like(parameter))


def test_loss_by_hand() -> None:
    # Mean 2 and variance 1 (unbiased), so the target is -1, 0, 1.
    patches = torch.tensor([[[1.0, 2.0, 3.0]]])
    assert pixel_loss(torch.zeros(1, 1, 3), patches).item() == pytest.approx(2 / 3, abs=1e-5)
    assert pixel_loss(torch.tensor([[[-1.0, 0.0, 2.0]]]), patches).item() == pytest.approx(1 / 3, abs=1e-5)


def test_loss_of_a_constant_prediction_by_hand() -> None:
    model = make(ViTConfig(image_size=4, patch_size=2, dim=8, depth=1, heads=1))
    torch.nn.init.zeros_(model.decoder_pred.weight)
    torch.nn.init.constant_(model.decoder_pred.bias, 0.5)
    pixels = torch.randn(3, 3, 4, 4)
    # Twelve numbers with mean 0 and unbiased variance 1 have a mean square of 11/12.
    assert model(patchify(pixels, 2), torch.rand(3, 4)).item() == pytest.approx(11 / 12 + 0.25, abs=1e-4)


def test_a_quarter_is_visible_and_the_least_noise_is_shown() -> None:
    model = MaskedAutoencoder(ViT(ViTConfig(dim=8, depth=0, heads=1)), DecoderConfig(dim=8, depth=0, heads=1))
    assert model.visible == 49
    small = make()
    patches = torch.randn(1, 16, 192)
    noise = torch.arange(16.0).flip(0)[None]
    shown: list[Tensor] = []
    embed = small.encoder.patch_embed.embed
    small.encoder.patch_embed.embed = lambda patches: (shown.append(patches), embed(patches))[1]  # type: ignore[method-assign]
    small(patches, noise)
    assert torch.equal(shown[0][0], patches[0, [15, 14, 13, 12]])


def full_loss(model: MaskedAutoencoder, patches: Tensor, noise: Tensor) -> Tensor:
    """The same loss by the encoder's own blocks, with every token computed to the end."""
    order = noise.argsort(dim=1)
    shown, hidden = order[:, : model.visible], order[:, model.visible :]
    x = model.embed(patches, shown)
    for block in blocks_of(model.encoder.blocks):
        x = block(x)
    x = model.hand_over(x, shown, hidden)
    for block in blocks_of(model.decoder_blocks):
        x = block(x)
    return model.loss(x[:, 1 + model.visible :], patches, hidden)


def test_computing_hidden_tokens_alone_keeps_the_loss_and_every_gradient() -> None:
    model = make(depth=2)
    disturb(model)
    patches, noise = torch.randn(3, 16, 192), torch.rand(3, 16)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    expected, found = full_loss(model, patches, noise), model(patches, noise)
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(
        torch.autograd.grad(found, trained), torch.autograd.grad(expected, trained), rtol=1e-4, atol=1e-6
    )


def test_a_block_computes_only_what_is_asked() -> None:
    (block,) = blocks_of(make().decoder_blocks)
    x = torch.randn(2, 17, 16)
    torch.testing.assert_close(MaskedAutoencoder.run_block(block, x, 5), block(x)[:, 5:])
    assert torch.equal(MaskedAutoencoder.run_block(block, x), block(x))
    rows: list[int] = []
    block.mlp.register_forward_hook(lambda module, inputs, output: rows.append(output.shape[1]))
    MaskedAutoencoder.run_block(block, x, 5)
    assert rows == [12]


@torch.no_grad()
def test_compiled_code_of_a_block_serves_the_whole_depth() -> None:
    model = make(ViTConfig(image_size=32, patch_size=8, dim=32, depth=4, heads=2), depth=3)
    patches, noise = torch.randn(2, 16, 192), torch.rand(2, 16)
    expected = model(patches, noise)
    counter = CompileCounter()
    model.run_block = torch.compile(model.run_block, backend=counter, dynamic=False, fullgraph=True)  # type: ignore[method-assign]
    torch.testing.assert_close(model(patches, noise), expected)
    # The encoder's block, the decoder's, and the decoder's last.
    assert counter.frame_count == 3


def test_patches_are_rows_columns_channels() -> None:
    pixels = torch.arange(2 * 3 * 4 * 4.0).view(2, 3, 4, 4)
    patches = patchify(pixels, 2)
    assert torch.equal(patches[1, 1].view(2, 2, 3), pixels[1, :, :2, 2:].permute(1, 2, 0))


def to_reference(model: MaskedAutoencoder) -> transformers.ViTMAEForPreTraining:
    """Copies the weights into transformers' model of the same shape."""
    config = transformers.ViTMAEConfig(
        hidden_size=SMALL.dim,
        num_hidden_layers=SMALL.depth,
        num_attention_heads=SMALL.heads,
        intermediate_size=round(SMALL.mlp_ratio * SMALL.dim),
        image_size=SMALL.image_size,
        patch_size=SMALL.patch_size,
        layer_norm_eps=SMALL.norm_eps,
        decoder_hidden_size=DECODER.dim,
        decoder_num_hidden_layers=DECODER.depth,
        decoder_num_attention_heads=DECODER.heads,
        decoder_intermediate_size=round(SMALL.mlp_ratio * DECODER.dim),
        norm_pix_loss=True,
        mask_ratio=0.75,
    )
    reference = transformers.ViTMAEForPreTraining(config)
    theirs: dict[str, Tensor] = {}
    for name, tensor in model.state_dict().items():
        theirs |= dict(reference_tensors(name, tensor))
    missing, unexpected = reference.load_state_dict(theirs, strict=False)
    assert not missing, missing
    assert not unexpected, unexpected
    return reference.eval()


def reference_tensors(name: str, tensor: Tensor) -> list[tuple[str, Tensor]]:
    fixed = {
        "encoder.cls_token": "vit.embeddings.cls_token",
        "encoder.pos_embed": "vit.embeddings.position_embeddings",
        "encoder.patch_embed.proj.weight": "vit.embeddings.patch_embeddings.projection.weight",
        "encoder.patch_embed.proj.bias": "vit.embeddings.patch_embeddings.projection.bias",
        "encoder.norm.weight": "vit.layernorm.weight",
        "encoder.norm.bias": "vit.layernorm.bias",
        "mask_token": "decoder.mask_token",
        "decoder_pos_embed": "decoder.decoder_pos_embed",
    }
    if name in fixed:
        return [(fixed[name], tensor)]
    if not name.startswith(("encoder.blocks.", "decoder_blocks.")):
        return [(f"decoder.{name}", tensor)]
    for ours, theirs in BLOCK_NAMES:
        name = name.replace(ours, theirs)
    if ".qkv." not in name:
        return [(name, tensor)]
    return [
        (name.replace("attn.qkv", f"{ATTENTION}.{part}"), chunk)
        for part, chunk in zip(ATTENTION_PARTS, tensor.chunk(3), strict=True)
    ]


def _probe() -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Reads the names of this release of transformers, which renames them now and then."""
    tiny = transformers.ViTMAEConfig(hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8)
    names = [n for n, _ in transformers.ViTMAEModel(tiny).named_parameters() if "layer" in n and n.endswith("weight")]
    prefix = next(n.split("0.")[0] for n in names if "layernorm_before" in n)
    inner = [n.removeprefix(f"{prefix}0.").removesuffix(".weight") for n in names if n.startswith(f"{prefix}0.")]
    qkv = [n for n in inner if n.endswith(("query", "key", "value", "q_proj", "k_proj", "v_proj"))]
    rest = [n for n in inner if n not in qkv and "layernorm" not in n]
    out, first, second = rest
    pairs = (
        ("encoder.blocks.", f"vit.{prefix}"),
        ("decoder_blocks.", "decoder.decoder_layers."),
        ("norm1", "layernorm_before"),
        ("norm2", "layernorm_after"),
        ("attn.proj", out),
        ("mlp.fc1", first),
        ("mlp.fc2", second),
    )
    return qkv[0].rpartition(".")[0], tuple(n.rpartition(".")[2] for n in qkv), pairs


ATTENTION, ATTENTION_PARTS, BLOCK_NAMES = _probe()


def test_loss_equals_the_reference_implementation() -> None:
    model = make().eval()
    disturb(model)
    pixels, noise = torch.randn(3, 3, 32, 32), torch.rand(3, 16)
    with torch.inference_mode():
        expected = to_reference(model)(pixels, noise=noise).loss
        assert model(patchify(pixels, 8), noise).item() == pytest.approx(expected.item(), rel=1e-5)


def test_start_from_an_encoder_keeps_its_weights_and_a_new_decoder(tmp_path: Path) -> None:
    trained = make()
    torch.nn.init.normal_(trained.encoder.norm.weight)
    save_trained(tmp_path / "encoder.safetensors", trained.encoder, history={}, half=False)
    model = make()
    before = model.decoder_embed.weight.clone()
    load_start(model, str(tmp_path / "encoder.safetensors"))
    assert torch.equal(model.encoder.norm.weight, trained.encoder.norm.weight)
    assert torch.equal(model.decoder_embed.weight, before)


def test_start_from_a_released_file_takes_its_decoder_and_resizes_positions(tmp_path: Path) -> None:
    source = make()
    names = {name.removeprefix("encoder."): tensor for name, tensor in source.state_dict().items()}
    torch.save({"model": names}, tmp_path / "mae.pth")
    larger = make(ViTConfig(image_size=48, patch_size=8, dim=32, depth=2, heads=2))
    torch.nn.init.zeros_(larger.decoder_pred.weight)
    load_start(larger, str(tmp_path / "mae.pth"))
    assert larger.encoder.pos_embed.shape == (1, 37, 32)
    assert torch.equal(larger.decoder_pred.weight, source.decoder_pred.weight)


def test_start_from_another_size_is_refused(tmp_path: Path) -> None:
    save_trained(
        tmp_path / "e.safetensors", ViT(ViTConfig(image_size=32, patch_size=8, dim=64, depth=2, heads=2)), history={}
    )
    with pytest.raises(DataError, match=r"(?s)differs in the shape of 30\..*encoder\.blocks"):
        load_start(make(), str(tmp_path / "e.safetensors"))
    save_trained(
        tmp_path / "s.safetensors", ViT(ViTConfig(image_size=32, patch_size=8, dim=32, depth=1, heads=2)), history={}
    )
    with pytest.raises(DataError, match=r"lacks encoder\.blocks\.1"):
        load_start(make(), str(tmp_path / "s.safetensors"))
