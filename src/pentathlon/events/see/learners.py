"""The two ways to learn a task from demonstrations: on frozen features, or with the encoder trained along."""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pentathlon.core import EntrantError
from pentathlon.core.entrants import Encoder
from pentathlon.events.see.features import lessons, training_set
from pentathlon.events.see.finetuning import Trainable, finetune, gather_footage
from pentathlon.events.see.lessons import Lesson
from pentathlon.events.see.protocol import SeeProtocol
from pentathlon.learning.policies.cloning import ClonedPolicy, clone
from pentathlon.models.encoders.crew import Crew
from pentathlon.storage import ArrayCache
from pentathlon.worlds.control.env import ControlEnv


@dataclass(frozen=True)
class Learned:
    """A policy after some epochs and the encoder that it was trained on."""

    epoch: int
    loss: float
    policy: ClonedPolicy
    encoder: Encoder


def learn(
    protocol: SeeProtocol,
    encoder: Encoder,
    environment: ControlEnv,
    seed: int,
    cache: ArrayCache,
    crew: Crew,
    given: Sequence[Lesson] = (),
) -> Iterator[Learned]:
    """Trains as the protocol says and yields after every epoch; ``encoder`` itself is never changed."""
    if protocol.adapt == "e2e":
        yield from _end_to_end(protocol, encoder, lessons(protocol, environment, given), seed)
        return
    data = training_set(protocol, encoder, environment, cache, crew, given)
    device = str(getattr(encoder, "device", "cpu"))
    for epoch in clone(data.inputs, data.actions, protocol.recipe, seed, device):
        yield Learned(epoch.number, epoch.loss, epoch.policy, encoder)


def _end_to_end(protocol: SeeProtocol, encoder: Encoder, taught: Iterable[Lesson], seed: int) -> Iterator[Learned]:
    tuned = trainable_copy(encoder)
    with tempfile.TemporaryDirectory(prefix="pentathlon-") as folder:
        footage = gather_footage(taught, Path(folder) / "frames")
        assert isinstance(tuned, Trainable)
        training = finetune(
            footage,
            tuned,
            dim=tuned.spec.dim,
            frame_stack=protocol.task.frame_stack,
            recipe=protocol.recipe,
            rate=protocol.encoder_learning_rate,
            seed=seed,
        )
        for epoch in training:
            yield Learned(epoch.number, epoch.loss, epoch.policy, tuned)


def trainable_copy(encoder: Encoder) -> Encoder:
    """Copies an encoder to train, so that the next heat starts from the same weights.

    Raises:
        EntrantError: when gradients cannot flow into it.
    """
    if not encoder.spec.trainable or not isinstance(encoder, Trainable):
        raise EntrantError(
            f"End-to-end fine-tuning expects a trainable encoder (spec.trainable, with .module and .tokens), "
            f"{type(encoder).__name__} is not. Run it with --adapt frozen, or wrap its network in a TorchEncoder."
        )
    return copy.deepcopy(encoder)
