"""Masked-autoencoder training on one GPU: our loop with data loading beside the plain ``transformers`` loop.

It also says how far loss and gradient are from float32 on one batch, for our fast path and for the same network run
plainly: every block whole, torch's own attention, nothing compiled.

    python bench/see_gpu.py --steps 40 --batch-size 512 --out see_gpu.json

Needs torch, numpy, safetensors, Pillow and transformers. ``--size tiny --image-size 32 --steps 3 --batch-size 4
--peak-size 256 --frames 64`` rehearses it on a CPU.
"""

from __future__ import annotations

import json
import math
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import torch
import tyro
from torch import Tensor

from pentathlon.learning.descent import decaying_matrices
from pentathlon.learning.pretraining.frames import open_mixture
from pentathlon.learning.pretraining.loop import default_device, precision
from pentathlon.learning.pretraining.mae import MaskedObjective, Sample
from pentathlon.learning.pretraining.masked_autoencoder import DECODERS, MaskedAutoencoder, blocks_of
from pentathlon.learning.pretraining.settings import MaeSettings
from pentathlon.learning.pretraining.stream import stream_batches
from pentathlon.models.encoders.vit import SIZES


@dataclass(frozen=True)
class Bench:
    """Images per second of masked-autoencoder training.

    Attributes:
        frames: frames in the memory map that ours reads from; each is 256/224 of the input size.
        peak_size: edge of the square bf16 matrices that measure the chip's peak.
    """

    size: Literal["tiny", "small", "base", "large"] = "base"
    image_size: int = 224
    batch_size: int = 512
    steps: int = 40
    warmup: int = 8
    frames: int = 20_000
    peak_size: int = 8192
    threads: int = 12
    out: Path = Path("see_gpu.json")


def main() -> None:
    bench = tyro.cli(Bench)
    device = default_device()
    torch.set_float32_matmul_precision("high")
    peak = matmul_peak(bench.peak_size, device)
    results = {"transformers_eager": reference_speed(bench, device)}
    if device.type == "cuda":
        results["transformers_compiled_fused"] = reference_speed(bench, device, fast=True)
    with tempfile.TemporaryDirectory() as folder:
        write_frames(Path(folder) / "frames.npy", bench)
        results["ours_with_data_loading"] = our_speed(bench, device, Path(folder))
        accuracy = check_accuracy(bench, device, Path(folder))
    flops = training_flops(bench.size, bench.image_size)
    report = {
        "device": torch.cuda.get_device_name() if device.type == "cuda" else "cpu",
        "torch": torch.__version__,
        "bench": {key: str(value) if isinstance(value, Path) else value for key, value in asdict(bench).items()},
        "matmul_peak_tflops": peak / 1e12,
        "gflops_per_image": flops / 1e9,
        "images_per_s": results,
        "share_of_peak": {name: speed * flops / peak for name, speed in results.items()},
        "ours_over_eager": results["ours_with_data_loading"] / results["transformers_eager"],
        "accuracy": accuracy,
    }
    bench.out.write_text(json.dumps(report, indent=2))
    print(json.dumps(report, indent=2))


def wait(device: torch.device) -> float:
    if device.type == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter()


def matmul_peak(size: int, device: torch.device) -> float:
    """Best of ten bf16 products, in FLOP/s."""
    dtype = torch.bfloat16 if device.type == "cuda" else torch.float32
    left, right = (torch.randn(size, size, device=device, dtype=dtype) for _ in range(2))
    best_s = math.inf
    for _ in range(10):
        began_s = wait(device)
        for _ in range(5):
            left @ right
        best_s = min(best_s, (wait(device) - began_s) / 5)
    return 2 * size**3 / best_s


def training_flops(size: str, image_size: int) -> float:
    """Multiply-adds count twice, the backward pass twice the forward: FLOP of one image at 75 % masking, all tokens."""
    encoder, decoder = SIZES[size], DECODERS[size]
    patches = (image_size // encoder.patch_size) ** 2
    pixels = encoder.patch_size**2 * 3
    shown = int(patches * 0.25)

    def blocks(dim: int, depth: int, tokens: int) -> float:
        return depth * (2 * tokens * 12 * dim**2 + 4 * tokens**2 * dim)

    forward = blocks(encoder.dim, encoder.depth, 1 + shown) + blocks(decoder.dim, decoder.depth, 1 + patches)
    forward += 2 * shown * pixels * encoder.dim + 2 * (1 + shown) * encoder.dim * decoder.dim
    forward += 2 * (patches - shown) * decoder.dim * pixels
    return 3 * forward


def measure(step: Callable[[], None], bench: Bench, device: torch.device) -> float:
    for _ in range(bench.warmup):
        step()
    began_s = wait(device)
    for _ in range(bench.steps):
        step()
    return bench.steps * bench.batch_size / (wait(device) - began_s)


def reference_speed(bench: Bench, device: torch.device, *, fast: bool = False) -> float:
    """The plain loop: pictures already on the device, bf16 autocast, AdamW; ``fast`` compiles and fuses."""
    from transformers import ViTMAEConfig, ViTMAEForPreTraining

    encoder, decoder = SIZES[bench.size], DECODERS[bench.size]
    config = ViTMAEConfig(
        hidden_size=encoder.dim,
        num_hidden_layers=encoder.depth,
        num_attention_heads=encoder.heads,
        intermediate_size=4 * encoder.dim,
        image_size=bench.image_size,
        decoder_hidden_size=decoder.dim,
        decoder_num_hidden_layers=decoder.depth,
        decoder_num_attention_heads=decoder.heads,
        decoder_intermediate_size=4 * decoder.dim,
        norm_pix_loss=True,
    )
    model: torch.nn.Module = ViTMAEForPreTraining(config)
    model.to(device).train()
    forward = torch.compile(model) if fast else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4, betas=(0.9, 0.95), weight_decay=0.05, fused=fast or None)
    pixels = torch.randn(bench.batch_size, 3, bench.image_size, bench.image_size, device=device)

    def step() -> None:
        with precision(device):
            loss = forward(pixels).loss
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()

    return measure(step, bench, device)


