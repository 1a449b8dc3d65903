"""Reading arrays on disk onto a device."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import torch

READERS = 12


def read_stacked(paths: Sequence[Path], device: torch.device) -> torch.Tensor:
    """Returns ``uint8`` arrays of ``.npy`` files, one after the other along their first axis, on a device."""
    files = [np.load(path, mmap_mode="c") for path in paths]
    starts = np.cumsum([0, *(len(file) for file in files)])
    whole = torch.empty((int(starts[-1]), *files[0].shape[1:]), dtype=torch.uint8, device=device)

    def read(i: int) -> None:
        whole[starts[i] : starts[i + 1]].copy_(torch.from_numpy(files[i]))

    with ThreadPoolExecutor(READERS) as readers:
        list(readers.map(read, range(len(files))))
    return whole
