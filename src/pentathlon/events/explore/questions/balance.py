"""Keeps the answer out of the words: how likely each answer is to one who knows houses in general, but not this one.

A linear model over the traits of yes-no questions (which things, which rooms, which relation) was fitted on questions
about training houses; its weights are in ``balance.json``. A question whose answer it would guess is taken the more
seldom the surer the guess, so that among the questions that are taken, both answers are about as likely.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import msgspec

from pentathlon.events.explore.questions.linear import LinearSettings, fit_linear

FILE = "balance.json"
SETTINGS = LinearSettings(l2=3.0, least_uses=3, epochs=15)
SMALL = 0.1
LEAST_SHARE = 0.02
"""However sure the guess, this share of such questions is taken."""


@dataclass(frozen=True)
class Balance:
    """Weights of traits; positive ones speak for "yes"."""

    weights: Mapping[str, float]

    def chance_of(self, answer: bool, traits: Iterable[str]) -> float:
        """Returns how likely an answer is, by the traits alone."""
        score = sum(self.weights.get(trait, 0.0) for trait in traits)
        return 1.0 / (1.0 + math.exp(-score if answer else score))

    def share_to_take(self, answer: bool, traits: Iterable[str]) -> float:
        """Returns the chance with which a question is taken, so that yes and no become equally likely."""
        chance = self.chance_of(answer, traits)
        return min(1.0, max(LEAST_SHARE, (1.0 - chance) / chance))

    def to_json(self) -> bytes:
        """Writes the weights as JSON, without the smallest."""
        kept = {name: round(weight, 2) for name, weight in sorted(self.weights.items()) if abs(weight) >= SMALL}
        return msgspec.json.format(msgspec.json.encode(kept), indent=0)


def fit_balance(traits: Sequence[Sequence[str]], answers: Sequence[bool]) -> Balance:
    """Fits weights on the traits and answers of questions that no balance has touched."""
    model = fit_linear(traits, ["yes" if answer else "no" for answer in answers], SETTINGS)
    yes, no = model.classes.index("yes"), model.classes.index("no")
    return Balance({name: float(model.weights[i, yes] - model.weights[i, no]) for name, i in model.features.items()})


@cache
def shipped_balance() -> Balance:
    """Returns the weights that come with this version."""
    text = resources.files(__package__).joinpath(FILE).read_bytes()
    return Balance(msgspec.json.decode(text, type=dict[str, float]))
