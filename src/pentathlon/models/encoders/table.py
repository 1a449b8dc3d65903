"""The registered encoders, as rows; nothing is imported until one is built."""

from __future__ import annotations

from dataclasses import replace

from pentathlon.core.registry import EntrantEntry, EntrantRows
from pentathlon.models.weights import BUILTIN_FOLDER

_row = EntrantRows("encoder", "pentathlon.models.encoders.factories:", "see")


def _builtin(name: str, summary: str, *, sprint: bool = False) -> EntrantEntry:
    weights = BUILTIN_FOLDER / f"{name}.safetensors"
    return replace(_row(name, "builtin", summary, sprint=sprint, name=name), files=(str(weights),))


def _released(family: str, title: str) -> EntrantEntry:
    summary = f"{title}, released file: {family}@FILE"
    return _row(family, "from_released", summary, needs_weights=True, family=family)


def _transformers(id: str, title: str, example: str) -> EntrantEntry:
    summary = f"{title}: {id}@WEIGHTS, such as {example}"
    return _row(id, "from_transformers", summary, needs_weights=True, model_type=id.replace("-", "_"))


TABLE: tuple[EntrantEntry, ...] = (
    _row("blind", "blind", "sees nothing: what proprioception and memory alone reach"),
    _row("mean-colour", "pixels", "the picture's mean colour, 3 numbers", side=1),
    _row("pixels-16", "pixels", "the picture shrunk to 16 x 16 colours", side=16, sprint=True),
    # Tiny networks look at 128 pixels, so that a laptop encodes about a hundred frames per second.
    _row(
        "random-vit-tiny",
        "random_vit",
        "ViT-Tiny/16 at 128 px, random weights",
        size="tiny",
        image_size=128,
        sprint=True,
    ),
    _row("random-vit-small", "random_vit", "ViT-Small/16, random weights", size="small"),
    _row("random-vit-base", "random_vit", "ViT-Base/16, random weights", size="base"),
    _builtin("mae-tiny", "ViT-Tiny/16 at 128 px, masked autoencoder on this project's worlds", sprint=True),
    _builtin("moco-tiny", "ViT-Tiny/16 at 128 px, MoCo v3 on this project's worlds"),
    _builtin("places", "places of 128 points at 224 px (ResNet-18's first stages), by the truth of control scenes"),
    _row("grid", "grid", "patches of any of these over 4 x 4 cells: grid@mae-tiny, grid@vc1@FILE", needs_weights=True),
    _row("patches", "grid", "all patches of any of these: patches@mae-tiny", needs_weights=True, side=None),
    _row("trained", "trained", "what `pentathlon train` wrote: trained@FILE", needs_weights=True),
    _row("mobilenetv2-imagenet", "from_imagenet", "MobileNetV2, ImageNet", name="mobilenetv2"),
    _row("efficientnet-lite0-imagenet", "from_imagenet", "EfficientNet-Lite0, ImageNet", name="efficientnet-lite0"),
    _released("vc1", "VC-1"),
    _released("mvp", "MVP"),
    _released("r3m", "R3M"),
    _released("vip", "VIP"),
    _released("moco", "MoCo v2 ResNet or v3 ViT"),
    _transformers("vit-mae", "ViT-MAE from a hub id, folder or MAE file", "facebook/vit-mae-base"),
    _transformers("vit", "supervised ViT from a hub id or folder", "google/vit-base-patch16-224-in21k"),
    _transformers("dinov2", "DINOv2 from a hub id or folder", "facebook/dinov2-base"),
    _transformers(
        "clip", "CLIP's visual tower from a hub id, folder or OpenAI state dict", "openai/clip-vit-base-patch16"
    ),
    _transformers("resnet", "ResNet from a hub id, folder or torchvision file", "microsoft/resnet-50"),
)
