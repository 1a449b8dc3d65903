"""Trains the dense image-text network for some minutes; the learning rate follows the clock."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch
from torch import Tensor

from pentathlon.learning.descent import decaying_matrices, descend
from pentathlon.learning.detectors.augment import augmented
from pentathlon.learning.detectors.corpus import group_paths, house_attributes, read_corpus, read_pictures
from pentathlon.learning.detectors.looking import CHANNELS
from pentathlon.learning.detectors.loss import Losses, pair_losses, sample_pixels, vectors_at
from pentathlon.learning.detectors.queries import Batch, QueryStream, open_stream
from pentathlon.learning.detectors.settings import ImageTextSettings
from pentathlon.learning.detectors.vocabulary import UNCOMMON
from pentathlon.learning.pretraining.loop import default_device, precision
from pentathlon.learning.timed import Clock
from pentathlon.models.image_text.dense import DenseImageText, DenseShape
from pentathlon.models.image_text.minilm import load_minilm, save_minilm
from pentathlon.models.image_text.trained import MINILM, load_dense, save_dense

WARMUP_STEPS = 400
LOG_EVERY = 100
CLIP, BETA2 = 1.0, 0.98
WEIGHTS = "image-text.safetensors"
TRAINED = DenseShape(fine=3)


def train(settings: ImageTextSettings, say: Callable[[str], None] = print, shape: DenseShape | None = None) -> Path:
    """Trains within ``settings.minutes``, reading included, and returns the file of weights."""
    trainer = Trainer(settings, say, shape or TRAINED)
    trainer.run()
    return settings.out / WEIGHTS


class Trainer:
    """The network, what it learns from, and the clock."""

    def __init__(self, settings: ImageTextSettings, say: Callable[[str], None], shape: DenseShape) -> None:
        self.settings, self.say, self.clock = settings, say, Clock(settings, WARMUP_STEPS)
        self.device = default_device()
        _choose_kernels()
        torch.manual_seed(settings.seed)
        text, pieces = load_minilm(_text_model(settings))
        self.model = DenseImageText(shape, text)
        if settings.init is not None:
            _take_over(self.model, load_dense(settings.init, settings.minilm).network)
        self.model.to(self.device)
        self.model.pictures.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.tower: Callable[[Tensor], Tensor] = self.model.pictures
        self._reads, self._paths = 0, tuple[Path, ...]()
        size = shape.image_size
        self.pictures = torch.empty((0, size, size, CHANNELS), dtype=torch.uint8, device=self.device)
        if settings.compile and self.device.type == "cuda":
            self.tower = self._compiled()
        self.pieces = pieces
        self._take_in()
        self.optimizer = decaying_matrices(self.model, settings.weight_decay, BETA2)
        self.step = 0

    def run(self) -> None:
        """Takes steps until the time is up, and writes weights now and then."""
        log = _Log(self.settings.out / "log.jsonl", self.settings.batch_size, self.say)
        # What cannot be written is to be known at once.
        self.save()
        saved_s = time.monotonic()
        self.clock.start_steps()
        self.model.train()
        while (progress := self.clock.progress(self.step)) < 1.0:
            if self._may_grow():
                self._take_in()
            losses = self._update(progress)
            log.add(self.step, losses, self.clock.spent_s)
            if time.monotonic() - saved_s > 60 * self.settings.save_every_minutes:
                self.save()
                saved_s = time.monotonic()
        self.save()
        self.say(f"{self.step} steps, {self._spent()}")

    def save(self) -> None:
        """Writes the weights as they are."""
        history = {**self.history, "steps_done": self.step, "seconds": round(self.clock.spent_s)}
        save_dense(self.settings.out / WEIGHTS, self.model, history, {})

    def losses(self, batch: Batch) -> Losses:
        """Computes the losses of a batch on changed pictures."""
        frames, queries, tokens = (part.to(self.device, non_blocking=True) for part in batch)
        pixels, numbers = augmented(self.pictures[frames], self.settings.depth_share)
        with precision(self.device):
            vectors, sentences = self.tower(pixels), self.model.texts(tokens)
        at = sample_pixels(numbers, self.settings.pixels)
        things = numbers.flatten(1).gather(1, at)
        rows = torch.where(things >= 0, things + self.base[frames][:, None], 0).flatten()
        # What is kept from training may not be learnt to be nothing either.
        valid = ~self.uncommon[rows]
        places = vectors_at(vectors.float(), at, numbers.shape[-1])[valid]
        right = self.bits[rows[valid]][:, queries].all(-1)
        return pair_losses(self.model, places @ sentences.float().T, right)

    def _update(self, progress: float) -> Losses:
        for group in self.optimizer.param_groups:
            group["lr"] = self.clock.rate(self.step, progress)
        losses = self.losses(next(self.batches))
        descend(self.optimizer, losses.total(), CLIP)
        self.step += 1
        return losses

    def _take_in(self) -> None:
        """Reads all views that are there, pictures and facts at once, and begins to ask for what they show."""
        settings = self.settings
        there = group_paths(settings.views, "train", settings.groups)
        new = tuple(path for path in there if path not in self._paths)
        self._paths += new
        with ThreadPoolExecutor(1) as reader:
            pictures = reader.submit(read_pictures, new, self.device)
            corpus = read_corpus(self._paths, house_attributes(), () if settings.with_uncommon else UNCOMMON)
            self.pictures = torch.cat([self.pictures, pictures.result()])
        stream = QueryStream(corpus, self.pieces, settings.batch_size, settings.queries, settings.seed + self._reads)
        self.batches: Iterator[Batch] = open_stream(stream, settings.workers, self.device.type == "cuda")
        self.bits = torch.from_numpy(corpus.bits).to(self.device)
        self.uncommon = torch.from_numpy(corpus.uncommon).to(self.device)
        self.base = torch.from_numpy(corpus.base).to(self.device)
        self.history = {**settings.history(), "houses": corpus.houses, "views": len(corpus.base)}
        self._reads, self._read_s = self._reads + 1, time.monotonic()
        self.say(f"{corpus.houses} houses, {len(corpus.base)} views, {len(corpus.types)} objects, {self._spent()}")

    def _may_grow(self) -> bool:
        """Tells whether it is time to look for more views, and there are some."""
        minutes = self.settings.grow_minutes
        if minutes is None or time.monotonic() - self._read_s < 60 * minutes:
            return False
        self._read_s = time.monotonic()
        return len(group_paths(self.settings.views, "train", self.settings.groups)) > len(self._paths)

    def _compiled(self) -> Callable[[Tensor], Tensor]:
        """Compiles the picture tower, or goes without where that fails."""
        tower = torch.compile(self.model.pictures, dynamic=False)
        try:
            size = self.model.shape.image_size
            pixels = torch.randn(self.settings.batch_size, 4, size, size, device=self.device)
            with precision(self.device):
                vectors = tower(pixels.contiguous(memory_format=torch.channels_last))
            vectors.square().mean().backward()
        except Exception as error:  # a compiler may fail in any way; training does not depend on it
            self.say(f"Not compiled ({type(error).__name__}: {str(error)[:200]}).")
            return self.model.pictures
        self.model.zero_grad(set_to_none=True)
        self.say(f"Compiled, {self._spent()}")
        return tower

    def _spent(self) -> str:
        return f"{self.clock.spent_s:.0f} s"


def _text_model(settings: ImageTextSettings) -> Path:
    """Returns the text model to train with; one that is given is kept beside the weights, as it will be read again."""
    if settings.minilm is None:
        return MINILM
    own = settings.out / MINILM.name
    save_minilm(own, *load_minilm(settings.minilm))
    return own


def _take_over(model: DenseImageText, known: DenseImageText) -> None:
    """Begins with the tensors of another network; what only the new one has keeps its beginnings."""
    own, old = model.state_dict(), known.state_dict()
    shared = {name: tensor for name, tensor in old.items() if name in own and own[name].shape == tensor.shape}
    model.load_state_dict(shared, strict=False)


def _choose_kernels() -> None:
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    # It plans anew for each number of sentences: half of the time.
    torch.backends.cuda.enable_cudnn_sdp(False)


class _Log:
    """Mean losses and speed, a line every so many steps."""

    def __init__(self, path: Path, batch_size: int, say: Callable[[str], None]) -> None:
        self._path, self._batch_size, self._say = path, batch_size, say
        self._sum: Tensor | None = None
        self._last_step, self._last_s = 0, time.monotonic()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")

    def add(self, step: int, losses: Losses, spent_s: float) -> None:
        now = torch.stack([loss.detach() for loss in losses])
        self._sum = now if self._sum is None else self._sum + now
        if step % LOG_EVERY:
            return
        count, passed_s = step - self._last_step, time.monotonic() - self._last_s
        means = [round(value / count, 4) for value in self._sum.tolist()]
        speed = round(count * self._batch_size / passed_s, 1)
        row = {"step": step, "seconds": round(spent_s, 1), **dict(zip(Losses._fields, means, strict=True))}
        with self._path.open("a") as file:
            file.write(json.dumps({**row, "images_per_s": speed}) + "\n")
        if step % (5 * LOG_EVERY) == 0:
            self._say(f"step {step}  {spent_s:.0f} s  losses {means}  {speed:,.0f} pictures/s")
        self._sum, self._last_step, self._last_s = None, step, time.monotonic()
