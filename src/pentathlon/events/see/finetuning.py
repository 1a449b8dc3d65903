"""End-to-end fine-tuning: behaviour cloning whose gradients reach the encoder.

A batch holds snippets of consecutive steps, so that a frame is encoded once for the three steps that see it. Gradients
are taken in two passes (features first, then the encoder share by share), so that memory does not grow with the batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from pentathlon.core.entrants import Floats, Images
from pentathlon.events.see.lessons import Lesson
from pentathlon.learning.policies.cloning import ClonedPolicy
from pentathlon.learning.policies.history import fuse
from pentathlon.learning.policies.recipes import CloningRecipe
from pentathlon.models.encoders.network import Tokens

SNIPPET_STEPS = 8
SHARE_IMAGES = 64

Steps = npt.NDArray[np.int64]


@runtime_checkable
class Trainable(Protocol):
    """An encoder that gradients can flow into."""

    module: nn.Module

    def tokens(self, images: Tensor) -> Tokens:
        """Encodes uint8 ``images[B, H, W, 3]`` in one forward."""
        ...


@dataclass(frozen=True)
class Footage:
    """All steps of all demonstrations, with their frames.

    Attributes:
        frames: uint8 ``[steps, H, W, 3]``, mapped from disk.
        episode_start: the step at which each step's episode began.
    """

    frames: Images
    proprio: Floats
    actions: Floats
    episode_start: Steps


def gather_footage(lessons: Iterable[Lesson], path: Path) -> Footage:
    """Writes the frames of ``lessons`` to ``path`` as they come, and maps them back."""
    proprio: list[Floats] = []
    actions: list[Floats] = []
    starts: list[Steps] = []
    shape: tuple[int, ...] = ()
    with path.open("wb") as file:
        for lesson in lessons:
            steps, start = len(lesson.actions), sum(len(taken) for taken in actions)
            for frame in lesson.frames():
                file.write(np.ascontiguousarray(frame).tobytes())
                shape = frame.shape
            proprio.append(lesson.proprio)
            actions.append(lesson.actions)
            starts.append(np.full(steps, start, np.int64))
    begun = np.concatenate(starts)
    frames = np.memmap(path, np.uint8, "r", shape=(len(begun), *shape))
    return Footage(
        frames, np.concatenate(proprio).astype(np.float32), np.concatenate(actions).astype(np.float32), begun
    )


@dataclass(frozen=True)
class TunedEpoch:
    """The state of training after one pass; the encoder has been changed in place."""

    number: int
    loss: float
    policy: ClonedPolicy


def finetune(
    footage: Footage, encoder: Trainable, *, dim: int, frame_stack: int, recipe: CloningRecipe, rate: float, seed: int
) -> Iterator[TunedEpoch]:
    """Trains a policy and ``encoder`` together and yields after every epoch.

    The encoder stays in evaluation mode: statistics of its normalisation layers are kept as they were pre-trained.

    Args:
        footage: what to clone.
        encoder: changed in place.
        dim: length of its pooled feature.
        frame_stack: 3 to fuse the last three embeddings, 1 to take the present one.
        recipe: of the policy, as for frozen features.
        rate: the encoder's learning rate.
        seed: of the policy's initial weights and of the order of batches.
    """
    device = next(encoder.module.parameters()).device
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed % 2**63)
        inputs = dim * frame_stack + footage.proprio.shape[1]
        policy = ClonedPolicy(inputs, footage.actions.shape[1], recipe).to(device)
    optimiser = torch.optim.AdamW(
        [
            {"params": policy.parameters(), "lr": recipe.learning_rate},
            {"params": [p for p in encoder.module.parameters() if p.requires_grad], "lr": rate},
        ],
        weight_decay=recipe.weight_decay,
    )
    order = np.random.default_rng(seed)
    for number in range(1, recipe.epochs + 1):
        policy.train()
        encoder.module.eval()
        losses = []
        for steps in snippet_batches(footage.episode_start, recipe.batch_size, order):
            optimiser.zero_grad(set_to_none=True)
            losses.append(_backward(footage, steps, encoder, policy, frame_stack))
            optimiser.step()
        yield TunedEpoch(number, float(np.mean(losses)), policy)


def snippet_batches(episode_start: Steps, batch_size: int, order: np.random.Generator) -> Iterator[Steps]:
    """Deals out every step once, in random batches of snippets that never cross from one episode into another."""
    steps = np.arange(len(episode_start))
    offset = steps - episode_start
    snippets = np.split(steps, np.flatnonzero((offset % SNIPPET_STEPS == 0) & (steps > 0)))
    order.shuffle(snippets)
    shuffled = np.concatenate(snippets)
    for start in range(0, len(shuffled), batch_size):
        batch = shuffled[start : start + batch_size]
        # Batch normalisation has no variance to divide by in a batch of one.
        if len(batch) > 1:
            yield batch


def _backward(footage: Footage, steps: Steps, encoder: Trainable, policy: ClonedPolicy, frame_stack: int) -> float:
    """Adds the batch's gradients to policy and encoder, and returns its loss."""
    back = np.arange(frame_stack)[::-1]
    seen = np.maximum(steps[:, None] - back, footage.episode_start[steps][:, None])
    needed, places = np.unique(seen, return_inverse=True)
    bounds = range(SHARE_IMAGES, len(needed), SHARE_IMAGES)
    shares = [torch.from_numpy(footage.frames[share]) for share in np.split(needed, bounds)]
    with torch.no_grad():
        features = torch.cat([encoder.tokens(share).pooled for share in shares]).float()
    features.requires_grad_()
    device = features.device
    recent = features[torch.from_numpy(places.reshape(seen.shape)).to(device)].unbind(1)
    inputs = torch.cat([*fuse(recent), torch.from_numpy(footage.proprio[steps]).to(device)], dim=1)
    loss = nn.functional.mse_loss(policy(inputs), torch.from_numpy(footage.actions[steps]).to(device))
    loss.backward()  # type: ignore[no-untyped-call]
    assert features.grad is not None
    for share, gradient in zip(shares, torch.split(features.grad, SHARE_IMAGES), strict=True):
        encoder.tokens(share).pooled.float().backward(gradient)  # type: ignore[no-untyped-call]
    return float(loss.detach())