def our_speed(bench: Bench, device: torch.device, folder: Path) -> float:
    """Our loop as it trains: memory map, threads, pinned copies, crops on the device, compiled model."""
    settings = our_settings(bench, folder)
    objective = MaskedObjective(settings, device)
    optimizer = decaying_matrices(objective.module, settings.weight_decay, settings.beta2)
    for group in optimizer.param_groups:
        group["lr"] = 1e-4
    generator = torch.Generator(device).manual_seed(0)
    batches = our_batches(settings, device, bench)

    def step() -> None:
        with precision(device):
            loss = objective.loss(next(batches), generator)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()

    return measure(step, bench, device)


def our_settings(bench: Bench, folder: Path) -> MaeSettings:
    return MaeSettings(
        data=(str(folder / "frames.npy"),),
        out=folder,
        batch_size=bench.batch_size,
        size=bench.size,
        image_size=bench.image_size,
        threads=bench.threads,
    )


def our_batches(settings: MaeSettings, device: torch.device, bench: Bench) -> Iterator[Tensor]:
    mixture = open_mixture(settings.data, frame_size=0, cache=settings.out)
    steps = range(bench.warmup + bench.steps)
    return stream_batches(
        mixture, batch_size=bench.batch_size, steps=steps, seed=0, device=device, threads=bench.threads
    )


@dataclass(frozen=True)
class Outcome:
    """A loss with its gradients, in the parameters' order."""

    loss: Tensor
    gradients: tuple[Tensor, ...]


def check_accuracy(bench: Bench, device: torch.device, folder: Path) -> dict[str, float]:
    """Losses, and how far gradients are from float32's as a share of their length."""
    settings = our_settings(bench, folder)
    model, sample = make_sample(settings, device, bench)
    with precision(device):
        fast = outcome(model, model(*sample))
        plain = outcome(model, plain_loss(model, sample))
    torch.set_float32_matmul_precision("highest")
    exact = outcome(model, plain_loss(model, Sample(sample.patches.float(), sample.noise)))
    torch.set_float32_matmul_precision("high")
    return {
        "float32_loss": exact.loss.item(),
        "plain_loss": plain.loss.item(),
        "fast_loss": fast.loss.item(),
        "plain_gradient_error": gradient_error(plain, exact),
        "fast_gradient_error": gradient_error(fast, exact),
    }


def make_sample(settings: MaeSettings, device: torch.device, bench: Bench) -> tuple[MaskedAutoencoder, Sample]:
    """A network whose parameters are all moved a little, so that every bias counts, and one batch for it."""
    objective = MaskedObjective(settings, device)
    generator = torch.Generator(device).manual_seed(1)
    with torch.no_grad():
        for parameter in objective.module.parameters():
            parameter.add_(0.01 * torch.randn(parameter.shape, generator=generator, device=device))
    return objective.module, objective.draw(next(our_batches(settings, device, bench)), generator)


def plain_loss(model: MaskedAutoencoder, sample: Sample) -> Tensor:
    """The loss by the encoder's own blocks, with every token computed to the end."""
    order = sample.noise.argsort(dim=1)
    shown, hidden = order[:, : model.visible], order[:, model.visible :]
    # Unbound methods, for those of the model are compiled.
    x = MaskedAutoencoder.embed(model, sample.patches, shown)
    for block in blocks_of(model.encoder.blocks):
        x = block(x)
    x = MaskedAutoencoder.hand_over(model, x, shown, hidden)
    for block in blocks_of(model.decoder_blocks):
        x = block(x)
    return MaskedAutoencoder.loss(model, x[:, 1 + model.visible :], sample.patches, hidden)


def outcome(model: MaskedAutoencoder, loss: Tensor) -> Outcome:
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return Outcome(loss.detach(), torch.autograd.grad(loss, trained))


def gradient_error(found: Outcome, exact: Outcome) -> float:
    pairs = zip(found.gradients, exact.gradients, strict=True)
    apart = torch.stack([(ours - theirs).norm() for ours, theirs in pairs])
    size = torch.stack([gradient.norm() for gradient in exact.gradients])
    return float(apart.norm() / size.norm())


def write_frames(path: Path, bench: Bench) -> None:
    """Writes pictures of random squares, eight pixels wide: the gradient of pure noise would be noise."""
    edge = round(bench.image_size * 256 / 224)
    frames = np.lib.format.open_memmap(path, mode="w+", dtype=np.uint8, shape=(bench.frames, edge, edge, 3))
    generator = np.random.default_rng(0)
    squares = math.ceil(edge / 8)
    for start in range(0, bench.frames, 512):
        count = min(512, bench.frames - start)
        coarse = generator.integers(0, 256, (count, squares, squares, 3), dtype=np.uint8)
        frames[start : start + count] = coarse.repeat(8, axis=1).repeat(8, axis=2)[:, :edge, :edge]
    frames.flush()


if __name__ == "__main__":
    main()
