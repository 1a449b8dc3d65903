"""Released layouts: published names and shapes at full size, and the original arithmetic written out."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from pentathlon.core.errors import DataError
from pentathlon.models.encoders.released import load_released
from pentathlon.models.encoders.resnet import ResNet
from pentathlon.models.encoders.vit import ViT

State = dict[str, Tensor]


def draw(shapes: dict[str, tuple[int, ...]], seed: int = 0) -> State:
    generator = torch.Generator().manual_seed(seed)
    return {name: 0.05 * torch.randn(shape, generator=generator) for name, shape in shapes.items()}


def full_size(shapes: dict[str, tuple[int, ...]]) -> State:
    """One stored number per tensor, so that a full-size file stays small."""
    return {name: torch.tensor(0.01).expand(shape) for name, shape in shapes.items()}


def timm_shapes(dim: int, depth: int, patch: int = 16, tokens: int = 197) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {
        "cls_token": (1, 1, dim),
        "pos_embed": (1, tokens, dim),
        "patch_embed.proj.weight": (dim, 3, patch, patch),
        "patch_embed.proj.bias": (dim,),
        "norm.weight": (dim,),
        "norm.bias": (dim,),
    }
    for i in range(depth):
        for norm in ("norm1", "norm2"):
            shapes |= {f"blocks.{i}.{norm}.weight": (dim,), f"blocks.{i}.{norm}.bias": (dim,)}
        for name, rows, columns in (
            ("attn.qkv", 3 * dim, dim),
            ("attn.proj", dim, dim),
            ("mlp.fc1", 4 * dim, dim),
            ("mlp.fc2", dim, 4 * dim),
        ):
            shapes |= {f"blocks.{i}.{name}.weight": (rows, columns), f"blocks.{i}.{name}.bias": (rows,)}
    return shapes


def mae_decoder_shapes(dim: int) -> dict[str, tuple[int, ...]]:
    return {
        "mask_token": (1, 1, 512),
        "decoder_pos_embed": (1, 197, 512),
        "decoder_embed.weight": (512, dim),
        "decoder_embed.bias": (512,),
        "decoder_blocks.0.attn.qkv.weight": (1536, 512),
        "decoder_norm.weight": (512,),
        "decoder_pred.weight": (768, 512),
    }


def timm_forward(state: State, pixels: Tensor, heads: int, eps: float = 1e-6) -> Tensor:
    """The forward of timm's VisionTransformer up to the last norm, in plain functions."""
    dim = state["norm.weight"].numel()
    weight = state["patch_embed.proj.weight"]
    x = F.conv2d(pixels, weight, state["patch_embed.proj.bias"], stride=weight.shape[-1]).flatten(2).transpose(1, 2)
    x = torch.cat([state["cls_token"].expand(len(x), -1, -1), x], dim=1) + state["pos_embed"]
    depth = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("blocks."))
    for i in range(depth):
        block = {name.removeprefix(f"blocks.{i}."): t for name, t in state.items() if name.startswith(f"blocks.{i}.")}
        y = F.layer_norm(x, (dim,), block["norm1.weight"], block["norm1.bias"], eps)
        qkv = F.linear(y, block["attn.qkv.weight"], block["attn.qkv.bias"])
        q, k, v = qkv.reshape(len(x), -1, 3, heads, dim // heads).permute(2, 0, 3, 1, 4)
        attention = (q @ k.transpose(-2, -1) * (dim // heads) ** -0.5).softmax(dim=-1)
        y = (attention @ v).transpose(1, 2).reshape(len(x), -1, dim)
        x = x + F.linear(y, block["attn.proj.weight"], block["attn.proj.bias"])
        y = F.layer_norm(x, (dim,), block["norm2.weight"], block["norm2.bias"], eps)
        y = F.gelu(F.linear(y, block["mlp.fc1.weight"], block["mlp.fc1.bias"]))
        x = x + F.linear(y, block["mlp.fc2.weight"], block["mlp.fc2.bias"])
    return F.layer_norm(x, (dim,), state["norm.weight"], state["norm.bias"], eps)


def resnet_shapes(layers: int) -> dict[str, tuple[int, ...]]:
    counts = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3)}[layers]
    shapes: dict[str, tuple[int, ...]] = {}

    def norm(name: str, channels: int) -> None:
        for part in ("weight", "bias", "running_mean", "running_var"):
            shapes[f"{name}.{part}"] = (channels,)
        shapes[f"{name}.num_batches_tracked"] = ()

    shapes["conv1.weight"] = (64, 3, 7, 7)
    norm("bn1", 64)
    channels_in = 64
    for stage, count in enumerate(counts):
        width = 64 * 2**stage
        out = width * (4 if layers == 50 else 1)
        for i in range(count):
            name = f"layer{stage + 1}.{i}"
            kernels = ((width, channels_in, 1), (width, width, 3), (out, width, 1))
            if layers != 50:
                kernels = ((width, channels_in, 3), (width, width, 3))
            for j, (rows, columns, kernel) in enumerate(kernels):
                shapes[f"{name}.conv{j + 1}.weight"] = (rows, columns, kernel, kernel)
                norm(f"{name}.bn{j + 1}", rows)
            if i == 0 and (stage > 0 or layers == 50):
                shapes[f"{name}.downsample.0.weight"] = (out, channels_in, 1, 1)
                norm(f"{name}.downsample.1", out)
            channels_in = out
    return shapes


def draw_resnet(layers: int) -> State:
    state = draw(resnet_shapes(layers))
    for name in state:
        if name.endswith("running_var"):
            state[name] = state[name].abs() + 0.5
        elif name.endswith("num_batches_tracked"):
            state[name] = torch.tensor(7)
    return state


def torchvision_forward(state: State, x: Tensor) -> Tensor:
    """The forward of torchvision's ResNet up to the last feature map, in plain functions."""

    def conv_norm(x: Tensor, conv: str, norm: str, stride: int = 1) -> Tensor:
        weight = state[f"{conv}.weight"]
        x = F.conv2d(x, weight, stride=stride, padding=weight.shape[-1] // 2)
        mean, var = state[f"{norm}.running_mean"], state[f"{norm}.running_var"]
        return F.batch_norm(x, mean, var, state[f"{norm}.weight"], state[f"{norm}.bias"], eps=1e-5)

    x = F.max_pool2d(F.relu(conv_norm(x, "conv1", "bn1", 2)), 3, 2, 1)
    for stage in range(1, 5):
        i = 0
        while f"layer{stage}.{i}.conv1.weight" in state:
            name = f"layer{stage}.{i}"
            stride = 2 if stage > 1 and i == 0 else 1
            convs = 3 if f"{name}.conv3.weight" in state else 2
            y = x
            for j in range(1, convs + 1):
                carries_stride = j == (2 if convs == 3 else 1)
                y = conv_norm(y, f"{name}.conv{j}", f"{name}.bn{j}", stride if carries_stride else 1)
                y = F.relu(y) if j < convs else y
            if f"{name}.downsample.0.weight" in state:
                x = conv_norm(x, f"{name}.downsample.0", f"{name}.downsample.1", stride)
            x = F.relu(x + y)
            i += 1
    return x


def save(tmp_path: Path, content: object) -> Path:
    path = tmp_path / "checkpoint.pth"
    torch.save(content, path)
    return path


@pytest.mark.parametrize(
    ("family", "dim", "heads", "extra"),
    [("vc1", 768, 12, False), ("mae", 768, 12, True), ("mvp", 384, 12, False), ("mae", 192, 3, False)],
)
def test_full_size_mae_family_loads(tmp_path: Path, family: str, dim: int, heads: int, extra: bool) -> None:
    shapes = timm_shapes(dim, 12) | (mae_decoder_shapes(dim) if extra else {})
    network = load_released(save(tmp_path, {"model": full_size(shapes)}), family)
    assert isinstance(network, ViT)
    assert (network.config.dim, network.config.depth, network.config.heads) == (dim, 12, heads)
    assert network.config.image_size == 224
    assert network.blocks[11].mlp.fc2.weight[5, 7] == torch.tensor(0.01)


@pytest.mark.parametrize(("family", "image_size", "parameters"), [("vc1", 224, 303_301_632), ("mvp", 256, 303_363_072)])
def test_full_size_vit_large_loads(tmp_path: Path, family: str, image_size: int, parameters: int) -> None:
    shapes = timm_shapes(1024, 24, tokens=1 + (image_size // 16) ** 2)
    assert len(shapes) == 294
    network = load_released(save(tmp_path, {"model": full_size(shapes)}), family)
    assert isinstance(network, ViT)
    config = network.config
    assert (config.dim, config.depth, config.heads, config.image_size) == (1024, 24, 16, image_size)
    assert sum(tensor.numel() for tensor in network.state_dict().values()) == parameters
    assert all(bool((tensor == 0.01).all()) for tensor in network.state_dict().values())


def test_vit_forward_equals_timm_arithmetic(tmp_path: Path) -> None:
    state = draw(timm_shapes(128, 3, patch=8, tokens=17))
    network = load_released(save(tmp_path, {"model": state}), "mae").eval()
    pixels = torch.randn(2, 3, 32, 32, generator=torch.Generator().manual_seed(1))
    expected = timm_forward(state, pixels, heads=2)
    with torch.inference_mode():
        pooled, patches = network(pixels)
    torch.testing.assert_close(pooled, expected[:, 0], rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(patches, expected[:, 1:], rtol=1e-5, atol=1e-5)


def test_mvp_small_has_twelve_heads_in_its_arithmetic(tmp_path: Path) -> None:
    state = draw(timm_shapes(384, 2, tokens=5))
    network = load_released(save(tmp_path, {"model": state}), "mvp").eval()
    pixels = torch.randn(1, 3, 32, 32, generator=torch.Generator().manual_seed(1))
    with torch.inference_mode():
        pooled = network(pixels).pooled
    torch.testing.assert_close(pooled, timm_forward(state, pixels, heads=12)[:, 0], rtol=1e-5, atol=1e-5)
    assert (pooled - timm_forward(state, pixels, heads=6)[:, 0]).abs().max() > 1e-4


def test_positions_are_resized_to_another_input_size(tmp_path: Path) -> None:
    shapes = timm_shapes(64, 1)
    state = draw(shapes)
    # A linear ramp over rows stays one under interpolation away from the border.
    ramp = torch.arange(14.0).repeat_interleave(14)
    state["pos_embed"] = torch.cat([torch.zeros(1, 1, 64), ramp[None, :, None].expand(1, 196, 64)], dim=1)
    network = load_released(save(tmp_path, {"model": state}), "vc1", image_size=128)
    grid = network.pos_embed[0, 1:, 0].view(8, 8)
    steps = grid[3, :] - grid[2, :]
    assert network.pos_embed.shape == (1, 65, 64)
    assert network.pos_embed[0, 0].abs().max() == 0
    torch.testing.assert_close(steps, torch.full((8,), 14 / 8), rtol=0, atol=0.02)


@pytest.mark.parametrize("layers", [18, 34, 50])
def test_resnet_forward_equals_torchvision_arithmetic(tmp_path: Path, layers: int) -> None:
    state = draw_resnet(layers)
    content = {"r3m": {f"module.convnet.{name}": tensor for name, tensor in state.items()}}
    content["r3m"] |= {
        "module.lang_enc.model.embeddings.weight": torch.zeros(4),
        "module.lang_rew.pred.0.bias": torch.zeros(2),
    }
    network = load_released(save(tmp_path, content), "r3m", image_size=64).eval()
    pixels = torch.randn(2, 3, 64, 64, generator=torch.Generator().manual_seed(1))
    expected = torchvision_forward(state, pixels)
    with torch.inference_mode():
        pooled, patches = network(pixels)
    assert isinstance(network, ResNet)
    assert network.dim == (2048 if layers == 50 else 512)
    torch.testing.assert_close(pooled, expected.mean(dim=(2, 3)), rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(patches, expected.flatten(2).transpose(1, 2), rtol=1e-4, atol=1e-5)


def test_vip_projects_to_1024_numbers(tmp_path: Path) -> None:
    state = draw_resnet(50) | draw({"fc.weight": (1024, 2048), "fc.bias": (1024,)})
    content = {"vip": {f"module.convnet.{name}": tensor for name, tensor in state.items()}}
    network = load_released(save(tmp_path, content), "vip").eval()
    assert (network.dim, network.grid) == (1024, None)
    pixels = torch.randn(2, 3, 64, 64, generator=torch.Generator().manual_seed(1))
    features = torchvision_forward(state, pixels).mean(dim=(2, 3))
    with torch.inference_mode():
        pooled = network(pixels).pooled
    torch.testing.assert_close(pooled, F.linear(features, state["fc.weight"], state["fc.bias"]), rtol=1e-4, atol=1e-5)


def test_moco_v2_and_v3_keep_the_query_encoder(tmp_path: Path) -> None:
    resnet = {f"module.encoder_q.{name}": shape for name, shape in resnet_shapes(50).items()}
    resnet |= {f"module.encoder_k.{name}": shape for name, shape in resnet_shapes(50).items()}
    resnet |= {"module.encoder_q.fc.0.weight": (2048, 2048), "module.encoder_q.fc.2.bias": (128,)}
    resnet |= {"module.queue": (128, 65536), "module.queue_ptr": (1,)}
    network = load_released(save(tmp_path, {"epoch": 200, "arch": "resnet50", "state_dict": full_size(resnet)}), "moco")
    assert isinstance(network, ResNet)
    vit = {f"module.base_encoder.{name}": shape for name, shape in timm_shapes(384, 12).items()}
    vit |= {f"module.momentum_encoder.{name}": shape for name, shape in timm_shapes(384, 12).items()}
    vit |= {"module.base_encoder.head.0.weight": (4096, 384), "module.predictor.0.weight": (4096, 256)}
    network = load_released(save(tmp_path, {"state_dict": full_size(vit)}), "moco")
    assert isinstance(network, ViT)
    assert network.config.heads == 12


def clip_shapes(dim: int, depth: int, patch: int, tokens: int) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {
        "visual.class_embedding": (dim,),
        "visual.positional_embedding": (tokens, dim),
        "visual.proj": (dim, 512),
        "visual.conv1.weight": (dim, 3, patch, patch),
    }
    for norm in ("ln_pre", "ln_post"):
        shapes |= {f"visual.{norm}.weight": (dim,), f"visual.{norm}.bias": (dim,)}
    for i in range(depth):
        block = f"visual.transformer.resblocks.{i}"
        for norm in ("ln_1", "ln_2"):
            shapes |= {f"{block}.{norm}.weight": (dim,), f"{block}.{norm}.bias": (dim,)}
        shapes |= {f"{block}.attn.in_proj_weight": (3 * dim, dim), f"{block}.attn.in_proj_bias": (3 * dim,)}
        shapes |= {f"{block}.attn.out_proj.weight": (dim, dim), f"{block}.attn.out_proj.bias": (dim,)}
        shapes |= {f"{block}.mlp.c_fc.weight": (4 * dim, dim), f"{block}.mlp.c_fc.bias": (4 * dim,)}
        shapes |= {f"{block}.mlp.c_proj.weight": (dim, 4 * dim), f"{block}.mlp.c_proj.bias": (dim,)}
    return shapes


CLIP_TEXT: dict[str, tuple[int, ...]] = {
    "positional_embedding": (77, 512),
    "text_projection": (512, 512),
    "logit_scale": (),
    "token_embedding.weight": (49408, 512),
    "ln_final.weight": (512,),
    "transformer.resblocks.0.ln_1.weight": (512,),
}


def clip_forward(state: State, pixels: Tensor, heads: int) -> Tensor:
    """OpenAI's VisionTransformer up to ln_post, with torch's own multi-head attention."""
    get = {name.removeprefix("visual."): tensor for name, tensor in state.items()}
    dim = len(get["class_embedding"])
    x = F.conv2d(pixels, get["conv1.weight"], stride=get["conv1.weight"].shape[-1]).flatten(2).transpose(1, 2)
    x = torch.cat([get["class_embedding"].expand(len(x), 1, dim), x], dim=1) + get["positional_embedding"]
    x = F.layer_norm(x, (dim,), get["ln_pre.weight"], get["ln_pre.bias"])
    for i in range(2):
        b = {n.removeprefix(f"transformer.resblocks.{i}."): t for n, t in get.items() if f"resblocks.{i}." in n}
        attention = torch.nn.MultiheadAttention(dim, heads, batch_first=True).eval()
        attention.load_state_dict({n.removeprefix("attn."): t for n, t in b.items() if n.startswith("attn.")})
        y = F.layer_norm(x, (dim,), b["ln_1.weight"], b["ln_1.bias"])
        x = x + attention(y, y, y, need_weights=False)[0]
        y = F.linear(
            F.layer_norm(x, (dim,), b["ln_2.weight"], b["ln_2.bias"]), b["mlp.c_fc.weight"], b["mlp.c_fc.bias"]
        )
        x = x + F.linear(y * torch.sigmoid(1.702 * y), b["mlp.c_proj.weight"], b["mlp.c_proj.bias"])
    return F.layer_norm(x, (dim,), get["ln_post.weight"], get["ln_post.bias"])


def test_clip_state_dict_loads_and_equals_its_arithmetic(tmp_path: Path) -> None:
    network = load_released(save(tmp_path, full_size(clip_shapes(768, 12, 16, 197) | CLIP_TEXT)), "clip")
    assert isinstance(network, ViT)
    assert (network.config.heads, network.config.image_size) == (12, 224)
    state = draw(clip_shapes(128, 2, 8, 17))
    network = load_released(save(tmp_path, state), "clip").eval()
    pixels = torch.randn(2, 3, 32, 32, generator=torch.Generator().manual_seed(1))
    with torch.inference_mode():
        pooled, patches = network(pixels)
        expected = clip_forward(state, pixels, heads=2)
    torch.testing.assert_close(pooled, expected[:, 0], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(patches, expected[:, 1:], rtol=1e-4, atol=1e-5)


def test_missing_and_added_names_are_listed(tmp_path: Path) -> None:
    state = full_size(timm_shapes(192, 12))
    del state["blocks.3.mlp.fc1.bias"]
    state["head.weight"] = torch.zeros(1000, 192)
    with pytest.raises(DataError) as refused:
        load_released(save(tmp_path, {"model": state}), "vc1")
    sentence, lacks, adds = str(refused.value).split("\n")
    assert "does not fit ViT (150 tensors): it lacks 1, adds 1. Use a complete checkpoint." in sentence
    assert (lacks, adds) == ("lacks: blocks.3.mlp.fc1.bias", "adds: head.weight")


def test_every_missing_and_added_name_is_told_whatever_their_number(tmp_path: Path) -> None:
    shapes = {name: shape for name, shape in timm_shapes(192, 12).items() if ".attn." not in name}
    del shapes["blocks.5.norm2.bias"]
    shapes |= {f"blocks.{i}.ls{j}.gamma": (192,) for i in range(12) for j in (1, 2)}
    shapes |= {f"head.layers.{i}.0.weight": (8, 8) for i in (0, 1, 2, 4, 7, 8)} | {"fc.bias": (8,)}
    with pytest.raises(DataError) as refused:
        load_released(save(tmp_path, {"model": full_size(shapes)}), "vc1")
    _, lacks, adds = str(refused.value).split("\n")
    attention = "blocks.0-11.attn.proj.{bias, weight}, blocks.0-11.attn.qkv.{bias, weight}"
    assert lacks == f"lacks: {attention}, blocks.5.norm2.bias"
    assert adds == "adds: blocks.0-11.ls1.gamma, blocks.0-11.ls2.gamma, fc.bias, head.layers.0-2,4,7-8.0.weight"


def test_wrong_shape_is_named(tmp_path: Path) -> None:
    state = full_size(timm_shapes(192, 2))
    state["norm.bias"] = torch.zeros(64)
    with pytest.raises(DataError, match=r"norm\.bias \[64\] for \[192\]"):
        load_released(save(tmp_path, {"model": state}), "vc1")


def test_another_architecture_is_refused(tmp_path: Path) -> None:
    resnet = save(tmp_path, {"model": full_size(resnet_shapes(18))})
    with pytest.raises(
        DataError, match=r"another architecture: expected vit for 'vc1', got the 120 .*\n.*layer4.0-1.co"
    ):
        load_released(resnet, "vc1")
    vit = save(tmp_path, {"r3m": {f"module.convnet.{n}": t for n, t in full_size(timm_shapes(192, 2)).items()}})
    with pytest.raises(DataError, match="expected resnet for 'r3m'"):
        load_released(vit, "r3m")
    with pytest.raises(DataError, match="no moco checkpoint"):
        load_released(vit, "moco")
