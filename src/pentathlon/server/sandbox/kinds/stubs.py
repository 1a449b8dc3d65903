"""Made-up questions for an entrant of each kind, so that what cannot work never waits for its turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pentathlon.core.entrants import Briefing, Kind
from pentathlon.core.specs import InteractionSpec, Spec
from pentathlon.worlds.tabletop.arm.robot import TOTO_START_RAD

PICTURES, PICTURE_SIZE = 4, (64, 64)
FRAMES = 8
DESCRIPTIONS = ("a mug is lifted", "a drawer is opened")
QUESTION = "Is there a mug in the kitchen?"


@dataclass(frozen=True)
class Episode:
    """What an entrant answered, and how long each answer took."""

    answers: tuple[npt.NDArray[Any], ...]
    seconds: tuple[float, ...]


def try_out(entrant: Any, kind: Kind, spec: Spec | None) -> None:
    """Asks an entrant one question of each sort; whether the answer is a good one is left to the task."""
    ask_all(entrant, kind, spec, steps=1)


def ask_all(entrant: Any, kind: Kind, spec: Spec | None, steps: int) -> Episode:
    """Asks an entrant ``steps`` made-up questions after a reset, the same ones every time."""
    answers, seconds = [], []
    for ask in _questions(entrant, kind, spec, steps):
        started_s = time.perf_counter()
        answer = ask()
        seconds.append(time.perf_counter() - started_s)
        answers.append(np.asarray(answer))
    return Episode(tuple(answers), tuple(seconds))


def stub_observation(spec: InteractionSpec, step: int) -> dict[str, Any]:
    """Makes up what might be seen at a step: noise for pictures, ones for the rest, TOTO's start pose drifting."""
    rng = np.random.default_rng(step)
    observation: dict[str, Any] = {}
    for array in spec.observations:
        shape = tuple(length or 1 for length in array.shape)
        if array.name == "joints" and shape == (len(TOTO_START_RAD),):
            observation[array.name] = (np.array(TOTO_START_RAD) + 0.001 * step).astype(np.float32)
        elif array.dtype == "uint8":
            observation[array.name] = rng.integers(0, 256, shape, np.uint8)
        else:
            observation[array.name] = np.ones(shape, array.dtype)
    return observation


def _questions(entrant: Any, kind: Kind, spec: Spec | None, steps: int) -> Iterator[Callable[[], Any]]:
    if kind == "encoder":
        yield from (lambda step=step: entrant.encode(_pictures(PICTURES, step)).pooled for step in range(steps))
    elif kind == "judge":
        frames = entrant.spec.frames or FRAMES
        yield from (lambda step=step: entrant.score(_pictures(frames, step), DESCRIPTIONS) for step in range(steps))
    else:
        assert isinstance(spec, InteractionSpec)
        _begin(entrant, kind)
        ask = entrant.predict if kind == "policy" else entrant.act
        yield from (lambda step=step: ask(stub_observation(spec, step)) for step in range(steps))
        if spec.answers:
            entrant.brief(Briefing("Try it out again.", 0))
            yield lambda: entrant.answer(QUESTION)


def _begin(entrant: Any, kind: Kind) -> None:
    if kind == "policy":
        entrant.reset()
    else:
        entrant.reset(Briefing("Try it out.", 0))


def _pictures(count: int, step: int) -> npt.NDArray[np.uint8]:
    return np.random.default_rng(step).integers(0, 256, (count, *PICTURE_SIZE, 3), np.uint8)
