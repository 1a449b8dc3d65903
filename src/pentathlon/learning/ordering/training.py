"""Trains the judge that sees order for some minutes; the learning rate follows the clock.

Three losses: which known step each frame belongs to, which of several descriptions is the film's, and whether each of
them is. The last two go through the alignment itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from pentathlon.learning.descent import descend
from pentathlon.learning.ordering.batches import Batch, FilmDraws
from pentathlon.learning.ordering.lessons import read_library
from pentathlon.learning.ordering.settings import OrderSettings
from pentathlon.learning.ordering.wording import reworded
from pentathlon.learning.pretraining.loop import default_device, precision
from pentathlon.learning.timed import Clock
from pentathlon.models.image_text.dense import SENTENCE_TOKENS, prepare
from pentathlon.models.image_text.minilm import load_minilm
from pentathlon.models.image_text.trained import MINILM, load_dense
from pentathlon.models.judges.dense import BUILTIN as IMAGE_TEXT
from pentathlon.models.judges.ordering.alignment import IMPOSSIBLE, ordered_fit
from pentathlon.models.judges.ordering.network import OrderNetwork, OrderShape, start_from
from pentathlon.models.judges.ordering.trained import save_order

WEIGHTS = "judge-order.safetensors"
WARMUP_STEPS = 200
LOG_EVERY = 50
CLIP = 1.0
VERSIONS = 6
"""Wordings of each step; the first is the films' own."""
GAIN, SHIFT, NOISE, MOST_SHIFTED_PX = 0.3, 0.3, 0.05, 6


class Losses(NamedTuple):
    """Means over a batch: of frames, of the choice among descriptions, of verdicts; and how many choices are right."""

    frames: Tensor
    choice: Tensor
    verdict: Tensor
    right: Tensor

    def total(self) -> Tensor:
        """What is made small."""
        return self.frames + self.choice + 0.5 * self.verdict


def train(settings: OrderSettings, say: Callable[[str], None] = print, shape: OrderShape | None = None) -> Path:
    """Trains within ``settings.minutes``, reading included, and returns the file of weights."""
    trainer = Trainer(settings, say, shape or OrderShape())
    trainer.run()
    return settings.out / WEIGHTS


class Trainer:
    """The network, the films that it learns from, and the clock."""

    def __init__(self, settings: OrderSettings, say: Callable[[str], None], shape: OrderShape) -> None:
        self.settings, self.say, self.clock = settings, say, Clock(settings, WARMUP_STEPS)
        self.device = default_device()
        torch.manual_seed(settings.seed)
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
        torch.backends.cudnn.benchmark = True
        library = read_library(settings.films, self.device)
        self.draws = FilmDraws(library, shape.frames, settings.wrong, settings.held_out, settings.seed)
        text, self.pieces = load_minilm(MINILM)
        network = OrderNetwork(shape, text)
        taken = start_from(network, load_dense(settings.image_text or IMAGE_TEXT))
        self.network = network.to(self.device)
        self.network.pictures.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.tokens = self._tokens(np.random.default_rng(settings.seed))
        self.optimizer = _optimizer(self.network, settings)
        self.step = 0
        kitchens, steps = len(np.unique(library.kitchens)), len(self.draws.steps)
        self.facts = {"kitchens": kitchens, "films": len(library.lessons), "frames": len(library.frames)}
        say(f"{self.facts}, {steps} known steps, {taken} tensors taken over, {self._spent()}")

    def run(self) -> None:
        """Takes steps until the time is up, and measures on kitchens never learnt from."""
        self.settings.out.mkdir(parents=True, exist_ok=True)
        # What cannot be written is to be known at once.
        self.save({})
        self.clock.start_steps()
        self.network.train()
        sums = torch.zeros(len(Losses._fields), device=self.device)
        with ThreadPoolExecutor(1) as ahead:
            batch = ahead.submit(self.draws.draw, self.settings.batch_size)
            while (progress := self.clock.progress(self.step)) < 1.0:
                now, batch = batch.result(), ahead.submit(self.draws.draw, self.settings.batch_size)
                sums += torch.stack([loss.detach() for loss in self._update(now, progress)])
                if self.step % LOG_EVERY == 0:
                    self._tell((sums / LOG_EVERY).tolist())
                    sums.zero_()
        self.save(self.measure())

    def measure(self, most: int = 512) -> dict[str, float]:
        """Returns the losses on films of kitchens that were held out, and how often the right description wins."""
        self.network.eval()
        films = self.draws.held_out[:most]
        parts = [films[at : at + self.settings.batch_size] for at in range(0, len(films), self.settings.batch_size)]
        with torch.inference_mode():
            rows = [torch.stack(list(self.losses(self.draws.take(part, None), learning=False))) for part in parts]
        weights = torch.tensor([len(part) for part in parts], device=self.device)
        means = (torch.stack(rows) * weights[:, None]).sum(0) / weights.sum() if rows else torch.zeros(4)
        found = {name: round(value, 4) for name, value in zip(Losses._fields, means.tolist(), strict=True)}
        self.say(f"held out ({len(films)} films): {found}, {self._spent()}")
        return found

    def save(self, measured: dict[str, float]) -> None:
        """Writes the weights as they are."""
        self.network.eval()
        with torch.inference_mode():
            known = self.network.texts(self.tokens[0])
        done = {"steps_done": self.step, "held_out_measures": measured}
        history = {**self.settings.history(), **self.facts, **done}
        save_order(self.settings.out / WEIGHTS, self.network, self.draws.steps, known, history)

    def losses(self, batch: Batch, learning: bool = True) -> Losses:
        """Computes the losses of a batch."""
        pixels = prepare(batch.frames.flatten(0, 1), None)
        if learning:
            pixels = _changed(pixels, batch.frames.shape[1])
        versions = int(torch.randint(VERSIONS, ())) if learning else 0
        with precision(self.device):
            films = self.network.films(pixels.view(*batch.frames.shape[:2], *pixels.shape[1:]))
            steps = self.network.texts(self.tokens[versions])
        likely = F.log_softmax(self.network.fits(films.float(), steps.float()), dim=-1)
        frames = F.nll_loss(likely.flatten(0, 1), batch.labels.flatten())
        there = batch.lengths > 0
        fits = _gathered(likely, batch.lists)
        whole = ordered_fit(fits, batch.lengths.clamp(min=1))
        scores = torch.where(there, whole * self.network.sharpness.exp(), IMPOSSIBLE)
        choice = -F.log_softmax(scores, dim=1)[:, 0].mean()
        logits = self.network.gain * whole / fits.shape[-2] + self.network.offset
        true = torch.zeros_like(logits)
        true[:, 0] = 1.0
        weight = torch.where(true > 0, there.sum(dim=1, keepdim=True).float() / 4, 1.0) * there
        verdict = F.binary_cross_entropy_with_logits(logits, true, weight, reduction="sum") / weight.sum()
        return Losses(frames, choice, verdict, (scores.argmax(dim=1) == 0).float().mean())

    def _update(self, batch: Batch, progress: float) -> Losses:
        for group in self.optimizer.param_groups:
            group["lr"] = group["share"] * self.clock.rate(self.step, progress)
        losses = self.losses(batch)
        descend(self.optimizer, losses.total(), CLIP)
        self.step += 1
        return losses

    def _tokens(self, rng: np.random.Generator) -> Tensor:
        """Token numbers ``[VERSIONS, K, L]`` of all known steps in several wordings."""
        rows = [self.draws.steps, *([reworded(step, rng) for step in self.draws.steps] for _ in range(VERSIONS - 1))]
        tables = np.stack([self.pieces(list(row), SENTENCE_TOKENS) for row in rows])
        return torch.from_numpy(tables).to(self.device)

    def _tell(self, means: list[float]) -> None:
        row = dict(zip(Losses._fields, (round(value, 4) for value in means), strict=True))
        with (self.settings.out / "log.jsonl").open("a") as file:
            file.write(json.dumps({"step": self.step, "seconds": round(self.clock.spent_s), **row}) + "\n")
        if self.step % (4 * LOG_EVERY) == 0:
            self.say(f"step {self.step}: {row}, {self._spent()}")

    def _spent(self) -> str:
        return f"{self.clock.spent_s:.0f} s"


