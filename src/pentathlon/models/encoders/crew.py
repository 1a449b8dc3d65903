"""Threads that share out a batch: torch, MuJoCo and the ray caster let them run side by side on a CPU."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import torch

from pentathlon.core.closing import Closing
from pentathlon.core.entrants import Encoder, Floats, Images
from pentathlon.models.encoders.checked import checked_encode
from pentathlon.models.encoders.torch_encoder import TorchEncoder
from pentathlon.storage.cpus import usable_cpus

Result = TypeVar("Result")
ENCODE_BATCH = 64


class Crew(Closing):
    """A few threads, each with one core for its arithmetic; what they compute does not depend on their number."""

    def __init__(self, threads: int | None = None) -> None:
        self.threads = usable_cpus() if threads is None else threads
        self._pool = ThreadPoolExecutor(self.threads, initializer=torch.set_num_threads, initargs=(1,))

    def close(self) -> None:
        """Ends the threads."""
        self._pool.shutdown()

    def each(self, work: Callable[..., Result], *items: Iterable[Any]) -> list[Result]:
        """Calls ``work`` for every row of ``items`` and returns the results in order."""
        return list(self._pool.map(work, *items))

    def encode(self, encoder: Encoder, images: Images) -> Floats:
        """Returns the checked pooled features of ``images[B, H, W, 3]``.

        A torch network on a CPU encodes a few images at a time, so a batch is shared out; any other encoder gets it
        whole, since only it knows whether it may be called from several threads.
        """
        if not (isinstance(encoder, TorchEncoder) and encoder.device.type == "cpu"):
            return checked_encode(encoder, images).pooled
        shares = np.array_split(images, min(self.threads, len(images)))
        return np.concatenate(self.each(lambda share: checked_encode(encoder, share).pooled, shares))


def device_of(encoder: Encoder) -> str:
    """Where an encoder computes: features of another kind of device differ in their last digits."""
    return encoder.device.type if isinstance(encoder, TorchEncoder) else "cpu"


def encode_frames(encoder: Encoder, frames: Iterable[Images], crew: Crew) -> Floats:
    """Returns the pooled features ``[N, D]`` of single pictures ``[H, W, 3]``, of which few are held at a time."""
    pooled, waiting = [], iter(frames)
    while batch := list(islice(waiting, ENCODE_BATCH)):
        pooled.append(crew.encode(encoder, np.stack(batch)))
    return np.concatenate(pooled)
