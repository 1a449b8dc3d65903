"""Loads released checkpoints in their own layouts and refuses one that lacks or adds anything."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import torch
from torch import Tensor, nn

from pentathlon.core.errors import DataError
from pentathlon.models.encoders.resnet import ResNet
from pentathlon.models.encoders.tensor_names import fold_names
from pentathlon.models.encoders.vit import ViT, ViTConfig, resize_positions
from pentathlon.models.weights import read_checkpoint

State = dict[str, Tensor]


@dataclass(frozen=True)
class Layout:
    """How a family of checkpoints names its tensors.

    Attributes:
        architectures: what the family was released as.
        prefixes: what may stand before the encoder's own names; the first that occurs is stripped.
        drop: pattern of names with the prefix, once stripped, that are no part of the encoder.
        beside: pattern of names without the prefix that are known and left out.
        heads: heads by width where the family differs from 64 channels per head.
    """

    name: str
    architectures: tuple[Literal["vit", "clip", "resnet"], ...]
    prefixes: tuple[str, ...]
    drop: str = ""
    beside: str = ""
    heads: Mapping[int, int] = field(default_factory=dict)


_MAE = r"decoder.*|mask_token"
_CLIP_TEXT = (
    r"(state_dict\.)?((transformer|token_embedding|ln_final)\..*"
    r"|positional_embedding|text_projection|logit_scale|input_resolution|context_length|vocab_size)"
)
_TRAINING = r"(optimizer|scaler)\..*|epoch|global_step"

LAYOUTS: dict[str, Layout] = {
    layout.name: layout
    for layout in (
        Layout("mae", ("vit",), ("model.", ""), drop=_MAE, heads={1280: 16}),
        Layout("vc1", ("vit",), ("model.", ""), drop=_MAE),
        Layout("mvp", ("vit",), ("model.", ""), drop=_MAE, heads={384: 12}),
        Layout(
            "moco",
            ("vit", "resnet"),
            ("state_dict.module.encoder_q.", "state_dict.module.base_encoder."),
            drop=r"(head|fc)\..*",
            beside=r"state_dict\.module\.(encoder_k|momentum_encoder|predictor|queue|queue_ptr)\b.*",
            heads={384: 12},
        ),
        Layout("clip", ("clip",), ("state_dict.visual.", "visual."), drop="proj", beside=_CLIP_TEXT),
        Layout(
            "r3m",
            ("resnet",),
            ("r3m.module.convnet.", "module.convnet."),
            beside=r"(r3m\.)?module\.lang_(enc|rew)\..*",
        ),
        Layout("vip", ("resnet",), ("vip.module.convnet.", "module.convnet.")),
        Layout("resnet", ("resnet",), ("state_dict.", "model.", ""), drop=r"fc\..*"),
    )
}


def load_released(path: Path, family: str, *, image_size: int | None = None) -> ViT | ResNet:
    """Builds the network that the checkpoint at ``path`` describes and fills it.

    Args:
        path: the released file.
        family: a key of :data:`LAYOUTS`.
        image_size: input size in pixels; the checkpoint's own unless given. Position embeddings are resized.

    Raises:
        DataError: when it is of another architecture, or lacks or adds tensors; the message lists them.
    """
    layout = LAYOUTS[family]
    state = select(read_checkpoint(path).tensors, layout, path)
    network = _build(state, layout, image_size)
    if network is None:
        raise DataError(
            f"{path.name} holds another architecture: expected {' or '.join(layout.architectures)} for {family!r}, got "
            f"the {len(state)} tensors below. Choose the loader of its family.\n{fold_names(state)}"
        )
    if isinstance(network, ViT):
        state["pos_embed"] = resize_positions(state["pos_embed"], network.config.side)
    fill(network, state, path)
    return network


def select(tensors: Mapping[str, Tensor], layout: Layout, path: Path) -> State:
    """Keeps the encoder's tensors under their own names.

    Raises:
        DataError: when no name starts as the layout's do.
    """
    prefix = next((p for p in layout.prefixes if any(name.startswith(p) for name in tensors)), None)
    if prefix is None:
        raise DataError(
            f"{path.name} is no {layout.name} checkpoint: expected names that start with "
            f"{' or '.join(map(repr, layout.prefixes))}, got the {len(tensors)} below. Choose the loader of its "
            f"family.\n{fold_names(tensors)}"
        )
    drop, beside = re.compile(layout.drop), re.compile(f"{layout.beside}|{_TRAINING}")
    state: State = {}
    for name, tensor in tensors.items():
        own = name.removeprefix(prefix)
        if not (drop.fullmatch(own) if name.startswith(prefix) else beside.fullmatch(name)):
            state[own] = tensor
    return _from_clip(state) if "clip" in layout.architectures else state


def fill(network: nn.Module, state: State, path: Path) -> None:
    """Copies ``state`` into ``network`` as float32.

    Raises:
        DataError: listing all missing, unexpected and wrongly shaped tensors.
    """
    wanted = network.state_dict()
    missing = sorted(wanted.keys() - state.keys())
    unexpected = sorted(state.keys() - wanted.keys())
    shapes = [
        f"{name} {list(state[name].shape)} for {list(wanted[name].shape)}"
        for name in sorted(wanted.keys() & state.keys())
        if wanted[name].shape != state[name].shape
    ]
    if missing or unexpected or shapes:
        problems = {"lacks": missing, "adds": unexpected, "differs in the shape of": shapes}
        found = {verb: names for verb, names in problems.items() if names}
        counts = ", ".join(f"{verb} {len(names)}" for verb, names in found.items())
        lists = "\n".join(f"{verb}: {fold_names(names)}" for verb, names in found.items())
        raise DataError(
            f"{path.name} does not fit {type(network).__name__} ({len(wanted)} tensors): it {counts}. "
            f"Use a complete checkpoint.\n{lists}"
        )
    network.load_state_dict({name: t.float() if t.is_floating_point() else t for name, t in state.items()})


def _build(state: State, layout: Layout, image_size: int | None) -> ViT | ResNet | None:
    network: ViT | ResNet | None = None
    with torch.device("meta"):
        if "resnet" in layout.architectures:
            network = _resnet(state, image_size)
        if network is None and layout.architectures != ("resnet",):
            network = _vit(state, layout, image_size)
    return None if network is None else network.to_empty(device="cpu")


def _vit(state: State, layout: Layout, image_size: int | None) -> ViT | None:
    blocks = {int(name.split(".")[1]) for name in state if name.startswith("blocks.")}
    if not blocks or "patch_embed.proj.weight" not in state or "pos_embed" not in state:
        return None
    dim, _, patch_size, _ = state["patch_embed.proj.weight"].shape
    side = round((state["pos_embed"].shape[1] - 1) ** 0.5)
    clip = "clip" in layout.architectures
    return ViT(
        ViTConfig(
            image_size=image_size or side * patch_size,
            patch_size=patch_size,
            dim=dim,
            depth=max(blocks) + 1,
            heads=layout.heads.get(dim, dim // 64),
            norm_eps=1e-5 if clip else 1e-6,
            clip=clip,
        )
    )


def _resnet(state: State, image_size: int | None) -> ResNet | None:
    bottleneck = "layer1.0.conv3.weight" in state
    deep = "layer3.5.conv1.weight" in state
    if "layer4.0.conv1.weight" not in state or (bottleneck and not deep):
        return None
    projection = len(state["fc.weight"]) if "fc.weight" in state else None
    return ResNet(50 if bottleneck else 34 if deep else 18, image_size=image_size or 224, projection=projection)


_CLIP_NAMES: tuple[tuple[str, str], ...] = (
    (r"conv1\.", "patch_embed.proj."),
    (r"ln_pre\.", "norm_pre."),
    (r"ln_post\.", "norm."),
    (r"transformer\.resblocks\.", "blocks."),
    (r"\.ln_([12])\.", r".norm\1."),
    (r"\.attn\.in_proj_", ".attn.qkv."),
    (r"\.attn\.out_proj\.", ".attn.proj."),
    (r"\.mlp\.c_fc\.", ".mlp.fc1."),
    (r"\.mlp\.c_proj\.", ".mlp.fc2."),
)


def _from_clip(state: State) -> State:
    renamed: State = {}
    for name, tensor in state.items():
        for pattern, replacement in _CLIP_NAMES:
            name = re.sub(pattern, replacement, name)
        renamed[name] = tensor
    if "class_embedding" in renamed and "positional_embedding" in renamed:
        renamed["cls_token"] = renamed.pop("class_embedding")[None, None]
        renamed["pos_embed"] = renamed.pop("positional_embedding")[None]
    return renamed