def _gathered(likely: Tensor, lists: Tensor) -> Tensor:
    """Returns ``[B, K, T, L]``: of each description's steps the likelihood in each frame."""
    count, frames, _ = likely.shape
    flat = lists.flatten(1)[:, None].expand(-1, frames, -1)
    return likely.gather(2, flat).view(count, frames, *lists.shape[1:]).permute(0, 2, 1, 3)


def _changed(pixels: Tensor, frames: int) -> Tensor:
    """Changes light and place alike in all frames of a film, and adds noise to each."""
    films = len(pixels) // frames

    def draw(width: float) -> Tensor:
        return (width * (torch.rand(films, 3, 1, 1, device=pixels.device) - 0.5)).repeat_interleave(frames, dim=0)

    colours = pixels[:, :3] * (1 + draw(GAIN)) + draw(SHIFT) + NOISE * torch.randn_like(pixels[:, :3])
    shift = 2 * MOST_SHIFTED_PX / pixels.shape[-1]
    maps = torch.eye(2, 3, device=pixels.device).repeat(films, 1, 1)
    maps[:, :, 2] = shift * (2 * torch.rand(films, 2, device=pixels.device) - 1)
    maps[:, 0, 0] = maps[:, 1, 1] = 1 - shift * torch.rand(films, device=pixels.device)
    grid = F.affine_grid(maps, [films, 3, *pixels.shape[2:]], align_corners=False).repeat_interleave(frames, dim=0)
    seen = F.grid_sample(colours, grid, padding_mode="border", align_corners=False)
    return torch.cat([seen, pixels[:, 3:]], dim=1)


def _optimizer(network: OrderNetwork, settings: OrderSettings) -> torch.optim.AdamW:
    """What was known before changes more slowly; vectors and numbers do not decay."""
    groups: dict[tuple[bool, bool], list[nn.Parameter]] = {}
    for name, parameter in network.named_parameters():
        if parameter.requires_grad:
            old = name.startswith(("pictures.st", "pictures.context", "texts."))
            groups.setdefault((old, parameter.ndim > 1), []).append(parameter)
    rows: list[dict[str, Any]] = [
        {"params": parameters, "share": 0.33 if old else 1.0, "weight_decay": settings.weight_decay if matrix else 0.0}
        for (old, matrix), parameters in groups.items()
    ]
    return torch.optim.AdamW(rows, lr=0.0, betas=(0.9, 0.98), fused=next(network.parameters()).is_cuda)
