"""Answers from the words of a question alone: what a model that never saw the house may know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

import msgspec
import numpy as np

from pentathlon.core.errors import DataError
from pentathlon.events.explore.questions.generate import COUNT_WEIGHTS
from pentathlon.events.explore.questions.linear import LinearModel, LinearSettings, fit_linear
from pentathlon.events.explore.questions.question import Question, answer_text
from pentathlon.events.explore.questions.words import ADJECTIVES, noun
from pentathlon.worlds.houses.assets.catalogue import catalogue
from pentathlon.worlds.modelling.colours import COLOURS

Asked = Literal["yes-no", "count", "colour", "material", "type"]
ASKED: tuple[Asked, ...] = ("yes-no", "count", "colour", "material", "type")
FILE = "text_only.json"
SETTINGS = LinearSettings(l2=1.0, least_uses=3, epochs=15)
LONGEST_GRAM = 3
SMALL = 0.02
_SIGNS: tuple[tuple[str, Asked], ...] = (
    (r"^(how many|what is the number)\b", "count"),
    (r"^what (is the )?colour\b", "colour"),
    (r"^what .*\bmade of\?$", "material"),
    (r"^what\b", "type"),
)


def asked_by(text: str) -> Asked:
    """Tells from its words what a question asks for."""
    lower = text.strip().lower()
    return next((asked for sign, asked in _SIGNS if re.search(sign, lower)), "yes-no")


@cache
def _plausible(asked: Asked) -> tuple[str, ...]:
    return {
        "yes-no": ("yes", "no"),
        "count": tuple(map(str, COUNT_WEIGHTS)),
        "colour": tuple(COLOURS),
        "material": tuple(ADJECTIVES),
        "type": tuple(sorted(map(noun, catalogue()))),
    }[asked]


def plausible(text: str) -> tuple[str, ...]:
    """Returns answers that fit what a question asks for, whatever house it is about."""
    return _plausible(asked_by(text))


def grams(text: str) -> list[str]:
    """Returns the runs of one to three words of a text, each once."""
    words = re.findall(r"[a-zé']+", text.lower())
    runs = (" ".join(words[i : i + n]) for n in range(1, LONGEST_GRAM + 1) for i in range(len(words) - n + 1))
    return list(dict.fromkeys(["", *runs]))


@dataclass(frozen=True)
class TextOnly:
    """One linear model over runs of words for each thing that is asked for."""

    models: dict[Asked, LinearModel]

    @staticmethod
    def fit(questions: Iterable[Question]) -> TextOnly:
        """Fits it on questions with their answers."""
        by_kind: dict[Asked, list[Question]] = {}
        for question in questions:
            by_kind.setdefault(asked_by(question.text), []).append(question)
        return TextOnly({asked: _fitted(own) for asked, own in by_kind.items()})

    def answer(self, text: str) -> str:
        """Returns the likeliest answer to a question."""
        model = self.models.get(asked_by(text))
        return plausible(text)[0] if model is None else model.guess(grams(text))

    def to_json(self) -> bytes:
        """Writes it as JSON, without the smallest weights."""
        return msgspec.json.encode({asked: _plain(model) for asked, model in self.models.items()})

    @staticmethod
    def from_json(data: bytes, source: str = FILE) -> TextOnly:
        """Reads what :meth:`to_json` wrote.

        Raises:
            DataError: when it is something else.
        """
        try:
            plain = msgspec.json.decode(data, type=dict[Asked, _Plain])
        except msgspec.DecodeError as error:
            raise DataError(f"{source}: expected the weights of a text-only model, got: {error}.") from None
        return TextOnly({asked: model.rebuilt() for asked, model in plain.items()})


class _Plain(msgspec.Struct, frozen=True):
    """A linear model as names and numbers: for each feature, pairs of a class and its weight."""

    classes: tuple[str, ...]
    weights: dict[str, list[tuple[int, float]]]

    def rebuilt(self) -> LinearModel:
        table = np.zeros((len(self.weights), len(self.classes)))
        for row, pairs in enumerate(self.weights.values()):
            for column, weight in pairs:
                table[row, column] = weight
        return LinearModel(self.classes, {name: i for i, name in enumerate(self.weights)}, table)


def _plain(model: LinearModel) -> _Plain:
    rows = {
        name: [(i, round(float(w), 2)) for i, w in enumerate(model.weights[place]) if abs(w) >= SMALL]
        for name, place in model.features.items()
    }
    return _Plain(model.classes, {name: pairs for name, pairs in rows.items() if pairs})


def _fitted(questions: Sequence[Question]) -> LinearModel:
    examples, labels = [grams(q.text) for q in questions], [answer_text(q.answer) for q in questions]
    return fit_linear(examples, labels, SETTINGS)


@cache
def shipped_text_only() -> TextOnly:
    """Returns the model that comes with this version, fitted on questions about training houses."""
    return TextOnly.from_json(resources.files(__package__).joinpath(FILE).read_bytes())
