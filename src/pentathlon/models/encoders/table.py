"""The registered encoders, as rows; nothing is imported until one is built."""

from __future__ import annotations

from typing import Any

from pentathlon.core.registry import EntrantEntry


def _row(id: str, factory: str, summary: str, *, sprint: bool = False, **options: Any) -> EntrantEntry:
    return EntrantEntry(
        id=id,
        kind="encoder",
        summary=summary,
        factory=f"pentathlon.models.encoders.factories:{factory}",
        options=options,
        sprint=("see",) if sprint else (),
    )


TABLE: tuple[EntrantEntry, ...] = (
    _row("mean-colour", "pixels", "the picture's mean colour, 3 numbers", side=1),
    _row("pixels-16", "pixels", "the picture shrunk to 16 x 16 colours", side=16, sprint=True),
    _row("random-vit-tiny", "random_vit", "ViT-Tiny/16 with random weights", size="tiny", sprint=True),
    _row("random-vit-small", "random_vit", "ViT-Small/16 with random weights", size="small"),
    _row("random-vit-base", "random_vit", "ViT-Base/16 with random weights", size="base"),
    _row("mae-tiny", "builtin", "ViT-Tiny, masked autoencoder on this project's worlds", name="mae-tiny", sprint=True),
    _row("moco-tiny", "builtin", "ViT-Tiny, MoCo v3 on this project's worlds", name="moco-tiny"),
    _row("trained", "trained", "an encoder that `pentathlon train` wrote: trained@FILE", weights=""),
    _row("mobilenetv2-imagenet", "from_imagenet", "MobileNetV2, ImageNet (1,280-d)", name="mobilenetv2"),
    _row("efficientnet-lite0-imagenet", "from_imagenet", "EfficientNet-Lite0, ImageNet", name="efficientnet-lite0"),
    _row("vc1", "from_released", "VC-1 in its released layout: vc1@FILE", family="vc1"),
    _row("mvp", "from_released", "MVP in its released layout: mvp@FILE", family="mvp"),
    _row("r3m", "from_released", "R3M in its released layout: r3m@FILE", family="r3m"),
    _row("vip", "from_released", "VIP in its released layout: vip@FILE", family="vip"),
    _row("moco", "from_released", "MoCo v2 ResNet or v3 ViT in its released layout: moco@FILE", family="moco"),
    _row(
        "vit-mae",
        "from_transformers",
        "ViT-MAE from a hub id, folder or MAE file: vit-mae@WEIGHTS",
        model_type="vit_mae",
        weights="facebook/vit-mae-base",
    ),
    _row(
        "vit",
        "from_transformers",
        "supervised ViT from a hub id or folder: vit@WEIGHTS",
        model_type="vit",
        weights="google/vit-base-patch16-224-in21k",
    ),
    _row(
        "dinov2",
        "from_transformers",
        "DINOv2 from a hub id or folder: dinov2@WEIGHTS",
        model_type="dinov2",
        weights="facebook/dinov2-base",
    ),
    _row(
        "clip",
        "from_transformers",
        "CLIP's visual tower from a hub id, folder or OpenAI state dict: clip@WEIGHTS",
        model_type="clip",
        weights="openai/clip-vit-base-patch16",
    ),
    _row(
        "resnet",
        "from_transformers",
        "ResNet from a hub id, folder or torchvision file: resnet@WEIGHTS",
        model_type="resnet",
        weights="microsoft/resnet-50",
    ),
)
