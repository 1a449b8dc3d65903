"""The words of questions and the answers to them, as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentathlon.core.errors import UnknownIdError

PAD, UNKNOWN = 0, 1
LONGEST = 48
"""Words of a question beyond this many are left out."""


@dataclass(frozen=True)
class Vocabulary:
    """Known words and answers, each in alphabetical order; places 0 and 1 are no word and an unknown one."""

    words: tuple[str, ...]
    answers: tuple[str, ...]

    @staticmethod
    def of(questions: Iterable[str], answers: Iterable[str]) -> Vocabulary:
        """Takes the words of training questions and their answers."""
        words = {word for question in questions for word in split_words(question)}
        return Vocabulary(tuple(sorted(words)), tuple(sorted(set(answers))))

    @property
    def size(self) -> int:
        """How many numbers stand for words."""
        return len(self.words) + 2

    def encode(self, questions: Sequence[str]) -> NDArray[np.int64]:
        """Returns the words of questions as numbers [N, LONGEST], filled up with no words."""
        places = {word: i + 2 for i, word in enumerate(self.words)}
        rows = np.full((len(questions), LONGEST), PAD, dtype=np.int64)
        for row, question in zip(rows, questions, strict=True):
            known = [places.get(word, UNKNOWN) for word in split_words(question)[:LONGEST]]
            row[: len(known)] = known
        return rows

    def place(self, answer: str) -> int:
        """Returns the number of an answer.

        Raises:
            UnknownIdError: when it is not among those that were learnt.
        """
        if answer not in self.answers:
            raise UnknownIdError("answer", answer, self.answers)
        return self.answers.index(answer)


def split_words(text: str) -> list[str]:
    """Returns the words of a text in lower case."""
    return re.findall(r"[^\W_]+", text.lower())
