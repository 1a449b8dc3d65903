"""End-to-end fine-tuning: snippets, and gradients that equal those of one plain backward pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from pentathlon.events.see import finetuning
from pentathlon.events.see.finetuning import Footage, gather_footage, snippet_batches
from pentathlon.events.see.lessons import Lesson
from pentathlon.learning.policies.cloning import ClonedPolicy
from pentathlon.learning.policies.history import fuse
from pentathlon.learning.policies.recipes import CloningRecipe
from pentathlon.models.encoders.network import Tokens


class Linear:
    """Pixels to features by one matrix."""

    def __init__(self) -> None:
        torch.manual_seed(0)
        self.module: nn.Module = nn.Linear(12, 3)

    def tokens(self, images: Tensor) -> Tokens:
        return Tokens(self.module(images.flatten(1).float() / 255.0), None)


@pytest.fixture
def footage(tmp_path: Path) -> Footage:
    generator = np.random.default_rng(0)

    def lesson(steps: int) -> Lesson:
        pictures = generator.integers(0, 256, (steps, 2, 2, 3), dtype=np.uint8)
        proprio, actions = (generator.normal(size=(steps, width)).astype(np.float32) for width in (1, 2))
        return Lesson(f"lesson of {steps}", proprio, actions, lambda: iter(pictures))

    return gather_footage(map(lesson, (19, 5, 8)), tmp_path / "frames")


def test_footage_knows_where_episodes_begin(footage: Footage) -> None:
    assert footage.frames.shape == (32, 2, 2, 3)
    assert footage.episode_start.tolist() == [0] * 19 + [19] * 5 + [24] * 8


def test_snippets_cover_every_step_once_and_stay_within_episodes(footage: Footage) -> None:
    batches = list(snippet_batches(footage.episode_start, 12, np.random.default_rng(3)))
    assert [len(batch) for batch in batches] == [12, 12, 8]
    dealt = np.concatenate(batches)
    assert sorted(dealt) == list(range(32))
    assert dealt.tolist() != list(range(32))
    follows = np.flatnonzero(np.diff(dealt) != 1) + 1
    assert set(dealt[follows]) <= {0, 8, 16, 19, 24}


@pytest.mark.parametrize("frame_stack", [1, 3])
def test_gradients_equal_those_of_one_backward(
    footage: Footage, frame_stack: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finetuning, "SHARE_IMAGES", 4)
    encoder, steps = Linear(), np.array([19, 20, 21, 3, 4, 5, 6])
    policy = ClonedPolicy(3 * frame_stack + 1, 2, CloningRecipe(hidden=(8,)))
    loss = finetuning._backward(footage, steps, encoder, policy, frame_stack)
    shared = [parameter.grad for parameter in (*encoder.module.parameters(), *policy.parameters())]
    encoder.module.zero_grad()
    policy.zero_grad()
    back = np.arange(frame_stack)[::-1]
    seen = np.maximum(steps[:, None] - back, footage.episode_start[steps][:, None])
    features = encoder.tokens(torch.from_numpy(footage.frames[seen.ravel()])).pooled.view(len(steps), frame_stack, 3)
    inputs = torch.cat([*fuse(features.unbind(1)), torch.from_numpy(footage.proprio[steps])], dim=1)
    plain = nn.functional.mse_loss(policy(inputs), torch.from_numpy(footage.actions[steps]))
    plain.backward()  # type: ignore[no-untyped-call]
    assert loss == pytest.approx(plain.item(), rel=1e-5)
    for mine, parameter in zip(shared, (*encoder.module.parameters(), *policy.parameters()), strict=True):
        torch.testing.assert_close(mine, parameter.grad, rtol=1e-4, atol=1e-6)


def test_training_lowers_the_loss_and_moves_the_encoder_at_its_own_rate(footage: Footage) -> None:
    recipe = CloningRecipe(hidden=(32,), epochs=30, batch_size=16)

    def train(rate: float) -> tuple[list[float], Any]:
        encoder = Linear()
        epochs = finetuning.finetune(footage, encoder, dim=3, frame_stack=3, recipe=recipe, rate=rate, seed=1)
        return [epoch.loss for epoch in epochs], encoder.module.weight.detach().clone()

    start = Linear().module.weight
    losses, moved = train(1e-2)
    assert losses[-1] < 0.8 * losses[0]
    frozen_losses, still = train(0.0)
    assert torch.equal(still, start)
    assert not torch.equal(moved, start)
    assert losses[-1] < frozen_losses[-1]
