"""BERT's uncased WordPiece tokenizer, for English."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

PAD, UNKNOWN, BEGIN, END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
LONGEST_WORD = 100
_WORDS = re.compile(r"[^\W_]+|[^\w\s]|_")


class WordPieces:
    """Cuts sentences into the numbers of known pieces, longest first."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self._number = {word: i for i, word in enumerate(words)}
        self._unknown = self._number[UNKNOWN]
        self._known: dict[str, list[int]] = {}

    def numbers(self, text: str, longest: int) -> list[int]:
        """Returns the numbers of a sentence between its marks; what goes beyond ``longest`` is cut."""
        plain = unicodedata.normalize("NFD", text.lower())
        plain = "".join(letter for letter in plain if unicodedata.category(letter) != "Mn")
        pieces = [piece for word in _WORDS.findall(plain) for piece in self._pieces(word)]
        return [self._number[BEGIN], *pieces[: longest - 2], self._number[END]]

    def __call__(self, texts: Sequence[str], length: int) -> npt.NDArray[np.int64]:
        """Returns the numbers of sentences as ``[K, length]``, filled up with zeros."""
        table = np.full((len(texts), length), self._number[PAD], np.int64)
        for row, text in zip(table, texts, strict=True):
            numbers = self.numbers(text, length)
            row[: len(numbers)] = numbers
        return table

    def _pieces(self, word: str) -> list[int]:
        if word not in self._known:
            self._known[word] = self._cut(word)
        return self._known[word]

    def _cut(self, word: str) -> list[int]:
        pieces: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(len(word), start, -1) if len(word) <= LONGEST_WORD else ()
            end = next((end for end in ends if mark + word[start:end] in self._number), None)
            if end is None:
                return [self._unknown]
            pieces.append(self._number[mark + word[start:end]])
            start = end
        return pieces
