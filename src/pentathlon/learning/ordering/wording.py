"""Says a step in other words, so that a judge learns more than the films' own."""

from __future__ import annotations

import re

import numpy as np

OTHER_WORDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\bpick up\b", ("take", "grab", "lift", "pick up")),
    (r"^put\b", ("place", "lay", "put", "set")),
    (r"\bheat\b", ("warm up", "warm", "microwave", "heat up")),
    (r"\bcool\b", ("chill", "cool down", "refrigerate")),
    (r"\bclean\b", ("wash", "rinse")),
    (r"^slice\b", ("cut", "cut up", "chop")),
    (r"\bturn on\b", ("switch on", "activate")),
    (r"\bturn off\b", ("switch off", "deactivate")),
    (r"\bobserve\b", ("look at", "see", "watch")),
    (r" in the (\w+) under running water\b", (r" in the \1", " under running water", " in the sink")),
    (r"\bcounter top\b", ("counter", "countertop", "kitchen counter")),
    (r"\bdining table\b", ("table",)),
    (r"\bfridge\b", ("refrigerator",)),
    (r"\b(an?|the) (?=\w)", ("the ", "a ", "")),
)
CHANCE = 0.35


def reworded(step: str, rng: np.random.Generator) -> str:
    """Returns a step with some of its words replaced."""
    for pattern, choices in OTHER_WORDS:
        if rng.random() < CHANCE:
            step = re.sub(pattern, choices[int(rng.integers(len(choices)))], step)
    return step
