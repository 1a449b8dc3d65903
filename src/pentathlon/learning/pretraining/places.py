"""Trains an encoder on the truth about places: a linear map of its feature gives where every body is in the picture.

One network sees all tasks; each task has a linear map of its own, which is thrown away in the end.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.core.errors import DataError
from pentathlon.core.identity import derive_seed, to_plain
from pentathlon.learning.pretraining.augment import Views, jitter_colours, resample, resampling, statistics
from pentathlon.learning.pretraining.loop import TrainingLog, default_device, precision
from pentathlon.learning.pretraining.place_frames import BENCHES, points_path
from pentathlon.learning.pretraining.settings import PlacesSettings
from pentathlon.models.encoders.resnet import KeypointNet
from pentathlon.models.encoders.trained import save_trained

LEAST_SPREAD = 0.004
"""Half a pixel: places that vary less say nothing."""
SMALLEST_SCALE = 0.03
JITTER = Views(jitter=(0.2, 0.2, 0.1, 0.02), jitter_chance=0.5)


@dataclass(frozen=True)
class Lesson:
    """All frames of one task on the device.

    Attributes:
        frames: uint8 ``[N, S, S, 3]``.
        points: ``[N, P, 3]``: x and y in [-1, 1] and log of metres.
        middle, scale: ``[P, 3]``, by which points are standardised.
        counts: ``[P, 3]``, 1 for numbers that vary, else 0.
        held_out: how many of the last frames are not learned from.
    """

    name: str
    frames: Tensor
    points: Tensor
    middle: Tensor
    scale: Tensor
    counts: Tensor
    held_out: int


def read_lessons(folder: Path, device: torch.device) -> list[Lesson]:
    """Reads every task's frames to the device; the last shard of each is held out where there are several.

    Raises:
        DataError: when there are no shards.
    """
    shards = sorted((folder / "places").glob("*.npy"))
    if not shards:
        raise DataError(f"Expected frames in {folder / 'places'}, got none. Run: pentathlon data frames places --out.")
    names = sorted({shard.name.rpartition("-")[0] for shard in shards})
    return [_read(name, [s for s in shards if s.name.rpartition("-")[0] == name], device) for name in names]


def _read(name: str, shards: Sequence[Path], device: torch.device) -> Lesson:
    frames = torch.cat([torch.from_numpy(np.load(shard)).to(device) for shard in shards])
    truth = np.concatenate([np.load(points_path(shard)) for shard in shards])
    spread = truth.std(0)
    counts = (spread > LEAST_SPREAD).astype(np.float32)
    numbers = (truth, truth.mean(0), np.maximum(spread, SMALLEST_SCALE), counts)
    points, middle, scale, counted = (torch.from_numpy(values).to(device) for values in numbers)
    held_out = len(frames) // len(shards) if len(shards) > 1 else 0
    return Lesson(name, frames, points, middle, scale, counted, held_out)


class PlaceTeller(nn.Module):
    """The encoder, and for each lesson a linear map from its feature to places."""

    def __init__(self, encoder: KeypointNet, lessons: Sequence[Lesson]) -> None:
        super().__init__()
        self.encoder = encoder
        self.heads = nn.ModuleList(nn.Linear(encoder.dim, lesson.points[0].numel()) for lesson in lessons)

    def forward(self, pixels: Tensor) -> list[Tensor]:
        """Tells standardised places ``[B, P * 3]`` of each lesson; ``pixels`` holds as many frames of each in turn."""
        features = self.encoder(pixels).pooled.chunk(len(self.heads))
        return [head(part) for head, part in zip(self.heads, features, strict=True)]


def train_places(settings: PlacesSettings) -> Path:
    """Trains until the steps or the minutes are over and returns the encoder's file."""
    device = default_device()
    torch.manual_seed(derive_seed("places", settings.seed) % 2**63)
    lessons = read_lessons(settings.data, device)
    teller = PlaceTeller(KeypointNet(settings.points, image_size=settings.image_size), lessons).to(device)
    teller = teller.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimizer = torch.optim.AdamW(
        teller.parameters(), lr=0.0, weight_decay=settings.weight_decay, fused=device.type == "cuda"
    )
    log = TrainingLog(settings.out / "log.jsonl", 0, settings.steps, settings.batch_size)
    each = max(1, settings.batch_size // len(lessons))
    generator = torch.Generator(device).manual_seed(settings.seed)
    began_s, step = time.monotonic(), 0
    for step in range(1, settings.steps + 1):
        progress = max(step / settings.steps, (time.monotonic() - began_s) / (60.0 * settings.minutes))
        rate = _rate(progress, settings)
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss = _loss(teller, lessons, each, settings, generator)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        if step % settings.log_every == 0:
            log.write(step, loss.item(), rate)
        if step % settings.save_every == 0:
            _save(teller, lessons, settings, step)
        if progress >= 1.0:
            break
    errors_px = _save(teller, lessons, settings, step)
    for name, error_px in errors_px.items():
        print(f"{name}: off by {error_px:.2f} px in frames held out")
    return settings.out / "encoder.safetensors"


def _save(teller: PlaceTeller, lessons: Sequence[Lesson], settings: PlacesSettings, done: int) -> dict[str, float]:
    """Writes the encoder with its errors on frames held out, and returns those."""
    errors_px = held_out_errors_px(teller, lessons, settings.image_size)
    shape = {key: to_plain(value) for key, value in asdict(settings).items() if key not in ("data", "out")}
    history = {
        **shape,
        "data": sorted({"bench" if lesson.name in BENCHES else "control" for lesson in lessons}),
        "done": done,
        "frames": sum(len(lesson.frames) for lesson in lessons),
        "held_out_error_px": errors_px,
        "command": f"pentathlon train places --data FRAMES --minutes {settings.minutes:g}",
    }
    save_trained(settings.out / "encoder.safetensors", teller.encoder, history=history)
    return errors_px


def _rate(progress: float, settings: PlacesSettings) -> float:
    warm = min(1.0, (progress + 1e-3) / settings.warmup_share)
    return settings.peak_lr * warm * 0.5 * (1.0 + math.cos(math.pi * min(progress, 1.0)))


def _loss(
    teller: PlaceTeller, lessons: Sequence[Lesson], each: int, settings: PlacesSettings, generator: torch.Generator
) -> Tensor:
    """Mean distance of told places from the true ones over random crops of random frames."""
    device, pixels, truths = generator.device, [], []
    for lesson in lessons:
        rows = torch.randint(0, len(lesson.frames) - lesson.held_out, (each,), generator=generator, device=device)
        crop = _Crop.draw(each, settings.smallest_side, generator)
        pixels.append(crop.cut(lesson.frames[rows], settings.image_size))
        truths.append(((crop.seen(lesson.points[rows]) - lesson.middle) / lesson.scale).flatten(1))
    mean, std = statistics(device)
    views = (jitter_colours(torch.cat(pixels) / 255.0, JITTER, generator) - mean) / std
    teller.train()
    with precision(device):
        told = teller(views.contiguous(memory_format=torch.channels_last))
    parts = [
        (F.smooth_l1_loss(one.float(), truth, beta=0.1, reduction="none") * lesson.counts.flatten()).sum()
        / (each * lesson.counts.sum().clamp(min=1.0))
        for one, truth, lesson in zip(told, truths, lessons, strict=True)
    ]
    return torch.stack(parts).mean()


@dataclass(frozen=True)
class _Crop:
    """Squares of frames, in shares of the side: ``[B]`` each."""

    left: Tensor
    top: Tensor
    side: Tensor

    @classmethod
    def draw(cls, count: int, smallest_side: float, generator: torch.Generator) -> _Crop:
        """Half of them are the whole picture, which is what is seen in the end."""
        draws = torch.rand(4, count, generator=generator, device=generator.device)
        side = torch.where(draws[3] < 0.5, 1.0, smallest_side + (1.0 - smallest_side) * draws[0])
        return cls((1.0 - side) * draws[1], (1.0 - side) * draws[2], side)

    def cut(self, frames: Tensor, size: int) -> Tensor:
        """Resamples to ``[B, 3, size, size]`` in 0..255."""
        source = frames.shape[1]
        rows = resampling(self.top * source, self.side * source, source, size)
        columns = resampling(self.left * source, self.side * source, source, size)
        return resample(frames, rows, columns).float()

    def seen(self, points: Tensor) -> Tensor:
        """Where ``points[B, P, 3]`` of the whole picture are in the crop."""
        side = self.side[:, None]
        x = (points[..., 0] + 1.0 - 2.0 * self.left[:, None]) / side - 1.0
        y = (points[..., 1] + 1.0 - 2.0 * self.top[:, None]) / side - 1.0
        return torch.stack([x, y, points[..., 2]], dim=-1)


@torch.inference_mode()
def held_out_errors_px(teller: PlaceTeller, lessons: Sequence[Lesson], image_size: int) -> dict[str, float]:
    """Mean error along x and y of places that vary, in pixels of the network's input, on frames held out."""
    teller.eval()
    errors = {}
    for lesson, head in zip(lessons, teller.heads, strict=True):
        if not lesson.held_out:
            continue
        frames, points = lesson.frames[-lesson.held_out :], lesson.points[-lesson.held_out :]
        whole = torch.zeros(len(frames), device=frames.device)
        pixels = _Crop(whole, whole, whole + 1.0).cut(frames, image_size)
        mean, std = statistics(frames.device)
        told = head(teller.encoder((pixels / 255.0 - mean) / std).pooled).view_as(points) * lesson.scale + lesson.middle
        counts = lesson.counts[:, :2]
        off = ((told - points)[..., :2].abs().mean(0) * counts).sum() / counts.sum().clamp(min=1.0)
        errors[lesson.name] = round(float(off) * image_size / 2, 3)
    return errors
