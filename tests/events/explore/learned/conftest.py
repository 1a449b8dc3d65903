"""A reader of two rooms' worth of words, untrained, and an encoder of mean colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from pentathlon.core import EncoderSpec, Features
from pentathlon.events.explore.learned.reader import Reader
from pentathlon.events.explore.learned.reading import small_t5
from pentathlon.events.explore.learned.settings import ReaderSettings
from pentathlon.events.explore.learned.words import known_words, make_tokenizer


class Means:
    """An encoder of mean colours."""

    spec = EncoderSpec(dim=3, image_size=(16, 16))

    def encode(self, images: Any) -> Features:
        return Features(images.mean((1, 2)).astype(np.float32) / 255)


@pytest.fixture
def means() -> Means:
    return Means()


@pytest.fixture
def small_reader() -> Reader:
    tokenizer = make_tokenizer(known_words(["is there a red metal mug in the kitchen?", "yes no 0 1 2 3 and"]))
    torch.manual_seed(0)
    settings = ReaderSettings(to=Path(), lessons=Path(), width=8, layers=1, heads=2)
    return Reader(small_t5(settings, tokenizer), tokenizer, beams=2)
