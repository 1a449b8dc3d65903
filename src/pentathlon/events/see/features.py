"""Demonstrations as policy inputs: frames drawn and encoded once, kept by content, shared over seeds and epochs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pentathlon.core import content_hash
from pentathlon.core.entrants import Encoder, Floats
from pentathlon.engine import ArrayCache
from pentathlon.events.see.protocol import SeeProtocol
from pentathlon.learning.cloning import fuse_history
from pentathlon.models.encoders.crew import Crew, device_of, encode_frames
from pentathlon.worlds.control.demo_files import Demonstration
from pentathlon.worlds.control.demos import frames, make_demos, record_attempt
from pentathlon.worlds.control.env import ControlEnv


@dataclass(frozen=True)
class TrainingSet:
    """All steps of all demonstrations: what the policy is given and what the expert did."""

    inputs: Floats
    actions: Floats


def training_set(
    protocol: SeeProtocol, encoder: Encoder, environment: ControlEnv, cache: ArrayCache, crew: Crew
) -> TrainingSet:
    """Makes the demonstrations if need be, encodes their frames and fuses them with proprioception."""
    inputs, actions = [], []
    for name, demo in demonstrations(protocol, environment):
        embeddings = _embeddings(encoder, environment, name, demo, cache, crew)
        fused = fuse_history(embeddings) if protocol.task.frame_stack > 1 else embeddings
        inputs.append(np.concatenate([fused, demo.proprio], axis=1))
        actions.append(demo.actions)
    return TrainingSet(np.concatenate(inputs).astype(np.float32), np.concatenate(actions).astype(np.float32))


def demonstrations(protocol: SeeProtocol, environment: ControlEnv) -> Iterator[tuple[str, Demonstration]]:
    """Yields each demonstration with a name that follows from its content."""
    if protocol.teacher == "expert":
        demos = make_demos(protocol.task, protocol.demos)
        for demo in demos:
            yield f"{demos.folder.name}/{demo.episode}", demo
    else:
        for episode in range(protocol.demos):
            name = f"chance/{protocol.task.name}/{protocol.task.horizon}/{episode}"
            yield name, record_attempt(environment, episode, ChanceTeacher(environment.physics.action_size))


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


def _embeddings(
    encoder: Encoder, environment: ControlEnv, name: str, demo: Demonstration, cache: ArrayCache, crew: Crew
) -> Floats:
    def encode() -> dict[str, Floats]:
        return {"pooled": encode_frames(encoder, frames(environment, demo), crew)}

    fingerprint = getattr(encoder, "fingerprint", None)
    if fingerprint is None:
        return encode()["pooled"]
    key = content_hash([fingerprint, device_of(encoder), name, environment.eyes_key()], length=40)
    embeddings: Floats = cache.get_or_compute(key, encode)["pooled"]
    return embeddings
