"""Settings of pre-training, free of torch so that a command line can show them at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pentathlon.learning.timed import TimedSettings


@dataclass(frozen=True)
class Settings:
    """What to train on, how long and how fast; the defaults are MAE's, and each method adds its own.

    Attributes:
        data: frame sources, each ``REFERENCE[=WEIGHT]``.
        out: folder for checkpoint, log and encoder.
        epochs: how often each frame is seen, on average.
        base_lr: learning rate per 256 images.
        warmup_share: share of all steps in which the rate rises.
        stop_after_s: leave, resumable, after this many seconds.
        threads: readers of frames.
    """

    data: tuple[str, ...]
    out: Path
    epochs: float = 800.0
    batch_size: int = 1024
    base_lr: float = 1.5e-4
    warmup_share: float = 0.05
    weight_decay: float = 0.05
    beta2: float = 0.95
    seed: int = 0
    save_every: int = 500
    log_every: int = 20
    stop_after_s: float | None = None
    threads: int = 8
    compile: bool = True


@dataclass(frozen=True)
class MaeSettings(Settings):
    """Masked-autoencoder training (He et al. 2021).

    Attributes:
        out: folder for checkpoint, log and encoder.
        size: the encoder's; the decoder is the paper's for base and large, smaller below.
        image_size: edge of the input in pixels.
        mask_ratio: share of patches that are hidden.
        smallest_area: least share of a frame that a training crop covers.
        start: weights to adapt from (an encoder or checkpoint of ours, MAE's or VC-1's file); empty starts afresh.
    """

    out: Path = Path("trained/mae")
    size: Literal["tiny", "small", "base", "large"] = "base"
    image_size: int = 224
    mask_ratio: float = 0.75
    smallest_area: float = 0.2
    start: str = ""


@dataclass(frozen=True)
class ContrastiveSettings(Settings):
    """Contrastive training; the defaults are MoCo v3's.

    Attributes:
        out: folder for checkpoint, log and encoder.
        momentum: share of the average kept at the first step; it rises to 1 along a cosine. BYOL's is 0.996.
        temperature: MoCo's, dividing similarities.
        hidden: width of the projection heads.
        smallest_area: least share of a frame that a view covers.
        crops_only: views differ by their crop alone, as TOTO trains MoCo on its own pictures: neither colours nor left
            and right are to be forgotten.
    """

    out: Path = Path("trained/contrastive")
    method: Literal["moco", "byol"] = "moco"
    backbone: Literal["vit-tiny", "vit-small", "vit-base", "resnet18", "resnet34", "resnet50"] = "vit-tiny"
    image_size: int = 224
    momentum: float = 0.99
    temperature: float = 0.2
    hidden: int = 4096
    projection: int = 256
    smallest_area: float = 0.08
    crops_only: bool = False
    weight_decay: float = 0.1
    beta2: float = 0.999
    epochs: float = 300.0


@dataclass(frozen=True, kw_only=True)
class PlacesSettings(TimedSettings):
    """Training to tell places: a linear map of the feature must give where bodies are in the picture.

    Attributes:
        data: folder that `data frames places` wrote.
        out: folder for log and encoder.
        batch_size: frames of all tasks together, as many of each.
        warmup_share: share of the training in which the rate rises.
        points: places in the feature, three numbers each.
        image_size: edge of the input in pixels.
        smallest_side: least share of a frame's side that a training crop covers.
    """

    data: Path
    out: Path = Path("trained/places")
    steps: int = 20_000
    minutes: float = 30.0
    batch_size: int = 720
    peak_lr: float = 1.5e-3
    warmup_share: float = 0.05
    weight_decay: float = 0.02
    points: int = 128
    image_size: int = 224
    smallest_side: float = 0.85
    log_every: int = 50
    save_every: int = 1000
