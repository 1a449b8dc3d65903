"""Demonstrations as policy inputs: frames drawn and encoded once, kept by content, shared over seeds and epochs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from pentathlon.core import content_hash
from pentathlon.core.entrants import Encoder, Floats
from pentathlon.events.see.data.demonstration_files import Demonstration
from pentathlon.events.see.data.demonstrations import frames, make_demonstrations, record_attempt
from pentathlon.events.see.lessons import Lesson
from pentathlon.events.see.protocol import SeeProtocol
from pentathlon.learning.policies.history import fuse_episode
from pentathlon.models.encoders.crew import Crew, device_of, encode_frames
from pentathlon.storage import ArrayCache
from pentathlon.worlds.control.env import ControlEnv


@dataclass(frozen=True)
class TrainingSet:
    """All steps of all demonstrations: what the policy is given and what the expert did."""

    inputs: Floats
    actions: Floats


def training_set(
    protocol: SeeProtocol,
    encoder: Encoder,
    environment: ControlEnv,
    cache: ArrayCache,
    crew: Crew,
    given: Sequence[Lesson] = (),
) -> TrainingSet:
    """Makes the demonstrations if need be, encodes their frames and fuses them with proprioception."""
    inputs, actions = [], []
    for lesson in lessons(protocol, environment, given):
        embeddings = _embeddings(encoder, environment, lesson, cache, crew)
        fused = fuse_episode(embeddings, protocol.task.frame_stack)
        inputs.append(np.concatenate([fused, lesson.proprio], axis=1))
        actions.append(lesson.actions)
    return TrainingSet(np.concatenate(inputs).astype(np.float32), np.concatenate(actions).astype(np.float32))


def lessons(protocol: SeeProtocol, environment: ControlEnv, given: Sequence[Lesson] = ()) -> Iterator[Lesson]:
    """Yields the ``given`` lessons if there are, else those that the protocol's teacher makes."""
    if given:
        yield from given[: protocol.demonstrations]
    elif protocol.teacher != "chance":
        made = make_demonstrations(protocol.shown_task, protocol.demonstrations)
        for shown in made:
            yield _lesson(f"{made.folder.name}/{shown.episode}", environment, shown)
    else:
        for episode in range(protocol.demonstrations):
            name = f"chance/{protocol.task.name}/{protocol.task.horizon}/{episode}"
            shown = record_attempt(environment, episode, ChanceTeacher(environment.physics.action_size))
            yield _lesson(name, environment, shown)


def _lesson(name: str, environment: ControlEnv, shown: Demonstration) -> Lesson:
    return Lesson(name, shown.proprio, shown.actions, partial(frames, environment, shown))


class ChanceTeacher:
    """Acts at random."""

    def __init__(self, action_size: int) -> None:
        self._size = action_size

    def reset(self, generator: np.random.Generator) -> None:
        """Takes the episode's generator."""
        self._generator = generator

    def act(self) -> npt.NDArray[np.float64]:
        """Draws an action."""
        return self._generator.uniform(-1.0, 1.0, self._size)


def _embeddings(encoder: Encoder, environment: ControlEnv, lesson: Lesson, cache: ArrayCache, crew: Crew) -> Floats:
    def encode() -> dict[str, Floats]:
        return {"pooled": encode_frames(encoder, lesson.frames(), crew)}

    fingerprint = getattr(encoder, "fingerprint", None)
    if fingerprint is None:
        return encode()["pooled"]
    key = content_hash([fingerprint, device_of(encoder), lesson.name, environment.eyes_key()], length=40)
    embeddings: Floats = cache.get_or_compute(key, encode)["pooled"]
    return embeddings
