"""Batches from memory maps to the device, read by threads and copied while the device works."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor

from pentathlon.core.identity import derive_seed
from pentathlon.learning.pretraining.frames import Draw, Mixture

READ_AHEAD = 3


def stream_batches(
    mixture: Mixture, *, batch_size: int, steps: range, seed: int, device: torch.device, threads: int = 8
) -> Iterator[Tensor]:
    """Yields one uint8 batch ``[B, H, W, 3]`` on ``device`` for each step; a batch depends on (seed, step) only."""
    shape = (batch_size, *mixture.frame_shape)
    cuda = device.type == "cuda"
    free = deque(torch.empty(shape, dtype=torch.uint8, pin_memory=cuda) for _ in range(READ_AHEAD + 1))
    waiting: deque[tuple[Tensor, list[Future[None]]]] = deque()
    copies = torch.cuda.Stream(device) if cuda else None  # type: ignore[no-untyped-call]
    remaining = iter(steps)
    with ThreadPoolExecutor(threads) as pool:

        def read_next() -> None:
            step = next(remaining, None)
            if step is not None:
                host = free.popleft()
                waiting.append((host, _read(mixture, seed, step, host, pool, threads)))

        for _ in range(READ_AHEAD):
            read_next()
        while waiting:
            host, reads = waiting.popleft()
            for read in reads:
                read.result()
            batch = _to_device(host, device, copies)
            free.append(host)
            read_next()
            yield batch


def _read(
    mixture: Mixture, seed: int, step: int, host: Tensor, pool: ThreadPoolExecutor, parts: int
) -> list[Future[None]]:
    draw = mixture.draw(len(host), np.random.default_rng(derive_seed("frames", seed, step)))
    out = host.numpy()
    bounds = np.linspace(0, len(host), parts + 1).astype(int)
    return [
        pool.submit(mixture.read, Draw(draw.shard[start:stop], draw.row[start:stop]), out[start:stop])
        for start, stop in pairwise(bounds)
        if stop > start
    ]


def _to_device(host: Tensor, device: torch.device, copies: torch.cuda.Stream | None) -> Tensor:
    if copies is None:
        return host.clone()
    with torch.cuda.stream(copies):
        batch = host.to(device, non_blocking=True)
    # The host buffer is filled again next; by then the device is a step ahead, so this rarely waits.
    copies.synchronize()
    batch.record_stream(torch.cuda.current_stream(device))
    return batch
