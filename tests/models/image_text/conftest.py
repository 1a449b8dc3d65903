from __future__ import annotations

import pytest
import torch

from pentathlon.models.image_text.minilm import MiniLm, MiniLmShape
from pentathlon.models.image_text.word_pieces import WordPieces

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "red",
    "mug",
    "the",
    "on",
    "desk",
    "un",
    "##want",
    "##ed",
    ",",
    "?",
    "cafe",
]


@pytest.fixture
def pieces() -> WordPieces:
    return WordPieces(WORDS)


@pytest.fixture
def minilm() -> MiniLm:
    torch.manual_seed(0)
    return MiniLm(MiniLmShape(words=len(WORDS), width=24, layers=2, heads=3)).requires_grad_(False).eval()
