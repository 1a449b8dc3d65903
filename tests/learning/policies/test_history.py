"""What a policy sees of the last frames: by hand, and the same in training, playing and fine-tuning."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from pentathlon.learning.policies.history import History, fuse, fuse_episode


def test_fusion_by_hand() -> None:
    embeddings = np.array([[1.0, 10.0], [3.0, 10.0], [6.0, 7.0]], np.float32)
    expected = [
        [0, 0, 0, 0, 1, 10],
        [0, 0, 2, 0, 3, 10],
        [2, 0, 3, -3, 6, 7],
    ]
    np.testing.assert_array_equal(fuse_episode(embeddings, 3), expected)
    np.testing.assert_array_equal(fuse_episode(embeddings, 1), embeddings)


@pytest.mark.parametrize("frame_stack", [1, 2, 3])
def test_playing_fuses_as_training_does(frame_stack: int) -> None:
    episodes = np.random.default_rng(0).normal(size=(3, 7, 4)).astype(np.float32)
    history = History(frame_stack)
    played = np.stack([history.fuse(episodes[:, step]) for step in range(7)], axis=1)
    np.testing.assert_array_equal(played, np.stack([fuse_episode(episode, frame_stack) for episode in episodes]))


def test_gradients_flow_through_the_same_fusion() -> None:
    embeddings = np.random.default_rng(1).normal(size=(6, 3)).astype(np.float32)
    steps = np.maximum(np.arange(6)[:, None] - [2, 1, 0], 0)
    recent = torch.from_numpy(embeddings[steps]).requires_grad_()
    fused = torch.cat(fuse(recent.unbind(1)), dim=1)
    np.testing.assert_array_equal(fused.detach().numpy(), fuse_episode(embeddings, 3))
    fused.sum().backward()
    assert recent.grad is not None
    np.testing.assert_array_equal(recent.grad[0], [[-1.0] * 3, [0.0] * 3, [2.0] * 3])
