"""Settings of the training of the judge that sees order, free of torch so that a command line can show them at once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pentathlon.learning.timed import TimedSettings


@dataclass(frozen=True, kw_only=True)
class OrderSettings(TimedSettings):
    """The judge that sees order, on films that `pentathlon data judge-lessons` made.

    Attributes:
        films: folder of films.
        out: folder for weights and log.
        batch_size: films in a step.
        wrong: wrong descriptions beside the right one of each film.
        peak_lr: highest learning rate; of what the image-text network knew, a third of it.
        held_out: every so many kitchens one is kept to measure on.
        image_text: network to start from; the built-in one when not given.
    """

    films: Path
    out: Path = Path("trained/judge-order")
    minutes: float = 6.0
    batch_size: int = 64
    wrong: int = 15
    peak_lr: float = 6e-4
    held_out: int = 25
    image_text: Path | None = None
