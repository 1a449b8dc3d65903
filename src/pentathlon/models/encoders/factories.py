"""Builds the registered encoders: each function takes plain values and returns an encoder ready to use."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pentathlon.core.errors import DataError, MissingDependencyError, UsageError
from pentathlon.core.registry import resolve_entrant
from pentathlon.models.encoders import preprocess, released
from pentathlon.models.encoders.huggingface import ARCHITECTURES, load_huggingface
from pentathlon.models.encoders.imagenet import load_packaged
from pentathlon.models.encoders.network import GridPooled
from pentathlon.models.encoders.pixels import Blind, Pixels
from pentathlon.models.encoders.preprocess import Preprocess
from pentathlon.models.encoders.resnet import KeypointNet
from pentathlon.models.encoders.torch_encoder import TorchEncoder
from pentathlon.models.encoders.trained import load_trained
from pentathlon.models.encoders.vit import SIZES, Pooling, ViT
from pentathlon.models.encoders.vit import random_vit as make_random_vit
from pentathlon.models.pretrained_folder import read_model_type
from pentathlon.models.weights import BUILTIN_FOLDER, resolve_weights

_RELEASED_RULES: dict[str, Preprocess] = {
    "mae": preprocess.VIT,
    "vc1": preprocess.VIT,
    "mvp": preprocess.VIT,
    "moco": preprocess.VIT,
    "clip": preprocess.CLIP,
    "r3m": preprocess.R3M,
    "vip": preprocess.R3M,
    "resnet": preprocess.RESNET,
}
_FAMILY_OF_TYPE = {"vit_mae": "mae", "clip": "clip", "resnet": "resnet"}


def random_vit(
    size: str, seed: int = 0, image_size: int = 224, pooling: Pooling = "cls", device: str | None = None
) -> TorchEncoder:
    """Makes a vision transformer with random weights."""
    if size not in SIZES:
        raise UsageError(f"Expected a size of {', '.join(SIZES)}, got {size!r}.")
    network = make_random_vit(size, seed, image_size, pooling)
    return TorchEncoder(network, preprocess.VIT.at(image_size), device=device)


def pixels(side: int, device: str | None = None) -> TorchEncoder:
    """Makes the encoder that shrinks the picture to ``side`` x ``side`` colours."""
    return TorchEncoder(Pixels(side), Preprocess(resize=224, interpolation="bilinear"), device=device)


def grid(weights: str, side: int | None = 4, device: str | None = None) -> TorchEncoder:
    """Makes the encoder that ``weights`` names give its patches, all or averaged over ``side`` x ``side`` cells."""
    entry = resolve_entrant(weights)
    inner = replace(entry, options={**entry.options, "device": device}).make()
    if not isinstance(inner, TorchEncoder):
        raise UsageError(f"Expected an encoder of this package to take patches from, got {weights!r}.")
    return TorchEncoder(GridPooled(inner.network, side), inner.preprocess, device=device)


def blind(device: str | None = None) -> TorchEncoder:
    """Makes the encoder that sees nothing."""
    return TorchEncoder(Blind(), Preprocess(resize=224, interpolation="bilinear"), device=device)


def trained(weights: str, pooling: Pooling | None = None, device: str | None = None) -> TorchEncoder:
    """Loads an encoder that ``pentathlon train`` wrote, or a built-in one by its name."""
    path = resolve_weights(weights)
    network = load_trained(path, pooling=pooling)
    rule = preprocess.WHOLE if isinstance(network, KeypointNet) else preprocess.VIT
    return TorchEncoder(network, rule.at(network.image_size), device=device)


def builtin(name: str, pooling: Pooling | None = None, device: str | None = None) -> TorchEncoder:
    """Loads an encoder shipped with the package."""
    if not (BUILTIN_FOLDER / f"{name}.safetensors").is_file():
        command = "pentathlon train; docs/see.md holds the command of each built-in"
        raise MissingDependencyError(f"The built-in encoder {name!r}", command, why="This installation lacks its file.")
    return trained(name, pooling, device)


def from_released(family: str, weights: str, image_size: int | None = None, device: str | None = None) -> TorchEncoder:
    """Loads a released checkpoint in its own layout."""
    path = resolve_weights(weights)
    return _from_file(path, family, image_size, device)


def from_transformers(
    model_type: str, weights: str, pooling: Pooling = "cls", device: str | None = None
) -> TorchEncoder:
    """Loads a folder or hub id of ``transformers``, or a file in the original layout of the same model."""
    path = resolve_weights(weights)
    if path.is_file() and model_type in _FAMILY_OF_TYPE:
        return _from_file(path, _FAMILY_OF_TYPE[model_type], None, device)
    found = read_model_type(path)
    if found.removesuffix("_vision_model") != model_type:
        raise DataError(f"{path} holds a {found!r} model, expected {model_type!r}. Choose the entrant of its family.")
    network = load_huggingface(path, pooling=pooling)
    return TorchEncoder(network, ARCHITECTURES[found].preprocess.at(network.image_size), device=device)


def from_imagenet(name: str, weights: str = "", device: str | None = None) -> TorchEncoder:
    """Loads an ImageNet network from the package that carries it, or from a file in the same layout."""
    network = load_packaged(name, resolve_weights(weights) if weights else None)
    return TorchEncoder(network, preprocess.RESNET, device=device)


def _from_file(path: Path, family: str, image_size: int | None, device: str | None) -> TorchEncoder:
    network = released.load_released(path, family, image_size=image_size)
    rule = _RELEASED_RULES[family] if isinstance(network, ViT) or family != "moco" else preprocess.RESNET
    return TorchEncoder(network, rule.at(network.image_size), device=device)
