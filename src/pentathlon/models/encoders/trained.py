"""Encoders that this package trained: a safetensors file whose metadata describes the network."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

import torch
from torch import nn

from pentathlon.core.errors import DataError
from pentathlon.models.encoders.released import fill
from pentathlon.models.encoders.resnet import KeypointNet, ResNet
from pentathlon.models.encoders.vit import Pooling, ViT, ViTConfig
from pentathlon.models.weights import Checkpoint, read_checkpoint, write_checkpoint

FORMAT = "pentathlon-encoder-1"
Trained: TypeAlias = ViT | ResNet | KeypointNet


def save_trained(path: Path, network: Trained, *, history: Mapping[str, Any], half: bool = True) -> None:
    """Writes the encoder and what made it.

    Args:
        path: ends in ``.safetensors``.
        network: the encoder.
        history: plain values: command, data, steps, last loss.
        half: store float16, which halves the file; features are computed in float32 all the same.
    """
    tensors = {
        name: tensor.half() if half and tensor.is_floating_point() else tensor
        for name, tensor in network.state_dict().items()
    }
    write_checkpoint(path, tensors, {"format": FORMAT, "network": describe(network), "history": dict(history)})


def describe(network: nn.Module) -> dict[str, Any]:
    """Returns plain values from which :func:`build` makes the same network."""
    if isinstance(network, ViT):
        return {"kind": "vit", **asdict(network.config)}
    if isinstance(network, ResNet):
        return {"kind": "resnet", "layers": network.layers, "image_size": network.image_size}
    if isinstance(network, KeypointNet):
        return {"kind": "keypoints", "points": network.points, "image_size": network.image_size}
    raise TypeError(f"Expected a ViT, ResNet or KeypointNet, got {type(network).__name__}.")


def build(description: Mapping[str, Any]) -> Trained:
    """Makes the network that :func:`describe` described, with new weights."""
    options = {key: value for key, value in description.items() if key != "kind"}
    if description["kind"] == "vit":
        return ViT(ViTConfig(**options))
    return KeypointNet(**options) if description["kind"] == "keypoints" else ResNet(**options)


def load_trained(path: Path, *, pooling: Pooling | None = None) -> Trained:
    """Reads an encoder that :func:`save_trained` wrote.

    Raises:
        DataError: when the file is of another format or incomplete.
    """
    checkpoint = read_checkpoint(path)
    description = _description(checkpoint)
    if pooling is not None and description["kind"] == "vit":
        description["pooling"] = pooling
    with torch.device("meta"):
        network = build(description).to_empty(device="cpu")
    fill(network, dict(checkpoint.tensors), path)
    return network


def _description(checkpoint: Checkpoint) -> dict[str, Any]:
    # Other programs write text here that is no JSON.
    if checkpoint.metadata.get("format") != json.dumps(FORMAT):
        raise DataError(
            f"Expected an encoder of format {FORMAT!r} at {checkpoint.path}, got another file. "
            "Name its family, as in vc1@FILE or vit-mae@FILE."
        )
    return dict(json.loads(checkpoint.metadata["network"]))
