"""Settings of the image-text training, free of torch so that a command line can show them at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pentathlon.learning.timed import TimedSettings


@dataclass(frozen=True, kw_only=True)
class ImageTextSettings(TimedSettings):
    """The dense image-text network, on views of houses that `pentathlon data views` made.

    Attributes:
        views: folder of views.
        out: folder for weights, log and measures.
        batch_size: pictures in a step.
        pixels: sampled in each picture.
        queries: objects asked for in each picture.
        depth_share: share of pictures that are seen with depth.
        groups: most groups of houses to learn from.
        minilm: frozen text model: folder of a released all-MiniLM-L6-v2, or a file made of it; built-in when not given.
        init: weights to go on from; from scratch when not given.
        grow_minutes: how often to take in views that were rendered meanwhile; never when not given.
        save_every_minutes: how often the weights are written.
        measure_minutes: most time to measure afterwards on houses never seen.
        with_uncommon: learn PASTURE's twelve uncommon types too: an upper bound, since a benchmark asks for them.
        compile: compile the picture tower, where a GPU is there.
        workers: processes that make sentences.
    """

    views: Path
    out: Path = Path("trained/image-text")
    minutes: float = 8.5
    batch_size: int = 256
    peak_lr: float = 2e-3
    minilm: Path | None = None
    init: Path | None = None
    pixels: int = 192
    queries: int = 5
    depth_share: float = 0.5
    groups: int = 10_000
    grow_minutes: float | None = None
    save_every_minutes: float = 2.0
    measure_minutes: float = 1.0
    with_uncommon: bool = False
    compile: bool = True
    workers: int = 10
