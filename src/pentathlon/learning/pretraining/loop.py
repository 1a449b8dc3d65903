"""The loop that masked and contrastive pre-training share: schedule, precision, checkpoints, resuming."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from pentathlon.core.errors import DataError, UsageError
from pentathlon.core.identity import derive_seed, to_plain
from pentathlon.learning.descent import decaying_matrices, descend
from pentathlon.learning.pretraining.frames import open_mixture
from pentathlon.learning.pretraining.settings import Settings
from pentathlon.learning.pretraining.stream import stream_batches
from pentathlon.models.encoders.resnet import ResNet
from pentathlon.models.encoders.trained import save_trained
from pentathlon.models.encoders.vit import ViT
from pentathlon.models.weights import read_checkpoint, write_checkpoint


class Objective(Protocol):
    """A loss to train an encoder by."""

    @property
    def module(self) -> nn.Module:
        """All parameters and buffers that a checkpoint must hold."""
        ...

    @property
    def encoder(self) -> ViT | ResNet:
        """What is kept in the end."""
        ...

    @property
    def image_size(self) -> int:
        """Edge of the network's input in pixels."""
        ...

    def loss(self, frames: Tensor, generator: torch.Generator) -> Tensor:
        """Returns the loss of uint8 ``frames[B, H, W, 3]``; all randomness is the generator's."""
        ...

    def after_step(self, progress: float) -> None:
        """Follows an update; ``progress`` runs from 0 to 1."""
        ...


def check_length(epochs: float, batch_size: int) -> None:
    """Refuses a training of no step.

    Raises:
        UsageError: naming what to raise.
    """
    if not 0 < epochs < math.inf:
        raise UsageError(f"Expected more than 0 epochs, got {epochs}. Give a number such as 100.")
    if batch_size < 1:
        raise UsageError(f"Expected at least 1 frame per step, got a batch size of {batch_size}. Raise it.")


def learning_rate(step: int, steps: int, settings: Settings) -> float:
    """Rises linearly, then falls as half a cosine to zero."""
    peak = settings.base_lr * settings.batch_size / 256
    warmup = max(1, round(settings.warmup_share * steps))
    if step < warmup:
        return peak * (step + 1) / warmup
    return peak * 0.5 * (1 + math.cos(math.pi * (step - warmup) / max(1, steps - warmup)))


def train(objective: Objective, settings: Settings) -> Path:
    """Trains until the steps are done (or the time is up) and returns the encoder's file.

    The same call continues from ``checkpoint.safetensors`` in ``settings.out``; what follows is what would have
    followed without the break.

    Raises:
        UsageError: when the settings ask for no step.
        DataError: when that checkpoint was made under other settings.
    """
    check_length(settings.epochs, settings.batch_size)
    device = next(objective.module.parameters()).device
    frame_size = round(objective.image_size * 256 / 224)
    mixture = open_mixture(settings.data, frame_size=frame_size, cache=settings.out / "frames")
    steps = math.ceil(settings.epochs * mixture.frames / settings.batch_size)
    optimizer = decaying_matrices(objective.module, settings.weight_decay, settings.beta2)
    identity = {**shaping(settings), "steps": steps}
    first = restore(settings.out, objective.module, optimizer, identity)
    batches = stream_batches(
        mixture,
        batch_size=settings.batch_size,
        steps=range(first, steps),
        seed=settings.seed,
        device=device,
        threads=settings.threads,
    )
    done, loss = _loop(objective, settings, optimizer, batches, first, steps, identity)
    write_state(settings.out, objective.module, optimizer, done, identity)
    history = {**identity, "done": done, "loss": loss, "command": " ".join(["python", *sys.argv])}
    save_trained(settings.out / "encoder.safetensors", objective.encoder, history=history)
    return settings.out / "encoder.safetensors"


