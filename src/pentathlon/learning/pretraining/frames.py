"""Frames to learn from: arrays on disk, folders of pictures and videos, and functions that make frames."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image

from pentathlon.core.errors import DataError, MissingDependencyError, UsageError
from pentathlon.core.identity import content_hash
from pentathlon.core.registry import resolve_named
from pentathlon.storage.files import replacing

Frames: TypeAlias = npt.NDArray[np.uint8]

PICTURE_SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".bmp")
VIDEO_SUFFIXES = (".mp4", ".mkv", ".avi", ".mov", ".webm")
SHARD_FRAMES = 512
# Neighbouring frames are nearly equal; VC-1 takes one per second, we take two.
VIDEO_FRAMES_PER_S = 2.0


@dataclass(frozen=True)
class Source:
    """Frames of one origin.

    Attributes:
        shards: memory maps ``[N, H, W, 3]``.
        weight: how often a frame is drawn, relative to one of a source of weight 1.
    """

    name: str
    shards: tuple[Frames, ...]
    weight: float = 1.0


@dataclass(frozen=True)
class Draw:
    """Where each frame of a batch comes from: ``shard[i]`` and ``row[i]``."""

    shard: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]


class Mixture:
    """A weighted union of sources, drawn from with replacement.

    Every frame has the probability ``weight / sum of weights over all frames``; equal weights give the plain union.
    """

    def __init__(self, sources: Sequence[Source]) -> None:
        self.shards = [shard for source in sources for shard in source.shards]
        if not self.shards:
            raise DataError("Expected at least one frame to learn from, got none. Give a source with frames.")
        shapes = {shard.shape[1:] for shard in self.shards}
        if len(shapes) > 1:
            raise DataError(f"Expected frames of one size, got {sorted(shapes)}. Pack them again at one size.")
        self.frame_shape = self.shards[0].shape[1:]
        self.frames = sum(len(shard) for shard in self.shards)
        mass = np.array([source.weight * len(shard) for source in sources for shard in source.shards], np.float64)
        self._chance = mass / mass.sum()
        self._lengths = np.array([len(shard) for shard in self.shards])

    def draw(self, count: int, generator: np.random.Generator) -> Draw:
        """Draws ``count`` frames, ordered by where they lie."""
        shard = np.sort(generator.choice(len(self.shards), size=count, p=self._chance))
        row = generator.integers(0, self._lengths[shard])
        order = np.lexsort((row, shard))
        return Draw(shard[order], row[order])

    def read(self, draw: Draw, out: Frames) -> None:
        """Copies the drawn frames into ``out``."""
        for shard in np.unique(draw.shard):
            start, stop = np.searchsorted(draw.shard, (shard, shard + 1))
            # numpy lets other threads run while it takes.
            np.take(self.shards[shard], draw.row[start:stop], axis=0, out=out[start:stop], mode="clip")


def open_mixture(references: Sequence[str], *, frame_size: int, cache: Path) -> Mixture:
    """Opens ``REFERENCE[=WEIGHT]`` sources; pictures, videos and functions are first packed into ``cache``."""
    return Mixture([open_source(reference, frame_size=frame_size, cache=cache) for reference in references])


def open_source(reference: str, *, frame_size: int, cache: Path) -> Source:
    """Opens one source.

    Args:
        reference: a ``.npy`` file, a folder of them, a folder of pictures and videos, or ``module:function`` that
            returns frames; ``=WEIGHT`` may follow.
        frame_size: edge in pixels to which pictures, videos and made frames are packed.
        cache: where packed frames are kept.

    Raises:
        UsageError: when nothing of that name is there.
        DataError: when an array is not uint8 ``[N, H, W, 3]``.
    """
    name, weight = _split_weight(reference)
    path = Path(name).expanduser()
    if path.suffix == ".npy" and path.is_file():
        return Source(name, (_open_shard(path),), weight)
    if path.is_dir():
        shards = sorted(path.glob("*.npy"))
        folder = path if shards else pack(f"{path}", _from_folder(path), frame_size, cache, _listing(path))
        return Source(name, tuple(_open_shard(shard) for shard in sorted(folder.glob("*.npy"))), weight)
    if ":" in name:
        folder = pack(name, resolve_named(name)(), frame_size, cache, [name])
        return Source(name, tuple(_open_shard(shard) for shard in sorted(folder.glob("*.npy"))), weight)
    raise UsageError(f"Expected a .npy file, a folder or module:function, got {name!r}. Check the path.")


def pack(name: str, frames: Iterable[Frames], frame_size: int, cache: Path, listing: Sequence[object]) -> Path:
    """Writes frames of any size as shards of ``frame_size`` squares, once; the folder appears when complete."""
    folder = cache / f"frames-{content_hash([list(listing), frame_size])}"
    if folder.is_dir():
        return folder
    partial = folder.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    for index, shard in enumerate(_chunks(frames, SHARD_FRAMES)):
        partial.mkdir(parents=True, exist_ok=True)
        np.save(partial / f"{index:06d}.npy", np.stack([fit_square(frame, frame_size) for frame in shard]))
    if not partial.is_dir():
        raise DataError(
            f"Expected pictures or videos in {name}, got none. Supported: {PICTURE_SUFFIXES + VIDEO_SUFFIXES}."
        )
    partial.rename(folder)
    return folder


def write_shard(path: Path, frames: Iterable[Frames]) -> None:
    """Writes frames of one size as an array file, whole or not at all."""
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.save(file, np.stack(list(frames)))


def fit_square(frame: Frames, size: int) -> Frames:
    """Scales the shorter side to ``size`` pixels and takes the central square."""
    height, width = frame.shape[:2]
    short = min(height, width)
    if (height, width) == (size, size):
        return frame
    left, top = (width - short) / 2, (height - short) / 2
    box = (left, top, left + short, top + short)
    return np.asarray(Image.fromarray(frame).resize((size, size), Image.Resampling.BICUBIC, box=box))


def _split_weight(reference: str) -> tuple[str, float]:
    name, equals, text = reference.rpartition("=")
    if not equals:
        return reference, 1.0
    try:
        weight = float(text)
    except ValueError:
        return reference, 1.0
    if not weight > 0:
        raise UsageError(f"Expected a positive weight after '=', got {reference!r}.")
    return name, weight


def _open_shard(path: Path) -> Frames:
    try:
        frames: Frames = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise DataError(f"Expected an array file at {path}, got one that cannot be read ({error}).") from error
    if frames.dtype != np.uint8 or frames.ndim != 4 or frames.shape[3] != 3 or not len(frames):
        raise DataError(f"Expected uint8 frames [N, H, W, 3] in {path}, got {frames.dtype} {list(frames.shape)}.")
    return frames


def _listing(folder: Path) -> list[object]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [[path.relative_to(folder).as_posix(), path.stat().st_size] for path in files]


def _from_folder(folder: Path) -> Iterator[Frames]:
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in PICTURE_SUFFIXES:
            yield _from_picture(path)
        elif path.suffix.lower() in VIDEO_SUFFIXES:
            yield from _from_video(path)


def _from_picture(path: Path) -> Frames:
    try:
        with Image.open(path) as picture:
            return np.asarray(picture.convert("RGB"))
    except OSError as error:
        raise DataError(
            f"Expected a picture at {path}, got a file that cannot be read ({error}). Remove it."
        ) from error


def _from_video(path: Path) -> Iterator[Frames]:
    try:
        import av
    except ImportError as error:
        raise MissingDependencyError("av", "pip install av", why=f"It decodes {path.name}.") from error
    due_s = 0.0
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            if frame.time is not None and frame.time >= due_s:
                due_s = frame.time + 1 / VIDEO_FRAMES_PER_S
                yield np.asarray(frame.to_ndarray(format="rgb24"), np.uint8)


def _chunks(frames: Iterable[Frames], size: int) -> Iterator[list[Frames]]:
    chunk: list[Frames] = []
    for frame in frames:
        chunk.append(frame)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
