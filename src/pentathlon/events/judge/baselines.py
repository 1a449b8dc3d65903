"""Judges to measure others by: one that knows, two that know without order, one that guesses, one that plays safe."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from pentathlon.core.entrants import Briefing, Floats, Images
from pentathlon.core.identity import derive_seed
from pentathlon.core.specs import JudgeSpec
from pentathlon.events.judge.data.films import FilmLog, progress_at
from pentathlon.events.judge.data.problem_sets import StepWords

Keys: TypeAlias = Callable[[StepWords], tuple[str, ...]]
"""What counts of a step."""

_JOINTS = re.compile(r"^First, we |^We |, and finally we |, and then we |, then we ")


class _Told:
    """A judge that is told something before each clip."""

    def __init__(self) -> None:
        self._briefing = Briefing("", 0)

    def brief(self, briefing: Briefing) -> None:
        """Listens."""
        self._briefing = briefing


class OracleJudge(_Told):
    """Reads the log: 1 for the description of what was done, in that order; a ceiling, not an entrant.

    Of a film that is cut short it tells the share of the steps that are done. Of a video without a log, and where
    several descriptions are true, it knows the labels.
    """

    spec = JudgeSpec(frames=1, told=("true_labels", "log", "steps", "share"))

    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Scores by the log."""
        facts = self._briefing.facts
        log: FilmLog | None = facts["log"]
        if log is None or facts["multi_label"]:
            return _scores([float(label in facts["true_labels"]) for label in facts["labels"]])
        done = tuple(step.plain for step in log.steps)
        share = progress_at(log, facts["share"])
        return _scores([share if done == tuple(steps) else 0.0 for steps in facts["steps"]])


class OrderBlindOracle(_Told):
    """Knows every step that was done and in no order: how much of the bag of steps each description shares."""

    spec = JudgeSpec(frames=1, told=("true_labels", "log", "steps"))

    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Scores by the share of common steps among all."""
        seen, told = _bags(self._briefing, descriptions, lambda step: (step.words,))
        return _scores([_overlap(seen, bag) for bag in told])


class ObjectsOnlyOracle(_Told):
    """Knows which things and places played a part, not what was done with them: what recognition alone can reach."""

    spec = JudgeSpec(frames=1, told=("true_labels", "log", "steps"))

    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Scores by the share of common things among all."""
        seen, told = _bags(self._briefing, descriptions, lambda step: (step.object, step.target))
        return _scores([_overlap(Counter(set(seen)), Counter(set(bag))) for bag in told])


class MajorityJudge(_Told):
    """Always says the label that is true most often in the problem set: the paper's baseline."""

    spec = JudgeSpec(frames=1, told=("all_true_labels",))

    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Scores 1 for that label."""
        facts = self._briefing.facts
        counts = Counter(label for labels in facts["all_true_labels"] for label in labels)
        best = max(facts["labels"], key=lambda label: counts[label])
        return _scores([float(label == best) for label in facts["labels"]])


class RandomJudge(_Told):
    """Draws every score: what chance gives."""

    spec = JudgeSpec(frames=1)

    def score(self, clip: Images, descriptions: Sequence[str]) -> Floats:
        """Draws scores that follow from problem set and clip."""
        name = str(self._briefing.facts.get("clip", ""))
        rng = np.random.default_rng(derive_seed(self._briefing.seed, name))
        return rng.random(len(descriptions)).astype(np.float32)


def steps_of(sentence: str) -> list[str]:
    """Takes a description apart into its steps, as ViSTa writes them."""
    return [part.strip() for part in _JOINTS.split(sentence) if part.strip()]


def _bags(briefing: Briefing, descriptions: Sequence[str], keys: Keys) -> tuple[Counter[str], list[Counter[str]]]:
    """What was seen and what each description tells, as bags; of a video without a log, from the sentences."""
    facts = briefing.facts
    log: FilmLog | None = facts["log"]
    if log is not None and facts["multi_label"]:
        labelled = zip(facts["labels"], facts["steps"], strict=True)
        shown = [step for label, steps in labelled if label in facts["true_labels"] for step in steps]
        return _bag(shown, keys), [_bag(steps, keys) for steps in facts["steps"]]
    if log is not None:
        seen = _bag([step.plain for step in log.steps], keys)
        return seen, [_bag(steps, keys) for steps in facts["steps"]]
    bags = [Counter(steps_of(sentence)) for sentence in descriptions]
    true = [bag for label, bag in zip(facts["labels"], bags, strict=True) if label in facts["true_labels"]]
    return sum(true, Counter()), bags


def _bag(steps: Sequence[StepWords], keys: Keys) -> Counter[str]:
    return Counter(key for step in steps for key in keys(step) if key)


def _overlap(first: Counter[str], second: Counter[str]) -> float:
    either = sum((first | second).values())
    return sum((first & second).values()) / either if either else 0.0


def _scores(values: Sequence[float]) -> Floats:
    return np.array(values, np.float32)