def _loop(
    objective: Objective,
    settings: Settings,
    optimizer: torch.optim.AdamW,
    batches: Iterator[Tensor],
    first: int,
    steps: int,
    identity: dict[str, Any],
) -> tuple[int, float]:
    device = next(objective.module.parameters()).device
    generator = torch.Generator(device)
    log = TrainingLog(settings.out / "log.jsonl", first, steps, settings.batch_size)
    began_s, step, loss = time.monotonic(), first, torch.tensor(math.nan)
    objective.module.train()
    for step, frames in enumerate(batches, start=first):
        rate = learning_rate(step, steps, settings)
        for group in optimizer.param_groups:
            group["lr"] = rate
        generator.manual_seed(derive_seed("views", settings.seed, step))
        with precision(device):
            loss = objective.loss(frames, generator)
        descend(optimizer, loss)
        objective.after_step((step + 1) / steps)
        if (step + 1) % settings.log_every == 0 or step + 1 == steps:
            log.write(step + 1, loss.item(), rate)
        if (step + 1) % settings.save_every == 0:
            write_state(settings.out, objective.module, optimizer, step + 1, identity)
        if settings.stop_after_s is not None and time.monotonic() - began_s > settings.stop_after_s:
            return step + 1, loss.item()
    return steps, loss.item()


def default_device() -> torch.device:
    """The GPU if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def precision(device: torch.device) -> AbstractContextManager[Any]:
    """bfloat16 where the device is fast at it, float32 elsewhere."""
    return torch.autocast("cuda", dtype=torch.bfloat16) if device.type == "cuda" else nullcontext()


def shaping(settings: Settings) -> dict[str, Any]:
    """The settings that shape the numbers; where and how fast does not."""
    free = ("out", "save_every", "log_every", "stop_after_s", "threads", "compile")
    return {key: to_plain(value) for key, value in asdict(settings).items() if key not in free}


def write_state(
    out: Path, module: nn.Module, optimizer: torch.optim.AdamW, step: int, identity: dict[str, Any]
) -> None:
    """Writes parameters, buffers and AdamW's moments as one file, so that they cannot disagree."""
    tensors = {f"module.{name}": tensor for name, tensor in module.state_dict().items()}
    for name, parameter in module.named_parameters():
        for key, value in optimizer.state.get(parameter, {}).items():
            tensors[f"optimizer.{key}.{name}"] = value
    write_checkpoint(out / "checkpoint.safetensors", tensors, {"step": step, "identity": identity})


def restore(out: Path, module: nn.Module, optimizer: torch.optim.AdamW, identity: dict[str, Any]) -> int:
    """Fills module and optimizer from the checkpoint, if there is one, and returns the next step."""
    path = out / "checkpoint.safetensors"
    if not path.exists():
        return 0
    checkpoint = read_checkpoint(path)
    made_under = json.loads(checkpoint.metadata["identity"])
    differing = sorted(key for key in {*identity, *made_under} if made_under.get(key) != identity.get(key))
    if differing:
        raise DataError(
            f"{path} was made with other {', '.join(differing)}. Repeat its settings or choose another folder."
        )
    tensors = checkpoint.tensors
    prefix = "module."
    module.load_state_dict({name.removeprefix(prefix): t for name, t in tensors.items() if name.startswith(prefix)})
    for name, parameter in module.named_parameters():
        if f"optimizer.step.{name}" in tensors:
            device = parameter.device
            moments = {key: tensors[f"optimizer.{key}.{name}"].to(device) for key in ("exp_avg", "exp_avg_sq")}
            count = tensors[f"optimizer.step.{name}"]
            optimizer.state[parameter] = {"step": count.to(device) if parameter.is_cuda else count, **moments}
    return int(json.loads(checkpoint.metadata["step"]))


class TrainingLog:
    """Lines of loss and speed, on disk as JSON and on the screen."""

    def __init__(self, path: Path, first: int, steps: int, batch_size: int) -> None:
        self._path, self._steps, self._batch_size = path, steps, batch_size
        self._last_step, self._last_s = first, time.monotonic()
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = [line for line in _lines(path) if json.loads(line)["step"] <= first]
        path.write_text("".join(f"{line}\n" for line in kept))

    def write(self, step: int, loss: float, rate: float) -> None:
        """Appends a line."""
        now_s = time.monotonic()
        speed = (step - self._last_step) * self._batch_size / max(now_s - self._last_s, 1e-9)
        self._last_step, self._last_s = step, now_s
        row = {"step": step, "loss": round(loss, 6), "lr": rate, "images_per_s": round(speed, 1)}
        with self._path.open("a") as file:
            file.write(json.dumps(row) + "\n")
        left_s = (self._steps - step) * self._batch_size / max(speed, 1e-9)
        print(f"step {step}/{self._steps}  loss {loss:.4f}  {speed:,.0f} images/s  {left_s:,.0f} s left", flush=True)


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []
