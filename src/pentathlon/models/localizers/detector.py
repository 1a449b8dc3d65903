"""What the detectors share: a released network, its tokenizer, and thresholds on its scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import torch

from pentathlon.models.localizers.thresholds import Thresholds


class Detector(ABC):
    """A detector on a GPU, where there is one.

    Args:
        network: as transformers builds it.
        tokenizer: the network's own.
        name: as records show it.
        thresholds: on the scale of its scores.
        device: where it runs; a GPU if there is one when not given.
    """

    def __init__(
        self, network: Any, tokenizer: Any, name: str, thresholds: Thresholds, device: str | None = None
    ) -> None:
        self.name = name
        self._device = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
        self._network, self._tokenizer, self._thresholds = network.eval().to(self._device), tokenizer, thresholds
        self._read_sizes(network.config)

    @abstractmethod
    def _read_sizes(self, config: Any) -> None:
        """Takes what it needs from the network's configuration."""
