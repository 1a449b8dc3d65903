"""Training for some minutes: its settings, and the clock that the learning rate follows. Imports no torch."""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass, fields
from typing import Any

from pentathlon.core.identity import to_plain


@dataclass(frozen=True, kw_only=True)
class TimedSettings:
    """A training of some minutes.

    Attributes:
        minutes: length of the training; the learning rate follows the clock.
        steps: most steps, if the clock leaves more.
        peak_lr: highest learning rate.
    """

    minutes: float
    steps: int = 1_000_000
    batch_size: int
    peak_lr: float
    weight_decay: float = 0.05
    seed: int = 0

    def history(self) -> dict[str, Any]:
        """Returns what weights tell of their training: all settings but places on this machine, and the command."""
        names = [field.name for field in fields(self) if "Path" not in str(field.type)]
        told = {name: to_plain(getattr(self, name)) for name in names}
        return {**told, "command": " ".join(["pentathlon", *sys.argv[1:]])}


class Clock:
    """Tells how far a training is.

    Args:
        settings: its length and its highest rate.
        warmup_steps: in which the rate rises.
    """

    def __init__(self, settings: TimedSettings, warmup_steps: int) -> None:
        self._settings, self._warmup_steps = settings, warmup_steps
        self.began_s = self._first_step_s = time.monotonic()

    @property
    def spent_s(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self.began_s

    def start_steps(self) -> None:
        """Ends the preparation: the share of the time counts from here, the limit from the beginning."""
        self._first_step_s = time.monotonic()

    def progress(self, step: int) -> float:
        """Share of the steps, or of the time since the first one, that is over."""
        whole_s = max(1e-9, 60 * self._settings.minutes - (self._first_step_s - self.began_s))
        return max(step / self._settings.steps, (time.monotonic() - self._first_step_s) / whole_s)

    def rate(self, step: int, progress: float) -> float:
        """The learning rate: it rises with the steps, and falls as half a cosine."""
        rise = min(1.0, (step + 1) / self._warmup_steps)
        return self._settings.peak_lr * rise * (0.5 + 0.5 * math.cos(math.pi * progress))
